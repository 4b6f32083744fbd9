import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { OpenCredentialRequest, WaitingRole } from '../../../client/generated/operations.ts';
import { bar } from '../parts/bar-part.ts';
import type { Approval, Caps } from '../parts/charge-part.ts';
import { NOTHING_WAITS, readWaiting, type Waiting, type WaitingItem } from '../parts/home/waiting-part.ts';
import {
  approvalItem,
  confirmationItem,
  credentialItem,
  deletionItem,
  type Notice,
  noticeItem,
  otherItem,
  type Quarantined,
  quarantineItem,
  type Review,
  reviewItem,
} from '../parts/pending-item-part.ts';
import { decided } from '../ui/decide.ts';
import { agentName, counted, shortDay, usdc } from '../ui/format.ts';
import { rowAction } from '../ui/kit/action.ts';
import { section, view } from '../ui/kit/section.ts';
import { Live } from '../ui/live.ts';
import { missing, type ReadPart } from '../ui/page-parts.ts';
import { empty } from '../ui/placeholders.ts';
import { linkTo } from '../ui/route.ts';
import { Pace, throttled } from '../ui/throttle.ts';
import { toast } from '../ui/toast.ts';
import type { Agent, Page, View, Workspace } from '../ui/workspace.ts';

/** The operator's home: what needs a decision, then all agents. */

/** The days that the list of agents looks back. */
const ACTIVE_DAYS = 30;

/** Over every opening of this page: a page that is read again begins no new pace. */
const pace = new Pace();

/** What happened when this page must be read again. */
const CHANGES = /^(approval\.|account\.|charge\.|credential\.|email\.(held|released|rejected|quarantined)$)/;

type Kind = WaitingItem['kind'];

/** In the order in which they are shown; what is not named comes after. */
const ORDER: readonly Kind[] = [
  'confirmation',
  'deletion',
  'removal',
  'approval',
  'credential_request',
  'held_mail',
  'quarantined_mail',
];
const placeOf = ({ kind }: WaitingItem): number => (ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length);

/** An agent's caps, where it is the agent itself that asks. */
const capsOf = ({ operated }: Workspace, { account_id: id, agent }: WaitingItem): Caps | null =>
  (id === agent.account_id && operated?.agents.find((one) => one.account_id === id)?.caps) || null;

function card(workspace: Workspace, item: WaitingItem): TemplateResult {
  const { account_id: id, agent, about } = item;
  switch (item.kind) {
    case 'confirmation':
      return confirmationItem(workspace, { ...(about as WaitingRole), account_id: id, name: agent.name });
    case 'removal':
      return noticeItem(workspace, agent, about as Notice);
    case 'approval':
      return approvalItem(workspace, agent, about as Approval, capsOf(workspace, item));
    case 'credential_request':
      return credentialItem(id, { ...(about as OpenCredentialRequest), agent });
    case 'held_mail':
      return reviewItem(workspace, agent, about as Review);
    case 'quarantined_mail':
      return quarantineItem(workspace, id, about as Quarantined);
    case 'deletion':
      return deletionItem(workspace, item);
    default:
      return otherItem(item);
  }
}

/** What waits, by id: when one goes, the focus must not stay on a button that now decides about another. */
const needs = (workspace: Workspace, { items }: Waiting): [string, TemplateResult][] =>
  items
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((item): [string, TemplateResult] => [`${item.kind} ${item.id}`, card(workspace, item)]);

/** Suspending is undone with one press, so it does not ask first. */
async function setSuspended(
  workspace: Workspace,
  { account_id: id, name }: Agent,
  isSuspended: boolean,
): Promise<void> {
  const change = (to: boolean) =>
    decided(workspace, id, (service) => (to ? service.suspendAgent({ id }) : service.resumeAgent({ id })));
  await change(isSuspended);
  const text = isSuspended
    ? `${agentName(name)} is suspended. It can read, and change nothing.`
    : `${agentName(name)} is active again.`;
  toast(text, {
    undo: async () => {
      await change(!isSuspended);
      await workspace.refresh();
    },
  });
  await workspace.refresh();
}

/** How much of it waits for a person, as the list of agents says. */
function waitingOf({ open_approvals: charges, open_reviews: mails, open_items: others }: Agent): string {
  return [
    ...(charges > 0 ? [counted(charges, 'charge waits', 'charges wait')] : []),
    ...(mails > 0 ? [counted(mails, 'mail waits', 'mails wait')] : []),
    ...(others > 0 ? [counted(others, 'alert', 'alerts')] : []),
  ].join(' · ');
}

/**
 * When it last called, to the day, and its emails of today. Calls that a person makes for it do not count. Those of a pod
 * count as its platform's, so nothing is said of a pod.
 */
