import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../kernel/clock.ts';
import { type JobHandler, type JobKind, type JobLane, type JobOutcome, laneOf } from '../kernel/jobs.ts';
import type { Database, Tx } from '../kernel/transaction.ts';
import { isOutage } from './outage.ts';
import {
  finishJob,
  giveBackJob,
  hasDueJobs,
  JOBS_TOPIC,
  keepDue,
  type LeasedJob,
  leaseJobs,
  postponeJob,
} from './queue.ts';

export type JobHandlers = { [K in JobKind]: JobHandler<K> };

export interface WorkerOptions {
  database: Database;
  /** Whose leases the jobs get. */
  instanceId: string;
  /** False while others may have taken over what this instance leased. Then it takes no more. */
  mayLease?(): boolean;
  handlers: JobHandlers;
  now(): number;
  onFault(err: unknown, job: { id: string; kind: string }): void;
  /** How many jobs of a lane run at a time, where not {@link CONCURRENCY}. */
  concurrency?: Partial<Record<JobLane, number>>;
}

/**
 * Longer than any attempt may take, so that a lease never expires while its worker is alive. The leases of an instance that
 * died are free much sooner (instances.ts).
 */
const LEASE_MS = 300_000;
const POLL_MS = 1000;
/** Jobs of a lane that run at a time. */
const CONCURRENCY = 8;
/** Jobs that are nearly done may finish before their signal is aborted; the process has 10 s in all. */
const STOP_GRACE_MS = 1000;
/** The delay after a handler throws: exponential, at most ten minutes. */
const faultDelayMs = (attempt: number): number => Math.min(600_000, 1000 * 2 ** attempt);

/** A clock that is set back further than this makes jobs wait that were due. */
const STEP_BACK_MS = 1000;
/** An outcome that cannot be stored is kept for so long after its lease began, well within the lease. */
const KEPT_MS = LEASE_MS - 60_000;
/** Waits between the tries to store it. */
const STORE_AGAIN_MS = { first: 250, most: 4000 };

type Ports = Omit<WorkerOptions, 'concurrency'> & { signal: AbortSignal; clock: ClockWatch };

/** Calls that arrived before the step may store their jobs for so long after it. */
const STEP_LASTS_MS = 60_000;

/** Notices when the clock is set back. */
class ClockWatch {
  #latest = Number.NEGATIVE_INFINITY;
  #former: { latest: number; until: number } | null = null;
  #toldAt = Number.NEGATIVE_INFINITY;

  /** @returns for a minute after the clock was set back, and once a second, until when jobs were due before it was */
  look(now: number): number | null {
    const at = monotonicMs();
    if (now < this.#latest - STEP_BACK_MS) {
      this.#former = { latest: this.#latest + STEP_BACK_MS, until: at + STEP_LASTS_MS };
      this.#toldAt = Number.NEGATIVE_INFINITY;
    }
    this.#latest = now;
    if (this.#former === null || at - this.#toldAt < POLL_MS) return null;
    this.#toldAt = at;
    const { latest, until } = this.#former;
    if (at > until || now >= latest) this.#former = null;
    return latest;
  }
}

function record(tx: Tx, job: LeasedJob, outcome: JobOutcome): Promise<boolean> {
  if (outcome.status === 'done') return finishJob(tx, job);
  if (outcome.isUncounted) return giveBackJob(tx, job, outcome.runAt);
  return postponeJob(tx, job, outcome.runAt, outcome.reason);
}

/** Attempts a leased job and stores the outcome. */
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

  const until = monotonicMs() + KEPT_MS;
  const outcome = await attempt();
  const store = () =>
    database.transaction(async (tx) => {
      const isOurs = await record(tx, job, outcome);
      // Another instance took the job over while this one was stopped or cut off. What that one records counts.
      if (isOurs) await outcome.settle?.(tx);
    });
  // A mail that has left must not leave again because the database was away for a while.
  for (let waitMs = STORE_AGAIN_MS.first; ; waitMs = Math.min(waitMs * 2, STORE_AGAIN_MS.most)) {
    const failure = await store().then(
      () => null,
      (err: unknown) => err,
    );
    if (failure === null) return;
    if (waitMs === STORE_AGAIN_MS.first) onFault(failure, job);
    // Without a further try the lease expires and the job is retried.
    if (!isOutage(failure) || signal.aborted || monotonicMs() > until) return;
    await sleep(waitMs, undefined, { ref: false, signal }).catch(() => {});
  }
}

