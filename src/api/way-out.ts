import type { ApiError, ErrorCode } from './errors.ts';
import type { Principal } from './principal.ts';
import type { Reader } from './transaction.ts';

/**
 * Every way by which words, data, authority or money of an account reach others, with what goes out by it. An endpoint that
 * writes names those that it opens or uses. Mail that the service itself writes to people is not among them.
 */
export const WAYS_OUT = {
  mail: 'Mail that an agent sends: new, answered, forwarded, scheduled, released, and invitations of the calendar.',
  webhook: 'Events and mail that the service posts to a URL.',
  feed: 'The calendar, for everyone who has the link of its feed.',
  share: 'Observations and telemetry about others, and findings.',
  publish: 'The profile of an agent, its keys and its programs, for everyone.',
  delegate: 'Authority for another agent.',
  grant: 'Access for an OAuth client.',
  invite: 'New accounts below this one, and who can log in to a pod.',
  fetch: 'Requests of the service, DNS too, to an address that the account or its mail names.',
  token: 'Signed tokens for an audience.',
  pay: 'Money that the budget of the account counts.',
} as const satisfies Record<string, string>;

export type WayOut = keyof typeof WAYS_OUT;

/** The rules of mail and money are the mail policy and the budget. */
export type RuledWay = Exclude<WayOut, 'mail' | 'pay'>;

export const WAYS = Object.keys(WAYS_OUT) as WayOut[];
export const RULED_WAYS = WAYS.filter((way): way is RuledWay => way !== 'mail' && way !== 'pay');

/**
 * What may leave by a way, the narrowest last. `list`: to the targets of a list. `operator`: also what an operator
 * does. `off`: nothing.
 */
export const WAY_RULES = ['open', 'list', 'operator', 'off'] as const;
export type WayRule = (typeof WAY_RULES)[number];

/** What an endpoint refuses with that asks {@link Gate.require}. */
export const WAY_REFUSALS = ['operator_required', 'target_not_allowed', 'way_off'] as const satisfies ErrorCode[];

/** An account by which something leaves, with all others that have a say in it. */
export interface Leaving {
  accountId: string;
  /** The platform of a pod. Undefined: it is looked up. */
  parentId?: string | null;
  /** The accounts that act by a chain of delegations. Their policies hold too. */
  actors?: readonly string[];
}

/** What leaves. */
export interface Made {
  /** Null: the way has none. */
  target: string | null;
  /** The accounts whose operator made it: what {@link Gate.require} returned. */
  operatedBy: readonly string[];
}

/** Why something may not leave. Null: it may. */
export type Judgement = (made: Made) => ApiError | null;

/** Decides what leaves an account by its ways out. Nothing else does. */
export interface Gate {
  /**
   * Refuses a caller that may not let this out, to one of the targets.
   * @returns the accounts that have the caller as their operator, to keep with what was made
   * @throws ApiError `way_off`, `target_not_allowed`, `operator_required`
   */
  require(reader: Reader, principal: Principal, way: RuledWay, targets?: readonly (string | null)[]): Promise<string[]>;
  /** How what was made earlier is judged now. */
  mayLeave(reader: Reader, leaving: Leaving, way: RuledWay): Promise<Judgement>;
}
