import { html, nothing, type TemplateResult } from 'lit-html';
import { grantSection } from '../parts/keys/grants-part.ts';
import { keyForm } from '../parts/keys/key-form-part.ts';
import { type Key, namedKeySection } from '../parts/keys/named-keys-part.ts';
import { passkeySection, readPasskeys } from '../parts/keys/passkey-part.ts';
import { allOf } from '../ui/console-service.ts';
import { time } from '../ui/format.ts';
import { onPress } from '../ui/handlers.ts';
import type { ReadPart } from '../ui/page-parts.ts';
import { confirmed, showOnce, toast } from '../ui/toast.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** The keys of an agent, the applications let in, and the passkeys of its operator. */

async function rotate(workspace: Workspace): Promise<void> {
  if (
    !(await confirmed({
      title: 'Replace the active key?',
      text: 'The current key stops working everywhere at once. The new key is shown once.',
      action: 'Replace the key',
    }))
  )
    return;
  const { api_key: secret } = await workspace.service.rotateKey({});
  // The key that this tab signed in with no longer works. A session still does.
  if (!workspace.isSession) workspace.replaceKey(secret);
  await showOnce({
    title: 'Your new key',
    text: 'Store it now. It cannot be shown again.',
    secret,
    filename: 'signet-key.txt',
  });
  await workspace.refresh();
}

async function makeBackup(workspace: Workspace): Promise<void> {
  const { backup_key: secret } = await workspace.service.generateBackupKey({});

  await showOnce({
    title: 'Your backup key',
    text: 'Store it apart from the active key. It works only after you activate it.',
    secret,
    filename: 'signet-backup-key.txt',
  });
  await workspace.refresh();
}

async function activate(workspace: Workspace): Promise<void> {
  if (
    !(await confirmed({
      title: 'Activate the backup key?',
      text: 'The current key stops working at once. Make sure you have the backup key.',
      action: 'Activate the backup key',
    }))
  )
    return;
  await workspace.service.activateBackupKey({});
  if (!workspace.isSession) return workspace.signOut('The backup key is now the active key. Sign in with it.');
  toast('The backup key is now the active key.');
  await workspace.refresh();
}

const COLUMNS = ['Key', 'Kind', 'Created'];
const KINDS = { primary: 'Active', backup: 'Backup', named: 'Named' };

const row = ({ key_prefix: prefix, kind, created_at: at }: Key): TemplateResult => {
  const [, kindLabel = '', madeLabel = ''] = COLUMNS;
  return html`
    <tr>
      <th scope="row" class="mono">${prefix}…</th>
      <td data-label=${kindLabel}><span class="badge ${kind === 'primary' ? 'active' : kind}">${KINDS[kind]}</span></td>
      <td data-label=${madeLabel}>${time(at)}</td>
    </tr>`;
};

async function open(workspace: Workspace, [what]: readonly string[], read: ReadPart): Promise<View> {
  if (what === 'new') return { render: () => keyForm(workspace) };
  const [keys, grants, passkeys] = await Promise.all([
    read('Keys', async () => (await workspace.service.listAccountKeys({})).keys),
    read('Applications', () => allOf(workspace.service.paginate('listGrants', {}))),
    workspace.isSession ? read('Passkeys', () => readPasskeys(workspace)) : null,
  ]);
  const act = (label: string, work: (of: Workspace) => Promise<void>) =>
    html`<button type="button" class="button" @click=${onPress(() => work(workspace))}>${label}</button>`;
  /** Making another backup key would replace one that is not known yet. */
  const backupAction = (all: readonly Key[] | undefined) => {
    if (all === undefined) return nothing;
    const hasBackup = all.some(({ kind }) => kind === 'backup');
    return hasBackup ? act('Activate the backup key', activate) : act('Create a backup key', makeBackup);
  };
  return {
    render: () => html`
      <div class="view">
        <h1>Keys</h1>
        <p class="intro">Each key is shown by its first characters. The service stores only a hash of it.</p>
        <p class="actions">
          ${act('Replace the active key', rotate)}
          ${backupAction(keys.value)}
        </p>
        ${keys.show(
          (all) => html`
            <table class="sheet">
              <thead><tr>${COLUMNS.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
              <tbody>${all.filter(({ kind }) => kind !== 'named').map(row)}</tbody>
            </table>
            ${namedKeySection(workspace, all)}`,
        )}
        ${grants.show((all) => grantSection(workspace, all))}
        ${passkeys?.show((held) => (held ? passkeySection(workspace, held) : nothing))}
      </div>`,
  };
}

export const keysPage: Page = { name: 'keys', title: 'Keys', scope: 'account:manage', open };
