import { html, type TemplateResult } from 'lit-html';
import type { ListSessionsReply, SecureAccountReply } from '../../../client/generated/operations.ts';
import { deletionOf, planned } from '../parts/settings/settings-deletion-part.ts';
import { addressSection, peopleSection } from '../parts/settings/settings-people-part.ts';
import { allOf } from '../ui/console-service.ts';
import { fill, fullTime, time } from '../ui/format.ts';
import { pressing } from '../ui/handlers.ts';
import type { ReadPart } from '../ui/page-parts.ts';
import { empty } from '../ui/placeholders.ts';
import { confirmed, download, say, showOnce } from '../ui/toast.ts';
import type { Desk, Page, View } from '../ui/workspace.ts';
import { words } from '../words/console-words.ts';

/** What concerns the whole account: who is logged in, its export, the way back after a theft, and its end. */

type Session = ListSessionsReply['sessions'][number];

type Change = SecureAccountReply['recent_changes'][number];

const recentChanges = (changes: readonly Change[]): TemplateResult | undefined =>
  changes.length === 0
    ? undefined
    : html`
        <h3>${words.settings.changes}</h3>
        <p>${words.settings.changesWhy}</p>
        <ul class="changes">${changes.map(({ at, what, detail, count }) => html`<li>${time(at)} <span class="mono">${what}</span> ${detail}${count > 1 ? ` × ${count}` : ''}</li>`)}</ul>`;

async function secure(desk: Desk): Promise<void> {
  const { secureAsk: title, secureWhy: text, secureDo: action } = words.settings;
  if (!(await confirmed({ title, text, action }))) return;
  const { api_key: secret, webhooks, recent_changes: changes } = await desk.service.secureAccount({});
  // The key of this tab has ended with the others. A session that secures the account stays.
  if (!desk.isSession) desk.replaceKey(secret);
  await showOnce({
    title: words.settings.secured,
    text: words.settings.securedWhy,
    secret,
    filename: 'signet-key.txt',
    others: webhooks.flatMap((one) => (one.secret === null ? [] : [[one.url, one.secret] as const])),
    more: recentChanges(changes),
  });
  await desk.refresh();
}

async function remove(desk: Desk): Promise<void> {
  const { ask: title, why: text, action } = words.deletion;
  if (!(await confirmed({ title, text, action, typed: desk.account.account_id }))) return;
  const { deletes_at: at } = await desk.service.deleteAccount({});
  say(fill(words.deletion.planned, { date: fullTime(at) }));
  await desk.refresh();
}

function session(desk: Desk, { id, address, expires_at: until, current }: Session): TemplateResult {
  const end = async (): Promise<void> => {
    const { endSessionAsk, endSessionWhy: text, endSession: action } = words.settings;
    if (!(await confirmed({ title: fill(endSessionAsk, { address }), text, action }))) return;
    await desk.service.endSession({ id });
    say(words.settings.endedSession);
    await desk.refresh();
  };
  return html`
    <li class="entry">
      <span>${current ? html`<span class="badge good">${words.settings.here}</span>` : ''}</span>
      <span class="entry-text">${address} <span class="fine">${words.settings.expires} ${time(until)}</span></span>
      ${current ? '' : html`<button type="button" class="button quiet" @click=${pressing(end)}>${words.settings.endSession}</button>`}
    </li>`;
}

const act = (title: string, why: string, action: string, work: () => Promise<void>): TemplateResult => html`
  <section class="sheet">
    <h2>${title}</h2>
    <p>${why}</p>
    <button type="button" class="button" @click=${pressing(work)}>${action}</button>
  </section>`;

async function open(desk: Desk, _parts: readonly string[], read: ReadPart): Promise<View> {
  const { settings } = words;
  const [sessions, addresses, deletion] = await Promise.all([
    read(settings.sessions, () => allOf(desk.service.paginate('listSessions', {}))),
    read(settings.addresses, async () => (await desk.service.listAddresses({})).settings),
    read(settings.deletion, () => deletionOf(desk)),
  ]);
  const reader = sessions.value?.find(({ current }) => current)?.address;
  const [address] = desk.account.addresses;
  const save = async (): Promise<void> => download(await desk.service.exportAccount({}), 'signet-export.zip');
  return {
    render: () => html`
      <div class="view">
        <h1>${settings.title}</h1>
        ${deletion.show((one) => (one === null ? '' : planned(desk, one, reader)))}
        <p class="fine">
          <a href=${address === undefined ? desk.link('mail') : desk.link('mail', address, 'policy')}>${words.policy.title}</a> ·
          <a href=${desk.link('keys')}>${settings.keys}</a> · <a href=${desk.link('identity')}>${words.identity.title}</a>
        </p>
        ${addresses.show((all) => addressSection(desk, all))} ${peopleSection(desk)}
        <h2>${settings.sessions}</h2>
        <p class="intro">${settings.sessionsIntro}</p>
        ${sessions.show((all) => (all.length === 0 ? empty(settings.noSessions) : html`<ul class="entries sheet">${all.map((one) => session(desk, one))}</ul>`))}
        <div class="columns">
          ${act(settings.export, settings.exportWhy, settings.exportDo, save)}
          ${act(settings.secure, settings.secureWhy, settings.secureDo, () => secure(desk))}
          ${deletion.value === null ? act(words.deletion.title, words.deletion.why, words.deletion.action, () => remove(desk)) : ''}
        </div>
      </div>`,
  };
}

export const settingsPage: Page = { name: 'settings', title: words.settings.title, scope: 'account:manage', open };
