import { html, nothing, type TemplateResult } from 'lit-html';
import type { SignetEvent } from '../../../client/generated/methods.ts';
import type {
  GetBudgetReply,
  GetUsageDaysReply,
  GetUsageReply,
  ListInboxReply,
} from '../../../client/generated/operations.ts';
import { bar } from '../parts/bar-part.ts';
import { eventRow, type LoggedEvent } from '../parts/home/activity-part.ts';
import { checklist } from '../parts/home/checklist-part.ts';
import { usageChart } from '../parts/home/usage-part.ts';
import { PEOPLE } from '../parts/settings/settings-people-part.ts';
import { accountSeal } from '../ui/account-seal.ts';
import { hasCode } from '../ui/console-service.ts';
import { agentName, count, time, usdc } from '../ui/format.ts';
import { onPress } from '../ui/handlers.ts';
import type { Part, ReadPart } from '../ui/page-parts.ts';
import { empty } from '../ui/placeholders.ts';
import { throttled } from '../ui/throttle.ts';
import { copy } from '../ui/toast.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** One agent: who it is, what is left to set up, and what happened last. */

const LATEST = 5;

interface Known {
  usage: Part<{ usage: GetUsageReply; budget: GetBudgetReply | null }>;
  days: Part<GetUsageDaysReply['days']>;
  events: Part<LoggedEvent[]>;
  /** Null without an address. */
  mail: Part<ListInboxReply['messages']> | null;
  hasBackup: Part<boolean>;
}

/** What a limited key may not read is left out. */
const orElse = <Value, Other>(work: Promise<Value>, otherwise: Other): Promise<Value | Other> =>
  work.catch((err) => {
    if (hasCode(err, 'insufficient_scope')) return otherwise;
    throw err;
  });

async function readMail({ service }: Workspace, address: string): Promise<ListInboxReply['messages']> {
  return (await orElse(service.listInbox({ address, limit: LATEST }), null))?.messages ?? [];
}

async function readAll(workspace: Workspace, read: ReadPart): Promise<Known> {
  const { service } = workspace;

  const [address] = workspace.account.addresses;
  const [usage, days, events, mail, hasBackup] = await Promise.all([
    read('Used today', async () => {
      const [used, budget] = await Promise.all([service.getUsage({}), orElse(service.getBudget({}), null)]);
      return { usage: used, budget };
    }),
    read('Last 30 days', async () => (await service.getUsageDays({})).days),
    read('Latest activity', async (): Promise<LoggedEvent[]> => {
      return (await orElse(service.listEvents({ order: 'desc', limit: LATEST }), null))?.events ?? [];
    }),
    address === undefined ? null : read('Latest mail', () => readMail(workspace, address)),
    read('Set up', async () => {
      const listed = await orElse(service.listAccountKeys({}), null);
      return listed?.keys.some(({ kind }) => kind === 'backup') ?? true;
    }),
  ]);
  return { usage, days, events, mail, hasBackup };
}

const TIERS = { free: 'Free tier', paid: 'Paid tier' };

function identity({ account }: Workspace): TemplateResult {
  return html`
    <section class="identity">
      <div class="identity-seal">${accountSeal(account.id, account.name)}</div>
      <div>
        <h1>${agentName(account.name)}</h1>
        <p class="mono id">${account.id}</p>
        <p class="fine"><span class="badge">${TIERS[account.tier]}</span> since ${time(account.created_at)}</p>
      </div>
    </section>`;
}

/** Shows the address until its first mail arrives, and then that it did. */
function mailBox(workspace: Workspace, mail: ListInboxReply['messages']): TemplateResult | typeof nothing {
  const [address] = workspace.account.addresses;
  if (address === undefined) return nothing;
  const link = workspace.link('mail', address);
  return html`
    <section class="sheet" aria-labelledby="send-mail">
      <h2 id="send-mail">${mail.length === 0 ? 'Send it a mail' : 'Latest mail'}</h2>
      <p class="address-line">
        <code id="own-address">${address}</code>
        <button type="button" class="button quiet" @click=${onPress(() => copy(address, document.getElementById('own-address')))}>Copy</button>
      </p>
      ${mail.length === 0 ? html`<p>Write to this address from any mail app. The mail appears here when it arrives.</p>` : nothing}
      <div role="status" id="arrival">
        ${
          mail.length === 0
            ? html`<p class="waiting"><i aria-hidden="true"></i>Waiting for the first mail</p>`
            : html`<ul class="letters">${mail.map(
                (entry) => html`
                  <li class=${entry.read ? 'letter' : 'letter unread'}>
                    <a href=${workspace.link('mail', address, 'inbox', entry.message_id)}>
                      <span class="letter-from">${entry.from_name ?? entry.from}</span> ${time(entry.received_at, 'short')}
                      <span class="letter-subject">${entry.subject}</span>
                      <span class="letter-snippet">${entry.snippet}</span>
                    </a>
                  </li>`,
              )}</ul>`
        }
      </div>
      <p class="actions"><a class="button" href=${link}>Open mail</a></p>
    </section>`;
}

