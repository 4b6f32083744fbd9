/** Numbers [from, to). */
export type NumberRange = [from: number, to: number];

/** The n-th pair of a set, the smaller first. `largest` is what `*` stands for. */
export function orderedPair(set: readonly number[], n: number, largest: number): NumberRange {
  const [a, b] = [set[n] ?? 0, set[n + 1] ?? 0].map((end) => (end === Number.POSITIVE_INFINITY ? largest : end));
  return [Math.min(a ?? 0, b ?? 0), Math.max(a ?? 0, b ?? 0)];
}

/** In order; those that touch become one. */
export function mergedRanges(ranges: NumberRange[]): NumberRange[] {
  const merged: NumberRange[] = [];
  for (const range of ranges.sort(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    if (last !== undefined && range[0] <= last[1]) last[1] = Math.max(last[1], range[1]);
    else merged.push(range);
  }
  return merged;
}

/** The ranges of a set of UIDs. */
export function rangesOfSet(set: readonly number[], largest: number): NumberRange[] {
  const ranges: NumberRange[] = [];
  for (let n = 0; n < set.length; n += 2) {
    const [low, high] = orderedPair(set, n, largest);
    ranges.push([low, high + 1]);
  }
  return mergedRanges(ranges);
}

/** The ranges of numbers in ascending order. */
export function rangesOf(numbers: Iterable<number>): NumberRange[] {
  const ranges: NumberRange[] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && number <= last[1]) last[1] = Math.max(last[1], number + 1);
    else ranges.push([number, number + 1]);
  }
  return ranges;
}

/** What of [1, end) is in none of the ranges, which are in order. */
export function gapsIn(ranges: readonly NumberRange[], end: number): NumberRange[] {
  const gaps: NumberRange[] = [];
  let at = 1;
  for (const [from, to] of ranges) {
    if (from > at) gaps.push([at, Math.min(from, end)]);
    at = Math.max(at, to);
  }
  if (at < end) gaps.push([at, end]);
  return gaps;
}

/** What is in both; each in order and merged. */
export function commonRanges(a: readonly NumberRange[], b: readonly NumberRange[]): NumberRange[] {
  const common: NumberRange[] = [];
  let [i, k] = [0, 0];
  for (;;) {
    const [left, right] = [a[i], b[k]];
    if (left === undefined || right === undefined) break;
    const from = Math.max(left[0], right[0]);
    const to = Math.min(left[1], right[1]);
    if (from < to) common.push([from, to]);
    if (left[1] < right[1]) i += 1;
    else k += 1;
  }
  return common;
}

/** As a set of RFC 9051: `1:3,7`. */
export const setOfRanges = (ranges: readonly NumberRange[]): string =>
  ranges.map(([from, to]) => (to === from + 1 ? String(from) : `${from}:${to - 1}`)).join(',');
