import { type JobHandler, type JobKind, type JobLane, type JobOutcome, laneOf } from '../api/job-types.ts';
import type { Database, Tx } from '../api/transaction.ts';
import { monotonicMs } from '../base/clock.ts';
import { retryDuringOutage } from './outage.ts';
import {
  finishJob,
  giveBackJob,
  giveBackLease,
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
/** A lease whose COMMIT was not confirmed may still appear for so long: a network can hold it back. */
const UNCONFIRMED_MS = 120_000;

type Ports = Omit<WorkerOptions, 'concurrency'> & { signal: AbortSignal; clock: ClockWatch };

/** Calls that arrived before the step may store their jobs for so long after it. */
const STEP_LASTS_MS = 60_000;

/** Notices when the clock is set back. */
class ClockWatch {
  #latest = Number.NEGATIVE_INFINITY;
  #former: { latest: number; until: number } | null = null;
  #toldAt = Number.NEGATIVE_INFINITY;
  /** By how much it was set back, until it is logged. */
  #back = 0;

  /**
   * @returns for a minute after the clock was set back, and once a second: until when jobs were due before it was, and once
   * by how much it was set back, in milliseconds
   */
  look(now: number): { latest: number; back: number } | null {
    const at = monotonicMs();
    if (now < this.#latest - STEP_BACK_MS) {
      this.#back += this.#latest - now;
      this.#former = { latest: this.#latest + STEP_BACK_MS, until: at + STEP_LASTS_MS };
      this.#toldAt = Number.NEGATIVE_INFINITY;
    }
    this.#latest = now;
    if (this.#former === null || at - this.#toldAt < POLL_MS) return null;
    this.#toldAt = at;
    const { latest, until } = this.#former;
    if (at > until || now >= latest) this.#former = null;
    const back = this.#back;
    this.#back = 0;
    return { latest, back };
  }

  /** The queue could not be told. */
  tellAgain({ latest, back }: { latest: number; back: number }): void {
    if (back === 0) return;
    this.#back += back;
    this.#former ??= { latest, until: monotonicMs() + STEP_LASTS_MS };
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

  const leasedAt = monotonicMs();
  const outcome = await attempt();
  const store = () =>
    database.transaction(async (tx) => {
      const isOurs = await record(tx, job, outcome);
      // Another instance took the job over while this one was stopped or cut off. What that one records counts.
      if (isOurs) await outcome.complete?.(tx);
    });
  // A mail that has left must not leave again because the database was away for a while. What can never be stored was
  // reported: the lease expires, and the job is retried.
  const forMs = KEPT_MS - (monotonicMs() - leasedAt);
  await retryDuringOutage(store, { forMs, signal, onFailure: (err) => onFault(err, job) }).catch(() => {});
}

/** The jobs of one lane, with their own slots. */
class Lane {
  readonly #ports: Ports;
  readonly #name: JobLane;
  readonly #concurrency: number;
  readonly #running = new Map<Promise<void>, LeasedJob>();
  /** The ends of leases whose COMMIT failed without saying whether it had happened, and since when. */
  readonly #unconfirmed = new Map<number, number>();
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
    await Promise.all(this.#running.keys());
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
    const step = clock.look(at);
    if (step !== null) {
      await database
        .transaction((tx) => keepDue(tx, { now: at, ...step }))
        .catch((err: unknown) => {
          clock.tellAgain(step);
          throw err;
        });
    }
    if (this.#unconfirmed.size > 0) await this.#giveBackUnconfirmed();
    const limit = this.#concurrency - this.#running.size;
    if (limit <= 0 || this.#isClosed || mayLease?.() === false) return;
    // Check first: an idle service must not take the write lock every second.
    if (!(await hasDueJobs(database, this.#name, at))) return;
    const running = [...this.#running.values()];
    // A separate marker for each lease, to recognise one that was not confirmed.
    const taken = new Set([...running.map(({ leaseUntil }) => leaseUntil), ...this.#unconfirmed.keys()]);
    let until = at + LEASE_MS;
    while (taken.has(until)) until += 1;
    // A clock that is set forward ends leases early. What still runs here must not run twice.
    const except = running.map(({ id }) => id);
    const jobs = await database
      .transaction((tx) => leaseJobs(tx, this.#name, { now: at, until, by, limit, except }))
      .catch((err: unknown) => {
        this.#unconfirmed.set(until, monotonicMs());
        throw err;
      });
    for (const job of jobs) {
      const done = runJob(this.#ports, job).finally(() => {
        this.#running.delete(done);
        this.wake();
      });
      this.#running.set(done, job);
    }
  }

  /**
   * Gives back jobs that were leased although the answer was lost: no other instance would attempt them before the
   * lease ends.
   */
  async #giveBackUnconfirmed(): Promise<void> {
    const { database, instanceId: by } = this.#ports;
    await database.transaction(async (tx) => {
      for (const until of this.#unconfirmed.keys()) await giveBackLease(tx, this.#name, { by, until });
    });
    for (const [until, since] of this.#unconfirmed)
      if (monotonicMs() - since > UNCONFIRMED_MS) this.#unconfirmed.delete(until);
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
      await this.settled();
    } while (!this.#lanes.every(({ isIdle }) => isIdle));
  }

  /**
   * Resolves when what is under way has been attempted. What a lane leases later does not count; without {@link
   * WorkerOptions.mayLease} it leases nothing.
   */
  settled(): Promise<unknown> {
    return Promise.all(this.#lanes.map((lane) => lane.settled()));
  }

  /** Takes no more jobs and waits for running ones; after a short time it aborts their signal. */
  async stop(): Promise<void> {
    for (const lane of this.#lanes) lane.close();
    clearInterval(this.#timer);
    this.#unsubscribe();
    const grace = setTimeout(() => this.#stopping.abort(), STOP_GRACE_MS);
    await this.settled();
    clearTimeout(grace);
  }
}
