import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { cursorParam, limitParam, nextCursor, record, text } from '../../../api/fields.ts';
import { atomicAmount } from '../../../api/money-fields.ts';
import { requireUri } from '../../../api/uri.ts';
import { WAY_REFUSALS } from '../../../api/way-out.ts';
import { Type } from '../../../base/schema.ts';
import { type DelegationRules, statusOf } from './delegation.ts';
import { BUDGET_RANGE, DelegationBody, DelegationView, delegationBody } from './delegation-schema.ts';

const TAG = 'Delegation';

const create = (rules: DelegationRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/delegations',
    operation: 'createDelegation',
    tag: TAG,
    summary: 'Delegate to another account',
    description:
      'The delegate exchanges the id for access tokens at `POST /oauth/token`. Called with such a token, this passes the delegation on, never wider; it then needs no scope, only `may_delegate` above 0.',
    model: false,
    auth: 'key',
    scope: 'identity:issue',
    passesOn: true,
    addresses: 'none',
    effect: 'write',
    leaves: ['delegate'],
    action: 'delegation.created',
    body: DelegationBody,
    replies: { 201: DelegationView },
    errors: ['invalid_scope', 'invalid_target', 'may_not_delegate', 'limit_reached', ...WAY_REFUSALS],
    handle: async ({ principal, body, now, transact }) => {
      const request = {
        toId: body.to,
        scopes: body.scopes,
        audience: body.audience === undefined ? null : requireUri(body.audience, '/body/audience'),
        budgetUsdc:
          body.budget_usdc === undefined ? null : atomicAmount(body.budget_usdc, '/body/budget_usdc', BUDGET_RANGE),
        expiresAt: Date.parse(body.expires_at),
        mayDelegate: body.may_delegate ?? 0,
      };
      return transact(async (tx, audit) => {
        const made = await rules.create(tx, principal, request, now);
        audit.resourceId = made.id;
        return reply(201, delegationBody(made, statusOf(made, now)));
      });
    },
  });

const list = (rules: DelegationRules) =>
  endpoint({
    method: 'GET',
    path: '/v1/delegations',
    operation: 'listDelegations',
    tag: TAG,
    summary: 'List delegations by and to this account',
    description: 'Newest first, ended ones included for 30 days after `expires_at`.',
    model: false,
    auth: 'key',
    scope: 'identity:read',
    addresses: 'refused',
    effect: 'none',
    bucket: 'inspect',
    query: record({ limit: limitParam(50, 200), cursor: cursorParam() }),
    replies: { 200: record({ delegations: Type.Array(DelegationView), next_cursor: nextCursor() }) },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query, now }) => {
      const page = await rules.list(principal.accountId, { cursor: query.cursor, limit: query.limit as number });
      const delegations = page.rows.map((delegation) => delegationBody(delegation, statusOf(delegation, now)));
      return reply(200, { delegations, next_cursor: page.nextCursor });
    },
  });

const end = (rules: DelegationRules) =>
  endpoint({
    method: 'DELETE',
    path: '/v1/delegations/{id}',
    operation: 'endDelegation',
    tag: TAG,
    summary: 'End a delegation',
    description: 'Its access tokens and all that was passed on from it end at once. The delegate may call this too.',
    model: false,
    auth: 'key',
    scope: 'identity:issue',
    addresses: 'refused',
    whileSuspended: true,
    effect: 'write',
    leaves: [],
    bucket: 'revoke',
    action: 'delegation.ended',
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

export const delegationRoutes = (rules: DelegationRules): Endpoint[] => [create(rules), list(rules), end(rules)];
