import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListVaultKeysReply } from '../../../client/generated/operations.ts';
import { SignetCryptoError } from '../../../client/signet-error.ts';
import { randomSeed, readSeed, restoreSeed, writeSeed } from '../../../client/vault-seed.ts';
import { recoverySection } from '../parts/vault-recovery-part.ts';
import { allOf } from '../ui/console-service.ts';
import { time } from '../ui/format.ts';
import { onPress, onSubmit, textIn, typedText } from '../ui/handlers.ts';
import { empty } from '../ui/placeholders.ts';
import { confirmed, showOnce, toast } from '../ui/toast.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** The vault of an agent: its entries are opened and sealed in the browser. */

type Entry = ListVaultKeysReply['keys'][number];

/** Entries that are opened to check a seed, until one shows whether it fits. */
const TRIED_MAX = 5;

interface Unlocked {
  seed: Uint8Array;
  /** The versions seen: the service must not go back to an older one. */
  versions: Map<string, number>;
}

/** The vaults that are open, by account. They live as long as this page of the browser, or until the person signs out. */
const unlocked = new Map<string, Unlocked>();

export const forgetVaults = (): void => unlocked.clear();

const vaultOf = (workspace: Workspace) => {
  const held = unlocked.get(workspace.account.account_id);
  return held === undefined ? null : workspace.service.vault(held.seed, { versions: held.versions });
};

/** A seed, or a sealed copy of one with its passphrase. @throws with a text for people */
async function seedIn(form: HTMLFormElement): Promise<Uint8Array> {
  const passphrase = typedText(form, 'copy-passphrase');
  try {
    return passphrase === '' ? readSeed(textIn(form, 'seed')) : await restoreSeed(textIn(form, 'seed'), passphrase);
  } catch (err) {
    const isWrong = err instanceof SignetCryptoError && err.code === 'not_authentic';
    throw new Error(
      isWrong ? 'This passphrase does not open the sealed copy.' : 'This is not a seed: it needs 32 bytes.',
      { cause: err },
    );
  }
}

/** @throws when the seed does not open what is there: what it sealed would be lost to the holder of the right one */
async function requireSeed(
  workspace: Workspace,
  { seed, versions }: Unlocked,
  entries: readonly Entry[],
): Promise<void> {
  const vault = workspace.service.vault(seed, { versions });
  for (const { key } of entries.slice(0, TRIED_MAX)) {
    try {
      await vault.get(key, { unproven: true });
      return;
    } catch (err) {
      if (!(err instanceof SignetCryptoError)) throw err;
      if (err.code === 'not_authentic') throw new Error('This seed does not open what is in the vault.');
      // What another tool stored in another format says nothing about the seed.
    }
  }
}

async function unlock(workspace: Workspace, entries: readonly Entry[], form: HTMLFormElement): Promise<void> {
  const held = { seed: await seedIn(form), versions: new Map<string, number>() };
  await requireSeed(workspace, held, entries);
  unlocked.set(workspace.account.account_id, held);
  form.reset();
  workspace.repaint();
}

async function makeSeed(workspace: Workspace): Promise<void> {
  const seed = randomSeed();

  await showOnce({
    title: 'Your seed',
    text: 'Only this seed opens what you seal with it. Keep it with your backups and give it to your agent.',
    secret: writeSeed(seed),
    filename: 'signet-seed.txt',
  });
  unlocked.set(workspace.account.account_id, { seed, versions: new Map() });
  workspace.repaint();
}

async function show(workspace: Workspace, name: string): Promise<void> {
  const secret = await vaultOf(workspace)?.getText(name);
  if (secret !== undefined) await showOnce({ title: name, text: 'Opened in this browser. Nothing was sent.', secret });
}

async function remove(workspace: Workspace, name: string): Promise<void> {
  if (
    !(await confirmed({
      title: `Delete ${name}?`,
      text: 'All its versions are deleted. This cannot be undone.',
      action: 'Delete',
      typed: name,
    }))
  )
    return;
  await (vaultOf(workspace)?.delete(name) ?? workspace.service.deleteVaultEntry({ key: name }));
  toast('Deleted.');
  await workspace.refresh();
}

async function seal(workspace: Workspace, form: HTMLFormElement): Promise<void> {
  await vaultOf(workspace)?.put(textIn(form, 'name'), typedText(form, 'value'));
  form.reset();
  toast('Sealed and stored.');
  await workspace.refresh();
}

