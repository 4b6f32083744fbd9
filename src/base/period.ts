/**
 * Calendar periods in UTC. All arguments and results are milliseconds since the epoch, except where the name says
 * otherwise.
 */
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** The windows in which requests are counted. Each is aligned to the UTC clock. */
export const RATE_WINDOWS = ['minute', 'hour', 'day'] as const;
export type RateWindow = (typeof RATE_WINDOWS)[number];
/** Requests per window. Null: no limit. */
export type RateLimits = Record<RateWindow, number | null>;

const WINDOW_MS: Record<RateWindow, number> = { minute: 60_000, hour: HOUR_MS, day: DAY_MS };

/** When the window that contains `ms` began. */
export const rateWindowStart = (window: RateWindow, ms: number): number => ms - (ms % WINDOW_MS[window]);

/** When the next period begins. */
export const nextRateWindow = (window: RateWindow, ms: number): number =>
  rateWindowStart(window, ms) + WINDOW_MS[window];

/** The UTC day as `YYYY-MM-DD`. */
export const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const hourStart = (ms: number): number => ms - (ms % HOUR_MS);
export const dayStart = (ms: number): number => ms - (ms % DAY_MS);
export const nextHour = (ms: number): number => hourStart(ms) + HOUR_MS;
export const nextDay = (ms: number): number => dayStart(ms) + DAY_MS;

/** The calendar periods of a spending cap. A week is an ISO 8601 week, which begins on Monday. */
export const CAP_PERIODS = ['daily', 'weekly', 'monthly'] as const;
export type CapPeriod = (typeof CAP_PERIODS)[number];

const WEEK_MS = 7 * DAY_MS;
/** The epoch was a Thursday, three days after the start of its week. */
const EPOCH_INTO_WEEK_MS = 3 * DAY_MS;

const monthStart = (ms: number, monthsOn: number): number => {
  const at = new Date(ms);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + monthsOn, 1);
};

const STARTS: Record<CapPeriod, (ms: number) => number> = {
  daily: dayStart,
  weekly: (ms) => ms - ((ms + EPOCH_INTO_WEEK_MS) % WEEK_MS),
  monthly: (ms) => monthStart(ms, 0),
};

/** When the UTC day, ISO week or month of `ms` began. */
export const capPeriodStart = (period: CapPeriod, ms: number): number => STARTS[period](ms);

/** When the next period begins. */
export const nextCapPeriod = (period: CapPeriod, ms: number): number =>
  period === 'monthly' ? monthStart(ms, 1) : STARTS[period](ms) + (period === 'daily' ? DAY_MS : WEEK_MS);

/** Whole seconds from `now` until `then`, at least 1, for `Retry-After` and `RateLimit-Reset` (RFC 9110 10.2.3). */
export const secondsUntil = (then: number, now: number): number => Math.max(1, Math.ceil((then - now) / 1000));
