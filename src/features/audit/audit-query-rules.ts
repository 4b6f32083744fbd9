import { ApiError } from '../../kernel/errors.ts';
import { decodeCursor, encodeCursor } from '../../kernel/page.ts';
import type { Reader } from '../../kernel/transaction.ts';
import { entryTime, readEntriesBefore, readHead } from './audit-store.ts';

/** An entry as it was written, with its place in the chain. */
export interface TrailEntry {
  account_id: string;
  action: string;
  actor: string;
  at: string;
  category: string;
  ip: string;
  prev_hash: string;
  request_id: string;
  resource_id: string | null;
  result: 'success' | 'refused';
  seq: number;
  status: number;
}

export interface TrailFilter {
  /** Milliseconds: inclusive, exclusive. */
  from: number | null;
  to: number | null;
  category: string | null;
  action: string | null;
  resourceId: string | null;
  result: string | null;
}

export interface TrailPage {
  entries: (TrailEntry & { hash: string })[];
  nextCursor: string | null;
}

const CHUNK = 500;
/** A page looks at no more than this many entries, so that a rare filter costs no more than a common one. */
const LOOKED_AT_MAX = 5000;
/** By so much the clocks of two instances, or of one that was set, may disagree about the order of entries. */
const CLOCK_SKEW_MS = 120_000;

const fits = (entry: TrailEntry, { from, to, category, action, resourceId, result }: TrailFilter): boolean => {
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

/** The first entry that may be later than `time`, by halving: entries stand in the order of their times. */
async function seqAfter(reader: Reader, accountId: string, time: number): Promise<number> {
  let low = 1;
  let high = ((await readHead(reader, accountId))?.seq ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const at = await entryTime(reader, accountId, middle);
    if (at === null || at > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * An account's entries, newest first. A page may hold fewer than `limit` and still have a next one: it ends where it has
 * looked at enough.
 * @throws ApiError `invalid_cursor`
 */
export async function readTrail(
  reader: Reader,
  accountId: string,
  filter: TrailFilter,
  cursor: string | undefined,
  limit: number,
): Promise<TrailPage> {
  const given = cursor === undefined ? undefined : decodeCursor(cursor, ['number'])?.[0];
  if (cursor !== undefined && !Number.isSafeInteger(given)) throw new ApiError('invalid_cursor');
  let before = (given as number | undefined) ?? Number.MAX_SAFE_INTEGER;
  if (filter.to !== null) before = Math.min(before, await seqAfter(reader, accountId, filter.to + CLOCK_SKEW_MS));
  const oldest = filter.from === null ? 1 : await seqAfter(reader, accountId, filter.from - CLOCK_SKEW_MS);
  const entries: TrailPage['entries'] = [];
  for (let lookedAt = 0; lookedAt < LOOKED_AT_MAX; ) {
    const chunk = await readEntriesBefore(reader, accountId, before, CHUNK);
    for (const { seq, entry, hash } of chunk) {
      if (seq < oldest) return { entries, nextCursor: null };
      const parsed = JSON.parse(entry) as TrailEntry;
      if (!fits(parsed, filter)) {
        before = seq;
        continue;
      }
      if (entries.length === limit) return { entries, nextCursor: encodeCursor([before]) };
      entries.push({ ...parsed, hash });
      before = seq;
    }
    if (chunk.length < CHUNK) return { entries, nextCursor: null };
    lookedAt += chunk.length;
  }
  return { entries, nextCursor: encodeCursor([before]) };
}
