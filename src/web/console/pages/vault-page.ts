import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListVaultKeysReply } from '../../../client/generated/operations.ts';
import { SignetCryptoError } from '../../../client/signet-error.ts';
import { randomSeed, readSeed, restoreSeed, writeSeed } from '../../../client/vault-seed.ts';
import { recoverySection } from '../parts/vault-recovery-part.ts';
import { allOf } from '../ui/console-service.ts';
import { time } from '../ui/format.ts';
import { action, change, rowAction } from '../ui/kit/action.ts';
import { dataTable } from '../ui/kit/data-table.ts';
import { field, form, textIn, typedText } from '../ui/kit/form.ts';
import { view } from '../ui/kit/section.ts';
import { confirmed, showOnce, toast } from '../ui/toast.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** The vault of an agent: its entries are opened and sealed in the browser. */

type Entry = ListVaultKeysReply['keys'][number];

const INTRO = 'Entries are sealed and opened in this browser. The service stores only what it cannot read.';

/** Entries that are opened to check a seed, until one shows whether it fits. */
const TRIED_MAX = 5;

interface Unlocked {
  seed: Uint8Array;
  /** The versions seen: the service must not go back to an older one. */
  versions: Map<string, number>;
}

/** The vaults that are open, by account. They live as long as this page of the browser, or until the person signs out. */
const unlocked = new Map<string, Unlocked>();

const forget = (): void => unlocked.clear();

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
  const text = 'Only this seed opens what you seal with it. Keep it with your backups and give it to your agent.';
  await showOnce('Your seed', text, writeSeed(seed), 'signet-seed.txt');
  unlocked.set(workspace.account.account_id, { seed, versions: new Map() });
  workspace.repaint();
}

async function show(workspace: Workspace, name: string): Promise<void> {
  const secret = await vaultOf(workspace)?.getText(name);
  if (secret !== undefined) await showOnce(name, 'Opened in this browser. Nothing was sent.', secret);
}

async function remove(workspace: Workspace, name: string): Promise<void> {
  const text = 'All its versions are deleted. This cannot be undone.';
  if (!(await confirmed(`Delete ${name}?`, text, 'Delete', name))) return;
  const work = () => vaultOf(workspace)?.delete(name) ?? workspace.service.deleteVaultEntry({ key: name });
  await change(workspace, work, 'Deleted.');
}

async function seal(workspace: Workspace, of: HTMLFormElement): Promise<void> {
  await vaultOf(workspace)?.put(textIn(of, 'name'), typedText(of, 'value'));
  of.reset();
  toast('Sealed and stored.');
  await workspace.refresh();
}

const unlockForm = (workspace: Workspace, entries: readonly Entry[]): TemplateResult =>
  form(
    { id: 'unlock' },
    (of) => unlock(workspace, entries, of),
    html`
      <label for="seed">Seed of the vault</label>
      <input id="seed" name="seed" type="password" class="mono" autocomplete="off" required aria-describedby="seed-hint">
      <p class="fine" id="seed-hint">32 bytes, as base64url or hex: what the agent has in SIGNET_SEED. Or a sealed copy of it, with its passphrase. It stays in this tab.</p>
      <label for="copy-passphrase">Passphrase, for a sealed copy</label>
      <input id="copy-passphrase" name="copy-passphrase" type="password" autocomplete="off">`,
    html`
      <button class="button primary">Open the vault</button>
      ${entries.length > 0 ? nothing : action('Make a new seed', () => makeSeed(workspace))}`,
  );

/** Secrets have several lines, such as a private key, so the field is no password field: the style masks it. */
const sealForm = (workspace: Workspace): TemplateResult =>
  form(
    { id: 'seal', title: 'Seal an entry' },
    (of) => seal(workspace, of),
    html`
      ${field('name', 'Name', html`<input id="name" name="name" class="mono" required pattern="[A-Za-z0-9_.\\-]{1,128}" autocomplete="off">`)}
      ${field('value', 'Secret', html`<textarea id="value" name="value" class="mono masked" rows="3" required autocomplete="off" autocapitalize="none" spellcheck="false"></textarea>`)}
      <label class="check"><input type="checkbox"> Show the secret</label>`,
    html`
      <button class="button primary">Seal and store</button>
      <button type="button" class="button" @click=${() => {
        unlocked.delete(workspace.account.account_id);
        workspace.repaint();
      }}>Close the vault</button>`,
  );

/** What stands beside the secret, readable for the service. Without what the client library keeps there for itself. */
const described = ({ metadata }: Entry): string =>
  Object.entries(metadata ?? {})
    .filter(([name]) => !name.startsWith('signet_'))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ');

function entryName(entry: Entry): TemplateResult {
  const about = described(entry);
  return html`${entry.key}${about === '' ? nothing : html`<br><span class="fine">${about}</span>`}`;
}

const entryTable = (workspace: Workspace, entries: readonly Entry[]): TemplateResult =>
  dataTable<Entry>(entries, 'The vault is empty.', [
    ['Name', entryName, 'mono wraps'],
    ['Version', ({ version }) => version],
    ['Changed', ({ updated_at: at }) => time(at)],
    [
      'Actions',
      ({ key }) => [
        unlocked.has(workspace.account.account_id) ? rowAction('Show', key, () => show(workspace, key)) : nothing,
        rowAction('Delete', key, () => remove(workspace, key)),
      ],
    ],
  ]);

async function open(workspace: Workspace): Promise<View> {
  const entries = await allOf(workspace.service.paginate('listVaultKeys', {}));
  return {
    render() {
      const held = unlocked.get(workspace.account.account_id);
      return view('Vault', { intro: INTRO }, [
        entryTable(workspace, entries),
        held ? [sealForm(workspace), recoverySection(workspace, held.seed)] : unlockForm(workspace, entries),
      ]);
    },
    onEvent: ({ type }) => (type === 'vault.updated' ? workspace.refresh() : undefined),
  };
}

export const vaultPage: Page = { name: 'vault', title: 'Vault', scope: 'vault:read', open, forget };
