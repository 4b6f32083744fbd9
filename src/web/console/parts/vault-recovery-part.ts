import { html, type TemplateResult } from 'lit-html';
import { backUpSeed } from '../../../client/vault-seed.ts';
import { decided } from '../ui/decide.ts';
import { fill } from '../ui/format.ts';
import { field, submitting, typedText } from '../ui/handlers.ts';
import { say } from '../ui/toast.ts';
import type { Desk } from '../ui/workspace.ts';
import { words } from '../words/console-words.ts';

/** A way back to a lost seed: a copy of it, sealed in the browser with a passphrase, that the service mails out. */

/** The service never sees it, so guesses at it are not limited. */
const PASSPHRASE_MIN = 12;

export function recoverySection(desk: Desk, seed: Uint8Array): TemplateResult {
  const { vault } = words;
  const known = desk.account.vault_recovery_email;
  const save = async (form: HTMLFormElement): Promise<void> => {
    const [email, passphrase] = [field(form, 'recovery-email'), typedText(form, 'passphrase')];
    if (passphrase !== typedText(form, 'again')) throw new Error(vault.passphrasesDiffer);
    const sealed = await backUpSeed(seed, passphrase);
    const stored = await decided(desk, desk.account.id, (service) =>
      service.setVaultRecovery({ email, encrypted_seed: sealed }),
    );
    form.reset();
    say(fill(vault.recoverySet, { email: stored.email }));
    await desk.refresh();
  };
  const secret = (name: string, label: string): TemplateResult => html`
    <div class="field">
      <label for=${name}>${label}</label>
      <input id=${name} name=${name} type="password" minlength=${PASSPHRASE_MIN} required autocomplete="new-password">
    </div>`;
  return html`
    <form class="sheet" id="vault-recovery" @submit=${submitting(save)}>
      <h2>${vault.recovery}</h2>
      <p class="fine">${known === null ? vault.recoveryWhy : fill(vault.recoveryKnown, { email: known })}</p>
      <div class="field">
        <label for="recovery-email">${vault.recoveryEmail}</label>
        <input id="recovery-email" name="recovery-email" type="email" maxlength="254" required autocomplete="email">
      </div>
      ${secret('passphrase', vault.passphrase)} ${secret('again', vault.passphraseAgain)}
      <p class="problem" role="alert"></p>
      <p class="actions"><button class="button">${vault.recoveryDo}</button></p>
    </form>`;
}
