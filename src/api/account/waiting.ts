import type { JobOutcome } from '../job-types.ts';
import type { Principal } from '../principal.ts';
import type { Reader } from '../transaction.ts';

/** What waits for someone to act, in the order in which things of one moment are listed. */
export const WAITING_KINDS = [
  'approval',
  'held_mail',
  'quarantined_mail',
  'failed_mail',
  'unread_code',
  'credential_request',
  'answer',
  'confirmation',
  'removal',
  'deletion',
  'paused_webhook',
  'low_budget',
  'expiring_key',
] as const;
export type WaitingKind = (typeof WAITING_KINDS)[number];

/** Who can end the waiting. `person`: a session of an address of the account. */
export type Decider = 'account' | 'operator' | 'person' | 'administrator' | 'other';

/** A place in the list of one kind: what comes after it has a later time, or the same and a later id. */
interface WaitingPlace {
  /** Milliseconds. */
  since: number;
  id: string;
}

/** Sorts before, and after, every id of the same moment. */
export const FIRST_ID = '';
export const LAST_ID = 'z'.repeat(40);

/** Which part of a list is asked for. */
export interface WaitingQuery {
  /** The accounts in whose lists it is looked for. */
  accountIds: readonly string[];
  caller: Principal;
  after: WaitingPlace;
  limit: number;
  now: number;
}

export interface WaitingItem extends WaitingPlace {
  /** The account in whose list it stands. */
  accountId: string;
  /** The account that asks, where that is another: a pod asks its platform. */
  askerId?: string;
  /** Milliseconds. Null: it waits until someone acts. A time that has passed: it is due to expire. */
  expiresAt: number | null;
  /** What waits, in one sentence. */
  summary: string;
  deciders: readonly Decider[];
  /** The call that a decider makes next; null for what no single call can do. */
  call: { operation: string; params?: Readonly<Record<string, string>>; body?: object } | null;
  /** Its entry in the list of its kind, for a person who decides. */
  about?(): object;
}

/** Lists what waits of one kind, oldest first, with one statement or two, however many accounts there are. */
export type ListWaiting = (reader: Reader, query: WaitingQuery) => Promise<WaitingItem[]>;

/** What a feature says of one kind. */
export interface WaitingPart {
  list: ListWaiting;
  /** Ends what is due. */
  expire?(id: string, now: number): Promise<JobOutcome>;
}
export type WaitingParts = Partial<Record<WaitingKind, WaitingPart>>;

/** How many wait: all together, and of each kind that has one. */
export interface WaitingCounts {
  total: number;
  byKind: Partial<Record<WaitingKind, number>>;
}

/** The most that is counted of a kind: more would let the cost grow with what strangers send. */
export const COUNTED_MAX = 100;

/** The parameters of a statement that lists what waits. */
export interface WaitingParams {
  /** The accounts, as the JSON of `isAmong`. */
  ids: string;
  /** The mail addresses that the caller is limited to, in the same form; `*` for none. */
  addresses: string;
  since: number;
  after: string;
  now: number;
  limit: number;
}

const rows = (texts: readonly string[]): string => JSON.stringify(texts.map((text) => [text]));

export const waitingParams = ({ accountIds, caller, after, now, limit }: WaitingQuery): WaitingParams => ({
  ids: rows(accountIds),
  addresses: rows(caller.addresses ?? ['*']),
  since: after.since,
  after: after.id,
  now,
  limit,
});

/** The part of a short list that was asked for. */
export const partOf = (items: readonly WaitingItem[], { after, limit }: WaitingQuery): WaitingItem[] =>
  items
    .filter(({ since, id }) => since > after.since || (since === after.since && id > after.id))
    .sort((a, b) => a.since - b.since || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
