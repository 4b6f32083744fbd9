import type { RecentChange } from '../../../api/account/lockdown-parts.ts';

/** Rows that a reply shows. */
const ROWS_MAX = 200;

/** Equal changes are one row, as of the latest. */
export type ChangeRow = Required<RecentChange>;

const countOf = (rows: readonly ChangeRow[]): number => rows.reduce((sum, { count }) => sum + count, 0);

/** Newest first. */
function equalAsOne(changes: readonly RecentChange[]): ChangeRow[] {
  const rows = new Map<string, ChangeRow>();
  for (const { at, what, detail, count = 1 } of changes) {
    const key = JSON.stringify([what, detail]);
    const row = rows.get(key);
    rows.set(key, { what, detail, at: Math.max(at, row?.at ?? at), count: count + (row?.count ?? 0) });
  }
  return [...rows.values()].sort((a, b) => b.at - a.at);
}

/** The newest rows of a kind, the last of which stands for all that are left. */
function newest(rows: readonly ChangeRow[], share: number): readonly ChangeRow[] {
  const rest = rows.slice(share - 1);
  const [first] = rest;
  if (!first || rest.length === 1) return rows;
  return [...rows.slice(0, share - 1), { ...first, detail: `${first.detail}, and others`, count: countOf(rest) }];
}

/**
 * Makes rows of changes, newest first. Where there are too many, the kinds with the most rows show fewer, so that a thief
 * who makes one kind of change without end hides no other.
 */
export function rowsOfChanges(changes: readonly RecentChange[]): ChangeRow[] {
  const kinds = [...Map.groupBy(equalAsOne(changes), ({ what }) => what).values()];
  const total = (share: number): number => kinds.reduce((sum, rows) => sum + Math.min(rows.length, share), 0);
  let share = ROWS_MAX;
  while (share > 1 && total(share) > ROWS_MAX) share--;
  return kinds.flatMap((rows) => newest(rows, share)).sort((a, b) => b.at - a.at);
}
