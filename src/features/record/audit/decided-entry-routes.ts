import { Asker } from '../../../api/account/asker-fields.ts';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { limitParam, nullable, record, timestamp } from '../../../api/fields.ts';
import type { Reader } from '../../../api/transaction.ts';
import { Type } from '../../../base/schema.ts';
import { summaryOf } from './audit-words.ts';
import { decidedEntries } from './decided-entry.ts';

const DecidedEntry = record({
  action: Type.String({ description: 'As in the audit log, such as `approval.approved`.' }),
  at: timestamp(),
  by: record({
    kind: Type.String({ description: '`person`, `key`, `delegate`, `client`, `service` …' }),
    name: nullable(Type.String({ description: 'The address of a person, the name of a key.' })),
  }),
  agent: Asker,
  resource_id: nullable(Type.String()),
  summary: Type.String({ description: 'In words.' }),
});

/** What people decided, for the operator of the agents. */
export const decidedEntryRoutes = (database: Reader): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/v1/operator/decisions',
    operation: 'listOperatorDecisions',
    tag: 'Operators',
    summary: 'List what was decided about your agents, newest first',
    description: 'From the audit logs of the agents. What was refused is left out.',
    auth: 'person',
    scope: 'account:read',
    wholeAccount: true,
    effect: 'none',
    query: record({ limit: limitParam(20, 100) }),
    replies: { 200: record({ decisions: Type.Array(DecidedEntry) }) },
    errors: [],
    handle: async ({ principal, query }) => {
      const found = await decidedEntries(database, principal, query.limit as number);
      const decisions = found.map(({ entry, agent, by }) => ({
        action: entry.action,
        at: entry.at,
        by,
        agent: agent as NonNullable<typeof agent>,
        resource_id: entry.resource_id,
        summary: entry.summary ?? summaryOf(entry.action, entry.resource_id, undefined),
      }));
      return reply(200, { decisions });
    },
  }),
];
