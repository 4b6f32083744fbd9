import { pageNames, pageTitle } from '../pages/document-pages.ts';
import type { MenuLink } from './docs-layout.ts';

/** The pages of the documentation in the order in which a reader needs them. */

/** A quickstart for each kind of reader, and what it leads to. */
export const QUICKSTARTS: readonly (readonly [name: string, reader: string])[] = [
  ['quickstart-agent', 'An agent, by HTTP'],
  ['quickstart-mcp', 'A model in a tools host (MCP)'],
  ['quickstart-terminal', 'A terminal'],
  ['quickstart-python', 'Python'],
  ['quickstart-operator', 'A person who answers for agents'],
];
const READERS: ReadonlyMap<string, string> = new Map(QUICKSTARTS);

const GROUPS: readonly (readonly [title: string, names: readonly string[]])[] = [
  ['Quickstarts', QUICKSTARTS.map(([name]) => name)],
  ['Start', ['console', 'for-agents', 'cli', 'client', 'python', 'frameworks', 'mcp']],
  ['Mail and calendar', ['mail', 'mail-programs', 'mail-policy', 'stacks', 'calendar']],
  ['Accounts and people', ['accounts', 'operators', 'passkeys', 'credentials', 'delegation', 'oauth', 'pods']],
  ['Money', ['budgets', 'payments']],
  ['Secrets and proof', ['vault', 'tokens', 'trust', 'findings', 'audit']],
  ['Events and errors', ['events', 'webhooks', 'errors-and-limits']],
];
/** What no other group names: pages for those who run or read the service. */
const REST = 'Run it yourself';

/** The menu. A page that no group names comes last. */
export function docsMenu(): MenuLink[] {
  const names = pageNames();
  const named = new Set(GROUPS.flatMap(([, group]) => group));
  const isJob = (name: string): boolean => name.startsWith('jobs/');
  const [quick, start, ...areas] = GROUPS as [(typeof GROUPS)[number], (typeof GROUPS)[number], ...typeof GROUPS];
  const jobs = ['Jobs', names.filter(isJob)] as const;
  const rest = [REST, names.filter((name) => !named.has(name) && !isJob(name))] as const;
  const groups = [quick, start, jobs, ...areas, rest];
  return groups.map(([title, wanted]) => ({
    title,
    links: wanted
      .filter((name) => names.includes(name))
      .map((name) => ({ path: `/docs/${name}`, title: READERS.get(name) ?? pageTitle(name) })),
  }));
}
