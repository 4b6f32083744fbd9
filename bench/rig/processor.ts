import { readdirSync, readFileSync } from 'node:fs';

/** A hundredth of a second, in which the system counts the time of ended processes, in microseconds. */
const TICK_MICROS = 10_000;

/** The fields of `/proc/PID/stat` after the name, which may hold spaces. Null if the process has ended. */
function statOf(pid: number | string): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

/** The processes and all that they started and that still run: workers of a mail server, backends of a database. */
function withDescendants(roots: readonly number[]): Set<number> {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? statOf(name)?.[1] : undefined;
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const found = new Set(roots);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  return found;
}

/** Nanoseconds of all threads that still run. */
function threadsNanos(pid: number): number {
  let nanoseconds = 0;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
  }
  return nanoseconds;
}

/**
 * The processor time that processes and all their children have used since they started, all their threads, user and
 * system, in microseconds. `schedstat` counts in nanoseconds; for children that have ended there is only `stat`.
 */
export function processorMicros(pids: readonly number[]): number {
  let micros = 0;
  for (const pid of withDescendants(pids)) {
    try {
      const stat = statOf(pid);
      micros += threadsNanos(pid) / 1000 + (Number(stat?.[13] ?? 0) + Number(stat?.[14] ?? 0)) * TICK_MICROS;
    } catch {
      // Ended since it was found: its parent has its time from now on.
    }
  }
  return micros;
}

/** Kilobytes of its own that a process and all its children have, shared pages by their part. */
export function memoryKilobytes(pid: number): number {
  let sum = 0;
  for (const each of withDescendants([pid])) {
    try {
      sum += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${each}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    } catch {
      // It has ended.
    }
  }
  return sum;
}
