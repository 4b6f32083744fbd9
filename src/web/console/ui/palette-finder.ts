import type { SearchReply } from '../../../client/generated/operations.ts';
import { messageOf } from './console-service.ts';
import { agentName, shortDay } from './format.ts';
import type { FoundCommands } from './palette.ts';
import type { Command, Workspace } from './workspace.ts';

/** What the palette finds beyond its own entries: things of the account, or of all agents, and pages of the documentation. */

type Result = SearchReply['results'][number];

const KINDS: Readonly<Record<Result['kind'], string>> = {
  agent: 'Agent',
  address: 'Address',
  domain: 'Domain',
  pod: 'Pod',
  key: 'Key',
  webhook: 'Webhook',
  secret: 'Secret',
  event: 'Event',
  draft: 'Draft',
  mail: 'Mail',
  sent_mail: 'Sent mail',
  charge: 'Charge',
};

const RESULTS = 8;
const PAGES = 4;
/** The longest text that is searched. */
const TYPED_MAX = 100;

interface DocsPage {
  url: string;
  title: string;
  context: string;
}

function commandOf({ operated, go }: Workspace, { kind, title, account_id: id, href, at }: Result): Command {
  const agent = operated?.agents.find((one) => one.account_id === id);
  const hint = [KINDS[kind] ?? kind, ...(agent ? [agentName(agent.name)] : []), shortDay(at.slice(0, 10))].join(' · ');
  return { title: title || 'Without a title', hint, run: () => go(href.slice(href.indexOf('#'))) };
}

async function things(workspace: Workspace, q: string): Promise<Command[]> {
  const { service, operated } = workspace;
  const asked = { q, limit: RESULTS };
  const { results } = operated === null ? await service.search(asked) : await service.searchAgents(asked);
  // The palette has the agents itself.
  const isNew = ({ kind, id }: Result): boolean =>
    kind !== 'agent' || operated?.agents.every((agent) => agent.account_id !== id) !== false;
  return results.filter(isNew).map((result) => commandOf(workspace, result));
}

/** The documentation is pages, and no part of the API. */
async function docs(q: string): Promise<Command[]> {
  const asked = fetch(`/docs/search?q=${encodeURIComponent(q)}`, { headers: { accept: 'application/json' } });
  const reply = await asked.catch(() => null);
  if (!reply?.ok) throw new Error('The search did not answer. Try again.');
  const { results } = (await reply.json()) as { results: DocsPage[] };
  return results.slice(0, PAGES).map(({ url, title, context }) => ({
    title,
    hint: context,
    // Beside what the person does here.
    run: () => void globalThis.open(new URL(url, location.origin), '_blank', 'noopener'),
  }));
}

async function group(heading: string, work: Promise<Command[]>): Promise<FoundCommands> {
  try {
    return { heading, commands: await work, problem: null };
  } catch (err) {
    return { heading, commands: [], problem: `${heading}: ${messageOf(err)}` };
  }
}

/** Makes the search of the palette. */
export const finderFor =
  (workspace: Workspace) =>
  (typed: string): Promise<FoundCommands[]> => {
    const q = typed.slice(0, TYPED_MAX);
    return Promise.all([group('Found', things(workspace, q)), group('Documentation', docs(q))]);
  };
