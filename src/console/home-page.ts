import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { GetUsageDaysReply } from '../client/operations.ts';
import { pressing } from './act.ts';
import { bar } from './bar-part.ts';
import { type Approval, askerOf, type Caps } from './charge-part.ts';
import { decided } from './decide.ts';
import type { Agent, Desk, Page, View } from './desk.ts';
import { agentName, counted, fill, shortDay, usdc } from './format.ts';
import { Live } from './live.ts';
import {
  approvalNeed,
  type CredentialRequest,
  confirmationNeed,
  credentialNeed,
  type Notice,
  noticeNeed,
  type Quarantined,
  quarantineNeed,
  type Review,
  reviewNeed,
} from './need-part.ts';
import { say } from './notice.ts';
import { linkTo } from './route.ts';
import { seldom } from './seldom.ts';
import { allOf, isRefused } from './service.ts';
import { empty } from './states.ts';
import { words } from './words.ts';

/** The operator's home: what needs him, then all his agents. */

/** Agents whose caps and quarantine are read; of more, only what the list says is shown. */
const READ_MAX = 24;

interface Known {
  agent: Agent;
  caps: Caps | null;
  /** Its requests and emails by day, oldest first. */
  days: GetUsageDaysReply['days'];
  approvals: Approval[];
  reviews: Review[];
  requests: CredentialRequest[];
  notices: Notice[];
  quarantined: Quarantined[];
}

/** A session's reading costs its agents nothing, but an agent may be busy. */
const READ_EVERY_MS = 2000;

/** What happened when this page must be read again. */
const CHANGES = /^(approval\.|account\.|charge\.|credential\.|email\.(held|released|rejected|quarantined)$)/;

/** What a session may not read of one agent must not hide the others. Any other failure must not look like peace. */
const orNone = <Value>(work: Promise<Value[]>): Promise<Value[]> =>
  work.catch((err) => {
    if (isRefused(err)) return [];
    throw err;
  });

async function read(desk: Desk, agent: Agent, isDetailed: boolean): Promise<Known> {
  const service = desk.serviceOf(agent.account_id);
  const [budget, days, approvals, reviews, quarantined, requests, notices] = await Promise.all([
    isDetailed ? service.getBudget({}).catch(() => null) : null,
    isDetailed
      ? service.getUsageDays({}).then(
          (page) => page.days,
          () => [],
        )
      : [],
    agent.open_approvals > 0 ? orNone(allOf(service.paginate('listApprovals', { status: 'pending' }))) : [],
    agent.open_reviews > 0 ? orNone(allOf(service.paginate('listReviews', { status: 'pending' }))) : [],
    isDetailed ? orNone(service.listQuarantine({ limit: 10 }).then(({ messages }) => messages)) : [],
    isDetailed ? orNone(service.listCredentialRequests({ limit: 20 }).then((page) => page.requests)) : [],
    isDetailed ? orNone(service.listNotices({}).then((page) => page.notices)) : [],
  ]);
  return { agent, caps: budget?.caps ?? null, days, approvals, reviews, quarantined, requests, notices };
}

/** What waits, by id: when one goes, the focus must not stay on a button that now decides about another. */
function needs(desk: Desk, known: readonly Known[]): [string, TemplateResult][] {
  const each = <One>(
    of: (one: Known) => One[],
    id: (one: One) => string,
    draw: (one: One, known: Known) => TemplateResult,
  ) => known.flatMap((one) => of(one).map((entry): [string, TemplateResult] => [id(entry), draw(entry, one)]));
  return [
    ...(desk.operated?.waiting ?? []).map((one): [string, TemplateResult] => [one.id, confirmationNeed(desk, one)]),
    ...each(
      ({ notices }) => notices,
      ({ id }) => id,
      (one, { agent }) => noticeNeed(desk, askerOf(agent), one),
    ),
    ...each(
      ({ approvals }) => approvals,
      ({ id }) => id,
      (one, { agent, caps }) => approvalNeed(desk, askerOf(agent), one, caps),
    ),
    ...each(
      ({ requests }) => requests,
      ({ request_id: id }) => id,
      (one, { agent }) => credentialNeed(agent.account_id, one),
    ),
    ...each(
      ({ reviews }) => reviews,
      ({ review_id: id }) => id,
      (one, { agent }) => reviewNeed(desk, askerOf(agent), one),
    ),
    ...each(
      ({ quarantined }) => quarantined,
      ({ message_id: id }) => id,
      (one, { agent }) => quarantineNeed(desk, agent.account_id, one),
    ),
  ];
}

/** Suspending is undone with one press, so it does not ask first. */
async function setSuspended(desk: Desk, { account_id: id, name }: Agent, isSuspended: boolean): Promise<void> {
  const change = (to: boolean) =>
    decided(desk, id, (service) => (to ? service.suspendAgent({ id }) : service.resumeAgent({ id })));
  await change(isSuspended);
  const text = fill(isSuspended ? words.home.suspended : words.home.resumed, { name: agentName(name) });
  say(text, {
    undo: async () => {
      await change(!isSuspended);
      await desk.refresh();
    },
  });
  await desk.refresh();
}

