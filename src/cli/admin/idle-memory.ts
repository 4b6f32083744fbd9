import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

const EVERY_MS = 10_000;
/** Part of the time that the process may have worked since the last look. */
const BUSY = 0.1;
/** A collection that frees less is not worth its pause. */
const WORTH_BYTES = 8 * 1_048_576;

/**
 * Gives memory back while little happens: what a start left, then what a load left. It takes the main thread 30 ms. V8 does
 * so by itself only when it sees that little is allocated, which it measures at collections: an idle process has none.
 * Needs `--expose-gc`. Does not keep the process alive.
 */
export function releaseMemoryWhenIdle(): void {
  let bytes = 0;
  let since = performance.eventLoopUtilization();
  const look = (): void => {
    const { utilization } = performance.eventLoopUtilization(since);
    since = performance.eventLoopUtilization();
    if (utilization > BUSY || getHeapStatistics().total_heap_size < bytes + WORTH_BYTES) return;
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    bytes = getHeapStatistics().total_heap_size;
  };
  setInterval(look, EVERY_MS).unref();
}
