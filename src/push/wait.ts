import type { Feeds } from './event-feed.ts';
import type { EventTypes } from './event-log.ts';

export interface WaitOptions {
  /** An event behind this number of the account's log ends the wait, at once when there is one already. */
  afterSeq: number;
  /** Which events count; null for any. */
  types: EventTypes;
  /** Bounded by the caller: how long a reply may take, milliseconds. */
  timeoutMs: number;
  /** Ends the wait when whoever asked has gone. */
  signal: AbortSignal;
}

/**
 * Waits until the account's log holds something new: what a long poll does before it reads. It leaves nothing behind,
 * however it ends. @returns whether there is something; false after the time, when `signal` says so, and when the
 * service stops
 */
export function waitForEvent(feeds: Feeds, accountId: string, options: WaitOptions): Promise<boolean> {
  const { afterSeq, types, timeoutMs, signal } = options;
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    let stop: (() => void) | undefined;
    const settle = (found: boolean): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onGone);
      stop?.();
      resolve(found);
    };
    const onGone = (): void => settle(false);
    const timer = setTimeout(settle, timeoutMs, false);
    signal.addEventListener('abort', onGone);
    stop = feeds.follow(
      { accountId, afterSeq, types },
      {
        deliver: async () => {
          settle(true);
          return false;
        },
        heartbeat: () => {},
        // Whoever waits reads afterwards, and is asked for its credential then.
        stillAllowed: async () => true,
        end: onGone,
      },
    );
  });
}
