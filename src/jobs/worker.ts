import { type JobHandler, type JobKind, type JobLane, type JobOutcome, laneOf } from '../kernel/jobs.ts';
import type { Database } from '../kernel/transaction.ts';
import { finishJob, hasDueJobs, JOBS_TOPIC, type LeasedJob, leaseJobs, postponeJob } from './queue.ts';

export type JobHandlers = { [K in JobKind]: JobHandler<K> };

export interface WorkerOptions {
  database: Database;
  handlers: JobHandlers;
  now(): number;
  onFault(err: unknown, job: { id: string; kind: string }): void;
  /** How many jobs of a lane run at a time, where not {@link CONCURRENCY}. */
  concurrency?: Partial<Record<JobLane, number>>;
}

export interface Worker {
  start(): void;
  /** Looks for due work now; resolves when what was due has been attempted. For tests and wake-ups. */
  runDue(): Promise<void>;
  /** Takes no more, waits for what runs; after a moment asks it to be brief. */
  stop(): Promise<void>;
}

/** Longer than any attempt may take, so that a lease never runs out under a live worker. */
const LEASE_MS = 300_000;
const POLL_MS = 1000;
/** Jobs of a lane that run at a time. */
const CONCURRENCY = 8;
/** What is nearly done may finish before handlers are told to stop; the process has 10 s in all. */
const STOP_GRACE_MS = 1000;
/** When a handler itself breaks: exponential, at most ten minutes. */
const faultDelayMs = (attempt: number): number => Math.min(600_000, 1000 * 2 ** attempt);

type Ports = Omit<WorkerOptions, 'concurrency'> & { signal: AbortSignal };

/** Attempts a leased job and writes down what came of it. */
async function runJob({ database, handlers, now, onFault, signal }: Ports, job: LeasedJob): Promise<void> {
  async function attempt(): Promise<JobOutcome> {
    try {
      const handle = handlers[job.kind] as JobHandler<JobKind>;
      return await handle({ id: job.id, payload: job.payload, attempt: job.attempt, now: now(), signal });
    } catch (err) {
      onFault(err, job);
      return { status: 'retry', reason: String(err), runAt: now() + faultDelayMs(job.attempt) };
    }
  }

  const outcome = await attempt();
  try {
    await database.transaction(async (tx) => {
      await outcome.settle?.(tx);
      if (outcome.status === 'done') await finishJob(tx, job);
      else await postponeJob(tx, job, outcome.runAt, outcome.reason);
    });
  } catch (err) {
    // The lease runs out and the job is tried again.
    onFault(err, job);
  }
}

interface Lane {
  wake(): void;
  isIdle(): boolean;
  /** Resolves when what is leased now has been attempted. */
  settled(): Promise<void>;
  close(): void;
}

/** The jobs of one lane, with slots of their own. */
function openLane(ports: Ports, lane: JobLane, concurrency: number): Lane {
  const { database, now, onFault } = ports;
  const running = new Set<Promise<void>>();
  let closed = false;
  let round: Promise<void> | null = null;
  let again = false;

  async function lease(): Promise<void> {
    const room = concurrency - running.size;
    if (room <= 0 || closed) return;
    // A look first: an idle service must not take the write lock every second.
    if (!(await hasDueJobs(database, lane, now()))) return;
    const at = now();
    const jobs = await database.transaction((tx) =>
      leaseJobs(tx, lane, { now: at, until: at + LEASE_MS, limit: room }),
    );
    for (const job of jobs) {
      const done = runJob(ports, job).finally(() => {
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
    } while (again && !closed);
    round = null;
  }

  function wake(): void {
    if (closed) return;
    again = true;
    round ??= rounds();
  }

  return {
    wake,
    isIdle: () => running.size === 0 && round === null,
    settled: async () => {
      await round;
      await Promise.all(running);
    },
    close: () => {
      closed = true;
    },
  };
}

/** Runs durable jobs: at least once each, woken by signals and by a poll that also finds what a dead worker left. */
export function createWorker(options: WorkerOptions): Worker {
  const { concurrency = {}, ...rest } = options;
  const stopping = new AbortController();
  const ports = { ...rest, signal: stopping.signal };
  const names = new Set((Object.keys(options.handlers) as JobKind[]).map(laneOf));
  const lanes = [...names].map((name) => openLane(ports, name, concurrency[name] ?? CONCURRENCY));
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe = (): void => {};

  const wakeAll = (): void => {
    for (const lane of lanes) lane.wake();
  };
  const settled = () => Promise.all(lanes.map((lane) => lane.settled()));

  return {
    start: () => {
      unsubscribe = rest.database.onSignal(JOBS_TOPIC, wakeAll);
      timer = setInterval(wakeAll, POLL_MS);
      timer.unref();
      wakeAll();
    },
    runDue: async () => {
      do {
        wakeAll();
        await settled();
      } while (!lanes.every((lane) => lane.isIdle()));
    },
    stop: async () => {
      for (const lane of lanes) lane.close();
      clearInterval(timer);
      unsubscribe();
      const impatience = setTimeout(() => stopping.abort(), STOP_GRACE_MS);
      await settled();
      clearTimeout(impatience);
    },
  };
}
