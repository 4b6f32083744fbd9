import type { Feeds } from './event-feed.ts';

export interface WaitOptions {
  /** An event behind this number of the account's log ends the wait, at once when there is one already. */
  afterSeq: number;
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
  const { afterSeq, timeoutMs, signal } = options;
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const settle = (found: boolean): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onGone);
      resolve(found);
      stop?.();
    };
    const onGone = (): void => settle(false);
    const timer = setTimeout(settle, timeoutMs, false);
    signal.addEventListener('abort', onGone);
    let stop: (() => void) | undefined;
    stop = feeds.follow(accountId, afterSeq, {
      deliver: async () => {
        settle(true);
        return false;
      },
      heartbeat: () => {},
      end: onGone,
    });
  });
}
