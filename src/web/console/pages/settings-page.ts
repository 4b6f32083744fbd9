import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListSessionsReply, SecureAccountReply } from '../../../client/generated/operations.ts';
import { openMailProgram } from '../parts/settings/mail-program-part.ts';
import { deletionOf, type PlannedDeletion, planned } from '../parts/settings/settings-deletion-part.ts';
import { addressSection, peopleSection } from '../parts/settings/settings-people-part.ts';
import { powerSection } from '../parts/settings/settings-power-part.ts';
import { allOf } from '../ui/console-service.ts';
import { fullTime, time } from '../ui/format.ts';
import { keepsText, switchKeeping } from '../ui/kept-text.ts';
import { action, change } from '../ui/kit/action.ts';
import { entryList } from '../ui/kit/data-table.ts';
import { tabs, view } from '../ui/kit/section.ts';
import type { ReadPart } from '../ui/page-parts.ts';
import { confirmed, download, showOnce, toast } from '../ui/toast.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** What concerns the whole account: who is logged in, its export, the way back after a theft, and its end. */

type Session = ListSessionsReply['sessions'][number];

type Change = SecureAccountReply['recent_changes'][number];

const recentChanges = (changes: readonly Change[]): TemplateResult | undefined =>
  changes.length === 0
    ? undefined
    : html`
        <h3>What changed in 30 days</h3>
        <p>Look for what was not you.</p>
        <ul class="changes">${changes.map(({ at, what, detail, count }) => html`<li>${time(at)} <span class="mono">${what}</span> ${detail}${count > 1 ? ` × ${count}` : ''}</li>`)}</ul>`;

const SECURE_WHY =
  'Was the key stolen? This replaces it and ends every other key, session, token and delegation. Addresses, operators and keys that were set up in the last 7 days are taken back.';

async function secure(workspace: Workspace): Promise<void> {
  if (!(await confirmed('Secure this account?', SECURE_WHY, 'Secure the account'))) return;
  const { api_key: secret, webhooks, recent_changes: changes } = await workspace.service.secureAccount({});
  // The key of this tab has ended with the others. A session that secures the account stays.
  if (!workspace.isSession) await workspace.replaceKey(secret);
  const text = 'All else that could use this account has ended. Store the new key now; it cannot be shown again.';
  await showOnce('Your new key', text, secret, 'signet-key.txt', {
    others: webhooks.flatMap((one) => (one.secret === null ? [] : [[one.url, one.secret] as const])),
    more: recentChanges(changes),
  });
  await workspace.refresh();
}

const DELETE_WHY = 'It is deleted after 72 hours. Until then you can keep it after all, under Settings.';

async function remove(workspace: Workspace): Promise<void> {
  if (!(await confirmed('Delete this account?', DELETE_WHY, 'Delete the account', workspace.account.account_id)))
    return;
  const { deletes_at: at } = await workspace.service.deleteAccount({});
  toast(`The account will be deleted on ${fullTime(at)}.`);
  await workspace.refresh();
}

function session(workspace: Workspace, { id, address: person, expires_at: until, current }: Session): TemplateResult {
  const address = person ?? 'A key';
  const end = async (): Promise<void> => {
    if (!(await confirmed(`End this session of ${address}?`, 'Whoever uses it must log in again.', 'End'))) return;
    await change(workspace, () => workspace.service.endSession({ id }), 'The session has ended.');
  };
  return html`
    <li class="entry">
      <span class="entry-text"><span>${address} ${current ? html`<span class="badge good">This browser</span>` : nothing}</span>
        <span class="fine">until ${time(until)}</span></span>
      ${current ? nothing : action('End', end, { kind: 'quiet' })}
    </li>`;
}

/** What this browser keeps, for every login. */
function browserSheet(): TemplateResult {
  const turn = (event: Event): void => {
    const on = (event.target as HTMLInputElement).checked;
    switchKeeping(on);
    toast(on ? 'What you write is kept in this browser.' : 'Nothing you write is kept in this browser any more.');
  };
  return html`
    <section class="sheet">
      <h2>This browser</h2>
      <label class="check"><input type="checkbox" id="keep-text" ?checked=${keepsText()} @change=${turn}> Keep unsent text in this browser</label>
      <p class="fine">A closed tab or an ended session then loses nothing of a mail. Signing out deletes it. Drafts are saved either way.</p>
    </section>`;
}

