import {
  COUNTED_MAX,
  type Decider,
  FIRST_ID,
  LAST_ID,
  WAITING_KINDS,
  type WaitingCounts,
  type WaitingItem,
  type WaitingKind,
  type WaitingParts,
  type WaitingQuery,
} from '../../../api/account/waiting.ts';
import type { Endpoint } from '../../../api/endpoint.ts';
import { ApiError } from '../../../api/errors.ts';
import { decodeCursor, type Page, pageOf } from '../../../api/page.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Database } from '../../../api/transaction.ts';
import type { WAITS_FOR } from './waiting-schema.ts';

/** The own list of each kind. Who may not read that does not see it here either. */
const OWN_LIST: Record<WaitingKind, string> = {
  approval: 'listApprovals',
  held_mail: 'listReviews',
  quarantined_mail: 'listQuarantine',
  failed_mail: 'listOutbox',
  unread_code: 'listInbox',
  credential_request: 'listCredentialRequests',
  answer: 'pollCredential',
  confirmation: 'listNotices',
  removal: 'listNotices',
  deletion: 'getAccount',
  paused_webhook: 'listEventWebhooks',
  low_budget: 'getBudget',
  expiring_key: 'listAccountKeys',
};

type WaitsFor = (typeof WAITS_FOR)[number];

/** The call that ends the waiting. */
interface NextCall {
  operation: string;
  method: string;
  path: string;
  body?: object;
}

export interface Waits {
  kind: WaitingKind;
  item: WaitingItem;
  for: WaitsFor;
  /** Null unless the caller can make it. */
  next: NextCall | null;
}

interface Found {
  kind: WaitingKind;
  item: WaitingItem;
}

/** What waiting needs. */
export interface WaitingDeps {
  database: Database;
  waiting: WaitingParts;
  /** Whether a credential passes the gate of an endpoint. */
  mayCall(principal: Principal, endpoint: Endpoint): boolean;
}

/** A place in the whole list. */
interface Place {
  since: number;
  rank: number;
  id: string;
}

const START: Place = { since: 0, rank: 0, id: FIRST_ID };

/** What is overdue is ended at once, so many in one call. A job ends each at its time anyway. */
const EXPIRED_MAX = 200;

const rankOf = (kind: WaitingKind): number => WAITING_KINDS.indexOf(kind);

/** Things of one moment are in the order of their kinds. */
const inOrder = (a: Found, b: Found): number =>
  a.item.since - b.item.since || rankOf(a.kind) - rankOf(b.kind) || (a.item.id < b.item.id ? -1 : 1);

function placeOf(cursor: string | undefined): Place {
  if (cursor === undefined) return START;
  const [since, rank, id] = decodeCursor(cursor, ['number', 'number', 'string']) ?? [];
  if (typeof since !== 'number' || typeof rank !== 'number' || typeof id !== 'string')
    throw new ApiError('invalid_cursor');
  return { since, rank, id };
}

/** Where the list of a kind goes on after a place in the whole list. */
function afterOf(kind: WaitingKind, { since, rank, id }: Place): WaitingQuery['after'] {
  const own = rankOf(kind);
  return { since, id: own === rank ? id : own < rank ? LAST_ID : FIRST_ID };
}

function rolesOf({ operator, person }: Principal): readonly Decider[] {
  if (operator) return ['operator', 'person'];
  return person === null ? ['account'] : ['account', 'person'];
}

/** Who decides instead of the caller. A person of the account is most likely its operator. */
function othersOf(deciders: readonly Decider[]): WaitsFor {
  if (deciders.includes('account') || deciders.includes('other')) return 'other';
  return deciders.includes('administrator') ? 'administrator' : 'operator';
}

/** Finds what waits for someone to act, over the lists of all features. */
export class WaitingRules {
  readonly #deps: WaitingDeps;
  readonly #endpoints = new Map<string, Endpoint>();

