import { html, type TemplateResult } from 'lit-html';
import type { ListSessionsReply, SecureAccountReply } from '../../../client/generated/operations.ts';
import { deletionOf, planned } from '../parts/settings/settings-deletion-part.ts';
import { addressSection, peopleSection } from '../parts/settings/settings-people-part.ts';
import { allOf } from '../ui/console-service.ts';
import { fullTime, time } from '../ui/format.ts';
import { onPress } from '../ui/handlers.ts';
import type { ReadPart } from '../ui/page-parts.ts';
import { empty } from '../ui/placeholders.ts';
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

async function secure(workspace: Workspace): Promise<void> {
  if (
    !(await confirmed({
      title: 'Secure this account?',
      text: 'Was the key stolen? This replaces it and ends every other key, session, token and delegation. Addresses, operators and keys that were set up in the last 7 days are taken back.',
      action: 'Secure the account',
    }))
  )
    return;
  const { api_key: secret, webhooks, recent_changes: changes } = await workspace.service.secureAccount({});
  // The key of this tab has ended with the others. A session that secures the account stays.
  if (!workspace.isSession) workspace.replaceKey(secret);
  await showOnce({
    title: 'Your new key',
    text: 'All else that could use this account has ended. Store the new key now; it cannot be shown again.',
    secret,
    filename: 'signet-key.txt',
    others: webhooks.flatMap((one) => (one.secret === null ? [] : [[one.url, one.secret] as const])),
    more: recentChanges(changes),
  });
  await workspace.refresh();
}

async function remove(workspace: Workspace): Promise<void> {
  if (
    !(await confirmed({
      title: 'Delete this account?',
      text: 'It is deleted after 72 hours. Until then you can keep it after all, on this page.',
      action: 'Delete the account',
      typed: workspace.account.account_id,
    }))
  )
    return;
  const { deletes_at: at } = await workspace.service.deleteAccount({});
  toast(`The account will be deleted on ${fullTime(at)}.`);
  await workspace.refresh();
}

function session(workspace: Workspace, { id, address, expires_at: until, current }: Session): TemplateResult {
  const end = async (): Promise<void> => {
    if (
      !(await confirmed({
        title: `End this session of ${address}?`,
        text: 'Whoever uses it must log in again.',
        action: 'End',
      }))
    )
      return;
    await workspace.service.endSession({ id });
    toast('The session has ended.');
    await workspace.refresh();
  };
  return html`
    <li class="entry">
      <span>${current ? html`<span class="badge good">This browser</span>` : ''}</span>
      <span class="entry-text">${address} <span class="fine">until ${time(until)}</span></span>
      ${current ? '' : html`<button type="button" class="button quiet" @click=${onPress(end)}>End</button>`}
    </li>`;
}

const act = (title: string, why: string, action: string, work: () => Promise<void>): TemplateResult => html`
  <section class="sheet">
    <h2>${title}</h2>
    <p>${why}</p>
    <button type="button" class="button" @click=${onPress(work)}>${action}</button>
  </section>`;

async function open(workspace: Workspace, _parts: readonly string[], read: ReadPart): Promise<View> {
  const [sessions, addresses, deletion] = await Promise.all([
    read('Sessions', () => allOf(workspace.service.paginate('listSessions', {}))),
    read('Mail addresses', async () => (await workspace.service.listAddresses({})).settings),
    read('Planned deletion', () => deletionOf(workspace)),
  ]);
  const reader = sessions.value?.find(({ current }) => current)?.address;
  const [address] = workspace.account.addresses;
  const save = async (): Promise<void> => download(await workspace.service.exportAccount({}), 'signet-export.zip');
  return {
    render: () => html`
      <div class="view">
        <h1>Settings</h1>
        ${deletion.show((one) => (one === null ? '' : planned(workspace, one, reader)))}
        <p class="fine">
          <a href=${address === undefined ? workspace.link('mail') : workspace.link('mail', address, 'policy')}>Mail policy</a> ·
          <a href=${workspace.link('keys')}>Keys and passkeys</a> · <a href=${workspace.link('identity')}>Identity</a>
        </p>
        ${addresses.show((all) => addressSection(workspace, all))} ${peopleSection(workspace)}
        <h2>Sessions</h2>
        <p class="intro">Who is logged in, by which address.</p>
        ${sessions.show((all) => (all.length === 0 ? empty('Nobody is logged in.') : html`<ul class="entries sheet">${all.map((one) => session(workspace, one))}</ul>`))}
        <div class="columns">
          ${act('Export', 'Everything that the service holds of this account, as a zip file.', 'Download the export', save)}
          ${act('Secure this account', 'Was the key stolen? This replaces it and ends every other key, session, token and delegation. Addresses, operators and keys that were set up in the last 7 days are taken back.', 'Secure the account', () => secure(workspace))}
          ${deletion.value === null ? act('Delete this account', 'It is deleted after 72 hours. Until then you can keep it after all, on this page.', 'Delete the account', () => remove(workspace)) : ''}
        </div>
      </div>`,
  };
}

export const settingsPage: Page = { name: 'settings', title: 'Settings', scope: 'account:manage', open };
