/** Permission to attempt a delivery until `done`, or how long to wait before the next try. */
export type Permit =
  | { granted: true; done(end: { durationMs: number; hung: boolean }): void }
  | { granted: false; waitMs: number };

interface Receiver {
  running: number;
  hung: boolean;
  /** How long the last attempt took, milliseconds. */
  lastMs: number;
  /** When the last of the deferred attempts runs. */
  lastRunAt: number;
}

/** Attempts at one receiver at a time, and at one that did not answer in time. */
const CONCURRENCY = 4;
const CONCURRENCY_HUNG = 1;
/** The expected duration before the first answer. */
const GUESS_MS = 100;
/** The number of receivers kept; an evicted one starts over as unknown. */
const RECEIVERS_MAX = 10_000;

/**
 * Keeps one receiver from taking all the slots. An attempt beyond its limit is deferred to a time when there is likely
 * to be a slot: behind the attempts deferred before, spaced by how fast the receiver answers, so that a thousand waiting
 * jobs do not run at once.
 */
export class WebhookLimiter {
  readonly #receivers = new Map<string, Receiver>();

  /**
   * @param key of the receiver
   * @param now milliseconds of a clock that is never set: what is deferred must not wait for the former time
   */
  acquire(key: string, now: number): Permit {
    const receiver = this.#receivers.get(key) ?? { running: 0, hung: false, lastMs: GUESS_MS, lastRunAt: now };
    const limit = receiver.hung ? CONCURRENCY_HUNG : CONCURRENCY;
    if (receiver.running >= limit) {
      receiver.lastRunAt = Math.ceil(Math.max(now, receiver.lastRunAt) + receiver.lastMs / limit);
      return { granted: false, waitMs: receiver.lastRunAt - now };
    }
    receiver.running += 1;
    this.#receivers.set(key, receiver);
    this.#forgetIdle();
    return {
      granted: true,
      done: ({ durationMs, hung }) => {
        receiver.running -= 1;
        receiver.hung = hung;
        receiver.lastMs = Math.max(1, durationMs);
      },
    };
  }

  #forgetIdle(): void {
    for (const [key, { running }] of this.#receivers) {
      if (this.#receivers.size <= RECEIVERS_MAX) return;
      if (running === 0) this.#receivers.delete(key);
    }
  }
}
