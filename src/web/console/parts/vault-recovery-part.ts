import { html, type TemplateResult } from 'lit-html';
import { backUpSeed } from '../../../client/vault-seed.ts';
import { decided } from '../ui/decide.ts';
import { field, form, textIn, typedText } from '../ui/kit/form.ts';
import { toast } from '../ui/toast.ts';
import type { Workspace } from '../ui/workspace.ts';

/** A way back to a lost seed: a copy of it, sealed in the browser with a passphrase, that the service mails out. */

/** The service never sees it, so guesses at it are not limited. */
const PASSPHRASE_MIN = 12;

export function recoverySection(workspace: Workspace, seed: Uint8Array): TemplateResult {
  const known = workspace.account.vault_recovery_email;
  const save = async (of: HTMLFormElement): Promise<void> => {
    const [email, passphrase] = [textIn(of, 'recovery-email'), typedText(of, 'passphrase')];
    if (passphrase !== typedText(of, 'again')) throw new Error('The passphrases differ.');
    const sealed = await backUpSeed(seed, passphrase);
    const stored = await decided(workspace, workspace.account.id, (service) =>
      service.setVaultRecovery({ email, encrypted_seed: sealed }),
    );
    of.reset();
    toast(`A sealed copy of the seed is kept for ${stored.email}.`);
    await workspace.refresh();
  };
  const secret = (name: string, label: string): TemplateResult =>
    field(
      name,
      label,
      html`<input id=${name} name=${name} type="password" minlength=${PASSPHRASE_MIN} required autocomplete="new-password">`,
    );
  const why =
    known === null
      ? 'This browser seals the seed with a passphrase, and the service keeps the sealed copy. On request it mails a link to this address. Only the passphrase opens the copy.'
      : `A sealed copy is kept for ${known}. A new one replaces it.`;
  return form(
    { id: 'vault-recovery', title: 'If the seed is lost' },
    save,
    html`
      <p class="fine">${why}</p>
      ${field('recovery-email', 'Mail the sealed copy to', html`<input id="recovery-email" name="recovery-email" type="email" maxlength="254" required autocomplete="email">`)}
      ${secret('passphrase', 'Passphrase, at least 12 characters')} ${secret('again', 'The same passphrase again')}`,
    html`<button class="button">Seal and store the seed</button>`,
  );
}
