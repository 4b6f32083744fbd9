import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { readConfig } from '../../src/config/service-config.ts';
import { outlive } from '../long/outlive.ts';
import { startProxy } from '../long/proxy.ts';
import { eventually } from '../support/eventually.ts';
import { IS_FULL_RUN, itInAll } from '../support/full-run.ts';
import { freshDatabase } from '../support/harness.ts';
import { createDatabase, startPostgres } from '../support/postgres.ts';
import { outliveLeases } from './kill.ts';
import type { Service } from './service.ts';

// The short form of the long profiles `crash`, `postgres` and `instances`; see docs/reliability.md.

/** The long profiles have narrower ones. This also holds on a machine that does much else. */
const BOUND_MS = 150_000;

it('kill -9 under the whole API, on sqlite: everything acknowledged exists once', async (t) => {
  const { env, drop } = await freshDatabase('sqlite');
  try {
    await outlive(t, {
      what: 'kill -9 under the whole API, sqlite',
      rounds: IS_FULL_RUN ? 2 : 1,
      boundMs: BOUND_MS,
      envs: [env],
      withPrograms: true,
      trouble: async ({ services }) => {
        await (services[0] as Service).kill('SIGKILL');
        services[0] = await (services[0] as Service).restart();
      },
    });
  } finally {
    await drop();
  }
});

itInAll('kill -9, a crash of PostgreSQL and a cut connection under the whole API: the same', async (t) => {
  const postgres = await startPostgres();
  const proxy = await startProxy(postgres.url);
  const dataDir = mkdtempSync(join(tmpdir(), 'signet-test-'));
  try {
    await createDatabase(postgres.url, 'bad_days');
    const env = {
      DATA_DIR: dataDir,
      DATABASE_URL: proxy.url('bad_days'),
      MASTER_KEY: randomBytes(32).toString('base64'),
    };
    const troubles = [
      async (services: Service[]) => {
        await (services[0] as Service).kill('SIGKILL');
        await outliveLeases(readConfig(env));
        services[0] = await (services[0] as Service).restart();
      },
      async () => {
        await postgres.halt('SIGQUIT');
        await postgres.start();
      },
      async () => {
        proxy.cut();
        await eventually(() => proxy.held() > 0, 'a statement hangs');
        proxy.mend();
      },
    ];
    const rounds = troubles.length;
    await outlive(t, {
      what: 'kill -9, PostgreSQL down, connection cut',
      rounds,
      boundMs: BOUND_MS,
      envs: [env],
      trouble: async ({ services }) => troubles.shift()?.(services),
    });
  } finally {
    proxy.close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