/** The jobs of one lane, with their own slots. */
class Lane {
  readonly #ports: Ports;
  readonly #name: JobLane;
  readonly #concurrency: number;
  readonly #running = new Set<Promise<void>>();
  #round: Promise<void> | null = null;
  #isStale = false;
  #isClosed = false;

  constructor(ports: Ports, name: JobLane, concurrency: number) {
    this.#ports = ports;
    this.#name = name;
    this.#concurrency = concurrency;
  }

  get isIdle(): boolean {
    return this.#running.size === 0 && this.#round === null;
  }

  /** Looks for due jobs. */
  wake(): void {
    if (this.#isClosed) return;
    this.#isStale = true;
    this.#round ??= this.#leaseAll();
  }

  /** Resolves when all leased jobs have been attempted. */
  async settled(): Promise<void> {
    await this.#round;
    await Promise.all(this.#running);
  }

  close(): void {
    this.#isClosed = true;
  }

  async #leaseAll(): Promise<void> {
    do {
      this.#isStale = false;
      await this.#lease().catch((err: unknown) => this.#ports.onFault(err, { id: '', kind: 'lease' }));
    } while (this.#isStale && !this.#isClosed);
    this.#round = null;
  }

  async #lease(): Promise<void> {
    const { database, now, clock, instanceId: by, mayLease } = this.#ports;
    if (this.#isClosed) return;
    const at = now();
    const latest = clock.look(at);
    if (latest !== null) await database.transaction((tx) => keepDue(tx, { now: at, latest }));
    const limit = this.#concurrency - this.#running.size;
    if (limit <= 0 || this.#isClosed || mayLease?.() === false) return;
    // Check first: an idle service must not take the write lock every second.
    if (!(await hasDueJobs(database, this.#name, at))) return;
    const jobs = await database.transaction((tx) =>
      leaseJobs(tx, this.#name, { now: at, until: at + LEASE_MS, by, limit }),
    );
    for (const job of jobs) {
      const done = runJob(this.#ports, job).finally(() => {
        this.#running.delete(done);
        this.wake();
      });
      this.#running.add(done);
    }
  }
}

/** Runs durable jobs: at least once each, woken by signals and by a poll that also finds what became free. */
export class JobWorker {
  readonly #database: Database;
  readonly #lanes: readonly Lane[];
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #unsubscribe = (): void => {};

  constructor({ concurrency = {}, ...options }: WorkerOptions) {
    this.#database = options.database;
    const ports = { ...options, signal: this.#stopping.signal, clock: new ClockWatch() };
    const names = new Set((Object.keys(options.handlers) as JobKind[]).map(laneOf));
    this.#lanes = [...names].map((name) => new Lane(ports, name, concurrency[name] ?? CONCURRENCY));
  }

  start(): void {
    this.#unsubscribe = this.#database.onSignal(JOBS_TOPIC, () => this.wake());
    this.#timer = setInterval(() => this.wake(), POLL_MS).unref();
    this.wake();
  }

  /** Looks for due work. */
  wake(): void {
    for (const lane of this.#lanes) lane.wake();
  }

  /** Looks for due work now; resolves when what was due has been attempted. For tests and wake-ups. */
  async runDue(): Promise<void> {
    do {
      this.wake();
      await this.#settled();
    } while (!this.#lanes.every(({ isIdle }) => isIdle));
  }

  /** Takes no more jobs and waits for running ones; after a short time it aborts their signal. */
  async stop(): Promise<void> {
    for (const lane of this.#lanes) lane.close();
    clearInterval(this.#timer);
    this.#unsubscribe();
    const grace = setTimeout(() => this.#stopping.abort(), STOP_GRACE_MS);
    await this.#settled();
    clearTimeout(grace);
  }

  #settled(): Promise<unknown> {
    return Promise.all(this.#lanes.map((lane) => lane.settled()));
  }
}
