import { LRUCache } from 'lru-cache';

/** Seconds between polls, and what polling too fast adds (RFC 8628 3.2, 3.5). */
export const POLL_SECONDS = 5;
const SLOW_DOWN_SECONDS = 5;

const REMEMBERED_MAX = 10_000;

export interface Pace {
  /** Takes note of a poll. @returns the seconds to wait from now on, and whether this poll came too soon */
  take(deviceHash: string, now: number): { tooSoon: boolean; seconds: number };
}

/**
 * How fast each request is polled. Kept in memory: it protects this instance, and writing down every poll would cost
 * more than what it protects from.
 */
export function createPace(): Pace {
  const paces = new LRUCache<string, { seconds: number; last: number }>({ max: REMEMBERED_MAX });
  return {
    take: (deviceHash, now) => {
      const known = paces.get(deviceHash);
      const tooSoon = known !== undefined && now < known.last + known.seconds * 1000;
      const seconds = (known?.seconds ?? POLL_SECONDS) + (tooSoon ? SLOW_DOWN_SECONDS : 0);
      paces.set(deviceHash, { seconds, last: now });
      return { tooSoon, seconds };
    },
  };
}
