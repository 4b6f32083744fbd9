import { setImmediate as nextTurn } from 'node:timers/promises';

/** The only place that reads the machine's clock. All other code is given a {@link Clock}, so tests can move time. */
export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Milliseconds on a monotonic clock. For durations, never for timestamps. */
export const monotonicMs = (): number => performance.now();

/** Milliseconds for which long work may keep others waiting. */
const TURN_MS = 10;

/** Lets others have their turn in work of many steps, some of which may take long. */
export class Turns {
  #since = monotonicMs();

  /** To be awaited between the steps. */
  async next(): Promise<void> {
    if (monotonicMs() - this.#since < TURN_MS) return;
    await nextTurn();
    this.#since = monotonicMs();
  }
}

/** The last second that was written, without its milliseconds. Most times of a call, and of the calls beside it, share one. */
let written = { start: 0, text: '1970-01-01T00:00:00.' };

/** `2026-01-31T12:00:00.000Z`, the form of every timestamp on the wire (spec, conventions 1). */
export function iso(ms: number): string {
  const since = ms - written.start;
  if (since >= 0 && since < 1000) return `${written.text}${String(Math.trunc(since)).padStart(3, '0')}Z`;
  const text = new Date(ms).toISOString();
  if (ms >= 0) written = { start: Math.floor(ms / 1000) * 1000, text: text.slice(0, -4) };
  return text;
}

/** The same for a nullable column. */
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

const [FIRST_MS, LAST_MS] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/**
 * Whether {@link iso} writes a time with a four-digit year (RFC 3339). A time with an offset can lie outside that
 * range.
 */
export const hasIsoYear = (ms: number): boolean => ms >= FIRST_MS && ms <= LAST_MS;
