/** How one text became another, line by line. */

export type LineChange = readonly [sign: '-' | '+' | ' ', line: string];

/** The cells of the table of common lines. Beyond them the whole differs, which is true and costs nothing. */
const CELLS_MAX = 1_000_000;

/** The length of the longest common part of what follows each pair of lines. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array[] {
  const rows = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--) {
    const [row, next] = [rows[i] as Uint32Array, rows[i + 1] as Uint32Array];
    for (let j = after.length - 1; j >= 0; j--)
      row[j] = before[i] === after[j] ? (next[j + 1] as number) + 1 : Math.max(next[j] as number, row[j + 1] as number);
  }
  return rows;
}

/** What was removed stands before what took its place. */
export function diffLines(from: string, to: string): LineChange[] {
  const [before, after] = [from.split('\n'), to.split('\n')];
  const changes: LineChange[] = [];
  const isTooLong = (before.length + 1) * (after.length + 1) > CELLS_MAX;
  const lengths = isTooLong ? [] : commonLengths(before, after);
  const lengthAt = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old, now] = [before[i], after[j]];
    if (old !== undefined && old === now && !isTooLong) {
      changes.push([' ', old]);
      i += 1;
      j += 1;
    } else if (old !== undefined && (now === undefined || lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      changes.push(['-', old]);
      i += 1;
    } else {
      changes.push(['+', now as string]);
      j += 1;
    }
  }
  return changes;
}
