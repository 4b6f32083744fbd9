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
): { rows: T[]; hasMore: boolean; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit;
  return { rows: page, hasMore, nextCursor: hasMore && last !== undefined ? encodeCursor(keysOf(last)) : null };
}
