/** The only place that reads the machine's clock. All other code is given a {@link Clock}, so tests can move time. */
export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Milliseconds on a monotonic clock. For durations, never for timestamps. */
export const monotonicMs = (): number => performance.now();

/** `2026-01-31T12:00:00.000Z`, the form of every timestamp on the wire (spec, conventions 1). */
export const iso = (ms: number): string => new Date(ms).toISOString();

/** The same for a nullable column. */
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

const [FIRST_MS, LAST_MS] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/**
 * Whether {@link iso} writes a time with a four-digit year (RFC 3339). A time with an offset can lie outside that
 * range.
 */
export const hasIsoYear = (ms: number): boolean => ms >= FIRST_MS && ms <= LAST_MS;