function seen({ last_active_day: day, active_today: isToday, emails_today: emails }: Agent): string {
  if (emails === null) return '';

  const last = day === null ? `No calls in ${ACTIVE_DAYS} days` : `Last active ${shortDay(day)}`;
  return [isToday ? 'Active today' : last, ...(emails > 0 ? [counted(emails, 'mail today', 'mails today')] : [])].join(
    ' · ',
  );
}

const STATUS = { active: 'Active', suspended: 'Suspended' };

function agentCard(workspace: Workspace, agent: Agent): TemplateResult {
  const { account_id: id, name, status, suspended_by: by } = agent;
  const { daily } = agent.caps;
  const isSuspended = by.includes('operator');
  const waiting = waitingOf(agent);
  const why = by.includes('administrator') ? 'Suspended by the administrator' : 'Suspended by an operator';
  return html`
    <li class="agent-card">
      <h3><a href=${linkTo(id, 'overview')}>${agentName(name)}</a></h3>
      <p class="fine mono">${agent.addresses[0] ?? id}</p>
      <p><span class="badge ${status === 'active' ? 'good' : 'failed'}" title=${status === 'active' ? nothing : why}>${STATUS[status]}</span></p>
      <p class="fine seen">${seen(agent)}</p>
      ${waiting === '' ? nothing : html`<p class="fine waits">${waiting}</p>`}
      ${
        daily === null
          ? html`<p class="fine">Spent today: ${usdc(agent.spent_today_usdc)}, no daily cap</p>`
          : bar(
              'Spent today',
              daily.spent_usdc,
              daily.limit_usdc,
              usdc(daily.spent_usdc),
              `${usdc(daily.remaining_usdc)} left today of ${usdc(daily.limit_usdc)}`,
            )
      }
      <p class="actions">
        <a class="button" href=${linkTo(id, 'overview')}>Open<span class="visually-hidden"> ${agentName(name)}</span></a>
        ${rowAction(isSuspended ? 'Resume' : 'Suspend', agentName(name), () => setSuspended(workspace, agent, !isSuspended))}
      </p>
    </li>`;
}

/** That it did not load. A person must not take it for peace. */
const missed = ({ problem }: Waiting, again: () => Promise<void>): TemplateResult | typeof nothing =>
  problem === null ? nothing : missing('Waiting for you', problem, false, again);

/** @param isSure whether nothing else can wait, as far as was read */
function needsSection(
  workspace: Workspace,
  known: Waiting,
  isSure: boolean,
  again: () => Promise<void>,
): TemplateResult {
  const waiting = needs(workspace, known);
  const drawn = repeat(
    waiting,
    ([id]) => id,
    ([, item]) => item,
  );
  const calm = isSure
    ? html`<p class="sheet calm">Nothing waits for you. Requests for money and held mail appear here.</p>`
    : nothing;
  return section(
    'needs',
    'Waiting for you',
    [
      missed(known, again),
      waiting.length > 0 ? html`<ul class="needs">${drawn}</ul>` : calm,
      known.isCut ? html`<p class="fine">More is waiting. It appears here as you decide what is shown.</p>` : nothing,
    ],
    { kind: '' },
  );
}

async function open(workspace: Workspace, _parts: readonly string[], read: ReadPart): Promise<View> {
  let isBehind = false;
  let ask = (): void => {
    isBehind = true;
  };
  const live = new Live();
  live.followAgents(workspace.service, (type) => (type === null || CHANGES.test(type) ? ask() : undefined));
  await live.ready;
  // What happened until now is read below.
  isBehind = false;
  const list = await read('Your agents', () => workspace.readOperated());
  const waiting = await read('Waiting for you', async (before: Waiting | undefined): Promise<Waiting> => {
    const found = await readWaiting(workspace, before ?? NOTHING_WAITS);
    pace.spend(1 + found.requests);
    return found;
  });
  const again = async (): Promise<void> => {
    await list.read();
    await waiting.read();
    workspace.repaint();
  };
  // An agent that names the operator next is not in the stream, so coming back to the tab reads too.
  const changed = throttled(again, { isWhenShown: true, everyMs: () => pace.everyMs });
  ask = changed.ask;
  if (isBehind) ask();
  return {
    render() {
      const agents = workspace.operated?.agents ?? [];
      const cards = repeat(
        agents,
        ({ account_id: id }) => id,
        (agent) => agentCard(workspace, agent),
      );
      const none = 'No agent yet. Agents that name you as their operator appear here once you confirm them.';
      const shown = agents.length > 0 ? html`<ul class="agent-cards">${cards}</ul>` : empty(none);
      return view('Home', {}, [
        waiting.show((known) => needsSection(workspace, known, known.problem === null && list.problem === null, again)),
        section('agents', 'Your agents', [list.show(() => nothing), shown], { kind: '' }),
      ]);
    },
    close() {
      live.end();
      changed.end();
    },
  };
}

export const homePage: Page = { name: 'home', title: 'Home', scope: 'account:read', place: 'operator', open };
