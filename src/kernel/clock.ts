/** The only place that reads the machine's clock; everything else is handed a {@link Clock}, so tests can move time. */
export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Milliseconds on a clock that never steps back; for measuring durations, never for timestamps. */
export const monotonicMs = (): number => performance.now();

/** `2026-01-31T12:00:00.000Z`, the form of every timestamp on the wire (spec, conventions 1). */
export const iso = (ms: number): string => new Date(ms).toISOString();

/** Same for a nullable column. */
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));
