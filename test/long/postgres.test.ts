import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createDatabase, type Postgres, startPostgres } from '../support/postgres.ts';
import { outlive } from './outlive.ts';
import { sizeOf } from './size.ts';
import { fill, mayMount, onSmallDisk } from './small-disk.ts';

/** Outages of each kind. */
const ROUNDS = sizeOf(20);
/** How long what was begun may take after an outage: ten times the 15 s that docs/reliability.md names. */
const BOUND_MS = 150_000;

type Trouble = (postgres: Postgres, random: () => number) => Promise<void>;

/** Runs the model over a PostgreSQL of its own. */
async function overPostgres(
  t: TestContext,
  what: string,
  server: { under?: string; maxConnections?: number },
  trouble: Trouble,
): Promise<void> {
  const postgres = await startPostgres({ durable: true, ...server });
  const dataDir = mkdtempSync(join(tmpdir(), 'signet-test-'));
  try {
    const url = await createDatabase(postgres.url, 'outage');
    const env = { DATA_DIR: dataDir, DATABASE_URL: url, MASTER_KEY: randomBytes(32).toString('base64') };
    await outlive(t, {
      what,
      rounds: ROUNDS,
      envs: [env],
      boundMs: BOUND_MS,
      trouble: ({ random }) => trouble(postgres, random),
    });
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

describe('PostgreSQL fails under load', () => {
  it('restarted, in order and by a crash, and away for some seconds', async (t) => {
    await overPostgres(t, 'PostgreSQL restarted', {}, async (postgres, random) => {
      await postgres.halt(random() < 0.5 ? 'SIGINT' : 'SIGQUIT');
      await sleep(4000 * random());
      await postgres.start();
    });
  });

  it('out of connections', async (t) => {
    await overPostgres(t, 'PostgreSQL out of connections', { maxConnections: 60 }, async (postgres, random) => {
      const taken: pg.Client[] = [];
      const take = async (): Promise<boolean> => {
        const client = new pg.Client(postgres.url);
        client.on('error', () => {});
        taken.push(client);
        return client.connect().then(
          () => true,
          () => false,
        );
      };
      // The service gives back what it does not use, and another takes it.
      const until = performance.now() + 1000 + 3000 * random();
      while (performance.now() < until) if (!(await take())) await sleep(50);
      // It loses those that it has.
      await taken[0]?.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'signet'`);
      for (let n = 0; n < 20; n++) await take();
      await sleep(2000 * random());
      await Promise.all(taken.map((client) => client.end().catch(() => {})));
    });
  });

  it('its disk full', { skip: mayMount }, async (t) => {
    await onSmallDisk(400, (disk) =>
      overPostgres(t, 'the disk of PostgreSQL full', { under: disk }, async (postgres, random) => {
        const empty = fill(disk);
        await sleep(1000 + 4000 * random());
        empty();
        // Without space for its log PostgreSQL may end itself. The people who run it start it again.
        await postgres.start();
      }),
    );
  });
});
