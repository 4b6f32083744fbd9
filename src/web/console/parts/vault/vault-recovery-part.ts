import { html, type TemplateResult } from 'lit-html';
import { backUpSeed } from '../../../../client/vault-seed.ts';
import { decided } from '../../ui/decide.ts';
import { field, form, textIn } from '../../ui/kit/form.ts';
import { toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { newPassphrase, passphraseIn } from './vault-lock-part.ts';

/** A way back to a vault by mail: a copy of its seed, sealed in the browser with a passphrase, that the service mails out. */

/** Closed until it is wanted: it is set up once. */
export const recoverySection = (workspace: Workspace, seed: Uint8Array): TemplateResult => html`
  <details class="sheet" id="recovery">
    <summary>Recover by email <span class="fine">${workspace.account.vault_recovery_email ?? 'Not set up'}</span></summary>
    ${recoveryForm(workspace, seed)}
  </details>`;

function recoveryForm(workspace: Workspace, seed: Uint8Array): TemplateResult {
  const known = workspace.account.vault_recovery_email;
  const save = async (of: HTMLFormElement): Promise<void> => {
    const email = textIn(of, 'recovery-email');
    const sealed = await backUpSeed(seed, passphraseIn(of, 'passphrase'));
    const stored = await decided(workspace, workspace.account.id, (service) =>
      service.setVaultRecovery({ email, encrypted_seed: sealed }),
    );
    of.reset();
    toast(`${stored.email} can recover the vault with the passphrase.`);
    await workspace.refresh();
  };
  const why =
    known === null
      ? 'When every key of the account is lost, the service mails a link to this address. It opens the vault together with the passphrase, and with nothing else.'
      : `${known} can recover the vault with its passphrase. What you set here replaces that.`;
  return form(
    { id: 'vault-recovery', kind: '' },
    save,
    html`
      <p class="fine">${why}</p>
      ${field('recovery-email', 'Email', html`<input id="recovery-email" name="recovery-email" type="email" maxlength="254" required autocomplete="email">`)}
      ${newPassphrase('passphrase')}`,
    html`<button class="button">Set up recovery</button>`,
  );
}
