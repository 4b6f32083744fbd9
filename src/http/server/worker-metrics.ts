import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { within } from '../../base/deadline.ts';

interface Asked {
  signetMetrics: number;
}
interface Answered extends Asked {
  text: string | null;
}

/** How long the other workers may take to answer, milliseconds. */
const PATIENCE_MS = 4000;

let asked = 0;

/**
 * The metrics of this process, in a worker those of all workers together: a scrape reaches any of them, and counters
 * that differ from scrape to scrape would look like restarts.
 */
export async function textOf(registry: Registry): Promise<string> {
  if (!cluster.isWorker) return registry.metrics();
  asked += 1;
  const id = asked;
  const { promise: answer, resolve } = Promise.withResolvers<string | null>();
  const hear = (message: Partial<Answered>): void => {
    if (message.signetMetrics === id) resolve(message.text ?? null);
  };
  process.on('message', hear);
  process.send?.({ signetMetrics: id } satisfies Asked);
  const text = await within(PATIENCE_MS, answer, () => null);
  process.off('message', hear);
  return text ?? registry.metrics();
}

/** Lets a worker take part in the metrics of all. Call it before the first scrape. */
export const shareMetrics = (registry: Registry): void => {
  if (!cluster.isWorker) return;
  AggregatorRegistry.setRegistries([registry]);
  // Its constructor answers the supervisor from now on.
  new AggregatorRegistry();
};

/** In the supervisor: answers the workers with the metrics of all of them. */
export function answerMetrics(): void {
  const all = new AggregatorRegistry();
  cluster.on('message', (worker: Worker, message: Partial<Asked>) => {
    const id = message?.signetMetrics;
    if (typeof id !== 'number') return;
    const reply = (text: string | null): void => {
      if (worker.isConnected()) worker.send({ signetMetrics: id, text } satisfies Answered);
    };
    all.clusterMetrics().then(reply, () => reply(null));
  });
}
