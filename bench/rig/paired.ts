/** How much one side of a comparison took of the other, from pairs of neighbouring windows. */
export interface Interval {
  /** The geometric mean of the ratios. */
  ratio: number;
  /** The ends of the interval that holds the true ratio in 95 of 100 runs. */
  low: number;
  high: number;
  pairs: number;
}

/** `faster` and `slower` are said of the side that is divided. `alike`: no difference was found, within the width. */
export type Verdict = 'faster' | 'slower' | 'alike' | 'no verdict';

const Z = 1.959964;

/** Student's t for 95 %, two-sided (Abramowitz and Stegun 26.7.5). Off by less than 0.001 from seven degrees of freedom. */
function studentsT(degrees: number): number {
  const first = (Z ** 3 + Z) / 4;
  const second = (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / 96;
  const third = (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / 384;
  return Z + first / degrees + second / degrees ** 2 + third / degrees ** 3;
}

/**
 * The interval of the ratio, from the logarithms: twice as much and half as much weigh the same.
 * @param ratios one of each pair, at least two
 */
export function intervalOf(ratios: readonly number[]): Interval {
  const logs = ratios.map(Math.log);
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1);
  const half = studentsT(logs.length - 1) * Math.sqrt(variance / logs.length);
  return { ratio: Math.exp(mean), low: Math.exp(mean - half), high: Math.exp(mean + half), pairs: logs.length };
}

/** Whether each end is at most so many percent from the middle. */
export const isWithin = ({ ratio, high }: Interval, percent: number): boolean => high / ratio <= 1 + percent / 100;

const holdsOne = ({ low, high }: Interval): boolean => low <= 1 && high >= 1;

/**
 * What an interval says of a difference.
 * @param same the interval of a version beside itself in the same run: a rig that finds a difference there finds none
 */
export function verdictOf(interval: Interval, same: Interval, percent: number): Verdict {
  if (!holdsOne(same) || !isWithin(same, percent)) return 'no verdict';
  if (!holdsOne(interval)) return interval.high < 1 ? 'faster' : 'slower';
  return isWithin(interval, percent) ? 'alike' : 'no verdict';
}

/** An interval in a table. */
export const showInterval = ({ ratio, low, high }: Interval): string =>
  `${ratio.toFixed(3)} x (${low.toFixed(3)} to ${high.toFixed(3)})`;
