import { AUTHORITIES } from '../../../api/authority.ts';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { named, oneOf, record } from '../../../api/fields.ts';
import type { Principal } from '../../../api/principal.ts';
import { ownsAccount } from '../../../api/principal.ts';
import { WAY_RULES, WAYS } from '../../../api/way-out.ts';
import { Type } from '../../../base/schema.ts';
import { AccountLimits } from '../../account/accounts/account-limit-schema.ts';
import type { Power } from './power.ts';

const PowerReply = record({
  authority: oneOf(AUTHORITIES),
  operators: Type.Integer(),
  operator_addresses: Type.Optional(Type.Array(Type.String())),
  can: Type.Array(Type.String(), { description: 'The operations that this credential may call now.' }),
  operator_decides: Type.Array(Type.String(), { description: 'Those that it must leave to an operator.' }),
  ways_out: Type.Array(
    named(
      'WayOut',
      record({
        way: oneOf(WAYS),
        rule: oneOf([...WAY_RULES, 'known']),
        from: oneOf(['default', 'own', 'platform']),
        targets: Type.Integer(),
        allow: Type.Optional(Type.Array(Type.String(), { description: 'As far as there is room.' })),
      }),
    ),
  ),
  limits: AccountLimits,
});

/** Characters of all lists together. `GET /v1/account/policy` and `GET /v1/email/policy` have the rest. */
const LISTS_MAX = 2500;

/** As many entries of each list as there is room for. */
function shortened(lists: readonly (readonly string[])[]): string[][] {
  let room = LISTS_MAX;
  return lists.map((list) =>
    list.filter(({ length }) => {
      room -= length;
      return room > 0;
    }),
  );
}

export const powerRoutes = (power: (principal: Principal) => Promise<Power>): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/v1/account/power',
    operation: 'getPower',
    tag: 'Accounts',
    summary: 'Get what you may do',
    description: 'And what an operator decides. Lists and addresses are for the primary key and operators alone.',
    auth: 'key',
    scope: 'account:read',
    addresses: 'none',
    effect: 'none',
    replies: { 200: PowerReply },
    errors: [],
    handle: async ({ principal }) => {
      const { authority, operators, can, operatorDecides, ways } = await power(principal);
      const isWhole = ownsAccount(principal);
      const lists = shortened(ways.map(({ allow }) => allow));
      return reply(200, {
        authority,
        operators: operators.length,
        ...(isWhole && { operator_addresses: operators }),
        can,
        operator_decides: operatorDecides,
        ways_out: ways.map(({ way, rule, from, targets }, i) => ({
          way,
          rule,
          from,
          targets,
          ...(isWhole && { allow: lists[i] as string[] }),
        })),
        limits: principal.limits,
      });
    },
  }),
];
