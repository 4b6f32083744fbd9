import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../process/service.ts';
import { freshDatabase, requirePostgresUrl } from '../support/harness.ts';
import { outlive, type Scene } from './outlive.ts';
import { type PostgresProxy, startProxy } from './proxy.ts';
import { sizeOf } from './size.ts';

/** Troubles of each kind. */
const ROUNDS = sizeOf(10);
/** How long an instance is away. */
const AWAY_MS = 30_000;
/** Ten times the 15 s in which another instance goes on. */
const BOUND_MS = 150_000;

/** Runs the model over two instances; the second reaches the database through a proxy. */
async function overTwo(
  t: TestContext,
  what: string,
  trouble: (scene: Scene & { proxy: PostgresProxy }) => Promise<void>,
): Promise<void> {
  const { env, drop } = await freshDatabase('postgres');
  const proxy = await startProxy(requirePostgresUrl());
  const dataDir = mkdtempSync(join(tmpdir(), 'signet-test-'));
  const database = new URL(env.DATABASE_URL as string).pathname.slice(1);
  try {
    await outlive(t, {
      what,
      rounds: ROUNDS,
      boundMs: BOUND_MS,
      envs: [env, { ...env, DATA_DIR: dataDir, DATABASE_URL: proxy.url(database) }],
      trouble: (scene) => trouble({ ...scene, proxy }),
    });
  } finally {
    proxy.close();
    await drop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

describe('one of two instances fails under load', () => {
  it('killed and started again', async (t) => {
    await overTwo(t, 'one of two instances killed', async ({ services, random }) => {
      const which = random() < 0.5 ? 0 : 1;
      assert.equal((await (services[which] as Service).kill('SIGKILL')).signal, 'SIGKILL');
      await sleep(5000 * random());
      services[which] = await (services[which] as Service).restart();
    });
  });

  it('stopped for 30 s: when it comes back, nothing is done twice', async (t) => {
    await overTwo(t, 'one of two instances stopped for 30 s', async ({ services, random }) => {
      const stopped = services[random() < 0.5 ? 0 : 1] as Service;
      stopped.signal('SIGSTOP');
      await sleep(AWAY_MS);
      stopped.signal('SIGCONT');
    });
  });

  it('cut off from the database for 30 s: when it comes back, nothing is done twice', async (t) => {
    await overTwo(t, 'one of two instances cut off from PostgreSQL for 30 s', async ({ proxy }) => {
      proxy.cut();
      await sleep(AWAY_MS);
      proxy.mend();
    });
  });
});
