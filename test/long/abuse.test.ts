import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type Service, startService } from '../process/service.ts';
import { freshDatabase } from '../support/harness.ts';
import { standBy } from './bystander.ts';
import { MODEL_LIMITS, Model } from './model.ts';
import { startOutside } from './outside.ts';
import { printRow, quantile, sizeOf } from './size.ts';

/** Minutes of every attack at once. Each profile alone has one at most. */
const MINUTES = sizeOf(5);

/** Attacks by their names in `attack.ts`; null for all. `ATTACKS` names others. */
const PROFILES: Record<string, string | null> = process.env.ATTACKS
  ? { [process.env.ATTACKS]: process.env.ATTACKS }
  : {
      'nested HTML from one network to many addresses': 'many',
      calendars: 'calendar',
      'nested HTML from one network to one address': 'one',
      'mails of 24 MB from one network': 'large',
      'every attack at once': null,
    };
const CONNECTIONS = 6000;
/** The aim is 20 ms on an idle machine. Beside other work, a program waits for a core. */
const P99_MAX_MS = 1000;
/** Beside some of the attacks, and beside all: then attackers and service share the processors of one machine. */
const READABLE_MAX_MS = { some: 1000, all: 10_000 };
const ADDRESSES = 12;
const BOUND_MS = 150_000;

const ATTACK = fileURLToPath(new URL('./attack.ts', import.meta.url));
const HEALTH = new URL('./health.ts', import.meta.url);
/** Sign-ups stay limited; the bystander may call as often as it likes. */
const LIMITS = JSON.stringify({ ...JSON.parse(MODEL_LIMITS), registrations_per_ip_per_hour: 5 });

/**
 * How late the service's own turns were since this was last asked, in milliseconds: what a client sees on a machine that
 * is busy with its attackers is more. The figure is read every 10 ms, and holds these 10.
 */
async function lateness({ baseUrl }: Service): Promise<{ p99: number; most: number }> {
  const figures = await (await fetch(`${baseUrl}/metrics`)).text();
  const of = (name: string): number =>
    1000 * Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)$`, 'm').exec(figures)?.[1]) - 10;
  return { p99: of('p99'), most: of('max') };
}

const CASES = (['sqlite', 'postgres'] as const).flatMap((engine) =>
  Object.entries(PROFILES).map(([what, attacks]) => ({ engine, what, attacks })),
);

for (const { engine, what, attacks } of CASES) {
  const minutes = attacks === null || process.env.ATTACKS ? MINUTES : Math.min(1, MINUTES);
  it(`${minutes} min of ${what} on ${engine}: a bystander’s whole work goes on, and /health answers`, async (t) => {
    const { env, drop } = await freshDatabase(engine);
    const outside = await startOutside();
    const service = await startService({ ...env, LIMITS, ...outside.env });
    const model = new Model(() => [service], outside);
    let attack: ChildProcess | undefined;
    let health: Worker | undefined;
    try {
      await model.setUp(2);
      const attacker = (await service.api().post('/v1/auth/keys', {})).body.api_key as string;
      const addresses: string[] = [];
      for (let n = 0; n < ADDRESSES; n++) {
        const { body } = await service.api(attacker).post('/v1/email/claim', { address: `eve-${n}` });
        addresses.push(body.address);
      }
      const ports = [service.httpPort, service.smtpPort].map(String);
      const args = [ATTACK, ...ports, String(CONNECTIONS), attacker, ...addresses];
      // Attackers are on machines of their own: the service comes first on these processors.
      const attacking = spawn('nice', ['-n', '19', process.execPath, ...args], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, ...(attacks === null ? {} : { ATTACKS: attacks }) },
      });
      attack = attacking;
      const gone = once(attacking, 'exit');
      const said = text(attacking.stdout);
      await lateness(service);
      const until = performance.now() + minutes * 60_000;
      const isOver = (): boolean => performance.now() > until;
      const load = Promise.all([standBy(service, isOver), model.run(isOver)]);
      // Reported where it is awaited.
      load.catch(() => {});
      health = new Worker(HEALTH, { workerData: service.baseUrl });
      await Promise.race([sleep(until - performance.now()), once(health, 'exit')]);
      health.postMessage('over');
      const [waits] = (await once(health, 'message')) as [number[]];
      const late = await lateness(service);
      const [[first, ...readable]] = await load;
      attacking.kill('SIGTERM');
      await gone;
      const settled = await model.settled(BOUND_MS);
      const { calls, unavailable, mailedTwice } = await model.verify();
      const [middle, p99] = [quantile(waits, 0.5), quantile(waits, 0.99)];
      printRow(t, `${minutes} min of ${what}, ${engine}`, {
        '/health p50 ms': middle.toFixed(1),
        'p99 ms': p99.toFixed(1),
        'bystander calls': calls,
        unavailable,
        'own turns late p99 ms': late.p99.toFixed(1),
        'at most ms': late.most.toFixed(1),
        'mails from outside': readable.length + 1,
        'the first, which starts the threads, readable after ms': (first as number).toFixed(0),
        'readable p50 ms': quantile(readable, 0.5).toFixed(0),
        'readable after ms at most': Math.max(...readable).toFixed(0),
        mailedTwice,
        'settled after ms': settled,
        attack: await said,
      });
      assert.ok(readable.length > 0, 'the bystander got no second mail');
      const most = attacks === null ? READABLE_MAX_MS.all : READABLE_MAX_MS.some;
      assert.ok(Math.max(...readable) < most, `mail could be read after ${Math.max(...readable)} ms`);
      assert.ok(p99 < P99_MAX_MS, `p99 of /health: ${p99} ms`);
      assert.doesNotMatch(service.stdout(), /"level":(?:50|60)/, 'nothing of all this was a fault of the service');
    } finally {
      attack?.kill('SIGKILL');
      await health?.terminate();
      model.abandon();
      await service.kill('SIGKILL');
      await outside.close();
      await drop();
    }
  });
}
