import { html, nothing, type TemplateResult } from 'lit-html';
import { pressing } from './act.ts';
import { bar } from './bar-part.ts';
import { type Approval, askerOf, type Caps } from './charge-part.ts';
import { decided } from './decide.ts';
import type { Agent, Desk, Page, View } from './desk.ts';
import { agentName, fill, usdc } from './format.ts';
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
  const [budget, approvals, reviews, quarantined, requests, notices] = await Promise.all([
    isDetailed ? service.getBudget({}).catch(() => null) : null,
    agent.open_approvals > 0 ? orNone(allOf(service.paginate('listApprovals', { status: 'pending' }))) : [],
    agent.open_reviews > 0 ? orNone(allOf(service.paginate('listReviews', { status: 'pending' }))) : [],
    isDetailed ? orNone(service.listQuarantine({ limit: 10 }).then(({ messages }) => messages)) : [],
    isDetailed ? orNone(service.listCredentialRequests({ limit: 20 }).then((page) => page.requests)) : [],
    isDetailed ? orNone(service.listNotices({}).then((page) => page.notices)) : [],
  ]);
  return { agent, caps: budget?.caps ?? null, approvals, reviews, quarantined, requests, notices };
}

function needs(desk: Desk, known: readonly Known[]): TemplateResult[] {
  return [
    ...(desk.operated?.waiting ?? []).map((one) => confirmationNeed(desk, one)),
    ...known.flatMap(({ agent, notices }) => notices.map((one) => noticeNeed(desk, askerOf(agent), one))),
    ...known.flatMap(({ agent, approvals, caps }) =>
      approvals.map((approval) => approvalNeed(desk, askerOf(agent), approval, caps)),
    ),
    ...known.flatMap(({ agent, requests }) => requests.map((one) => credentialNeed(agent.account_id, one))),
    ...known.flatMap(({ agent, reviews }) => reviews.map((review) => reviewNeed(desk, askerOf(agent), review))),
    ...known.flatMap(({ agent, quarantined }) =>
      quarantined.map((mail) => quarantineNeed(desk, agent.account_id, mail)),
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

function agentCard(desk: Desk, { agent, caps }: Known): TemplateResult {
  const daily = caps?.daily ?? null;
  const { account_id: id, name, status, suspended_by: by } = agent;
  const isSuspended = by.includes('operator');
  const why = by.includes('administrator') ? words.home.suspendedBy.administrator : words.home.suspendedBy.operator;
  return html`
    <li class="agent-card">
      <h3><a href=${linkTo(id, 'overview')}>${agentName(name)}</a></h3>
      <p class="fine mono">${agent.addresses[0] ?? id}</p>
      <p><span class="badge ${status === 'active' ? 'good' : 'failed'}" title=${status === 'active' ? nothing : why}>${words.home.status[status]}</span></p>
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
      return html`
        <div class="view">
          <h1>${words.home.title}</h1>
          <section aria-labelledby="needs">
            <h2 id="needs">${words.home.needs}</h2>
            ${waiting.length > 0 ? html`<ul class="needs">${waiting}</ul>` : html`<p class="sheet calm">${words.home.nothing}</p>`}
          </section>
          <section aria-labelledby="agents">
            <h2 id="agents">${words.home.agents}</h2>
            ${known.length > 0 ? html`<ul class="agent-cards">${known.map((one) => agentCard(desk, one))}</ul>` : empty(words.home.noAgents)}
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
