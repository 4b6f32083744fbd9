/** Time limits with timers and listeners that are always removed: the platforms' own combined signals may keep theirs. */

export interface TimeLimit {
  /** Milliseconds until the work's signal is aborted. */
  ms: number;
  /** The reason of that abort. */
  late: Error;
  /** Aborts the work earlier, with its own reason. */
  signal?: AbortSignal | undefined;
}

/** Aborts `signal` after a time, or with another signal. Call `end` when the work is over. */
export class Timeout {
  readonly #limit: TimeLimit;
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout>;

  constructor(limit: TimeLimit) {
    this.#limit = limit;
    this.#timer = this.#start();
    limit.signal?.addEventListener('abort', this.#onAbort, { once: true });
    if (limit.signal?.aborted) this.#onAbort();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Counts the time from now. */
  restart(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#start();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#limit.signal?.removeEventListener('abort', this.#onAbort);
  }

  /** Ends the time limit, and what still goes on under its signal. */
  abort(): void {
    this.end();
    this.#controller.abort();
  }

  #start(): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#controller.abort(this.#limit.late), this.#limit.ms);
  }

  readonly #onAbort = (): void => this.#controller.abort(this.#limit.signal?.reason);
}

/** Resolves after a time. @throws the signal's reason when it is aborted before that */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}
