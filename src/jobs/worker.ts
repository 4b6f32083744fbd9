import type { JobHandler, JobKind, JobOutcome } from '../kernel/jobs.ts';
import type { Database } from '../kernel/transaction.ts';
import { finishJob, JOBS_TOPIC, type LeasedJob, leaseJobs, nextJobAt, postponeJob } from './queue.ts';

export type JobHandlers = { [K in JobKind]: JobHandler<K> };

export interface WorkerOptions {
  database: Database;
  handlers: JobHandlers;
  now(): number;
  onFault(err: unknown, job: { id: string; kind: string }): void;
  /** Jobs running at a time: one slow receiver must not hold up the others. */
  concurrency?: number;
}

export interface Worker {
  start(): void;
  /** Looks for due work now; resolves when what was due has been attempted. For tests and wake-ups. */
  runDue(): Promise<void>;
  /** Takes no more, waits for what runs. */
  stop(): Promise<void>;
}

/** Longer than any attempt may take, so that a lease never runs out under a live worker. */
const LEASE_MS = 120_000;
const POLL_MS = 1000;
/** When a handler itself breaks: exponential, at most ten minutes. */
const faultDelayMs = (attempt: number): number => Math.min(600_000, 1000 * 2 ** attempt);

/** Runs durable jobs: at least once each, woken by signals and by a poll that also finds what a dead worker left. */
export function createWorker(options: WorkerOptions): Worker {
  const { database, handlers, now, onFault } = options;
  const concurrency = options.concurrency ?? 8;
  const running = new Set<Promise<void>>();
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe = (): void => {};
  let round: Promise<void> | null = null;
  let again = false;

  async function attempt(job: LeasedJob): Promise<JobOutcome> {
    try {
      const handle = handlers[job.kind] as JobHandler<JobKind>;
      return await handle({ id: job.id, payload: job.payload, attempt: job.attempt, now: now() });
    } catch (err) {
      onFault(err, job);
      return { status: 'retry', reason: String(err), runAt: now() + faultDelayMs(job.attempt) };
    }
  }

  async function run(job: LeasedJob): Promise<void> {
    const outcome = await attempt(job);
    try {
      await database.transaction(async (tx) => {
        await outcome.settle?.(tx);
        if (outcome.status === 'done') await finishJob(tx, job.id);
        else await postponeJob(tx, job.id, outcome.runAt, outcome.reason);
      });
    } catch (err) {
      // The lease runs out and the job is tried again.
      onFault(err, job);
    }
  }

  async function lease(): Promise<void> {
    const room = concurrency - running.size;
    if (room <= 0 || stopped) return;
    // A look first: an idle service must not take the write lock every second.
    const due = await nextJobAt(database);
    if (due === null || due > now()) return;
    const jobs = await database.transaction((tx) => leaseJobs(tx, now(), LEASE_MS, room));
    for (const job of jobs) {
      const done = run(job).finally(() => {
        running.delete(done);
        wake();
      });
      running.add(done);
    }
  }

  async function rounds(): Promise<void> {
    do {
      again = false;
      await lease().catch((err: unknown) => onFault(err, { id: '', kind: 'lease' }));
    } while (again && !stopped);
    round = null;
  }

  function wake(): void {
    if (stopped) return;
    again = true;
    round ??= rounds();
  }

  return {
    start: () => {
      unsubscribe = database.onSignal(JOBS_TOPIC, wake);
      timer = setInterval(wake, POLL_MS);
      timer.unref();
      wake();
    },
    runDue: async () => {
      do {
        wake();
        await round;
        await Promise.all(running);
      } while (running.size > 0 || round !== null);
    },
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      unsubscribe();
      await round;
      await Promise.all(running);
    },
  };
}
