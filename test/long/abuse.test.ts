import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startService } from '../process/service.ts';
import { freshDatabase } from '../support/harness.ts';
import { MODEL_LIMITS, Model } from './model.ts';
import { startOutside } from './outside.ts';
import { printRow, quantile, sizeOf } from './size.ts';

/** Minutes of attack. */
const MINUTES = sizeOf(5);
const CONNECTIONS = 6000;
/** The aim is 20 ms. */
const P99_MAX_MS = 1000;
const BOUND_MS = 150_000;

const ATTACK = fileURLToPath(new URL('./attack.ts', import.meta.url));
/** Sign-ups stay limited; the bystander may call as often as it likes. */
const LIMITS = JSON.stringify({ ...JSON.parse(MODEL_LIMITS), registrations_per_ip_per_hour: 5 });

for (const engine of ['sqlite', 'postgres'] as const)
  it(`${MINUTES} min of every attack at once on ${engine}: a bystander’s whole work goes on, and /health answers`, async (t) => {
    const { env, drop } = await freshDatabase(engine);
    const outside = await startOutside();
    const service = await startService({ ...env, LIMITS, ...outside.env });
    const model = new Model(() => [service.baseUrl], outside);
    try {
      await model.setUp(2);
      const attacker = (await service.api().post('/v1/auth/keys', {})).body.api_key as string;
      const { address } = (await service.api(attacker).post('/v1/email/claim', { address: 'eve' })).body;
      const ports = [service.httpPort, service.smtpPort].map(String);
      const attack = spawn(process.execPath, [ATTACK, ...ports, String(CONNECTIONS), attacker, address], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const said = text(attack.stdout);
      const until = performance.now() + MINUTES * 60_000;
      const load = model.run(() => performance.now() > until);
      const waits: number[] = [];
      while (performance.now() < until) {
        const began = performance.now();
        assert.equal((await service.api().get('/health')).status, 200);
        waits.push(performance.now() - began);
        await sleep(50);
      }
      await load;
      attack.kill('SIGTERM');
      await once(attack, 'exit');
      const settled = await model.settled(BOUND_MS);
      const { calls, unavailable, mailedTwice } = await model.verify();
      const [middle, p99] = [quantile(waits, 0.5), quantile(waits, 0.99)];
      printRow(t, `${MINUTES} min of every attack at once, ${engine}`, {
        ...{ '/health p50 ms': middle.toFixed(1), 'p99 ms': p99.toFixed(1), 'bystander calls': calls, unavailable },
        ...{ mailedTwice, 'settled after ms': settled, attack: await said },
      });
      assert.ok(p99 < P99_MAX_MS, `p99 of /health: ${p99} ms`);
      assert.doesNotMatch(service.stdout(), /"level":(?:50|60)/, 'nothing of all this was a fault of the service');
    } finally {
      model.abandon();
      await service.kill('SIGKILL');
      await outside.close();
      await drop();
    }
  });
