import { type IdPrefix, isId, lastId, timeOfId } from '../base/ids.ts';
import { ApiError } from './errors.ts';

/** Opaque list cursors: base64url of a JSON array of the last row's sort keys. */
export const encodeCursor = (keys: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(keys)).toString('base64url');

/** PostgreSQL refuses numbers that are not 64-bit integers and text with a NUL. Sort keys are never such values. */
const isKey = (key: unknown): boolean =>
  typeof key === 'number' ? Number.isSafeInteger(key) : typeof key === 'string' && !key.includes('\0');

/** Decodes the sort keys of a cursor. Null for an invalid cursor. `kinds` are the expected `typeof` of each key. */
export function decodeCursor(cursor: string, kinds: readonly ('string' | 'number')[]): (string | number)[] | null {
  try {
    const keys: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (!Array.isArray(keys) || keys.length !== kinds.length) return null;
    return keys.every((key, i) => typeof key === kinds[i] && isKey(key)) ? keys : null;
  } catch {
    return null;
  }
}

/**
 * Builds a page and the cursor of the next one from up to `limit + 1` rows. The extra row only proves that there are
 * more.
 */
export function pageOf<T>(
  rows: readonly T[],
  limit: number,
  keysOf: (row: T) => readonly (string | number)[],
): Page<T> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit;
  return { rows: page, hasMore, nextCursor: hasMore && last !== undefined ? encodeCursor(keysOf(last)) : null };
}

export interface Page<T> {
  rows: T[];
  hasMore: boolean;
  /** The cursor of the next page; null at the end. */
  nextCursor: string | null;
}

/**
 * Reads a page of things, newest first. Their ids have the prefix `prefix` and sort by time of creation.
 * @param read lists at most `many` things with ids that sort before `before`, newest first
 * @throws ApiError `invalid_cursor`
 */
export async function newestFirst<T>(
  prefix: IdPrefix,
  { cursor, limit }: { cursor: string | undefined; limit: number },
  read: (before: string, many: number) => Promise<readonly T[]>,
  idOf: (thing: T) => string,
): Promise<Page<T>> {
  const before = cursor === undefined ? lastId(prefix) : decodeCursor(cursor, ['string'])?.[0];
  if (typeof before !== 'string' || !isId(prefix, before)) throw new ApiError('invalid_cursor');
  return pageOf(await read(before, limit + 1), limit, (thing) => [idOf(thing)]);
}

/**
 * The refusal of an id that is not found: whether it is so old that it would be gone follows from the id alone, so it says
 * nothing of things that others have.
 * @param keptMs how long things of its kind are kept
 */
export function missingError(prefix: IdPrefix, id: string, now: number, keptMs: number): ApiError {
  const at = timeOfId(prefix, id);
  return new ApiError(at !== null && at <= now - keptMs ? 'no_longer_kept' : 'not_found');
}
