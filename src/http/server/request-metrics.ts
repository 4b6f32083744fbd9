import { Counter, type Histogram, type Registry } from 'prom-client';

/** Upper bounds of the buckets, seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const SECONDS = 'signet_http_request_duration_seconds';

/** The answered requests of a route by one method. */
interface Answered {
  method: string;
  route: string;
  byStatus: Map<number, number>;
  /** How many took no longer than each bound, and longer than the one before. */
  byBound: number[];
  count: number;
  seconds: number;
}

const sampleOf = ({ method, route }: Answered, metricName: string, value: number, le?: string) => ({
  labels: { ...(le === undefined ? {} : { le }), method, route },
  value,
  metricName,
});

function samplesOf(answered: Answered) {
  let within = 0;
  const buckets = BOUNDS.map((bound, at) => {
    within += answered.byBound[at] as number;
    return sampleOf(answered, `${SECONDS}_bucket`, within, `${bound}`);
  });
  return [
    ...buckets,
    sampleOf(answered, `${SECONDS}_bucket`, answered.count, '+Inf'),
    sampleOf(answered, `${SECONDS}_sum`, answered.seconds),
    sampleOf(answered, `${SECONDS}_count`, answered.count),
  ];
}

/** Adds the metrics of requests. They are written out at a scrape: the library checks and hashes labels at each count. */
export function requestMetrics(
  registry: Registry,
): (method: string, route: string, status: number, ms: number) => void {
  const byRoute = new Map<string, Map<string, Answered>>();
  const all = (): Answered[] => [...byRoute.values()].flatMap((byMethod) => [...byMethod.values()]);

  function answeredOf(method: string, route: string): Answered {
    const byMethod = byRoute.get(route) ?? new Map<string, Answered>();
    byRoute.set(route, byMethod);
    const fresh = { method, route, byStatus: new Map(), byBound: BOUNDS.map(() => 0), count: 0, seconds: 0 };
    byMethod.set(method, fresh);
    return fresh;
  }

  new Counter({
    name: 'signet_http_requests_total',
    help: 'Requests answered.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { method, route, byStatus } of all())
        for (const [status, count] of byStatus) this.inc({ method, route, status: String(status) }, count);
    },
  });
  const help = 'Time from the first byte of a request to the last of its reply.';
  const durations = async () => ({
    name: SECONDS,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: all().flatMap(samplesOf),
  });
  // What a registry asks of a metric. The library's own could not be given sums.
  registry.registerMetric({ name: SECONDS, get: durations } as unknown as Histogram);

  return (method, route, status, ms) => {
    const answered = byRoute.get(route)?.get(method) ?? answeredOf(method, route);
    const { byStatus, byBound } = answered;
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    const seconds = ms / 1000;
    const at = BOUNDS.findIndex((bound) => seconds <= bound);
    if (at !== -1) byBound[at] = (byBound[at] as number) + 1;
    answered.count += 1;
    answered.seconds += seconds;
  };
}
