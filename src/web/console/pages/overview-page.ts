import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type {
  GetBudgetReply,
  GetUsageDaysReply,
  GetUsageReply,
  ListInboxReply,
  ListWaitingReply,
  SignetEvent,
} from '../../../client/generated/operations.ts';
import { usedBar } from '../parts/bar-part.ts';
import { eventList, type LoggedEvent } from '../parts/home/activity-part.ts';
import { checklist, type SetUp } from '../parts/home/checklist-part.ts';
import { usageChart } from '../parts/home/usage-part.ts';
import { letter } from '../parts/mail/mail-list-part.ts';
import { rowOfLetter } from '../parts/mail/mail-rows.ts';
import { PEOPLE } from '../parts/settings/settings-people-part.ts';
import { PAGE_OF } from '../parts/waiting-pages.ts';
import { accountSeal } from '../ui/account-seal.ts';
import { hasCode } from '../ui/console-service.ts';
import { agentName, time, usdc } from '../ui/format.ts';
import { copyable } from '../ui/kit/action.ts';
import { type Fact, facts, section } from '../ui/kit/section.ts';
import type { Part, ReadPart } from '../ui/page-parts.ts';
import { throttled } from '../ui/throttle.ts';
import type { Page, View, Workspace } from '../ui/workspace.ts';

/** One agent: who it is, what is left to set up, and what happened last. */

const LATEST = 5;
const WAITING_MAX = 20;
/** What happened when something may wait, or no longer does. */
const CHANGES = /^(approval|budget|charge|credential|email|webhook)\./;

interface Known {
  usage: Part<{ usage: GetUsageReply; budget: GetBudgetReply | null }>;
  days: Part<GetUsageDaysReply['days']>;
  events: Part<LoggedEvent[]>;
  /** Null without an address. */
  mail: Part<ListInboxReply['messages']> | null;
  setUp: Part<SetUp>;
  waiting: Part<ListWaitingReply['items']>;
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
  const [usage, days, events, mail, setUp, waiting] = await Promise.all([
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
      const [listed, policy] = await Promise.all([
        orElse(service.listAccountKeys({}), null),
        orElse(service.getMailPolicy({}), null),
      ]);
      const hasBackup = listed?.keys.some(({ kind }) => kind === 'backup') ?? true;
      return { hasBackup, isGuarded: (policy?.inbound.dangerous ?? 'quarantine') !== 'accept' };
    }),
    read('What waits', async () => (await service.listWaiting({ limit: WAITING_MAX })).items),
  ]);
  return { usage, days, events, mail, setUp, waiting };
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
  const isNew = mail.length === 0;
  const letters = mail.map((one) =>
    letter(rowOfLetter(one, address), workspace.link('mail', address, 'inbox', one.message_id)),
  );
  return section(
    'send-mail',
    isNew ? 'Send it a mail' : 'Latest mail',
    html`
      <p class="address-line">${copyable('own-address', address)}</p>
      ${isNew ? html`<p>Write to this address from any mail app. The mail appears here when it arrives.</p>` : nothing}
      <div role="status" id="arrival">
        ${isNew ? html`<p class="waiting"><i aria-hidden="true"></i>Waiting for the first mail</p>` : html`<ul class="letters">${letters}</ul>`}
      </div>
      <p class="actions"><a class="button" href=${workspace.link('mail', address)}>Open mail</a></p>`,
  );
}

function used(
  workspace: Workspace,
  { requests, emails }: GetUsageReply,
  budget: GetBudgetReply | null,
): TemplateResult {
  const daily = budget?.caps.daily ?? null;
  return section('usage', 'Used today', [
    usedBar('Requests', requests),
    usedBar('Emails', { used: emails.daily_used, limit: emails.daily_limit }),
    daily
      ? usedBar('Spent today', { used: daily.spent_usdc, limit: daily.limit_usdc }, usdc)
      : html`<p class="fine">No spending cap is set. <a href=${workspace.link('money')}>Set a cap</a></p>`,
  ]);
}

function people({ account, isSession }: Workspace): TemplateResult {
  const rows: Fact[] = [
    ['Logged in with', isSession ? 'a session' : `${account.key_prefix}…`],
    ...account.people.map(
      ({ role, address, confirmed }): Fact => [PEOPLE[role], confirmed ? address : `${address} (not confirmed)`],
    ),
    ['Belongs to', account.parent_account_id],
    ['Capabilities', account.capabilities.join(', ')],
  ];
  return section('account', 'Account', facts(rows, { kind: 'details' }));
}

const WAITS_FOR = { you: 'for you', operator: 'for an operator', administrator: 'for the administrator', other: '' };

/** What waits for someone to act: an operator decides about it on Home, an agent by its key. */
function waitingList(workspace: Workspace, items: ListWaitingReply['items']): TemplateResult | typeof nothing {
  if (items.length === 0) return nothing;
  const linked = (kind: string, summary: string): TemplateResult | string => {
    const page = PAGE_OF[kind];
    return page === undefined ? summary : html`<a href=${workspace.link(page)}>${summary}</a>`;
  };
  const row = ({ kind, summary, since, for: whom }: (typeof items)[number]): TemplateResult => html`
    <li class="need"><p>${linked(kind, summary)}</p><p class="fine">${time(since)} ${WAITS_FOR[whom]}</p></li>`;
  const drawn = repeat(items, ({ kind, id }) => `${kind} ${id}`, row);
  return section('what-waits', 'What waits', html`<ul class="needs">${drawn}</ul>`);
}

const activity = (workspace: Workspace, events: readonly LoggedEvent[]): TemplateResult =>
  section(
    'latest',
    'Latest activity',
    [eventList(workspace, events), html`<p><a href=${workspace.link('activity')}>All activity</a></p>`],
    { kind: '' },
  );

async function open(workspace: Workspace, _parts: readonly string[], read: ReadPart): Promise<View> {
  const { usage, days, events, mail, setUp, waiting } = await readAll(workspace, read);
  const arrived = throttled(async () => {
    await mail?.read();
    workspace.repaint();
  });
  const changed = throttled(async () => {
    await waiting.read();
    workspace.repaint();
  });
  return {
    render: () => html`
      <div class="view">
        ${identity(workspace)}
        ${waiting.show((items) => waitingList(workspace, items))}
        ${setUp.show((known) => checklist(workspace, known))}
        <div class="columns">
          <div>${mail?.show((latest) => mailBox(workspace, latest))} ${people(workspace)}</div>
          <div>${usage.show((one) => used(workspace, one.usage, one.budget))} ${days.show((all) => usageChart(all))}</div>
        </div>
        ${events.show((latest) => activity(workspace, latest))}
      </div>`,
    async onEvent(event: SignetEvent) {
      if (event.type.startsWith('account.')) return workspace.refresh();
      if (event.type === 'email.received') arrived.ask();
      if (CHANGES.test(event.type)) changed.ask();
      const known = events.value;
      if (known === undefined || events.problem !== null || known.some(({ id }) => id === event.id)) return;
      events.value = [{ ...event, data: { ...event.data } }, ...known].slice(0, LATEST);
      workspace.repaint();
    },
    close() {
      arrived.end();
      changed.end();
    },
  };
}

export const overviewPage: Page = { name: 'overview', title: 'Overview', scope: 'account:read', open };
