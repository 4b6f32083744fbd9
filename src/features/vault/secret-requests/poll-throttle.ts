import { LRUCache } from 'lru-cache';

/** Seconds between polls, and what polling too fast adds (RFC 8628 3.2, 3.5). */
export const POLL_SECONDS = 5;
const SLOW_DOWN_SECONDS = 5;

const REQUESTS_MAX = 10_000;

/**
 * The polling interval of each request. It is kept in memory: it protects this instance, and a database write per poll
 * would cost more than the poll.
 */
export class PollThrottle {
  readonly #intervals = new LRUCache<string, { seconds: number; last: number }>({ max: REQUESTS_MAX });

  /** Counts a poll. @returns the seconds to wait from now on, and whether this poll was too early */
  take(deviceHash: string, now: number): { tooSoon: boolean; seconds: number } {
    const known = this.#intervals.get(deviceHash);
    const tooSoon = known !== undefined && now < known.last + known.seconds * 1000;
    const seconds = (known?.seconds ?? POLL_SECONDS) + (tooSoon ? SLOW_DOWN_SECONDS : 0);
    this.#intervals.set(deviceHash, { seconds, last: now });
    return { tooSoon, seconds };
  }
}
