import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { ApiError } from '../../../api/errors.ts';
import { cursorParam, limitParam, nextCursor, oneOf, record, timestamp } from '../../../api/fields.ts';
import { decodeCursor } from '../../../api/page.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { CALLS_MAX, CREDENTIALS, type RequestLog } from './logged-calls.ts';

/** @throws ApiError `invalid_cursor` */
function beforeOf(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  const before = decodeCursor(cursor, ['number'])?.[0];
  if (typeof before !== 'number') throw new ApiError('invalid_cursor');
  return before;
}

const list = (log: Pick<RequestLog, 'list'>) =>
  endpoint({
    method: 'GET',
    path: '/v1/requests',
    operation: 'listRequests',
    tag: 'Audit',
    summary: 'List the latest requests of the account',
    description: `At most ${CALLS_MAX}, newest first, in the memory of the process that answers. \`path\` is a pattern.`,
    auth: 'key',
    scope: 'audit:read',
    addresses: 'none',
    effect: 'none',
    compressed: true,
    query: record({ limit: limitParam(100, CALLS_MAX), cursor: cursorParam() }),
    replies: {
      200: record({
        requests: Type.Array(
          record({
            request_id: Type.String(),
            at: timestamp(),
            method: Type.String(),
            path: Type.String(),
            status: Type.Integer(),
            ms: Type.Integer(),
            credential: oneOf(CREDENTIALS),
            actor: Type.String(),
          }),
        ),
        next_cursor: nextCursor(),
      }),
    },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query }) => {
      const { calls, nextCursor: next } = log.list(principal.accountId, beforeOf(query.cursor), query.limit as number);
      return reply(200, {
        requests: calls.map(({ seq: _, requestId, at, ...call }) => ({ request_id: requestId, at: iso(at), ...call })),
        next_cursor: next,
      });
    },
  });

export const requestLogRoutes = (log: Pick<RequestLog, 'list'>): Endpoint[] => [list(log)];
