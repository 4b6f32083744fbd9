import { html, type TemplateResult } from 'lit-html';
import type { ListSessionsReply, SecureAccountReply } from '../../../client/generated/operations.ts';
import { deletionOf, planned } from '../parts/settings/settings-deletion-part.ts';
import { addressSection, peopleSection } from '../parts/settings/settings-people-part.ts';
import { allOf } from '../ui/console-service.ts';
import { fullTime, time } from '../ui/format.ts';
import { pressing } from '../ui/handlers.ts';
import type { ReadPart } from '../ui/page-parts.ts';
import { empty } from '../ui/placeholders.ts';
import { confirmed, download, say, showOnce } from '../ui/toast.ts';
import type { Desk, Page, View } from '../ui/workspace.ts';

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

async function secure(desk: Desk): Promise<void> {
  if (
    !(await confirmed({
      title: 'Secure this account?',
      text: 'Was the key stolen? This replaces it and ends every other key, session, token and delegation. Addresses, operators and keys that were set up in the last 7 days are taken back.',
      action: 'Secure the account',
    }))
  )
    return;
  const { api_key: secret, webhooks, recent_changes: changes } = await desk.service.secureAccount({});
  // The key of this tab has ended with the others. A session that secures the account stays.
  if (!desk.isSession) desk.replaceKey(secret);
  await showOnce({
    title: 'Your new key',
    text: 'All else that could use this account has ended. Store the new key now; it cannot be shown again.',
    secret,
    filename: 'signet-key.txt',
    others: webhooks.flatMap((one) => (one.secret === null ? [] : [[one.url, one.secret] as const])),
    more: recentChanges(changes),
  });
  await desk.refresh();
}

async function remove(desk: Desk): Promise<void> {
  if (
    !(await confirmed({
      title: 'Delete this account?',
      text: 'It is deleted after 72 hours. Until then you can keep it after all, on this page.',
      action: 'Delete the account',
      typed: desk.account.account_id,
    }))
  )
    return;
  const { deletes_at: at } = await desk.service.deleteAccount({});
  say(`The account will be deleted on ${fullTime(at)}.`);
  await desk.refresh();
}

function session(desk: Desk, { id, address, expires_at: until, current }: Session): TemplateResult {
  const end = async (): Promise<void> => {
    if (
      !(await confirmed({
        title: `End this session of ${address}?`,
        text: 'Whoever uses it must log in again.',
        action: 'End',
      }))
    )
      return;
    await desk.service.endSession({ id });
    say('The session has ended.');
    await desk.refresh();
  };
  return html`
    <li class="entry">
      <span>${current ? html`<span class="badge good">This browser</span>` : ''}</span>
      <span class="entry-text">${address} <span class="fine">until ${time(until)}</span></span>
      ${current ? '' : html`<button type="button" class="button quiet" @click=${pressing(end)}>End</button>`}
    </li>`;
}

const act = (title: string, why: string, action: string, work: () => Promise<void>): TemplateResult => html`
  <section class="sheet">
    <h2>${title}</h2>
    <p>${why}</p>
    <button type="button" class="button" @click=${pressing(work)}>${action}</button>
  </section>`;

async function open(desk: Desk, _parts: readonly string[], read: ReadPart): Promise<View> {
  const [sessions, addresses, deletion] = await Promise.all([
    read('Sessions', () => allOf(desk.service.paginate('listSessions', {}))),
    read('Mail addresses', async () => (await desk.service.listAddresses({})).settings),
    read('Planned deletion', () => deletionOf(desk)),
  ]);
  const reader = sessions.value?.find(({ current }) => current)?.address;
  const [address] = desk.account.addresses;
  const save = async (): Promise<void> => download(await desk.service.exportAccount({}), 'signet-export.zip');
  return {
    render: () => html`
      <div class="view">
        <h1>Settings</h1>
        ${deletion.show((one) => (one === null ? '' : planned(desk, one, reader)))}
        <p class="fine">
          <a href=${address === undefined ? desk.link('mail') : desk.link('mail', address, 'policy')}>Mail policy</a> ·
          <a href=${desk.link('keys')}>Keys and passkeys</a> · <a href=${desk.link('identity')}>Identity</a>
        </p>
        ${addresses.show((all) => addressSection(desk, all))} ${peopleSection(desk)}
        <h2>Sessions</h2>
        <p class="intro">Who is logged in, by which address.</p>
        ${sessions.show((all) => (all.length === 0 ? empty('Nobody is logged in.') : html`<ul class="entries sheet">${all.map((one) => session(desk, one))}</ul>`))}
        <div class="columns">
          ${act('Export', 'Everything that the service holds of this account, as a zip file.', 'Download the export', save)}
          ${act('Secure this account', 'Was the key stolen? This replaces it and ends every other key, session, token and delegation. Addresses, operators and keys that were set up in the last 7 days are taken back.', 'Secure the account', () => secure(desk))}
          ${deletion.value === null ? act('Delete this account', 'It is deleted after 72 hours. Until then you can keep it after all, on this page.', 'Delete the account', () => remove(desk)) : ''}
        </div>
      </div>`,
  };
}

export const settingsPage: Page = { name: 'settings', title: 'Settings', scope: 'account:manage', open };