/** What concerns the account as a whole, with the reason to do it. */
const sheet = (title: string, why: string, label: string, work: () => Promise<void>): TemplateResult =>
  html`<section class="sheet"><h2>${title}</h2><p>${why}</p>${action(label, work)}</section>`;

/** The deletion that waits, and whose session reads it. */
async function plannedOf(workspace: Workspace): Promise<{ deletion: PlannedDeletion; reader?: string } | null> {
  const deletion = await deletionOf(workspace);
  if (deletion === null) return null;
  const sessions = await allOf(workspace.service.paginate('listSessions', {})).catch(() => []);
  const reader = sessions.find(({ current }) => current)?.address ?? null;
  return { deletion, ...(reader === null ? {} : { reader }) };
}

/** The path of each tab, and its title. */
const TABS = { '': 'Addresses and people', ways: 'What it can do', sessions: 'Sessions', account: 'Export and delete' };
type Tab = keyof typeof TABS;

/** @param stays whether no deletion of the account is planned */
type Draw = (stays: boolean) => unknown;

/** Reads what a tab shows. @returns what draws it */
const OPEN: Readonly<Record<Tab, (workspace: Workspace, read: ReadPart) => Promise<Draw>>> = {
  async ''(workspace, read) {
    const { service, link } = workspace;
    const addresses = await read('Mail addresses', async () => (await service.listAddresses({})).settings);
    const [address] = workspace.account.addresses;
    const policy = address === undefined ? link('mail') : link('mail', address, 'policy');
    return () => html`
      ${addresses.show((all) => addressSection(workspace, all))} ${peopleSection(workspace)}
      <p class="fine apart">Elsewhere: <a href=${policy}>Mail policy</a> · <a href=${link('keys')}>Keys and passkeys</a> · <a href=${link('identity')}>Identity</a></p>`;
  },
  async ways(workspace, read) {
    const { service } = workspace;
    const power = await read(TABS.ways, () => Promise.all([service.getPower({}), service.getAccountPolicy({})]));
    return () => power.show(([can, policy]) => powerSection(workspace, can, policy));
  },
  async sessions(workspace, read) {
    const sessions = await read('Sessions', () => allOf(workspace.service.paginate('listSessions', {})));
    return () => html`
      <p class="intro">Who is logged in, by which address.</p>
      ${sessions.show((all) => entryList(all, 'Nobody is logged in.', (one) => session(workspace, one), 'sheet people'))}
      ${browserSheet()}`;
  },
  async account(workspace) {
    const save = async (): Promise<void> => download(await workspace.service.exportAccount({}), 'signet-export.zip');
    return (stays) => html`
      ${sheet('Export', 'Everything that the service holds of this account, as a zip file.', 'Download the export', save)}
      ${sheet('Secure this account', SECURE_WHY, 'Secure the account', () => secure(workspace))}
      ${stays ? sheet('Delete this account', DELETE_WHY, 'Delete the account', () => remove(workspace)) : nothing}`;
  },
};

async function open(workspace: Workspace, [part = '', of]: readonly string[], read: ReadPart): Promise<View> {
  if (part === 'program' && of !== undefined) return openMailProgram(workspace, of, read);
  const tab = part in TABS ? (part as Tab) : '';
  const [draw, deletion] = await Promise.all([
    OPEN[tab](workspace, read),
    read('Planned deletion', () => plannedOf(workspace)),
  ]);
  const links = Object.entries(TABS).map(
    ([name, title]) => [title, workspace.link('settings', ...(name === '' ? [] : [name])), name === tab] as const,
  );
  return {
    render: () =>
      view('Settings', {}, [
        tabs('Settings', links),
        deletion.show((one) => (one === null ? nothing : planned(workspace, one.deletion, one.reader))),
        draw(deletion.value === null),
      ]),
  };
}

export const settingsPage: Page = { name: 'settings', title: 'Settings', scope: 'account:manage', open };
