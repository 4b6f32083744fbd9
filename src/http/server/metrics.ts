import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { CacheFill, WatchCache } from '../../base/cache-fill.ts';
import { requestMetrics } from './request-metrics.ts';
import { shareMetrics, textOf } from './worker-metrics.ts';

export interface Metrics {
  observe(method: string, route: string, status: number, ms: number): void;
  /** Adds a gauge that is read at each scrape. `across`: what several workers show together. */
  gauge(name: string, help: string, read: () => number | Promise<number>, across?: 'sum' | 'max'): void;
  /** Adds a gauge with a value for each word of a label. All workers read the same. */
  gaugeBy(label: string, name: string, help: string, read: () => Promise<Record<string, number>>): void;
  /** Adds a counter with a label of few words. @returns what counts one */
  counter(label: string, name: string, help: string): (word: string) => void;
  cache: WatchCache;
  /** Prometheus text format 0.0.4. */
  text(): Promise<string>;
}

const labelledMetrics = (registry: Registry): Pick<Metrics, 'gaugeBy' | 'counter'> => ({
  gaugeBy: (label, name, help, read) => {
    new Gauge({
      name,
      help,
      labelNames: [label],
      aggregator: 'max',
      registers: [registry],
      async collect() {
        this.reset();
        for (const [word, value] of Object.entries(await read())) this.set({ [label]: word }, value);
      },
    });
  },
  counter: (label, name, help) => {
    const counter = new Counter({ name, help, labelNames: [label], registers: [registry] });
    return (word) => counter.inc({ [label]: word });
  },
});

/** How full a cache is, from 0 to 1, by the bound that is nearer. */
const fullness = ({ size, max, calculatedSize, maxSize }: CacheFill): number =>
  Math.max(max > 0 ? size / max : 0, maxSize > 0 ? calculatedSize / maxSize : 0);

function cacheMetrics(registry: Registry): WatchCache {
  const caches = new Map<string, CacheFill>();
  const gauge = (name: string, help: string, aggregator: 'sum' | 'max', read: (cache: CacheFill) => number): void => {
    new Gauge({
      name,
      help,
      labelNames: ['cache'],
      aggregator,
      registers: [registry],
      collect() {
        for (const [cache, fill] of caches) this.set({ cache }, read(fill));
      },
    });
  };
  gauge('signet_cache_entries', 'Entries of a cache.', 'sum', ({ size }) => size);
  gauge('signet_cache_full_ratio', 'How full a cache is: at 1 it drops the oldest entries.', 'max', fullness);
  return (name, cache) => {
    caches.set(name, cache);
    return cache;
  };
}

/** The metrics of `GET /metrics`. Labels contain route patterns, never paths, because a path may contain an address. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  shareMetrics(registry);
  collectDefaultMetrics({ register: registry });
  const observe = requestMetrics(registry);
  // The default metrics sum up all threads. This thread is the bottleneck: all requests wait for it.
  new Counter({
    name: 'signet_main_thread_cpu_seconds_total',
    help: 'Processor time of the main thread, which answers all requests. Other threads parse mail.',
    aggregator: 'average',
    registers: [registry],
    collect() {
      const { user, system } = process.threadCpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  return {
    observe,
    gauge: (name, help, read, across = 'sum') => {
      new Gauge({
        name,
        aggregator: across,
        help,
        registers: [registry],
        async collect() {
          this.set(await read());
        },
      });
    },
    ...labelledMetrics(registry),
    cache: cacheMetrics(registry),
    text: () => textOf(registry),
  };
}
