import { readdirSync, readFileSync } from 'node:fs';

/**
 * The processor time that processes have used since they started, all their threads, in microseconds. `schedstat` counts
 * in nanoseconds, `stat` in hundredths of a second.
 */
export function processorMicros(pids: readonly number[]): number {
  let nanoseconds = 0;
  for (const pid of pids) {
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
    }
  }
  return nanoseconds / 1000;
}
