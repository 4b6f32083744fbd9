import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { cursorParam, limitParam, nextCursor, record } from '../../../api/fields.ts';
import { iso, isoOrNull } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import type { OperatorsWaiting } from './operator-waiting.ts';
import type { WaitingRules, Waits } from './waiting-list.ts';
import { OperatorWaitingItem, WaitingItem } from './waiting-schema.ts';

const query = record({ limit: limitParam(50, 200), cursor: cursorParam() });

/** What both lists share. They end what is overdue as its job would, which is the service's act and not the caller's. */
const READ = { method: 'GET', scope: 'account:read', effect: 'none', bucket: 'inspect', query } as const;

const itemBody = ({ kind, item, for: whom, next }: Waits) => ({
  kind,
  id: item.id,
  since: iso(item.since),
  expires_at: isoOrNull(item.expiresAt),
  for: whom,
  summary: item.summary,
  do: next,
});

const listWaiting = (rules: WaitingRules) =>
  endpoint({
    ...READ,
    path: '/v1/account/waiting',
    operation: 'listWaiting',
    tag: 'Accounts',
    summary: 'List what waits, oldest first',
    description:
      'What waits for someone to act, and for whom. A kind needs the scope of its own list. Marks nothing read.',
    auth: 'key',
    addresses: 'filtered',
    tools: [
      {
        name: 'what_waits',
        group: 'identity',
        description: 'What waits: for you, your operator or others, with the call that comes next.',
        takes: ['limit', 'cursor'],
        defaults: { limit: 10 },
        changes: true,
      },
    ],
    replies: { 200: record({ items: Type.Array(WaitingItem), next_cursor: nextCursor() }) },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query: { cursor, limit }, now }) => {
      const page = await rules.page(principal, [principal.accountId], { cursor, limit: limit as number }, now);
      return reply(200, { items: page.rows.map(itemBody), next_cursor: page.nextCursor });
    },
  });

const listOperatorWaiting = (operators: OperatorsWaiting) =>
  endpoint({
    ...READ,
    path: '/v1/operator/waiting',
    operation: 'listOperatorWaiting',
    tag: 'Operators',
    summary: 'List what waits at your agents, oldest first',
    description: 'And what the address of the session is asked to confirm.',
    auth: 'person',
    wholeAccount: true,
    replies: { 200: record({ items: Type.Array(OperatorWaitingItem), next_cursor: nextCursor() }) },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query: { cursor, limit }, now }) => {
      const { rows, nextCursor } = await operators.page(principal, { cursor, limit: limit as number }, now);
      const items = rows.map((waits) => ({
        ...itemBody(waits),
        account_id: waits.item.accountId,
        agent: waits.agent,
        about: (waits.item.about?.() ?? null) as never,
      }));
      return reply(200, { items, next_cursor: nextCursor });
    },
  });

export const waitingRoutes = (rules: WaitingRules, operators: OperatorsWaiting): Endpoint[] => [
  listWaiting(rules),
  listOperatorWaiting(operators),
];
