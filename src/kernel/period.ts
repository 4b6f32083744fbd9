/** Calendar periods in UTC. All arguments and results are milliseconds since the epoch unless named otherwise. */
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** The UTC day as `YYYY-MM-DD`. */
export const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const hourStart = (ms: number): number => ms - (ms % HOUR_MS);
export const dayStart = (ms: number): number => ms - (ms % DAY_MS);
export const nextHour = (ms: number): number => hourStart(ms) + HOUR_MS;
export const nextDay = (ms: number): number => dayStart(ms) + DAY_MS;

/** Whole seconds from `now` until `then`, at least 1, as `Retry-After` and `RateLimit-Reset` want it (RFC 9110 10.2.3). */
export const secondsUntil = (then: number, now: number): number => Math.max(1, Math.ceil((then - now) / 1000));
