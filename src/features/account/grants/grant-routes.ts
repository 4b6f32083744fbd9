import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { cursorParam, limitParam, nextCursor, nullable, record, text, timestamp } from '../../../api/fields.ts';
import { iso, isoOrNull } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import type { GrantRules } from './grant.ts';

const TAG = 'OAuth';

const GrantEntry = record({
  id: Type.String(),
  client_id: Type.String(),
  client_name: Type.String(),
  scopes: Type.Array(Type.String()),
  allowed_by: Type.String(),
  created_at: timestamp(),
  last_used_at: nullable(timestamp(), { description: 'When it last got tokens.' }),
});

const list = (rules: GrantRules) =>
  endpoint({
    method: 'GET',
    path: '/v1/account/grants',
    operation: 'listGrants',
    tag: TAG,
    summary: 'List the clients that people let act for the account',
    description: 'Each with its scopes and its last use.',
    auth: 'key',
    scope: 'account:read',
    addresses: 'refused',
    whileSuspended: true,
    model: false,
    effect: 'none',
    bucket: 'inspect',
    query: record({ limit: limitParam(50, 200), cursor: cursorParam() }),
    replies: { 200: record({ grants: Type.Array(GrantEntry), next_cursor: nextCursor() }) },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query }) => {
      const page = await rules.list(principal.accountId, { cursor: query.cursor, limit: query.limit as number });
      const grants = page.rows.map(({ id, clientId, clientName, scopes, allowedBy, createdAt, lastUsedAt }) => ({
        id,
        client_id: clientId,
        client_name: clientName,
        scopes,
        allowed_by: allowedBy,
        created_at: iso(createdAt),
        last_used_at: isoOrNull(lastUsedAt),
      }));
      return reply(200, { grants, next_cursor: page.nextCursor });
    },
  });

const end = (rules: GrantRules) =>
  endpoint({
    method: 'DELETE',
    path: '/v1/account/grants/{id}',
    operation: 'endGrant',
    tag: TAG,
    summary: 'End the access of a client',
    description: 'Its tokens stop working at once, on every instance.',
    auth: 'key',
    scope: 'account:manage',
    wholeAccount: true,
    mailedLogin: true,
    whileSuspended: true,
    effect: 'write',
    leaves: [],
    bucket: 'revoke',
    action: 'grant.ended',
    params: record({ id: text(64) }),
    replies: { 200: record({ ok: Type.Boolean() }) },
    errors: ['not_found'],
    handle: async ({ principal, params, now, transact }) =>
      transact(async (tx, audit) => {
        audit.resourceId = params.id;
        await rules.end(tx, principal.accountId, params.id, now);
        return reply(200, { ok: true });
      }),
  });

export const grantRoutes = (rules: GrantRules): Endpoint[] => [list(rules), end(rules)];
