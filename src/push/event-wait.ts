import { ApiError } from '../kernel/errors.ts';
import { limitReached } from '../kernel/limit-reached.ts';
import { FIXED_LIMITS } from '../kernel/limits.ts';
import type { Database } from '../kernel/transaction.ts';
import { eventsTopic } from './event-log.ts';

/** A request that waits until there is something to answer. */
export interface Waiting {
  accountId: string;
  /** At most this long, seconds; 0 looks once. */
  seconds: number;
  /** Aborted when the client has gone. */
  gone(): AbortSignal;
  /** Whether the caller's credential still opens the account. */
  stillAllowed(): Promise<boolean>;
}

export interface Waits {
  /**
   * Looks, and looks again with each event of the account, until something is found, the time is over, the client has
   * gone or the service stops. @returns the last look
   * @throws ApiError `rate_limited` with too many waiting already, `unauthorized` when the key was revoked meanwhile
   */
  until<T>(waiting: Waiting, look: () => Promise<T>, isFound: (value: T) => boolean): Promise<T>;
  /** Requests that wait, for the metrics. */
  size(): number;
  /** Answers everyone at once, and from now on without waiting. */
  close(): void;
}

/** Requests of one account that may wait at a time: each holds a connection. */
export const WAITS_PER_ACCOUNT = FIXED_LIMITS.waiting_requests.value;
/** A notification between instances may be lost: everyone looks this often. */
const POLL_MS = 5000;

/** A bell that is heard although it rang while nobody listened. */
function createBell() {
  let hasRung = false;
  let wake = (): void => {};
  return {
    ring: (): void => {
      hasRung = true;
      wake();
    },
    heard: async (): Promise<void> => {
      if (!hasRung)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      hasRung = false;
    },
  };
}

export function createWaits(database: Database): Waits {
  const counts = new Map<string, number>();
  const bells = new Set<() => void>();
  let isClosed = false;

  function enter(accountId: string): void {
    const count = counts.get(accountId) ?? 0;
    if (count >= WAITS_PER_ACCOUNT)
      throw limitReached(
        'waiting_requests',
        { used: count, max: WAITS_PER_ACCOUNT },
        {
          message: `At most ${WAITS_PER_ACCOUNT} requests of an account may wait at a time; let one end first.`,
          facts: { limit: WAITS_PER_ACCOUNT, retry_after: 1 },
          headers: { 'retry-after': '1' },
        },
      );
    counts.set(accountId, count + 1);
  }

  function leave(accountId: string): void {
    const count = (counts.get(accountId) ?? 1) - 1;
    if (count > 0) counts.set(accountId, count);
    else counts.delete(accountId);
  }

  async function wait<T>(waiting: Waiting, look: () => Promise<T>, isFound: (value: T) => boolean): Promise<T> {
    const bell = createBell();
    let isOver = false;
    const end = (): void => {
      isOver = true;
      bell.ring();
    };
    const gone = waiting.gone();
    gone.addEventListener('abort', end);
    const stops = [
      database.onSignal(eventsTopic(waiting.accountId), bell.ring),
      () => gone.removeEventListener('abort', end),
      clear(setTimeout(end, waiting.seconds * 1000), clearTimeout),
      clear(setInterval(bell.ring, POLL_MS), clearInterval),
    ];
    bells.add(bell.ring);
    try {
      for (;;) {
        // Looked at after listening began: what arrives in between rings.
        const value = await look();
        if (isFound(value) || isOver || isClosed || gone.aborted) return value;
        await bell.heard();
        if (!(await waiting.stillAllowed())) throw new ApiError('unauthorized');
      }
    } finally {
      bells.delete(bell.ring);
      for (const stop of stops) stop();
    }
  }

  return {
    until: async (waiting, look, isFound) => {
      const first = await look();
      if (waiting.seconds === 0 || isClosed || isFound(first)) return first;
      enter(waiting.accountId);
      try {
        return await wait(waiting, look, isFound);
      } finally {
        leave(waiting.accountId);
      }
    },
    size: () => bells.size,
    close: () => {
      isClosed = true;
      for (const ring of bells) ring();
    },
  };
}

/** What stops a timer, as a function of nothing. */
const clear =
  (timer: NodeJS.Timeout, stop: (timer: NodeJS.Timeout) => void): (() => void) =>
  () =>
    stop(timer);
