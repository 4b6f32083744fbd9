import { html, nothing, type TemplateResult } from 'lit-html';
import { SignetError } from '../../../client/signet-error.ts';
import { SEALED_SEED } from '../../../client/vault-seed.ts';
import { closeVault, forgetVaults, openSeed, requireVault, type VaultEntry } from '../parts/vault/open-vault.ts';
import { lockSection, protectForm, showSeed } from '../parts/vault/vault-lock-part.ts';
import { recoverySection } from '../parts/vault/vault-recovery-part.ts';
import { described, openVersions } from '../parts/vault/vault-versions-part.ts';
import { allOf, hasCode } from '../ui/console-service.ts';
import { time } from '../ui/format.ts';
import { action, change, rowAction } from '../ui/kit/action.ts';
import { dataTable } from '../ui/kit/data-table.ts';
import { field, form, textIn, typedText } from '../ui/kit/form.ts';
import { view } from '../ui/kit/section.ts';
import { confirmed, showOnce, toast } from '../ui/toast.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** The vault of an agent: its entries are opened and sealed in the browser. */

const INTRO = 'Secrets are sealed and opened in this browser. The service stores only what it cannot read.';

async function show(workspace: Workspace, name: string): Promise<void> {
  const secret = await requireVault(workspace).getText(name);
  await showOnce(name, 'Opened in this browser. Nothing was sent.', secret);
}

async function remove(workspace: Workspace, name: string): Promise<void> {
  const text = 'All its versions are deleted. This cannot be undone.';
  if (!(await confirmed(`Delete ${name}?`, text, 'Delete', name))) return;
  const work = () =>
    openSeed(workspace) === null
      ? workspace.service.deleteVaultEntry({ key: name })
      : requireVault(workspace).delete(name);
  await change(workspace, work, 'Deleted.');
}

/**
 * Stores a secret as the next version of its name. One that has a version already is asked about first, also when another
 * wrote it meanwhile. @param latest its version as the page knows it; 0: the name is free. @returns false when it stays as it is
 */
async function store(workspace: Workspace, name: string, secret: string, latest: number): Promise<boolean> {
  const text = `There is a secret with this name. It stays among its versions, as version ${latest}.`;
  if (latest > 0 && !(await confirmed(`Replace ${name}?`, text, 'Replace'))) return false;
  try {
    await requireVault(workspace).put(name, secret, { ifVersion: latest });
    return true;
  } catch (err) {
    if (!(err instanceof SignetError) || !hasCode(err, 'version_conflict')) throw err;
    return store(workspace, name, secret, Number(err.fields.latest_version ?? 0));
  }
}

async function seal(workspace: Workspace, entries: readonly VaultEntry[], of: HTMLFormElement): Promise<void> {
  const name = textIn(of, 'name');
  if (name === SEALED_SEED) throw new Error('This name is taken: the vault keeps its sealed seed there.');
  const known = entries.find(({ key }) => key === name);
  if (!(await store(workspace, name, typedText(of, 'value'), known?.version ?? 0))) return;
  of.reset();
  toast('Sealed and stored.');
  await workspace.refresh();
}

/** Secrets have several lines, such as a private key, so the field is no password field: the style masks it. */
const sealForm = (workspace: Workspace, entries: readonly VaultEntry[]): TemplateResult =>
  form(
    { id: 'seal', title: 'Add a secret' },
    (of) => seal(workspace, entries, of),
    html`
      ${field('name', 'Name', html`<input id="name" name="name" class="mono" required pattern="[A-Za-z0-9_.\\-]{1,128}" autocomplete="off" aria-describedby="name-hint">`, 'Letters, digits, dots, - and _.')}
      ${field('value', 'Secret', html`<textarea id="value" name="value" class="mono masked" rows="3" required autocomplete="off" autocapitalize="none" spellcheck="false"></textarea>`)}
      <label class="check"><input type="checkbox"> Show the secret</label>`,
    'Seal and store',
  );

function entryName(workspace: Workspace, { key, metadata }: VaultEntry): TemplateResult {
  const about = described(metadata);
  return html`<a href=${workspace.link('vault', key)}>${key}</a>${about === '' ? nothing : html`<br><span class="fine">${about}</span>`}`;
}

const entryTable = (workspace: Workspace, entries: readonly VaultEntry[]): TemplateResult =>
  dataTable<VaultEntry>(entries, 'The vault is empty.', [
    ['Name', (entry) => entryName(workspace, entry), 'mono wraps'],
    ['Version', ({ version }) => version],
    ['Changed', ({ updated_at: at }) => time(at)],
    [
      'Actions',
      ({ key }) => [
        openSeed(workspace) === null ? nothing : rowAction('Show', key, () => show(workspace, key)),
        rowAction('Delete', key, () => remove(workspace, key)),
      ],
      'row-actions',
    ],
  ]);

const close = async (workspace: Workspace): Promise<void> => {
  closeVault(workspace);
  workspace.repaint();
};

async function openList(workspace: Workspace): Promise<View> {
  const all = await allOf(workspace.service.paginate('listVaultKeys', {}));
  const entries = all.filter(({ key }) => key !== SEALED_SEED);
  /** Of the copy of the seed that a passphrase opens; 0 without one. */
  const version = all.find(({ key }) => key === SEALED_SEED)?.version ?? 0;
  return {
    render() {
      const seed = openSeed(workspace);
      if (seed === null)
        return view('Vault', { intro: INTRO }, [
          lockSection(workspace, entries, version),
          entries.length === 0 ? nothing : entryTable(workspace, entries),
        ]);
      const beside = html`<p class="actions">
        ${action('Show the seed', () => showSeed(seed), { kind: 'quiet' })}
        ${action('Close the vault', () => close(workspace))}
      </p>`;
      return view('Vault', { intro: INTRO, beside }, [
        version === 0 ? protectForm(workspace, 0) : nothing,
        entryTable(workspace, entries),
        sealForm(workspace, entries),
        recoverySection(workspace, seed),
        version === 0
          ? nothing
          : html`<details class="sheet"><summary>Change the passphrase</summary>${protectForm(workspace, version)}</details>`,
      ]);
    },
    onEvent: ({ type }) => (type === 'vault.updated' ? workspace.refresh() : undefined),
  };
}

const open = (workspace: Workspace, [name]: readonly string[]): Promise<View> =>
  name === undefined ? openList(workspace) : openVersions(workspace, name);

export const vaultPage: Page = {
  name: 'vault',
  title: 'Vault',
  scope: 'vault:read',
  open,
  forget: forgetVaults,
};
