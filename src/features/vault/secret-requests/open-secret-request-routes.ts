import { Asker } from '../../../api/account/asker-fields.ts';
import { endpoint, reply } from '../../../api/endpoint.ts';
import { cursorParam, limitParam, nextCursor, nullable, record, timestamp } from '../../../api/fields.ts';
import type { Database } from '../../../api/transaction.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { pageOfOpenRequests } from './open-secret-requests.ts';

const OpenRequest = record({
  request_id: Type.String(),
  agent: Asker,
  description: Type.String(),
  vault_key: nullable(Type.String()),
  public_key: nullable(Type.String()),
  created_at: timestamp(),
  expires_at: timestamp(),
});

/** What waits for the operator. Deciding takes the code that the agent shows, so that the right request is approved. */
export const listOpenRequests = (database: Database) =>
  endpoint({
    method: 'GET',
    path: '/v1/credentials/requests',
    operation: 'listCredentialRequests',
    tag: 'Credentials',
    summary: 'List open credential requests',
    description: 'Only an operator can. Deciding needs the code that the agent shows.',
    model: false,
    auth: 'key',
    scope: 'account:read',
    wholeAccount: true,
    effect: 'none',
    query: record({ limit: limitParam(20, 100), cursor: cursorParam() }),
    replies: { 200: record({ requests: Type.Array(OpenRequest), next_cursor: nextCursor() }) },
    errors: ['invalid_cursor', 'operator_required'],
    handle: async ({ principal, query, now }) => {
      const page = { cursor: query.cursor, limit: query.limit as number };
      const { rows, nextCursor } = await pageOfOpenRequests(database, principal, page, now);
      const requests = rows.map(({ request, agent }) => ({
        request_id: request.id,
        agent,
        description: request.description,
        vault_key: request.vaultKey,
        public_key: request.ownKey ? request.publicKey : null,
        created_at: iso(request.createdAt),
        expires_at: iso(request.expiresAt),
      }));
      return reply(200, { requests, next_cursor: nextCursor });
    },
  });
