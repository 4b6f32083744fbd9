import { html, nothing, type TemplateResult } from 'lit-html';
import { grantSection } from '../parts/keys/grants-part.ts';
import { keyForm } from '../parts/keys/key-form-part.ts';
import { type Key, namedKeySection } from '../parts/keys/named-keys-part.ts';
import { passkeySection, readPasskeys } from '../parts/keys/passkey-part.ts';
import { allOf } from '../ui/console-service.ts';
import { time } from '../ui/format.ts';
import { pressing } from '../ui/handlers.ts';
import type { ReadPart } from '../ui/page-parts.ts';
import { confirmed, say, showOnce } from '../ui/toast.ts';
import type { Desk, Page, View } from '../ui/workspace.ts';
import { words } from '../words/console-words.ts';

/** The keys of an agent, the applications let in, and the passkeys of its operator. */

async function rotate(desk: Desk): Promise<void> {
  const { rotateAsk: title, rotateWhy: text, rotateDo: action, rotated, store } = words.keys;
  if (!(await confirmed({ title, text, action }))) return;
  const { api_key: secret } = await desk.service.rotateKey({});
  // The key that this tab signed in with no longer works. A session still does.
  if (!desk.isSession) desk.replaceKey(secret);
  await showOnce({ title: rotated, text: store, secret, filename: 'signet-key.txt' });
  await desk.refresh();
}

async function makeBackup(desk: Desk): Promise<void> {
  const { backup_key: secret } = await desk.service.generateBackupKey({});
  const { backupMade: title, backupStore: text } = words.keys;
  await showOnce({ title, text, secret, filename: 'signet-backup-key.txt' });
  await desk.refresh();
}

async function activate(desk: Desk): Promise<void> {
  const { activateAsk: title, activateWhy: text, activate: action } = words.keys;
  if (!(await confirmed({ title, text, action }))) return;
  await desk.service.activateBackupKey({});
  if (!desk.isSession) return desk.signOut(words.keys.signInAgain);
  say(words.keys.activated);
  await desk.refresh();
}

const row = ({ key_prefix: prefix, kind, created_at: at }: Key): TemplateResult => {
  const [, kindLabel = '', madeLabel = ''] = words.keys.columns;
  return html`
    <tr>
      <th scope="row" class="mono">${prefix}…</th>
      <td data-label=${kindLabel}><span class="badge ${kind === 'primary' ? 'active' : kind}">${words.keys.kinds[kind]}</span></td>
      <td data-label=${madeLabel}>${time(at)}</td>
    </tr>`;
};

async function open(desk: Desk, [what]: readonly string[], read: ReadPart): Promise<View> {
  if (what === 'new') return { render: () => keyForm(desk) };
  const [keys, grants, passkeys] = await Promise.all([
    read(words.keys.title, async () => (await desk.service.listAccountKeys({})).keys),
    read(words.grants.title, () => allOf(desk.service.paginate('listGrants', {}))),
    desk.isSession ? read(words.passkeys.title, () => readPasskeys(desk)) : null,
  ]);
  const act = (label: string, work: (of: Desk) => Promise<void>) =>
    html`<button type="button" class="button" @click=${pressing(() => work(desk))}>${label}</button>`;
  /** Making another backup key would replace one that is not known yet. */
  const backupAction = (all: readonly Key[] | undefined) => {
    if (all === undefined) return nothing;
    const hasBackup = all.some(({ kind }) => kind === 'backup');
    return hasBackup ? act(words.keys.activate, activate) : act(words.keys.backup, makeBackup);
  };
  return {
    render: () => html`
      <div class="view">
        <h1>${words.keys.title}</h1>
        <p class="intro">${words.keys.intro}</p>
        <p class="actions">
          ${act(words.keys.rotate, rotate)}
          ${backupAction(keys.value)}
        </p>
        ${keys.show(
          (all) => html`
            <table class="sheet">
              <thead><tr>${words.keys.columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
              <tbody>${all.filter(({ kind }) => kind !== 'named').map(row)}</tbody>
            </table>
            ${namedKeySection(desk, all)}`,
        )}
        ${grants.show((all) => grantSection(desk, all))}
        ${passkeys?.show((held) => (held ? passkeySection(desk, held) : nothing))}
      </div>`,
  };
}

export const keysPage: Page = { name: 'keys', title: words.keys.title, scope: 'account:manage', open };
