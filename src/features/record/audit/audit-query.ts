import type { AuditChange } from '../../../api/audit-record.ts';
import { ApiError } from '../../../api/errors.ts';
import { hasStatus } from '../../../api/fields.ts';
import { decodeCursor, encodeCursor } from '../../../api/page.ts';
import { ownsAccount, type Principal, type WrittenActor } from '../../../api/principal.ts';
import type { Database, Reader, Tx } from '../../../api/transaction.ts';
import { DAY_MS } from '../../../base/period.ts';
import type { TokenRules } from '../../identity/tokens/token.ts';
import { addressesOfPeople } from './audit-person.ts';
import { findEntry, forgetNetworks, readEntriesBefore, readHead } from './audit-store.ts';
import type { StoredEntry } from './audit-table.ts';
import { type AuditTarget, targetOf } from './audit-words.ts';

/** An entry as written, with its place in the chain. */
export interface AuditEntry {
  account_id: string;
  /** The accounts that acted by delegation. */
  act?: string[];
  action: string;
  /** Text in entries of before 0.20. */
  actor: string | WrittenActor;
  /** What was changed to what. */
  after?: NonNullable<AuditChange['after']>;
  at: string;
  before?: NonNullable<AuditChange['before']>;
  category: string;
  /** Of what a console read. */
  console?: true;
  /** Of what a job did to several things. */
  count?: number;
  ip: string;
  prev_hash: string;
  request_id: string;
  resource_id: string | null;
  result: 'success' | 'refused' | 'dry_run';
  seq: number;
  status: number;
  /** Absent in entries of before 0.20. */
  summary?: string;
}

export interface AuditFilter {
  /** Milliseconds, inclusive. */
  from: number | null;
  /** Milliseconds, exclusive. */
  to: number | null;
  category: string | null;
  action: string | null;
  resourceId: string | null;
  result: string | null;
  /** A kind, an id, a name, or the start of a key. */
  actor: string | null;
  /** The same of a key alone. */
  key: string | null;
  /** `403`, or `4xx`. */
  status: string | null;
  requestId: string | null;
  /** False: without what consoles read. */
  console: boolean;
}

type Read = AuditEntry & Pick<StoredEntry, 'hash' | 'network'>;

/** An entry as the API shows it. */
export interface ShownEntry extends AuditEntry {
  hash: string;
  id: string;
  target: AuditTarget | null;
  address?: string;
  network?: string | null;
}

export interface AuditPage {
  entries: Read[];
  nextCursor: string | null;
}

const CHUNK = 500;
/** A page reads at most this many entries, so that a filter with few matches costs no more than another. */
const READ_MAX = 5000;
/** How far the clocks of two instances may differ. Entries may be out of order by this much. */
const CLOCK_SKEW_MS = 120_000;

/** The names that an actor is found by. */
function namesOf(actor: AuditEntry['actor']): (string | undefined)[] {
  if (typeof actor === 'string') return [actor];
  const { kind, id, name, prefix, role } = actor as Partial<Record<'id' | 'name' | 'prefix' | 'role', string>> & {
    kind: string;
  };
  return [kind, id, name, prefix, role];
}

const isKey = (actor: AuditEntry['actor']): boolean => typeof actor === 'string' || actor.kind === 'key';

const matches = (entry: AuditEntry, filter: AuditFilter): boolean => {
  const { from, to, category, action, resourceId, result, actor, key, status } = filter;
  const at = Date.parse(entry.at);
  return (
    (from === null || at >= from) &&
    (to === null || at < to) &&
    (category === null || entry.category === category) &&
    (action === null || entry.action === action) &&
    (resourceId === null || entry.resource_id === resourceId) &&
    (result === null || entry.result === result) &&
    (actor === null || namesOf(entry.actor).includes(actor)) &&
    (key === null || (isKey(entry.actor) && namesOf(entry.actor).includes(key))) &&
    (filter.requestId === null || entry.request_id === filter.requestId) &&
    (status === null || hasStatus(entry.status, status)) &&
    (filter.console || entry.console !== true)
  );
};

/** How long the network of a client is kept beside an entry. */
const NETWORK_KEPT_MS = 30 * DAY_MS;

/** Networks that one transaction forgets. Other writers wait for it. */
const FORGOTTEN = 500;

