import cluster, { type Worker } from 'node:cluster';
import { answerMetrics } from '../http/worker-metrics.ts';
import { monotonicMs } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { firstSignal } from './signals.ts';

/** What the listening line of the log says. */
type Listening = Record<string, unknown> & { api: string };

/** A worker that lived shorter than this waits as long before it is started again. */
const STABLE_MS = 5000;

/** In a worker: tells the supervisor that this one listens. */
export const sendListening = (listening: Listening): void => void process.send?.({ signetListening: listening });

/** The workers of this process, of which each that ends is started again until they are stopped. */
class Workers {
  readonly #log: Log;
  readonly #running = new Set<Worker>();
  #isStopping = false;
  /** Whether one ended with open work, or by itself, since the stop began. */
  #failed = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** @returns what the worker listens on; null if it ended before */
  start({ again }: { again: boolean }): Promise<Listening | null> {
    const worker = cluster.fork();
    const since = monotonicMs();
    this.#running.add(worker);
    return new Promise((resolve) => {
      let mayReturn = again;
      worker.on('message', ({ signetListening }: { signetListening?: Listening }) => {
        if (!signetListening) return;
        mayReturn = true;
        this.#log.info({ worker: worker.process.pid }, 'a worker serves');
        resolve(signetListening);
      });
      worker.once('exit', (code, signal) => {
        resolve(null);
        this.#running.delete(worker);
        if (this.#isStopping) this.#failed ||= code !== 0;
        else if (mayReturn) this.#replace({ worker: worker.process.pid, code, signal }, monotonicMs() - since);
      });
    });
  }

  #replace(ended: Record<string, unknown>, livedMs: number): void {
    this.#log.error(ended, 'a worker ended and is started again');
    const start = (): void => {
      if (!this.#isStopping) void this.start({ again: true });
    };
    setTimeout(start, livedMs < STABLE_MS ? STABLE_MS : 0).unref();
  }

  /** Lets every worker finish its work. @returns whether all did */
  async stop(): Promise<boolean> {
    this.#isStopping = true;
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
  const first = await workers.start({ again: false });
  if (first === null) return 1;
  log.info({ ...first, workers: count }, `signet listens on ${first.api}`);
  for (let n = 1; n < count; n++) void workers.start({ again: true });
  log.info({ signal: await stopped }, 'stopping: finishing open work');
  const isWhole = await workers.stop();
  if (isWhole) log.info({}, 'stopped');
  else log.error({}, 'a worker stopped with work still open');
  return isWhole ? 0 : 1;
}
