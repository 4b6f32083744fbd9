import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { cursorParam, limitParam, nextCursor, oneOf, record, text, timestamp } from '../../../api/fields.ts';
import type { Database } from '../../../api/transaction.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import type { Suppressions } from './suppression.ts';
import { SUPPRESSION_REASONS } from './suppression-table.ts';

const listAll = (suppressions: Suppressions, database: Database) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/suppressions',
    operation: 'listSuppressions',
    tag: 'Email',
    summary: 'List recipients that get no more mail',
    description: 'A mail to them came back for good, or they reported one as spam or unsubscribed.',
    auth: 'key',
    scope: 'mail:read',
    addresses: 'refused',
    effect: 'none',
    query: record({ limit: limitParam(20, 100), cursor: cursorParam() }),
    replies: {
      200: record({
        suppressions: Type.Array(
          record({ address: Type.String(), reason: oneOf(SUPPRESSION_REASONS), created_at: timestamp() }),
        ),
        count: Type.Integer(),
        next_cursor: nextCursor(),
      }),
    },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query }) => {
      const page = await suppressions.list(database, principal.accountId, query.cursor, query.limit as number);
      const entries = page.rows.map(({ address, reason, createdAt }) => ({
        address,
        reason,
        created_at: iso(createdAt),
      }));
      return reply(200, { suppressions: entries, count: entries.length, next_cursor: page.nextCursor });
    },
  });

const removeOne = (suppressions: Suppressions) =>
  endpoint({
    method: 'DELETE',
    path: '/v1/email/suppressions/{address}',
    operation: 'deleteSuppression',
    tag: 'Email',
    summary: 'Let mail go to a recipient again',
    description: 'Mail that bounces again stops it again.',
    auth: 'key',
    scope: 'mail:manage',
    addresses: 'refused',
    effect: 'write',
    leaves: [],
    action: 'suppression.deleted',
    params: record({ address: text(320) }),
    replies: { 200: record({ deleted: Type.Literal(true), address: Type.String() }) },
    errors: ['not_found'],
    handle: ({ principal, params, transact }) =>
      transact(async (tx, audit) => {
        const address = await suppressions.remove(tx, principal.accountId, params.address);
        audit.resourceId = address;
        return reply(200, { deleted: true as const, address });
      }),
  });

export const suppressionRoutes = (suppressions: Suppressions, database: Database): Endpoint[] => [
  listAll(suppressions, database),
  removeOne(suppressions),
];
