/**
 * Threads that read untrusted mail. A message may be crafted to take minutes or gigabytes: it must then lose only its own
 * result. See docs/adr/0014-sender-checks-in-a-thread.md.
 */
import { Worker } from 'node:worker_threads';
import { copyForThread, isLong } from '../base/byte-slices.ts';
import { monotonicMs } from '../base/clock.ts';
import { FairQueue, type Origin, ownersOf } from './fair-queue.ts';
import type { PoolTask, TaskProblem, TaskResult, WorkerPoolOptions } from './worker-pool-options.ts';
import type { FromWorker, ToWorker } from './worker-protocol.ts';

/** The pool was closed before the message had a result. */
export class PoolClosedError extends Error {
  override readonly name = 'PoolClosedError';

  constructor() {
    super('the worker pool is closed');
  }
}

interface Job {
  task: PoolTask<unknown, unknown, unknown>;
  origin: Origin;
  /** When its thread began with it, milliseconds of the monotonic clock; 0 before. */
  startedAt: number;
  resolve: (result: TaskResult<unknown>) => void;
  reject: (err: Error) => void;
}

/**
 * Messages that a thread of kind `one` holds beyond the one it works on, so that it never waits for the main thread and
 * the results of many small messages arrive in one turn and share a commit. A large message is handed over alone.
 */
const AHEAD = { messages: 64, bytes: 131_072 };
/** A thread whose message has taken longer gets no other to hold: another thread may be free sooner. */
const SLOW_MS = 50;
/** How long a thread may load its code. */
const START_MS = 60_000;
/** The deadline runs in steps. A paused machine uses up only one, so the message is not blamed. */
const DEADLINE_STEPS = 10;
/** A thread holds 20 to 60 MB and starts in 100 ms. */
const IDLE_MS = 45_000;
const NOBODY: Origin = { network: '', addresses: [] };

/** Threads start with the first message, and end some time after the last. Idle threads do not keep the process alive. */
export class WorkerPool<Context, Reply, Question = never, Answer = never> {
  readonly #queue = new FairQueue<Job>();
  readonly #slots: WorkerSlot[];
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    const onFree = (unfinished: Job[]): void => {
      for (const job of unfinished.toReversed()) this.#queue.unshift(job, job.origin);
      this.#dispatch();
    };
    const onSpent = (job: Job): void => this.#queue.spend(job.origin, monotonicMs() - job.startedAt);
    this.#slots = Array.from({ length: options.workers }, () => new WorkerSlot(options, onFree, onSpent));
  }

  /** @throws {PoolClosedError} after {@link close}; for nothing that a message holds */
  run(task: PoolTask<Context, Question, Answer>): Promise<TaskResult<Reply>> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) {
        reject(new PoolClosedError());
        return;
      }
      // The types of one task fit each other; a slot passes them on unread.
      const { origin = NOBODY } = task;
      this.#queue.push({ task, origin, startedAt: 0, resolve, reject } as unknown as Job, origin);
      this.#dispatch();
    });
  }

  /** Ends the threads and rejects every message that has no result yet. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#queue.clear()) job.reject(new PoolClosedError());
    await Promise.all(this.#slots.map((slot) => slot.close()));
  }

  #dispatch(): void {
    for (;;) {
      const slotFor = this.#chooser();
      const job = this.#queue.take((next) => slotFor(next) !== undefined);
      if (job === undefined) return;
      slotFor(job)?.run(job);
    }
  }

  /**
   * Chooses the thread for a message. The last free one is not for a message that shares its network or an address with
   * one that another thread has: each of them may take long. See ADR 0120.
   */
  #chooser(): (job: Job) => WorkerSlot | undefined {
    const slots = this.#slots.toSorted((a, b) => a.load - b.load);
    // Looked at once: a message is asked about again when it is taken. If its thread were slow only then, it would be lost.
    const open = slots.filter(({ isSlow }) => !isSlow);
    const isReserved = slots.length > 1 && slots.filter(({ load }) => load === 0).length === 1;
    const served = new Set(isReserved ? slots.flatMap((slot) => slot.owners) : []);
    return ({ task, origin }) => {
      const mayHaveLast = !ownersOf(origin).some((owner) => served.has(owner));
      return open.find((slot) => slot.takes(task.raw) && (slot.load > 0 || mayHaveLast));
    };
  }
}

/** One thread of the pool and the messages it holds. A thread that fails is replaced with the next message. */
class WorkerSlot {
  readonly #options: WorkerPoolOptions;
  readonly #onFree: (unfinished: Job[]) => void;
  readonly #jobs = new Map<number, Job>();
  readonly #timers = new Map<number, NodeJS.Timeout>();
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  /** Loading its code takes a thread longer than most messages do, and says nothing about them. */
  #isReady = false;
  readonly #onSpent: (job: Job) => void;
  #bytes = 0;
  #ids = 0;

  constructor(options: WorkerPoolOptions, onFree: (unfinished: Job[]) => void, onSpent: (job: Job) => void) {
    this.#options = options;
    this.#onFree = onFree;
    this.#onSpent = onSpent;
  }

  get load(): number {
    return this.#jobs.size;
  }

