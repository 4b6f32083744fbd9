import { html, nothing, type TemplateResult } from 'lit-html';
import type { SignetEvent } from '../client/methods.ts';
import type { GetBudgetReply, GetUsageDaysReply, GetUsageReply, ListInboxReply } from '../client/operations.ts';
import { pressing } from './act.ts';
import { eventRow, type LoggedEvent } from './activity-part.ts';
import { bar } from './bar-part.ts';
import { checklist } from './checklist-part.ts';
import type { Desk, Page, View } from './desk.ts';
import { agentName, count, fill, time, usdc } from './format.ts';
import { copy } from './notice.ts';
import { accountSeal } from './seal.ts';
import { seldom } from './seldom.ts';
import { empty } from './states.ts';
import { usageChart } from './usage-part.ts';
import { words } from './words.ts';

/** One agent: who it is, what is left to set up, and what happened last. */

const LATEST = 5;

interface Known {
  usage: GetUsageReply;
  days: GetUsageDaysReply['days'];
  budget: GetBudgetReply | null;
  events: LoggedEvent[];
  mail: ListInboxReply['messages'];
  hasBackup: boolean;
}

/** Parts that a limited key may not read are left out. */
const orElse = <Value>(work: Promise<Value>, otherwise: Value): Promise<Value> => work.catch(() => otherwise);

async function read({ service, account }: Desk): Promise<Known> {
  const [address] = account.addresses;
  const [usage, { days }, budget, log, inbox, keys] = await Promise.all([
    service.getUsage({}),
    service.getUsageDays({}),
    orElse(service.getBudget({}), null),
    orElse(service.listEvents({ order: 'desc', limit: LATEST }), null),
    address === undefined ? null : orElse(service.listInbox({ address, limit: LATEST }), null),
    orElse(service.listAccountKeys({}), null),
  ]);
  return {
    usage,
    days,
    budget,
    events: log?.events ?? [],
    mail: inbox?.messages ?? [],
    hasBackup: keys?.keys.some(({ kind }) => kind === 'backup') ?? true,
  };
}

function identity({ account }: Desk): TemplateResult {
  const [before, after] = words.overview.since.split('{date}');
  return html`
    <section class="identity">
      <div class="identity-seal">${accountSeal(account.id, account.name)}</div>
      <div>
        <h1>${agentName(account.name)}</h1>
        <p class="mono id">${account.id}</p>
        <p class="fine"><span class="badge">${words.overview.tiers[account.tier]}</span> ${before}${time(account.created_at)}${after}</p>
      </div>
    </section>`;
}

/** Shows the address until its first mail arrives, and then that it did. */
function mailBox(desk: Desk, { mail }: Known): TemplateResult | typeof nothing {
  const [address] = desk.account.addresses;
  if (address === undefined) return nothing;
  const link = desk.link('mail', address);
  return html`
    <section class="sheet" aria-labelledby="send-mail">
      <h2 id="send-mail">${mail.length === 0 ? words.overview.sendMail : words.overview.latestMail}</h2>
      <p class="address-line">
        <code id="own-address">${address}</code>
        <button type="button" class="button quiet" @click=${pressing(() => copy(address, document.getElementById('own-address')))}>${words.notices.copy}</button>
      </p>
      ${mail.length === 0 ? html`<p>${words.overview.sendMailWhy}</p>` : nothing}
      <div role="status" id="arrival">
        ${
          mail.length === 0
            ? html`<p class="waiting"><i aria-hidden="true"></i>${words.overview.waiting}</p>`
            : html`<ul class="letters">${mail.map(
                (entry) => html`
                  <li class=${entry.read ? 'letter' : 'letter unread'}>
                    <a href=${desk.link('mail', address, 'inbox', entry.message_id)}>
                      <span class="letter-from">${entry.from_name ?? entry.from}</span> ${time(entry.received_at, 'short')}
                      <span class="letter-subject">${entry.subject}</span>
                      <span class="letter-snippet">${entry.snippet}</span>
                    </a>
                  </li>`,
              )}</ul>`
        }
      </div>
      <p class="actions"><a class="button" href=${link}>${words.overview.openMail}</a></p>
    </section>`;
}

function used(desk: Desk, { usage, budget }: Known): TemplateResult {
  const { requests, emails } = usage;
  const of = (some: number, limit: number): string =>
    fill(words.overview.ofLimit, { used: count(some), limit: count(limit) });
  const daily = budget?.caps.daily ?? null;
  return html`
    <section class="sheet" aria-labelledby="usage">
      <h2 id="usage">${words.overview.usage}</h2>
      ${bar(words.overview.requests, requests.used, requests.limit, of(requests.used, requests.limit))}
      ${bar(words.overview.emails, emails.daily_used, emails.daily_limit, of(emails.daily_used, emails.daily_limit))}
      ${
        daily
          ? bar(
              words.overview.budget,
              daily.spent_usdc,
              daily.limit_usdc,
              fill(words.overview.ofLimit, { used: usdc(daily.spent_usdc), limit: usdc(daily.limit_usdc) }),
            )
          : html`<p class="fine">${words.overview.noBudget} <a href=${desk.link('money')}>${words.overview.setBudget}</a></p>`
      }
    </section>`;
}

function people({ account, isSession }: Desk): TemplateResult {
  const rows: [string, string | null][] = [
    [words.overview.signedIn, isSession ? words.overview.session : `${account.key_prefix}…`],
    ...account.people.map(({ role, address, confirmed }): [string, string] => [
      words.overview.people[role],
      confirmed ? address : `${address} (${words.overview.unconfirmed})`,
    ]),
    [words.overview.parent, account.parent_account_id],
    [words.overview.capabilities, account.capabilities.join(', ') || null],
  ];
  return html`
    <section class="sheet" aria-labelledby="account">
      <h2 id="account">${words.overview.details}</h2>
      <dl class="details">
        ${rows.map(([name, value]) => (value === null ? nothing : html`<div><dt>${name}</dt><dd>${value}</dd></div>`))}
      </dl>
    </section>`;
}

const activity = (desk: Desk, { events }: Known): TemplateResult => html`
  <section aria-labelledby="latest">
    <h2 id="latest">${words.overview.latestEvents}</h2>
    ${events.length === 0 ? empty(words.activity.none) : html`<ol class="entries sheet" reversed>${events.map(eventRow)}</ol>`}
    <p><a href=${desk.link('activity')}>${words.overview.allEvents}</a></p>
  </section>`;

async function open(desk: Desk): Promise<View> {
  const known = await read(desk);
  const arrived = seldom(async () => {
    const [address] = desk.account.addresses;
    if (address === undefined) return;
    known.mail = (await desk.service.listInbox({ address, limit: LATEST })).messages;
    desk.repaint();
  });
  return {
    render: () => html`
      <div class="view">
        ${identity(desk)}
        ${checklist(desk, known.hasBackup)}
        <div class="columns">${mailBox(desk, known)} ${used(desk, known)} ${people(desk)} ${usageChart(known.days)}</div>
        ${activity(desk, known)}
      </div>`,
    async onEvent(event: SignetEvent) {
      if (event.type.startsWith('account.')) return desk.refresh();
      if (event.type === 'email.received') arrived.ask();
      if (known.events.some(({ id }) => id === event.id)) return;
      known.events = [{ ...event, data: { ...event.data } }, ...known.events].slice(0, LATEST);
      desk.repaint();
    },
    close: () => arrived.end(),
  };
}

export const overviewPage: Page = { name: 'overview', title: words.overview.title, scope: 'account:read', open };