  constructor(deps: WaitingDeps) {
    this.#deps = deps;
  }

  /** Takes the table of endpoints, once it is whole. */
  know(endpoints: readonly Endpoint[]): void {
    for (const endpoint of endpoints) this.#endpoints.set(endpoint.operation, endpoint);
  }

  /**
   * Lists what waits in the lists of some accounts, oldest first, and ends what is overdue. Nothing is marked as read.
   * @throws ApiError `invalid_cursor`
   */
  async page(
    caller: Principal,
    accountIds: readonly string[],
    { cursor, limit }: { cursor: string | undefined; limit: number },
    now: number,
  ): Promise<Page<Waits>> {
    const place = placeOf(cursor);
    const query = { accountIds, caller, limit: limit + 1, now };
    let found = await this.#read(query, place);
    if (await this.#expire(found, now)) found = await this.#read(query, place);
    const page = pageOf(found.sort(inOrder), limit, ({ kind, item }) => [item.since, rankOf(kind), item.id]);
    const rows = page.rows.filter(({ item }) => item.expiresAt === null || item.expiresAt > now);
    return { ...page, rows: rows.map((one) => this.#shown(caller, one)) };
  }

  /** Counts what waits for the caller's account, at most {@link COUNTED_MAX} of a kind. */
  async count(caller: Principal, now: number): Promise<WaitingCounts> {
    const query = { accountIds: [caller.accountId], caller, limit: COUNTED_MAX, now };
    const found = (await this.#read(query, START)).filter(({ item }) => (item.expiresAt ?? Infinity) > now);
    const byKind: WaitingCounts['byKind'] = {};
    for (const { kind } of found) byKind[kind] = (byKind[kind] ?? 0) + 1;
    return { total: found.length, byKind };
  }

  async #read(query: Omit<WaitingQuery, 'after'>, place: Place): Promise<Found[]> {
    const { waiting, database } = this.#deps;
    const lists = WAITING_KINDS.filter((kind) => this.#mayCall(query.caller, OWN_LIST[kind])).map(async (kind) => {
      const items = (await waiting[kind]?.list(database, { ...query, after: afterOf(kind, place) })) ?? [];
      return items.map((item) => ({ kind, item }));
    });
    return (await Promise.all(lists)).flat();
  }

  /** @returns whether something was due */
  async #expire(found: readonly Found[], now: number): Promise<boolean> {
    const { waiting, database } = this.#deps;
    const due = found.filter(({ kind, item }) => waiting[kind]?.expire && (item.expiresAt ?? Infinity) <= now);
    for (const { kind, item } of due.slice(0, EXPIRED_MAX)) {
      const outcome = await waiting[kind]?.expire?.(item.id, now);
      if (outcome?.status === 'done' && outcome.complete) await database.transaction(outcome.complete);
    }
    return due.length > 0;
  }

  #mayCall(caller: Principal, operation: string): boolean {
    const endpoint = this.#endpoints.get(operation);
    return endpoint !== undefined && this.#deps.mayCall(caller, endpoint);
  }

  #shown(caller: Principal, { kind, item }: Found): Waits {
    const { deciders, call } = item;
    const roles = rolesOf(caller);
    const isCallers = deciders.some((one) => roles.includes(one)) && (!call || this.#mayCall(caller, call.operation));
    if (!isCallers) return { kind, item, for: othersOf(deciders), next: null };
    return { kind, item, for: 'you', next: call && this.#nextCall(call) };
  }

  #nextCall({ operation, params = {}, body }: NonNullable<WaitingItem['call']>): NextCall {
    const { method, path: pattern } = this.#endpoints.get(operation) as Endpoint;
    const rest = new URLSearchParams(params);
    const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
      rest.delete(name);
      return encodeURIComponent(params[name] ?? '');
    });
    return { operation, method, path: rest.size > 0 ? `${path}?${rest}` : path, ...(body && { body }) };
  }
}
