import { html, nothing, type TemplateResult } from 'lit-html';
import { randomSeed, writeSeed } from '../../../../client/vault-seed.ts';
import { action } from '../../ui/kit/action.ts';
import { field, form, textIn, typedText } from '../../ui/kit/form.ts';
import { showOnce, toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { openSeed, openVault, protectSeed, seedByPassphrase, typedSeed, type VaultEntry } from './open-vault.ts';

/** How a vault is protected and opened: by a passphrase, or by its seed. */

/** The service never sees it, so guesses at it are not limited. */
const PASSPHRASE_MIN = 12;

/** Both fields of a new passphrase. */
export const newPassphrase = (id: string): TemplateResult => html`
  ${field(id, 'Passphrase', html`<input id=${id} name=${id} type="password" minlength=${PASSPHRASE_MIN} required autocomplete="new-password" aria-describedby="${id}-hint">`, 'At least 12 characters: four random words are good.')}
  ${field(`${id}-again`, 'The same passphrase again', html`<input id="${id}-again" name="${id}-again" type="password" minlength=${PASSPHRASE_MIN} required autocomplete="new-password">`)}`;

/** @throws with a text for people when the two differ */
export function passphraseIn(of: HTMLFormElement, id: string): string {
  const passphrase = typedText(of, id);
  if (passphrase !== typedText(of, `${id}-again`)) throw new Error('The passphrases differ.');
  return passphrase;
}

const SEED_TEXT = 'It opens and seals everything in the vault. Give it to your agent as SIGNET_SEED.';

export const showSeed = (seed: Uint8Array): Promise<void> =>
  showOnce('Seed of the vault', SEED_TEXT, writeSeed(seed), 'signet-seed.txt');

/** Makes a passphrase the way into the vault. One without a seed gets a new one. @param version of the copy it replaces; 0 without one */
export function protectForm(workspace: Workspace, version: number): TemplateResult {
  const isNew = version === 0;
  const save = async (of: HTMLFormElement): Promise<void> => {
    const passphrase = passphraseIn(of, 'vault-passphrase');
    const seed = openSeed(workspace) ?? randomSeed();
    await protectSeed(workspace, seed, passphrase, version);
    if (openSeed(workspace) === null) await openVault(workspace, seed, []);
    of.reset();
    toast(version === 0 ? 'The vault opens with your passphrase now.' : 'The passphrase is changed.');
    await workspace.refresh();
  };
  return form(
    isNew ? { id: 'protect', title: 'Protect with a passphrase' } : { id: 'protect', kind: '' },
    save,
    html`
      <p class="fine">${
        isNew
          ? 'This browser makes the key of the vault and seals it with your passphrase. The service stores only the sealed key, and cannot reset the passphrase: keep it where you keep your own passwords.'
          : 'The former passphrase no longer opens the vault. What is in it stays as it is.'
      }</p>
      ${newPassphrase('vault-passphrase')}`,
    html`<button class=${isNew ? 'button primary' : 'button'}>${isNew ? 'Protect the vault' : 'Change the passphrase'}</button>`,
  );
}

async function makeSeed(workspace: Workspace): Promise<void> {
  const seed = randomSeed();
  const text = 'Only this seed opens what you seal with it. Keep it with your backups and give it to your agent.';
  await showOnce('Your seed', text, writeSeed(seed), 'signet-seed.txt');
  await openVault(workspace, seed, []);
  workspace.repaint();
}

const passphraseForm = (workspace: Workspace, entries: readonly VaultEntry[]): TemplateResult =>
  form(
    { id: 'unlock', title: 'Open the vault' },
    async (of) => {
      await openVault(workspace, await seedByPassphrase(workspace, typedText(of, 'open-passphrase')), entries);
      of.reset();
      workspace.repaint();
    },
    field(
      'open-passphrase',
      'Passphrase',
      html`<input id="open-passphrase" name="open-passphrase" type="password" required autocomplete="current-password">`,
    ),
    'Open the vault',
  );

const seedForm = (workspace: Workspace, entries: readonly VaultEntry[], mayMake: boolean): TemplateResult =>
  form(
    { id: 'unlock-by-seed', kind: '' },
    async (of) => {
      await openVault(workspace, await typedSeed(textIn(of, 'seed'), typedText(of, 'copy-passphrase')), entries);
      of.reset();
      workspace.repaint();
    },
    html`
      ${field('seed', 'Seed', html`<input id="seed" name="seed" type="password" class="mono" autocomplete="off" required aria-describedby="seed-hint">`, 'What the agent has in SIGNET_SEED, or a sealed copy of it. It stays in this tab.')}
      ${field('copy-passphrase', 'Passphrase of a sealed copy', html`<input id="copy-passphrase" name="copy-passphrase" type="password" autocomplete="off">`)}`,
    html`
      <button class="button">Open with the seed</button>
      ${mayMake ? action('Make a new seed', () => makeSeed(workspace)) : nothing}`,
  );

/** The ways into a vault that is closed. @param version of the copy that a passphrase opens; 0 without one */
export function lockSection(workspace: Workspace, entries: readonly VaultEntry[], version: number): TemplateResult {
  const isEmpty = entries.length === 0;
  if (version === 0 && !isEmpty)
    return html`
      <section class="sheet" aria-labelledby="open-title">
        <h2 id="open-title">Open the vault</h2>
        <p class="fine">What is in it was sealed with a seed. Once it is open, you can protect it with a passphrase.</p>
        ${seedForm(workspace, entries, false)}
      </section>`;
  return html`
    ${version === 0 ? protectForm(workspace, 0) : passphraseForm(workspace, entries)}
    <details class="sheet"><summary>${version === 0 ? 'Use the seed of an agent' : 'Open with the seed'}</summary>
      ${seedForm(workspace, entries, version === 0)}
    </details>`;
}
