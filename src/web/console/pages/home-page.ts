import { html, nothing, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { OpenCredentialRequest, WaitingRole } from '../../../client/generated/operations.ts';
import type { Approval, Caps } from '../parts/charge-part.ts';
import { addAgent } from '../parts/home/add-agent-part.ts';
import { agentCard } from '../parts/home/agent-part.ts';
import { decidedSection } from '../parts/home/decided-part.ts';
import { mailsSection } from '../parts/home/mails-part.ts';
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
import { action } from '../ui/kit/action.ts';
import { section, view } from '../ui/kit/section.ts';
import { Live } from '../ui/live.ts';
import { missing, type ReadPart } from '../ui/page-parts.ts';
import { empty } from '../ui/placeholders.ts';
import { Pace, throttled } from '../ui/throttle.ts';
import type { Command, Page, View, Workspace } from '../ui/workspace.ts';

/** The operator's home: what needs a decision, then all agents, then what was decided. */

/** Decisions that it shows. */
const DECIDED = 8;

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

/** That it did not load. A person must not take it for peace. */
const missed = ({ problem }: Waiting, again: () => Promise<void>): TemplateResult | typeof nothing =>
  problem === null ? nothing : missing('Needs you', problem, false, again);

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
    'Needs you',
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
  const readList = read('Your agents', () => workspace.readOperated());
  const readNeeds = read('Needs you', async (before: Waiting | undefined): Promise<Waiting> => {
    const found = await readWaiting(workspace, before ?? NOTHING_WAITS);
    pace.spend(2 + found.requests);
    return found;
  });
  const readDecided = read('Decided', async () => {
    const { decisions } = await workspace.service.listOperatorDecisions({ limit: DECIDED });
    return decisions;
  });
  const readSettings = read('News by mail', () => workspace.service.getOperatorSettings({}));
  const [list, waiting, decided, settings] = await Promise.all([readList, readNeeds, readDecided, readSettings]);
  const again = async (): Promise<void> => {
    await list.read();
    await waiting.read();
    await decided.read();
    workspace.repaint();
  };
  // An agent that names the operator next is not in the stream, so coming back to the tab reads too.
  const changed = throttled(again, { isWhenShown: true, everyMs: () => pace.everyMs });
  ask = changed.ask;
  if (isBehind) ask();
  const add = (): Promise<void> => addAgent(workspace);
  return {
    commands: (): Command[] => [{ title: 'Create an agent', words: 'new account add sign up', run: add }],
    render() {
      const agents = workspace.operated?.agents ?? [];
      const cards = repeat(
        agents,
        ({ account_id: id }) => id,
        (agent) => agentCard(workspace, agent),
      );
      const none =
        'No agent yet. Create one, or let an agent name you as its operator: it appears here once you confirm it.';
      const shown = agents.length > 0 ? html`<ul class="agent-cards">${cards}</ul>` : empty(none);
      const create = action('Create an agent', add, { kind: 'primary', id: 'add-agent' });
      return view('Home', { beside: create }, [
        waiting.show((known) => needsSection(workspace, known, known.problem === null && list.problem === null, again)),
        section('agents', 'Your agents', [list.show(() => nothing), shown], { kind: '' }),
        html`<div class="columns apart">
          ${decided.show(decidedSection)} ${settings.show((known) => mailsSection(workspace, known))}
        </div>`,
      ]);
    },
    close() {
      live.end();
      changed.end();
    },
  };
}

export const homePage: Page = { name: 'home', title: 'Home', scope: 'account:read', place: 'operator', open };
