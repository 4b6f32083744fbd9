import type { Service } from '../test/process/service.ts';
import { httpRequest, type Measured, runLoad } from './rig/load.ts';
import { startPeer } from './rig/peer-process.ts';
import { type Bench, milliseconds, perSecond, type Row } from './rig/result.ts';
import { middle } from './rig/turns.ts';
import { ACCOUNTS, CALLS, type CallName, fill, LIMITS, type Next } from './rig/user-calls.ts';
import { withService } from './rig/with-service.ts';

const ROUNDS = 3;
const SECONDS = 2;
const WARM_UP_SECONDS = 1;

const showRun = ({ perSecond: rate, cpuMicros, p50Ms, p99Ms }: Measured): string =>
  `${cpuMicros.toFixed(0)} µs, ${perSecond(rate)}, p50 ${milliseconds(p50Ms)}, p99 ${milliseconds(p99Ms)}`;

/** The seconds that the service has spent collecting garbage. */
async function garbageSeconds(service: Service): Promise<number> {
  const text = await (await fetch(`${service.baseUrl}/metrics`)).text();
  return [...text.matchAll(/^nodejs_gc_duration_seconds_sum\{[^}]*\} (\S+)$/gm)].reduce(
    (sum, [, s]) => sum + Number(s),
    0,
  );
}

const MACHINE = 'the machine: any reply of a bare node:http server';
const BARE = httpRequest('GET', '/', null);
const HEALTH = httpRequest('GET', '/health', null);

/** What p99 may be of p50. */
const SPREAD_AIM = 2.5;

interface Called {
  row: Row;
  /** p99 divided by p50. */
  spread: number;
}

/** Measures one call. @returns its row: ours in processor time */
async function measure(service: Service, what: string, next: Next, say: (line: string) => void): Promise<Called> {
  const load = (seconds: number): Promise<Measured> =>
    runLoad({ port: service.httpPort, connections: ACCOUNTS, seconds, next, pids: [service.pid] });
  await load(WARM_UP_SECONDS);
  const runs: Measured[] = [];
  const garbageBefore = await garbageSeconds(service);
  for (let round = 0; round < ROUNDS; round++) runs.push(await load(SECONDS));
  const best = middle(runs);
  const garbage = ((await garbageSeconds(service)) - garbageBefore) / (ROUNDS * SECONDS);
  const spread = best.p99Ms / best.p50Ms;
  const ours = `${showRun(best)}, p99 / p50 ${spread.toFixed(1)}, garbage ${(100 * garbage).toFixed(1)} %`;
  say(`${what}: ${ours}`);
  return { row: { what, ours, peer: null, ratio: null, aim: '-' }, spread };
}

/** What the machine gives: the least that any call can take. It tells two runs of this table apart. */
async function measureMachine(say: (line: string) => void): Promise<Row> {
  const peer = await startPeer('bare-server.ts', { port: 0, headers: { 'content-length': '2' }, body: '{}' });
  try {
    const next = (): Buffer => BARE;
    const load = (seconds: number): Promise<Measured> =>
      runLoad({ port: peer.port, connections: ACCOUNTS, seconds, next, pids: [peer.pid] });
    await load(WARM_UP_SECONDS);
    const ours = showRun(await load(SECONDS));
    say(`${MACHINE}: ${ours}`);
    return { what: MACHINE, ours, peer: null, ratio: null, aim: '-' };
  } finally {
    await peer.stop();
  }
}

export const bench: Bench = {
  question: `How much processor time does each call cost, from ${ACCOUNTS} connections of a client that never sleeps?`,
  run: (say) =>
    withService({ env: { LIMITS } }, async (service) => {
      const machine = await measureMachine(say);
      const called = [await measure(service, 'GET /health', () => HEALTH, say)];
      for (const [name, next] of await fill(service.api, Object.keys(CALLS) as CallName[])) {
        if (typeof next === 'string') throw new Error(next);
        called.push(await measure(service, CALLS[name].title, next, say));
      }
      const widest = called.reduce((worst, one) => (one.spread > worst.spread ? one : worst));
      const ours = `${widest.spread.toFixed(1)}, ${widest.row.what}`;
      const last = { what: 'the widest p99 / p50 of these calls', ours, peer: `${SPREAD_AIM}` };
      return [
        machine,
        ...called.map(({ row }) => row),
        { ...last, ratio: widest.spread / SPREAD_AIM, aim: '<= 1 of the goal' },
      ];
    }),
};
