import { ApiError } from './errors.ts';
import { type IdPrefix, isId, lastId } from './ids.ts';

/** Opaque list cursors: base64url of a JSON array of the last row's sort keys. */
export const encodeCursor = (keys: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(keys)).toString('base64url');

/** What no sort key of ours is, and PostgreSQL refuses: a number that is no 64-bit integer, text with a NUL. */
const isKey = (key: unknown): boolean =>
  typeof key === 'number' ? Number.isSafeInteger(key) : typeof key === 'string' && !key.includes('\0');

/** The sort keys of a cursor, or null when it is not one of ours. Kinds are the expected `typeof` of each key. */
export function decodeCursor(cursor: string, kinds: readonly ('string' | 'number')[]): (string | number)[] | null {
  try {
    const keys: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (!Array.isArray(keys) || keys.length !== kinds.length) return null;
    return keys.every((key, i) => typeof key === kinds[i] && isKey(key)) ? keys : null;
  } catch {
    return null;
  }
}

/** One page of rows and the cursor of the next, given `limit + 1` rows fetched: the extra row only proves there is more. */
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
 * A page of things with ids of the kind `prefix`, newest first: such ids sort by the time of their making.
 * @param read lists at most `many` things whose id sorts before `before`, newest first
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
