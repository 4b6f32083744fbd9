import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AggregatorRegistry, Counter, Histogram, Registry } from 'prom-client';
import { requestMetrics } from './request-metrics.ts';

const REPLIES = [
  ['GET', '/v1/pods/:pod_id', 200, 0.4],
  ['GET', '/v1/pods/:pod_id', 200, 1],
  ['GET', '/v1/pods/:pod_id', 404, 2.5],
  ['DELETE', '/v1/pods/:pod_id', 200, 2.6],
  ['POST', '/v1/charge', 402, 9999],
  ['GET', 'unknown', 404, 60_000],
] as const;

/** What the library makes of the same replies. */
function ofLibrary(): Registry {
  const registry = new Registry();
  const of = { registers: [registry] };
  const requests = new Counter({
    ...of,
    name: 'signet_http_requests_total',
    help: 'Requests answered.',
    labelNames: ['method', 'route', 'status'],
  });
  const durations = new Histogram({
    ...of,
    name: 'signet_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its reply.',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  });
  for (const [method, route, status, ms] of REPLIES) {
    requests.inc({ method, route, status: String(status) });
    durations.observe({ method, route }, ms / 1000);
  }
  return registry;
}

function ours(): Registry {
  const registry = new Registry();
  const observe = requestMetrics(registry);
  for (const [method, route, status, ms] of REPLIES) observe(method, route, status, ms);
  return registry;
}

const linesOf = (text: string): string[] => text.split('\n').sort();

describe('the metrics of requests', () => {
  it('read as those of the library, at each scrape', async () => {
    const [expected, registry] = [await ofLibrary().metrics(), ours()];
    assert.ok(expected.includes('_bucket{le="+Inf",method="POST",route="/v1/charge"} 1'), expected);
    for (let scrape = 0; scrape < 2; scrape++) assert.deepEqual(linesOf(await registry.metrics()), linesOf(expected));
  });

  it('add up over workers as those of the library', async () => {
    const of = async (registry: Registry): Promise<string[]> => {
      const json = await registry.getMetricsAsJSON();
      return linesOf(await AggregatorRegistry.aggregate([json, json]).metrics());
    };
    assert.deepEqual(await of(ours()), await of(ofLibrary()));
  });
});
