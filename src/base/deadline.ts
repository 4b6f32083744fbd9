/**
 * Time limits with timers that are always cleared. `AbortSignal.timeout` and `AbortSignal.any` keep their timers and
 * listeners after the work has ended, and leak on some versions of Node.
 */

export interface TimeLimit {
  /** Milliseconds until the signal of the work is aborted. */
  ms: number;
  /** The reason of that abort. */
  late: Error;
  /** Aborts the work earlier. */
  signal?: AbortSignal | undefined;
  /** The reason of that abort; the reason of `signal` itself where absent. */
  stopped?: Error;
}

/**
 * Runs `work` with a signal that is aborted after a time, or when another signal is. Clears its timer and listener at
 * the end.
 */
export async function withTimeout<T>(limit: TimeLimit, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { ms, late, signal, stopped } = limit;
  const controller = new AbortController();
  const stop = (): void => controller.abort(stopped ?? signal?.reason);
  const timer = setTimeout(() => controller.abort(late), ms);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    if (signal?.aborted) stop();
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/**
 * Runs `work` with a signal that is aborted `ms` milliseconds after `signal`, with the reason `late`. The work gets
 * time to finish.
 */
export async function withGrace<T>(
  limit: Omit<TimeLimit, 'stopped'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { ms, late, signal } = limit;
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => {
    timer = setTimeout(() => controller.abort(late), ms);
  };
  if (signal?.aborted) start();
  else signal?.addEventListener('abort', start, { once: true });
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', start);
  }
}

/** Returns the result of `work`, or that of `late` after `ms` milliseconds. It does not stop `work`. */
export async function within<T, L>(ms: number, work: Promise<T>, late: () => L): Promise<T | L> {
  const over = Symbol();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<typeof over>((resolve) => {
    timer = setTimeout(resolve, ms, over);
  });
  try {
    const first = await Promise.race([work, timeout]);
    return first === over ? late() : (first as T);
  } finally {
    clearTimeout(timer);
  }
}
