/**
 * Runs the callbacks of a transaction that is durable. Each runs by itself: a fault in one must neither look like a
 * failure of the transaction nor stop the next.
 */
export function runAfterCommit(callbacks: readonly (() => void)[], onError: (err: Error) => void): void {
  for (const callback of callbacks) {
    try {
      callback();
    } catch (err) {
      onError(err as Error);
    }
  }
}
