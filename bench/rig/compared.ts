import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Interval, intervalOf, isWithin, showInterval, type Verdict, verdictOf } from './paired.ts';
import { CACHE, type Release } from './releases.ts';
import { median, tableOfCells } from './result.ts';

/** A call of ours beside theirs. */
export interface Compared {
  call: string;
  /** How ours ran. Null: no comparison, for the reason in `verdict`. */
  ours: Release['ran'] | null;
  theirsMicros: number | null;
  oursMicros: number | null;
  /** Processor time of ours divided by theirs. */
  ratio: Interval | null;
  /** The same of theirs beside itself, in the same run. */
  same: Interval | null;
  verdict: Verdict | string;
}

export interface Turns {
  /** Pairs of windows, at least and at most. */
  least: number;
  most: number;
  /** How wide an interval may be, in percent to each side. */
  within: number;
}

/**
 * Measures all sides in turns, there and back, until each interval is narrow. So a machine that grows slower or faster does
 * so for all, every side has done the same work before each pair, and theirs is beside itself in the same minutes.
 * @param sides another instance of theirs, theirs, and ours
 * @returns the microseconds of each side, a figure for each pair
 */
export async function inTurns<S>(
  sides: readonly S[],
  measure: (side: S) => Promise<number>,
  { least, most, within }: Turns,
): Promise<number[][]> {
  const micros = sides.map((): number[] => []);
  const round = [...sides.keys(), ...[...sides.keys()].toReversed()];
  for (let pairs = 2; ; pairs += 2) {
    for (const at of round) micros[at]?.push(await measure(sides[at] as S));
    const done = pairs >= least && intervalsOf(micros).every((interval) => isWithin(interval, within));
    if (done || pairs >= most) return micros;
  }
}

/** Of every side but theirs, which is the second. */
function intervalsOf(micros: readonly number[][]): Interval[] {
  const [twin = [], theirs = [], ...ours] = micros;
  return [twin, ...ours].map((side) => intervalOf(side.map((value, pair) => value / (theirs[pair] as number))));
}

/** What the figures of `inTurns` say of a call. @param ran how each side of ours ran */
export function compare(
  call: string,
  micros: readonly number[][],
  ran: readonly Release['ran'][],
  within: number,
): Compared[] {
  const [, theirs = [], ...ours] = micros;
  const [same, ...ratios] = intervalsOf(micros) as [Interval, ...Interval[]];
  return ran.map((way, at) => {
    const ratio = ratios[at] as Interval;
    const middles = { theirsMicros: median(theirs), oursMicros: median(ours[at] as number[]) };
    return { call, ours: way, ...middles, ratio, same, verdict: verdictOf(ratio, same, within) };
  });
}

const micro = (value: number | null): string => (value === null ? '-' : `${value.toFixed(value < 100 ? 1 : 0)} µs`);

/** The table in Markdown. */
export const comparedTable = (rows: readonly Compared[]): string =>
  tableOfCells([
    ['call', 'theirs', 'ours', 'ours ran', 'ratio', 'verdict', 'pairs', 'theirs beside itself'],
    ...rows.map(({ call, theirsMicros, oursMicros, ours, ratio, verdict, same }) => [
      ...[call, micro(theirsMicros), micro(oursMicros), ours ?? '-', ratio ? showInterval(ratio) : '-'],
      ...[verdict, ratio ? `${ratio.pairs}` : '-', same ? showInterval(same) : '-'],
    ]),
  ]);

interface Run {
  /** The versions and all else that must be the same for two runs to count together. */
  of: string;
  day: string;
  rows: Compared[];
}

const PAST = join(CACHE, 'versus.json');
/** Days without a verdict after which the narrowest interval is told. */
const DAYS = 3;

const isOpen = ({ verdict }: Compared): boolean => verdict === 'no verdict';

/** Tells the narrowest interval of the runs if none of three days had a verdict. */
function withPast(row: Compared, past: readonly Run[]): Compared {
  const found = past.flatMap(({ day, rows }) =>
    rows.filter(({ call, ours }) => call === row.call && ours === row.ours).map((one) => ({ day, one })),
  );
  const days = new Set(found.map(({ day }) => day)).size;
  if (!isOpen(row) || days < DAYS || !found.every(({ one }) => isOpen(one))) return row;
  const width = ({ ratio }: Compared): number => (ratio ? ratio.high / ratio.low : Number.POSITIVE_INFINITY);
  const narrowest = found.map(({ one }) => one).reduce((best, one) => (width(one) < width(best) ? one : best));
  const told = narrowest.ratio ? showInterval(narrowest.ratio) : '-';
  return { ...row, verdict: `no verdict on ${days} days; the narrowest is ${told}` };
}

/** Keeps a run beside those of the same versions on other days. @returns its rows with what those say */
export function remember(run: Run): Compared[] {
  const past: Run[] = existsSync(PAST) ? JSON.parse(readFileSync(PAST, 'utf8')) : [];
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(PAST, `${JSON.stringify([...past, run], null, 2)}\n`);
  const alike = [...past, run].filter(({ of }) => of === run.of);
  return run.rows.map((row) => withPast(row, alike));
}
