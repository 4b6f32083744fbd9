import cluster, { type Worker } from 'node:cluster';
import { monotonicMs } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { answerMetrics } from '../../http/server/worker-metrics.ts';
import { firstSignal } from './process-signals.ts';

/** What the listening line of the log says. */
type Listening = Record<string, unknown> & { api: string };

/** A worker that lived shorter than this waits as long before it is started again. */
const STABLE_MS = 5000;

/** In a worker: tells the supervisor that this one listens. */
export const sendListening = (listening: Listening): void => void process.send?.({ signetListening: listening });

/** How a worker ended. */
interface End {
  code?: number | null;
  signal?: string | null;
  err?: Error;
}

/** The workers of this process, of which each that ends is started again until they are stopped. */
class Workers {
  readonly #log: Log;
  readonly #running = new Set<Worker>();
  readonly #restarts = new Set<NodeJS.Timeout>();
  #isStopping = false;
  /** Whether one ended with open work, or by itself, since the stop began. */
  #failed = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** @returns what the worker listens on; null if it ended before */
  start({ again }: { again: boolean }): Promise<Listening | null> {
    const since = monotonicMs();
    return new Promise((resolve) => {
      let mayReturn = again;
      let isServing = false;
      const onListening = (worker: Worker, listening: Listening): void => {
        mayReturn = true;
        isServing = true;
        this.#log.info({ worker: worker.process.pid }, 'a worker serves');
        resolve(listening);
      };
      const onEnd = (worker: Worker | null, end: End): void => {
        resolve(null);
        if (worker) this.#running.delete(worker);
        // One that is stopped before it serves ends by the signal itself.
        const isStopped = end.code === 0 || (end.signal === 'SIGTERM' && !isServing);
        if (this.#isStopping) this.#failed ||= !isStopped;
        else if (mayReturn) this.#replace({ worker: worker?.process.pid, ...end }, monotonicMs() - since);
        else if (end.err) this.#log.error({ err: end.err }, 'no worker can be started');
      };
      try {
        this.#fork(onListening, onEnd);
      } catch (err) {
        onEnd(null, { err: err as Error });
      }
    });
  }

  #fork(onListening: (worker: Worker, listening: Listening) => void, onEnd: (worker: Worker, end: End) => void): void {
    const worker = cluster.fork();
    this.#running.add(worker);
    worker.on('message', ({ signetListening }: { signetListening?: Listening }) => {
      if (signetListening) onListening(worker, signetListening);
    });
    worker.on('error', (err) => {
      // Without a process there is no exit. Anything else, such as a message that did not arrive, ends no worker.
      if (worker.process.pid === undefined) onEnd(worker, { err });
      else this.#log.error({ worker: worker.process.pid, err }, 'a worker cannot be reached');
    });
    worker.once('exit', (code, signal) => onEnd(worker, { code, signal }));
  }

  #replace(ended: Record<string, unknown>, livedMs: number): void {
    this.#log.error(ended, 'a worker ended and is started again');
    // It keeps this process alive: it may be all that is left to do.
    const timer = setTimeout(
      () => {
        this.#restarts.delete(timer);
        void this.start({ again: true });
      },
      livedMs < STABLE_MS ? STABLE_MS : 0,
    );
    this.#restarts.add(timer);
  }

  /** Lets every worker finish its work. @returns whether all did */
  async stop(): Promise<boolean> {
    this.#isStopping = true;
    for (const timer of this.#restarts) clearTimeout(timer);
    const ending = [...this.#running].map((worker) => {
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      worker.process.kill('SIGTERM');
      return ended;
    });
    await Promise.all(ending);
    return !this.#failed;
  }
}

/**
 * Runs `count` processes of the service until SIGTERM or SIGINT. They accept from the same sockets, so a connection that no
 * worker has got yet is not lost with one that dies. @returns the exit code
 */
export async function supervise(count: number, log: Log): Promise<number> {
  // The workers accept from one socket. If this process handed connections round, one on its way to a worker that dies
  // would stay open, and its client would wait.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  answerMetrics();
  const stopped = firstSignal();
  const workers = new Workers(log);
  // Alone: it migrates the database and makes the keys, and what it refuses is said once.
  const first = await Promise.race([workers.start({ again: false }), stopped]);
  if (first === null) return 1;
  if (typeof first !== 'string') {
    log.info({ ...first, workers: count }, `signet listens on ${first.api}`);
    for (let n = 1; n < count; n++) void workers.start({ again: true });
  }
  log.info({ signal: await stopped }, 'stopping: finishing open work');
  const isWhole = await workers.stop();
  if (isWhole) log.info({}, 'stopped');
  else log.error({}, 'a worker stopped with work still open');
  return isWhole ? 0 : 1;
}
