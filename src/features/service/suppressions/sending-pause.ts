import { DAY_MS, dayStart } from '../../../base/period.ts';

/** How many UTC days count, today included. */
const WINDOW_DAYS = 7;

/** Above this share of bad copies, of at least so many, sending pauses. */
export interface Tolerance {
  percent: number;
  from: number;
}

interface Counts {
  day: number;
  sent: number;
  bad: number;
}

const totalOf = (days: readonly Counts[]): { sent: number; bad: number } => ({
  sent: days.reduce((sum, { sent }) => sum + sent, 0),
  bad: days.reduce((sum, { bad }) => sum + bad, 0),
});

/** The first day that counts at `now`. */
export const windowStart = (now: number): number => dayStart(now) - (WINDOW_DAYS - 1) * DAY_MS;

const isOver = ({ sent, bad }: { sent: number; bad: number }, { percent, from }: Tolerance): boolean =>
  sent >= from && bad * 100 > sent * percent;

/**
 * Whether an account may send: `null`, or its counts and when enough of the bad days no longer count. The pause needs no
 * separate state: it ends as days leave the window.
 */
export function pauseOf(
  days: readonly Counts[],
  tolerance: Tolerance,
  now: number,
): { sent: number; bad: number; resumesAt: number } | null {
  const counted = days.filter(({ day }) => day >= windowStart(now));
  const total = totalOf(counted);
  if (!isOver(total, tolerance)) return null;
  let resumesAt = now;
  for (let left = [...counted]; isOver(totalOf(left), tolerance); ) {
    const [oldest] = left as [Counts];
    resumesAt = oldest.day + WINDOW_DAYS * DAY_MS;
    left = left.slice(1);
  }
  return { ...total, resumesAt };
}
