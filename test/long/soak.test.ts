import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../src/config/service-config.ts';
import { assertChainsHold } from '../process/consistency.ts';
import { startService } from '../process/service.ts';
import { freshDatabase } from '../support/harness.ts';
import { MODEL_LIMITS, Model } from './model.ts';
import { startOutside } from './outside.ts';
import { printRow, quantile, sizeOf } from './size.ts';

/** Minutes of load. */
const MINUTES = sizeOf(40);
const LOOK_MS = 5000;
const MB = 1_048_576;
/** From this part of the time on, memory should stand still. */
const WARM = 0.25;
/** The aim is 5 %; a test refuses ten times as much. */
const GROWTH_MAX = 1.5;

const rssOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

for (const engine of ['sqlite', 'postgres'] as const)
  it(`${MINUTES} min of mixed load on ${engine}: memory stands still after the first quarter`, async (t) => {
    const { env, drop } = await freshDatabase(engine);
    const outside = await startOutside();
    const service = await startService({ ...env, LIMITS: MODEL_LIMITS, ...outside.env });
    try {
      await sleep(LOOK_MS);
      const idle = rssOf(service.pid);
      const model = new Model(() => [service], outside, { withLives: false });
      await model.setUp(4);
      const until = performance.now() + MINUTES * 60_000;
      const load = model.run(() => performance.now() > until);
      const seen: number[] = [];
      while (performance.now() < until) {
        seen.push(rssOf(service.pid));
        await sleep(Math.min(LOOK_MS, Math.max(0, until - performance.now())));
      }
      await load;
      await model.settled(150_000);
      const { calls, unavailable } = await model.verify();
      await assertChainsHold(readConfig(env), 0);
      const warm = seen.slice(Math.floor(seen.length * WARM));
      const tenth = Math.max(1, Math.floor(warm.length / 10));
      // Medians: single figures depend on when garbage was collected.
      const [first, last] = [quantile(warm.slice(0, tenth), 0.5), quantile(warm.slice(-tenth), 0.5)];
      const mb = (bytes: number): string => `${Math.round(bytes / MB)} MB`;
      printRow(t, `${MINUTES} min of mixed load on ${engine}`, {
        calls,
        unavailable,
        idle: mb(idle),
        'after a quarter': mb(first),
        'at the end': mb(last),
        most: mb(Math.max(...seen)),
        growth: `${(100 * (last / first - 1)).toFixed(1)} %`,
      });
      assert.ok(last < first * GROWTH_MAX, `from ${mb(first)} to ${mb(last)}`);
    } finally {
      await service.kill('SIGTERM');
      await outside.close();
      await drop();
    }
  });
