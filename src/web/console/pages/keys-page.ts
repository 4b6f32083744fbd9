import { html, nothing } from 'lit-html';
import { grantSection } from '../parts/keys/grants-part.ts';
import { keyForm, keyView } from '../parts/keys/key-form-part.ts';
import { type Key, usage } from '../parts/keys/key-use-part.ts';
import { makeBackup, namedKeySection } from '../parts/keys/named-keys-part.ts';
import { passkeySection, readPasskeys } from '../parts/keys/passkey-part.ts';
import { allOf } from '../ui/console-service.ts';
import { time } from '../ui/format.ts';
import { action } from '../ui/kit/action.ts';
import { dataTable } from '../ui/kit/data-table.ts';
import { badge, view } from '../ui/kit/section.ts';
import type { ReadPart } from '../ui/page-parts.ts';
import { empty } from '../ui/placeholders.ts';
import { confirmed, showOnce, toast } from '../ui/toast.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** The keys of an agent, the applications let in, and the passkeys of its operator. */

const INTRO = 'Each key is shown by its first characters. The service stores only a hash of it.';

async function rotate(workspace: Workspace): Promise<void> {
  const text = 'The current key stops working everywhere at once. The new key is shown once.';
  if (!(await confirmed('Replace the active key?', text, 'Replace the key'))) return;
  const { api_key: secret } = await workspace.service.rotateKey({});
  // The key that this tab signed in with no longer works. A session still does.
  if (!workspace.isSession) await workspace.replaceKey(secret);
  await showOnce('Your new key', 'Store it now. It cannot be shown again.', secret, 'signet-key.txt');
  await workspace.refresh();
}

async function activate(workspace: Workspace): Promise<void> {
  const text = 'The current key stops working at once. Make sure you have the backup key.';
  if (!(await confirmed('Activate the backup key?', text, 'Activate the backup key'))) return;
  await workspace.service.activateBackupKey({});
  if (!workspace.isSession) return workspace.signOut('The backup key is now the active key. Sign in with it.');
  toast('The backup key is now the active key.');
  await workspace.refresh();
}

const KINDS = { primary: ['Active', 'active'], backup: ['Backup', 'backup'], named: ['Named', 'named'] } as const;

async function openKey(workspace: Workspace, id: string): Promise<View> {
  const key = (await workspace.service.listAccountKeys({})).keys.find((one) => one.id === id);
  const none = () => view('Keys', { back: ['Keys', workspace.link('keys')] }, empty('This key was deleted.'));
  return { render: () => (key === undefined ? none() : keyView(workspace, key)) };
}

async function open(workspace: Workspace, [what]: readonly string[], read: ReadPart): Promise<View> {
  if (what === 'new') return { render: () => keyForm(workspace) };
  if (what !== undefined) return openKey(workspace, what);
  const [keys, grants, passkeys] = await Promise.all([
    read('Keys', async () => (await workspace.service.listAccountKeys({})).keys),
    read('Applications', () => allOf(workspace.service.paginate('listGrants', {}))),
    workspace.isSession ? read('Passkeys', () => readPasskeys(workspace)) : null,
  ]);
  /** Making another backup key would replace one that is not known yet. */
  const backupAction = (all: readonly Key[] | undefined) => {
    if (all === undefined) return nothing;
    const hasBackup = all.some(({ kind }) => kind === 'backup');
    return hasBackup
      ? action('Activate the backup key', () => activate(workspace))
      : action('Create a backup key', () => makeBackup(workspace));
  };
  return {
    render: () =>
      view('Keys', { intro: INTRO }, [
        html`<p class="actions">${action('Replace the active key', () => rotate(workspace))} ${backupAction(keys.value)}</p>`,
        keys.show((all) => [
          dataTable<Key>(
            all.filter(({ kind }) => kind !== 'named'),
            '',
            [
              [
                'Key',
                ({ id, key_prefix: prefix }) => html`<a href=${workspace.link('keys', id)}>${prefix}…</a>`,
                'mono',
              ],
              ['Kind', ({ kind }) => badge(KINDS[kind])],
              ['Created', ({ created_at: at }) => time(at)],
              ['Used', usage],
            ],
          ),
          namedKeySection(workspace, all),
        ]),
        grants.show((all) => grantSection(workspace, all)),
        passkeys?.show((held) => (held ? passkeySection(workspace, held) : nothing)),
      ]),
  };
}

export const keysPage: Page = { name: 'keys', title: 'Keys', scope: 'account:manage', open };