function used(workspace: Workspace, usage: GetUsageReply, budget: GetBudgetReply | null): TemplateResult {
  const { requests, emails } = usage;
  const of = (some: number, limit: number): string => `${count(some)} of ${count(limit)}`;
  const daily = budget?.caps.daily ?? null;
  return html`
    <section class="sheet" aria-labelledby="usage">
      <h2 id="usage">Used today</h2>
      ${bar('Requests', requests.used, requests.limit, of(requests.used, requests.limit))}
      ${bar('Emails', emails.daily_used, emails.daily_limit, of(emails.daily_used, emails.daily_limit))}
      ${
        daily
          ? bar(
              'Spent today',
              daily.spent_usdc,
              daily.limit_usdc,
              `${usdc(daily.spent_usdc)} of ${usdc(daily.limit_usdc)}`,
            )
          : html`<p class="fine">No spending cap is set. <a href=${workspace.link('money')}>Set a cap</a></p>`
      }
    </section>`;
}

function people({ account, isSession }: Workspace): TemplateResult {
  const rows: [string, string | null][] = [
    ['Signed in with', isSession ? 'a session' : `${account.key_prefix}…`],
    ...account.people.map(({ role, address, confirmed }): [string, string] => [
      PEOPLE[role],
      confirmed ? address : `${address} (not confirmed)`,
    ]),
    ['Belongs to', account.parent_account_id],
    ['Capabilities', account.capabilities.join(', ') || null],
  ];
  return html`
    <section class="sheet" aria-labelledby="account">
      <h2 id="account">Account</h2>
      <dl class="details">
        ${rows.map(([name, value]) => (value === null ? nothing : html`<div><dt>${name}</dt><dd>${value}</dd></div>`))}
      </dl>
    </section>`;
}

const activity = (workspace: Workspace, events: readonly LoggedEvent[]): TemplateResult => html`
  <section aria-labelledby="latest">
    <h2 id="latest">Latest activity</h2>
    ${events.length === 0 ? empty('No events yet.') : html`<ol class="entries sheet" reversed>${events.map(eventRow)}</ol>`}
    <p><a href=${workspace.link('activity')}>All activity</a></p>
  </section>`;

async function open(workspace: Workspace, _parts: readonly string[], read: ReadPart): Promise<View> {
  const { usage, days, events, mail, hasBackup } = await readAll(workspace, read);
  const arrived = throttled(async () => {
    await mail?.read();
    workspace.repaint();
  });
  return {
    render: () => html`
      <div class="view">
        ${identity(workspace)}
        ${hasBackup.show((has) => checklist(workspace, has))}
        <div class="columns">
          ${mail?.show((latest) => mailBox(workspace, latest))} ${usage.show((one) => used(workspace, one.usage, one.budget))}
          ${people(workspace)} ${days.show((all) => usageChart(all))}
        </div>
        ${events.show((latest) => activity(workspace, latest))}
      </div>`,
    async onEvent(event: SignetEvent) {
      if (event.type.startsWith('account.')) return workspace.refresh();
      if (event.type === 'email.received') arrived.ask();
      const known = events.value;
      if (known === undefined || events.problem !== null || known.some(({ id }) => id === event.id)) return;
      events.value = [{ ...event, data: { ...event.data } }, ...known].slice(0, LATEST);
      workspace.repaint();
    },
    close: () => arrived.end(),
  };
}

export const overviewPage: Page = { name: 'overview', title: 'Overview', scope: 'account:read', open };
