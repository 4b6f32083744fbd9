import type { Authority } from '../../../api/authority.ts';
import type { Endpoint } from '../../../api/endpoint.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import { WAYS, type WayOut } from '../../../api/way-out.ts';
import { confirmedOperators } from '../../account/people/person.ts';
import { authorityOf } from '../../money/budget.ts';
import type { WayPolicies } from './way-policy.ts';
import type { WayView } from './way-policy-table.ts';

/** What a credential may do now, and what it must ask an operator for. */
export interface Power {
  authority: Authority;
  /** Their addresses. */
  operators: string[];
  can: string[];
  operatorDecides: string[];
  ways: readonly ({ way: WayOut } & WayView)[];
}

/** Whether nothing passes by any of the ways of an operation. */
const isClosed = ({ leaves = [] }: Endpoint, ways: Record<WayOut, WayView>): boolean =>
  leaves.some((way) => !['open', 'known'].includes(ways[way].rule) && ways[way].targets === 0);

/**
 * Finds what of the endpoints a caller may use. An operation whose ways out are closed, or that the authority of the account
 * decides about, is an operator's.
 * @param mayCall whether the credential allows a call
 */
export async function powerOf(
  reader: Reader,
  policies: WayPolicies,
  principal: Principal,
  endpoints: readonly Endpoint[],
  mayCall: (principal: Principal, endpoint: Endpoint) => boolean,
): Promise<Power> {
  const { accountId, operator } = principal;
  const authority = await authorityOf(reader, accountId);
  const ways = await policies.view(reader, principal);
  const operators = (await confirmedOperators(reader, accountId)).map(({ address }) => address);
  const needsOperator = (endpoint: Endpoint): boolean =>
    !operator &&
    (isClosed(endpoint, ways) ||
      (authority === 'operator' &&
        (endpoint.leaves ?? []).length === 0 &&
        endpoint.errors.includes('operator_required')));
  const callable = endpoints.filter((endpoint) => endpoint.auth !== 'none' && mayCall(principal, endpoint));
  const names = (of: readonly Endpoint[]): string[] => of.map(({ operation }) => operation);
  return {
    authority,
    operators,
    can: names(callable.filter((endpoint) => !needsOperator(endpoint))),
    operatorDecides: names(callable.filter(needsOperator)),
    ways: WAYS.map((way) => ({ way, ...ways[way] })),
  };
}
