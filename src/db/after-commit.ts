/**
 * Runs what a transaction asked for once it is durable. Each callback by itself: the transaction has happened, and a
 * fault in one of its consequences must neither look like its failure nor stop the next.
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