/** Forgets the networks of entries that are older. */
export async function forgetOldNetworks(database: Database, now: number): Promise<void> {
  const some = (tx: Tx) => forgetNetworks(tx, now - NETWORK_KEPT_MS, FORGOTTEN);
  while ((await database.transaction(some)) === FORGOTTEN);
}

/** What looks up a token by its id. */
export type TokenLookup = Pick<TokenRules, 'status'>;

/** It names the account, so that an id leads to no entry of another one. */
const idOfEntry = ({ account_id: accountId, seq }: AuditEntry): string => `aud_${accountId.slice(-26)}_${seq}`;

/** Adds what stands beside the entries and is not hashed. Addresses and networks are for the owner alone. */
export async function shownEntries(
  reader: Reader,
  principal: Principal,
  entries: readonly Read[],
  now: number,
): Promise<ShownEntry[]> {
  const isOwner = ownsAccount(principal);
  const personOf = ({ actor }: AuditEntry): string =>
    (typeof actor !== 'string' && actor.kind === 'person' ? actor.id : '') as string;
  const ids = isOwner ? new Set(entries.map(personOf).filter((id) => id !== '')) : [];
  const addresses = await addressesOfPeople(reader, principal.accountId, [...ids]);
  return entries.map(({ network, ...entry }) => {
    const address = addresses.get(personOf(entry));
    return {
      ...entry,
      id: idOfEntry(entry),
      target: targetOf(entry.action, entry.resource_id),
      ...(address === undefined ? {} : { address }),
      ...(isOwner ? { network: Date.parse(entry.at) > now - NETWORK_KEPT_MS ? network : null } : {}),
    };
  });
}

const ENTRY_ID = /^aud_([0-9a-z]{26})_([1-9]\d{0,14})$/;

/** Finds an entry of an account by its id. @throws ApiError `not_found`: there is none, or it is another account's */
export async function requireEntry(reader: Reader, accountId: string, id: string): Promise<Read> {
  const [, account, seq] = ENTRY_ID.exec(id) ?? [];
  const found = account === accountId.slice(-26) ? await findEntry(reader, accountId, Number(seq)) : null;
  if (found === null) throw new ApiError('not_found');
  const { entry, hash, network } = found;
  return { ...(JSON.parse(entry) as AuditEntry), hash, network };
}

/** Finds the first entry that may be later than `time` by binary search. Entries are in the order of their times. */
async function seqAfter(reader: Reader, accountId: string, time: number): Promise<number> {
  let low = 1;
  let high = ((await readHead(reader, accountId))?.seq ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const entry = await findEntry(reader, accountId, middle);
    if (entry === null || entry.createdAt > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Lists entries of an account that match a filter, newest first. A page may hold fewer than `limit` entries and still have
 * a next page, because it reads a limited number of entries.
 * @throws ApiError `invalid_cursor`
 */
export async function queryAudit(
  reader: Reader,
  accountId: string,
  filter: AuditFilter,
  cursor: string | undefined,
  limit: number,
): Promise<AuditPage> {
  const given = cursor === undefined ? undefined : decodeCursor(cursor, ['number'])?.[0];
  if (cursor !== undefined && !Number.isSafeInteger(given)) throw new ApiError('invalid_cursor');
  let before = (given as number | undefined) ?? Number.MAX_SAFE_INTEGER;
  if (filter.to !== null) before = Math.min(before, await seqAfter(reader, accountId, filter.to + CLOCK_SKEW_MS));
  const oldest = filter.from === null ? 1 : await seqAfter(reader, accountId, filter.from - CLOCK_SKEW_MS);
  const entries: AuditPage['entries'] = [];
  for (let read = 0; read < READ_MAX; ) {
    const chunk = await readEntriesBefore(reader, { accountId }, { seq: before }, CHUNK);
    for (const { seq, entry, hash, network } of chunk) {
      if (seq < oldest) return { entries, nextCursor: null };
      const parsed = JSON.parse(entry) as AuditEntry;
      if (!matches(parsed, filter)) {
        before = seq;
        continue;
      }
      if (entries.length === limit) return { entries, nextCursor: encodeCursor([before]) };
      entries.push({ ...parsed, hash, network });
      before = seq;
    }
    if (chunk.length < CHUNK) return { entries, nextCursor: null };
    read += chunk.length;
  }
  return { entries, nextCursor: encodeCursor([before]) };
}
