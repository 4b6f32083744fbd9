import { html, type TemplateResult } from 'lit-html';
import { backUpSeed } from '../../../client/vault-seed.ts';
import { decided } from '../ui/decide.ts';
import { onSubmit, textIn, typedText } from '../ui/handlers.ts';
import { toast } from '../ui/toast.ts';
import type { Workspace } from '../ui/workspace.ts';

/** A way back to a lost seed: a copy of it, sealed in the browser with a passphrase, that the service mails out. */

/** The service never sees it, so guesses at it are not limited. */
const PASSPHRASE_MIN = 12;

export function recoverySection(workspace: Workspace, seed: Uint8Array): TemplateResult {
  const known = workspace.account.vault_recovery_email;
  const save = async (form: HTMLFormElement): Promise<void> => {
    const [email, passphrase] = [textIn(form, 'recovery-email'), typedText(form, 'passphrase')];
    if (passphrase !== typedText(form, 'again')) throw new Error('The passphrases differ.');
    const sealed = await backUpSeed(seed, passphrase);
    const stored = await decided(workspace, workspace.account.id, (service) =>
      service.setVaultRecovery({ email, encrypted_seed: sealed }),
    );
    form.reset();
    toast(`A sealed copy of the seed is kept for ${stored.email}.`);
    await workspace.refresh();
  };
  const secret = (name: string, label: string): TemplateResult => html`
    <div class="field">
      <label for=${name}>${label}</label>
      <input id=${name} name=${name} type="password" minlength=${PASSPHRASE_MIN} required autocomplete="new-password">
    </div>`;
  return html`
    <form class="sheet" id="vault-recovery" @submit=${onSubmit(save)}>
      <h2>If the seed is lost</h2>
      <p class="fine">${known === null ? 'This browser seals the seed with a passphrase, and the service keeps the sealed copy. On request it mails a link to this address. Only the passphrase opens the copy.' : `A sealed copy is kept for ${known}. A new one replaces it.`}</p>
      <div class="field">
        <label for="recovery-email">Mail the sealed copy to</label>
        <input id="recovery-email" name="recovery-email" type="email" maxlength="254" required autocomplete="email">
      </div>
      ${secret('passphrase', 'Passphrase, at least 12 characters')} ${secret('again', 'The same passphrase again')}
      <p class="problem" role="alert"></p>
      <p class="actions"><button class="button">Seal and store the seed</button></p>
    </form>`;
}
