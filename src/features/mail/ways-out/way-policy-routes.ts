import { changeOf } from '../../../api/audit-record.ts';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { record } from '../../../api/fields.ts';
import { ownsAccount } from '../../../api/principal.ts';
import type { Database } from '../../../api/transaction.ts';
import type { WayPolicies } from './way-policy.ts';
import { AuditedWays, changesIn, GivenWays, ShownWays, shownWays } from './way-policy-schema.ts';

const Policy = record({ ways: ShownWays });

const getPolicy = (database: Database, policies: WayPolicies) =>
  endpoint({
    method: 'GET',
    path: '/v1/account/policy',
    operation: 'getAccountPolicy',
    tag: 'Accounts',
    summary: 'Get what may leave the account',
    description:
      'The narrowest rule that holds for each way out. Mail is set with the mail policy, `pay` with the budget. Lists are for the primary key and operators alone.',
    model: false,
    auth: 'key',
    scope: 'account:read',
    addresses: 'refused',
    effect: 'none',
    replies: { 200: Policy },
    errors: [],
    handle: async ({ principal }) =>
      reply(200, { ways: shownWays(await policies.view(database, principal), ownsAccount(principal)) }),
  });

const putPolicy = (policies: WayPolicies) =>
  endpoint({
    method: 'PUT',
    path: '/v1/account/policy',
    operation: 'setAccountPolicy',
    tag: 'Accounts',
    summary: 'Set what may leave the account',
    description: 'Ways that are not named stay. Only the authority of the account can change it.',
    auth: 'key',
    scope: 'account:manage',
    wholeAccount: true,
    effect: 'write',
    leaves: [],
    action: 'way_policy.changed',
    body: record({ ways: GivenWays }),
    replies: { 200: Policy },
    errors: ['operator_required'],
    handle: async ({ principal, body, now, transact }) =>
      transact(async (tx, audit) => {
        audit.resourceId = principal.accountId;
        const before = await policies.view(tx, principal);
        await policies.change(tx, principal, changesIn(body.ways), now);
        const ways = shownWays(await policies.view(tx, principal), true);
        audit.change = changeOf(AuditedWays, shownWays(before, true), ways);
        return reply(200, { ways });
      }),
  });

export const wayPolicyRoutes = (database: Database, policies: WayPolicies): Endpoint[] => [
  getPolicy(database, policies),
  putPolicy(policies),
];
