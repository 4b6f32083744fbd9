import { ApiError } from '../../../api/errors.ts';
import { decodeCursor, encodeCursor } from '../../../api/page.ts';
import type { WrittenActor } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import { addressesOfPeople } from './audit-person.ts';
import { findEntry, readEntriesBefore, readHead } from './audit-store.ts';

/** An entry as written, with its place in the chain. */
export interface AuditEntry {
  account_id: string;
  /** The accounts that acted by delegation. */
  act?: string[];
  action: string;
  /** Text in entries of before 0.20. */
  actor: string | WrittenActor;
  at: string;
  category: string;
  /** Of what a job did to several things. */
  count?: number;
  ip: string;
  prev_hash: string;
  request_id: string;
  resource_id: string | null;
  result: 'success' | 'refused' | 'dry_run';
  seq: number;
  status: number;
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
}

export interface AuditPage {
  entries: (AuditEntry & { hash: string })[];
  nextCursor: string | null;
}

const CHUNK = 500;
/** A page reads at most this many entries, so that a filter with few matches costs no more than another. */
const READ_MAX = 5000;
/** How far the clocks of two instances may differ. Entries may be out of order by this much. */
const CLOCK_SKEW_MS = 120_000;

const matches = (entry: AuditEntry, { from, to, category, action, resourceId, result }: AuditFilter): boolean => {
  const at = Date.parse(entry.at);
  return (
    (from === null || at >= from) &&
    (to === null || at < to) &&
    (category === null || entry.category === category) &&
    (action === null || entry.action === action) &&
    (resourceId === null || entry.resource_id === resourceId) &&
    (result === null || entry.result === result)
  );
};

/** Adds to entries of people the addresses, beside what is hashed. */
export async function withPeople(
  reader: Reader,
  accountId: string,
  entries: AuditPage['entries'],
): Promise<(AuditPage['entries'][number] & { address?: string })[]> {
  const personOf = ({ actor }: AuditEntry): string | undefined =>
    typeof actor !== 'string' && actor.kind === 'person' ? actor.id : undefined;
  const ids = new Set(entries.map(personOf).filter((id) => id !== undefined));
  const addresses = await addressesOfPeople(reader, accountId, [...ids]);
  return entries.map((entry) => {
    const address = addresses.get(personOf(entry) ?? '');
    return address === undefined ? entry : { ...entry, address };
  });
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
    for (const { seq, entry, hash } of chunk) {
      if (seq < oldest) return { entries, nextCursor: null };
      const parsed = JSON.parse(entry) as AuditEntry;
      if (!matches(parsed, filter)) {
        before = seq;
        continue;
      }
      if (entries.length === limit) return { entries, nextCursor: encodeCursor([before]) };
      entries.push({ ...parsed, hash });
      before = seq;
    }
    if (chunk.length < CHUNK) return { entries, nextCursor: null };
    read += chunk.length;
  }
  return { entries, nextCursor: encodeCursor([before]) };
}