  /** How long the message that it works on has taken, in milliseconds. */
  get #busyMs(): number {
    const [current] = this.#jobs.values();
    return current && this.#isReady ? monotonicMs() - current.startedAt : 0;
  }

  get isSlow(): boolean {
    return this.#options.atATime === 'one' && this.#busyMs > SLOW_MS;
  }

  /** Whose messages it holds. */
  get owners(): string[] {
    return [...this.#jobs.values()].flatMap(({ origin }) => ownersOf(origin));
  }

  /** Unless it is slow. */
  takes(raw: Uint8Array): boolean {
    if (this.#jobs.size === 0 || this.#options.atATime === 'many') return true;
    return this.#jobs.size < AHEAD.messages && this.#bytes + raw.length <= AHEAD.bytes;
  }

  run(job: Job): void {
    this.#worker ??= this.#start();
    if (this.#jobs.size === 0) this.#worker.ref();
    clearTimeout(this.#idle);
    const id = this.#ids++;
    this.#jobs.set(id, job);
    job.startedAt = monotonicMs();
    this.#bytes += job.task.raw.length;
    if (this.#jobs.size === 1 || this.#options.atATime === 'many') this.#startTimer(id);
    // A copy: the caller keeps the raw bytes, and a view may belong to a far larger buffer.
    if (isLong(job.task.raw.length)) void this.#copyInTurns(id, job);
    else this.#hand(id, job, new Uint8Array(job.task.raw).buffer);
  }

  async #copyInTurns(id: number, job: Job): Promise<void> {
    try {
      this.#hand(id, job, await copyForThread(job.task.raw));
    } catch (err) {
      // There is no memory for the copy. That says nothing about the message.
      this.#leave(id, () => job.reject(err as Error));
    }
  }

  /** Does nothing when the message has its result already: the thread may have ended meanwhile. */
  #hand(id: number, job: Job, raw: ArrayBuffer): void {
    if (this.#jobs.get(id) !== job) return;
    this.#worker?.postMessage({ kind: 'task', id, raw, context: job.task.context } satisfies ToWorker, [raw]);
  }

  async close(): Promise<void> {
    for (const job of this.#takeAll()) job.reject(new PoolClosedError());
    await this.#end();
  }

  /** Ends the thread; the next message starts another. */
  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    this.#isReady = false;
    clearTimeout(this.#idle);
    await worker?.terminate();
  }

  /** Nothing is left to do. */
  #rest(): void {
    this.#worker?.unref();
    this.#idle = setTimeout(() => void this.#end(), this.#options.idleMs ?? IDLE_MS).unref();
  }

  #start(): Worker {
    const { name, file, heapMb } = this.#options;
    const worker = new Worker(file, {
      name,
      // Code that reads hostile input has no business with the environment and the secrets in it.
      env: {},
      // Nor with the flags of the process: some of them (`--input-type`, `--test`) are not for a worker at all.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 64 },
    });
    // Events of a worker that was replaced no longer matter.
    const isCurrent = (): boolean => this.#worker === worker;
    worker.on('message', (message: FromWorker) => {
      if (!isCurrent()) return;
      if (message.kind === 'ready') this.#begin();
      else if (message.kind === 'question') void this.#answer(worker, message);
      else this.#finish(message);
    });
    worker.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (isCurrent()) this.#fail(code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out_of_memory' : 'worker_crashed');
    });
    worker.on('exit', () => {
      if (isCurrent()) this.#fail('worker_crashed');
    });
    return worker;
  }

  async #answer(worker: Worker, { id, task, question }: Extract<FromWorker, { kind: 'question' }>): Promise<void> {
    const ask = async (): Promise<unknown> => {
      const { answer } = this.#jobs.get(task)?.task ?? {};
      if (!answer) throw new Error('the message has its result already');
      return answer(question);
    };
    const answered: ToWorker = await ask().then(
      (answer) => ({ kind: 'answer', id, answer }),
      ({ code }: NodeJS.ErrnoException) => ({ kind: 'no_answer', id, code: code ?? null }),
    );
    worker.postMessage(answered);
  }

  #finish(message: Extract<FromWorker, { kind: 'reply' | 'refused' }>): void {
    this.#leave(message.id, (job) =>
      job.resolve(message.kind === 'reply' ? { reply: message.reply } : { problem: 'refused' }),
    );
  }

  #leave(id: number, settle: (job: Job) => void): void {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    this.#stopTimer(id);
    this.#jobs.delete(id);
    this.#bytes -= job.task.raw.length;
    this.#onSpent(job);
    const [next] = this.#jobs.entries();
    if (next === undefined) this.#rest();
    else if (this.#options.atATime === 'one') {
      next[1].startedAt = monotonicMs();
      this.#startTimer(next[0]);
    }
    settle(job);
    this.#onFree([]);
  }

  /** The time of a message counts from here: on a busy machine, loading the code takes seconds. */
  #begin(): void {
    this.#isReady = true;
    for (const job of this.#jobs.values()) job.startedAt = monotonicMs();
    for (const id of [...this.#timers.keys()]) {
      this.#stopTimer(id);
      this.#startTimer(id);
    }
  }

  #fail(problem: TaskProblem): void {
    // Not awaited: ending a thread that spins takes a moment, and the next message need not wait for it.
    void this.#end();
    const jobs = this.#takeAll();
    const blamed = this.#options.atATime === 'one' ? jobs.splice(0, 1) : jobs.splice(0);
    for (const job of blamed) {
      this.#onSpent(job);
      job.resolve({ problem });
    }
    this.#onFree(jobs);
  }

  #startTimer(id: number): void {
    let left = DEADLINE_STEPS;
    const step = (): unknown => --left || this.#fail('deadline');
    this.#timers.set(id, setInterval(step, (this.#isReady ? this.#options.deadlineMs : START_MS) / DEADLINE_STEPS));
  }

  #stopTimer(id: number): void {
    clearInterval(this.#timers.get(id));
    this.#timers.delete(id);
  }

  #takeAll(): Job[] {
    const jobs = [...this.#jobs.values()];
    for (const timer of this.#timers.values()) clearInterval(timer);
    this.#timers.clear();
    this.#jobs.clear();
    this.#bytes = 0;
    return jobs;
  }
}