const locked = (workspace: Workspace, entries: readonly Entry[]): TemplateResult => html`
  <form class="sheet" id="unlock" @submit=${onSubmit((form) => unlock(workspace, entries, form))}>
    <label for="seed">Seed of the vault</label>
    <input id="seed" name="seed" type="password" class="mono" autocomplete="off" required aria-describedby="seed-hint">
    <p class="fine" id="seed-hint">32 bytes, as base64url or hex: what the agent has in SIGNET_SEED. Or a sealed copy of it, with its passphrase. It stays in this tab.</p>
    <label for="copy-passphrase">Passphrase, for a sealed copy</label>
    <input id="copy-passphrase" name="copy-passphrase" type="password" autocomplete="off">
    <p class="problem" role="alert"></p>
    <p class="actions">
      <button class="button primary">Open the vault</button>
      ${entries.length > 0 ? nothing : html`<button type="button" class="button" @click=${onPress(() => makeSeed(workspace))}>Make a new seed</button>`}
    </p>
  </form>`;

/** Secrets have several lines, such as a private key, so the field is no password field: the style masks it. */
const sealForm = (workspace: Workspace): TemplateResult => html`
  <form class="sheet" id="seal" @submit=${onSubmit((form) => seal(workspace, form))}>
    <h2>Seal an entry</h2>
    <div class="field">
      <label for="name">Name</label>
      <input id="name" name="name" class="mono" required pattern="[A-Za-z0-9_.\\-]{1,128}" autocomplete="off">
    </div>
    <div class="field">
      <label for="value">Secret</label>
      <textarea id="value" name="value" class="mono masked" rows="3" required autocomplete="off" autocapitalize="none" spellcheck="false"></textarea>
    </div>
    <label class="check"><input type="checkbox"> Show the secret</label>
    <p class="problem" role="alert"></p>
    <p class="actions">
      <button class="button primary">Seal and store</button>
      <button type="button" class="button" @click=${() => {
        unlocked.delete(workspace.account.account_id);
        workspace.repaint();
      }}>Close the vault</button>
    </p>
  </form>`;

/** What stands beside the secret, readable for the service. Without what the client library keeps there for itself. */
const described = ({ metadata }: Entry): string =>
  Object.entries(metadata ?? {})
    .filter(([name]) => !name.startsWith('signet_'))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ');

const COLUMNS = ['Name', 'Version', 'Changed', 'Actions'];

function row(workspace: Workspace, entry: Entry): TemplateResult {
  const { key, version, updated_at: changed } = entry;
  const [, versionLabel = '', changedLabel = '', actionsLabel = ''] = COLUMNS;
  const about = described(entry);
  const act = (label: string, work: () => Promise<void>) =>
    html`<button type="button" class="button quiet" aria-label="${label}: ${key}" @click=${onPress(work)}>${label}</button>`;
  return html`
    <tr>
      <th scope="row" class="mono wraps">${key}${about === '' ? nothing : html`<br><span class="fine">${about}</span>`}</th>
      <td data-label=${versionLabel}>${version}</td>
      <td data-label=${changedLabel}>${time(changed)}</td>
      <td data-label=${actionsLabel}>
        ${unlocked.has(workspace.account.account_id) ? act('Show', () => show(workspace, key)) : nothing}
        ${act('Delete', () => remove(workspace, key))}
      </td>
    </tr>`;
}

async function open(workspace: Workspace): Promise<View> {
  const keys = await allOf(workspace.service.paginate('listVaultKeys', {}));
  const content = (held: Unlocked | undefined): TemplateResult => html`
      <div class="view">
        <h1>Vault</h1>
        <p class="intro">Entries are sealed and opened in this browser. The service stores only what it cannot read.</p>
        ${
          keys.length === 0
            ? empty('The vault is empty.')
            : html`<table class="sheet">
                <thead><tr>${COLUMNS.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
                <tbody>${keys.map((entry) => row(workspace, entry))}</tbody>
              </table>`
        }
        ${held ? html`${sealForm(workspace)} ${recoverySection(workspace, held.seed)}` : locked(workspace, keys)}
      </div>`;
  return {
    render: () => content(unlocked.get(workspace.account.account_id)),
    onEvent: ({ type }) => (type === 'vault.updated' ? workspace.refresh() : undefined),
  };
}

export const vaultPage: Page = { name: 'vault', title: 'Vault', scope: 'vault:read', open };
