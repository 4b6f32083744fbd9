import { systemNow } from '../../../client/client-clock.ts';

/** Reads again because something happened, but seldom: with a key, each reading is one of the requests of its account. */

const EVERY_MS = 60_000;

export interface Throttle {
  /** Runs the work: now, or once the last run is long enough ago and the tab is visible. */
  ask(): void;
  end(): void;
}

interface Options {
  /** Whether a tab that becomes visible asks by itself. */
  isWhenShown?: boolean;
  /** Time between two runs. */
  everyMs?: () => number;
}

/** As many requests may go at once, each of which comes back in this time: over a day, 4,320. A person has 10,000. */
const AT_ONCE = 60;
const EACH_MS = 20_000;
const SOONEST_MS = 2000;

/** The pace of a page that is read again as things happen, so that an open page cannot use up what a person may ask. */
export class Pace {
  #left = AT_ONCE;
  #at = systemNow();

  spend(requests: number): void {
    const now = systemNow();
    this.#left = Math.min(AT_ONCE, this.#left + (now - this.#at) / EACH_MS) - requests;
    this.#at = now;
  }

  /** How long to wait after the last run. */
  get everyMs(): number {
    return Math.max(SOONEST_MS, -this.#left * EACH_MS);
  }
}

export function throttled(
  work: () => Promise<void>,
  { isWhenShown = false, everyMs = () => EVERY_MS }: Options = {},
): Throttle {
  let lastRun = Number.NEGATIVE_INFINITY;
  let isAsked = false;
  let isRunning = false;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const run = (): void => {
    clearTimeout(waiting);
    if (!isAsked || isRunning || document.visibilityState !== 'visible') return;
    const left = lastRun + everyMs() - systemNow();
    if (left > 0) {
      waiting = setTimeout(run, left);
      return;
    }
    [lastRun, isAsked, isRunning] = [systemNow(), false, true];
    // A failure is said by what the person does next.
    void work()
      .catch(() => {})
      .finally(() => {
        isRunning = false;
        run();
      });
  };
  const shown = (): void => {
    isAsked ||= isWhenShown;
    run();
  };
  document.addEventListener('visibilitychange', shown);
  return {
    ask() {
      isAsked = true;
      run();
    },
    end() {
      isAsked = false;
      clearTimeout(waiting);
      document.removeEventListener('visibilitychange', shown);
    },
  };
}
