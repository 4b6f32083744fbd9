import type { Authority } from '../../../api/authority.ts';
import type { Endpoint } from '../../../api/endpoint.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import { RULED_WAYS, WAYS, type WayOut } from '../../../api/way-out.ts';
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

/** What no key decides, under either authority. */
const OPERATORS_ALONE = ['getReview', 'getReviewAttachment', 'approveReview', 'rejectReview'];

const isRuled = (way: WayOut): boolean => (RULED_WAYS as readonly WayOut[]).includes(way);

/** Whether a caller gets nothing out by one of the ways of an operation. */
const isClosed = ({ leaves = [] }: Endpoint, ways: Record<WayOut, WayView>, byOperator: boolean): boolean =>
  leaves.some((way) => {
    const { rule, targets } = ways[way];
    return rule === 'off' || (targets === 0 && (rule === 'list' || (rule === 'operator' && !byOperator)));
  });

/** Whether only an operator gets through: always, or while the operators have the authority. */
const isOperators = ({ errors, leaves = [], operation }: Endpoint, authority: Authority): boolean =>
  OPERATORS_ALONE.includes(operation) ||
  (authority === 'operator' && errors.includes('operator_required') && !leaves.some(isRuled));

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
  const isBarred = (endpoint: Endpoint): boolean =>
    isClosed(endpoint, ways, operator) || (!operator && isOperators(endpoint, authority));
  const callable = endpoints.filter((endpoint) => endpoint.auth !== 'none' && mayCall(principal, endpoint));
  const names = (of: readonly Endpoint[]): string[] => of.map(({ operation }) => operation);
  return {
    authority,
    operators,
    can: names(callable.filter((endpoint) => !isBarred(endpoint))),
    operatorDecides: operator ? [] : names(callable.filter(isBarred)),
    ways: WAYS.map((way) => ({ way, ...ways[way] })),
  };
}
