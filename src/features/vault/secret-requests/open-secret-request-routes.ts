import { Asker } from '../../../api/account/asker-fields.ts';
import { endpoint, reply } from '../../../api/endpoint.ts';
import { cursorParam, limitParam, nextCursor, record } from '../../../api/fields.ts';
import type { Database } from '../../../api/transaction.ts';
import { Type } from '../../../base/schema.ts';
import { OpenRequestFields, openRequestFields } from './open-secret-request-schema.ts';
import { pageOfOpenRequests } from './open-secret-requests.ts';

const OpenRequest = record({ ...OpenRequestFields.properties, agent: Asker });

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
      const requests = rows.map(({ request, agent }) => ({ ...openRequestFields(request), agent }));
      return reply(200, { requests, next_cursor: nextCursor });
    },
  });