/** How much of it waits for a person, as the list of agents says. */
function waitingOf({ open_approvals: charges, open_reviews: mails, open_items: others }: Agent): string {
  const { charges: chargeWords, mails: mailWords, others: otherWords } = words.home.waits;
  const kinds = [
    [chargeWords, charges],
    [mailWords, mails],
    [otherWords, others],
  ] as const;
  return kinds.flatMap(([text, n]) => (n > 0 ? [counted(text, n)] : [])).join(' · ');
}

/**
 * When it last called, to the day, and its emails of today. Calls that a person makes for it do not count. Those of a pod
 * count as its platform's, so nothing is said of a pod.
 */
function seen({ agent, days }: Known): string {
  const today = days.at(-1);
  if (today === undefined || agent.parent_account_id !== null) return '';
  const last = days.findLast(({ requests }) => requests > 0);
  const { lastSeen, seenToday, notSeen, mailed } = words.home;
  const when =
    last === today ? seenToday : last ? fill(lastSeen, { day: shortDay(last.day) }) : fill(notSeen, { n: days.length });
  return [when, ...(today.emails > 0 ? [counted(mailed, today.emails)] : [])].join(' · ');
}

function agentCard(desk: Desk, known: Known): TemplateResult {
  const { agent, caps } = known;
  const daily = caps?.daily ?? null;
  const { account_id: id, name, status, suspended_by: by } = agent;
  const isSuspended = by.includes('operator');
  const waiting = waitingOf(agent);
  const why = by.includes('administrator') ? words.home.suspendedBy.administrator : words.home.suspendedBy.operator;
  return html`
    <li class="agent-card">
      <h3><a href=${linkTo(id, 'overview')}>${agentName(name)}</a></h3>
      <p class="fine mono">${agent.addresses[0] ?? id}</p>
      <p><span class="badge ${status === 'active' ? 'good' : 'failed'}" title=${status === 'active' ? nothing : why}>${words.home.status[status]}</span></p>
      <p class="fine seen">${seen(known)}</p>
      ${waiting === '' ? nothing : html`<p class="fine waits">${waiting}</p>`}
      ${
        daily === null
          ? html`<p class="fine">${words.home.spentToday}: ${usdc(agent.spent_today_usdc)}, ${words.home.noCap}</p>`
          : bar(
              words.home.spentToday,
              daily.spent_usdc,
              daily.limit_usdc,
              usdc(daily.spent_usdc),
              fill(words.home.left, { left: usdc(daily.remaining_usdc), limit: usdc(daily.limit_usdc) }),
            )
      }
      <p class="actions">
        <a class="button" href=${linkTo(id, 'overview')}>${words.home.open}<span class="visually-hidden"> ${agentName(name)}</span></a>
        <button type="button" class="button quiet" @click=${pressing(() => setSuspended(desk, agent, !isSuspended))}>
          ${isSuspended ? words.home.resume : words.home.suspend}<span class="visually-hidden"> ${agentName(name)}</span>
        </button>
      </p>
    </li>`;
}

async function readAll(desk: Desk): Promise<Known[]> {
  await desk.readOperated();
  const agents = desk.operated?.agents ?? [];
  return Promise.all(agents.map((agent, i) => read(desk, agent, i < READ_MAX)));
}

async function open(desk: Desk): Promise<View> {
  let known = await readAll(desk);
  const changed = seldom(
    async () => {
      known = await readAll(desk);
      desk.repaint();
    },
    // Who names him next is not among the agents of the stream, so coming back to the tab reads too.
    { isWhenShown: true, everyMs: READ_EVERY_MS },
  );
  const live = new Live();
  live.followAgents(desk.service, (type) => (type === null || CHANGES.test(type) ? changed.ask() : undefined));
  return {
    render() {
      const waiting = needs(desk, known);
      const drawn = repeat(
        waiting,
        ([id]) => id,
        ([, view]) => view,
      );
      return html`
        <div class="view">
          <h1>${words.home.title}</h1>
          <section aria-labelledby="needs">
            <h2 id="needs">${words.home.needs}</h2>
            ${waiting.length > 0 ? html`<ul class="needs">${drawn}</ul>` : html`<p class="sheet calm">${words.home.nothing}</p>`}
          </section>
          <section aria-labelledby="agents">
            <h2 id="agents">${words.home.agents}</h2>
            ${
              known.length > 0
                ? html`<ul class="agent-cards">${repeat(
                    known,
                    ({ agent }) => agent.account_id,
                    (one) => agentCard(desk, one),
                  )}</ul>`
                : empty(words.home.noAgents)
            }
          </section>
        </div>`;
    },
    close() {
      live.end();
      changed.end();
    },
  };
}

export const homePage: Page = { name: 'home', title: words.home.title, scope: 'account:read', place: 'operator', open };
