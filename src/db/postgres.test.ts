import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, beforeEach, describe, it } from 'node:test';
import { eventually } from '../../test/support/eventually.ts';
import { freshDatabase, runSql } from '../../test/support/harness.ts';
import { ApiError } from '../api/errors.ts';
import { type Database, pipeline, type Tx, Unconfirmed } from '../api/transaction.ts';
import { type Config, readConfig } from '../config/service-config.ts';
import { openDatabase } from './open.ts';
import { tables } from './statement.ts';

const sql = tables<{ totals: { id: number; sum: number } }>();
const addOne = sql((q, p: { id: number }) =>
  q
    .updateTable('totals')
    .set((eb) => ({ sum: eb('sum', '+', 1) }))
    .where('id', '=', p.id)
    .returning('sum'),
);
const sums = sql((q, _p: object) => q.selectFrom('totals').select('sum').orderBy('id'));
const insert = sql((q, p: { id: number }) => q.insertInto('totals').values({ id: p.id, sum: 0 }));

const ownPid = sql((q, _p: object) => q.selectNoFrom((eb) => eb.fn<number>('pg_backend_pid', []).as('pid')));
/** As the service does for all connections, only sooner. */
const boundIdle = sql((q, _p: object) =>
  q.selectNoFrom((eb) =>
    eb
      .fn<string>('set_config', [eb.val('idle_in_transaction_session_timeout'), eb.val('50'), eb.val(true)])
      .as('bound'),
  ),
);

/** Waits in its own process for the end of a session. */
const UNTIL_ENDED = `
  import pg from 'pg';
  import { eventually } from '${new URL('../../test/support/eventually.ts', import.meta.url).href}';
  const client = new pg.Client({ connectionString: process.env.URL });
  await client.connect();
  const isThere = async () =>
    (await client.query('select 1 from pg_stat_activity where pid = $1', [process.env.PID])).rowCount > 0;
  await eventually(async () => !(await isThere()));
  await client.end();`;

describe('transactions on PostgreSQL', () => {
  let config: Config;
  let database: Database;
  let drop: () => Promise<void>;
  const faults: string[] = [];

  const read = async (): Promise<number[]> => (await database.all(sums, {})).map(({ sum }) => sum);
  const isStorageFailure = (err: unknown): boolean => err instanceof ApiError && err.code === 'storage_unavailable';

  before(async () => {
    const fresh = await freshDatabase('postgres');
    drop = fresh.drop;
    config = readConfig(fresh.env);
    await runSql(config, 'create table totals (id bigint primary key, sum bigint not null)', []);
    database = openDatabase(config, { onError: (err) => void faults.push(err.message) });
  });
  beforeEach(async () => {
    await runSql(config, 'delete from totals', []);
    await runSql(config, 'insert into totals values (1, 0), (2, 9007199254740990)', []);
  });
  after(async () => {
    await database.close();
    await drop();
  });

  it('return 64-bit integers as numbers', async () => assert.deepEqual(await read(), [0, 9007199254740990]));

  it('that deadlock: the one that PostgreSQL cancels runs again, and both count once', async () => {
    await runSql(config, 'update totals set sum = 0', []);
    let runs = 0;
    let holding = 0;
    let both = (): void => {};
    const bothHold = new Promise<void>((resolve) => {
      both = resolve;
    });
    const inOrder = (first: number, second: number) => async (tx: Tx) => {
      runs += 1;
      await tx.run(addOne, { id: first });
      holding += 1;
      if (holding === 2) both();
      await bothHold;
      await tx.run(addOne, { id: second });
    };
    await Promise.all([database.transaction(inOrder(1, 2)), database.transaction(inOrder(2, 1))]);
    // Three, or more: the one that runs again can be quicker than the other one wakes, and is in its way again.
    assert.ok(runs >= 3, `${runs} runs`);
    assert.deepEqual(await read(), [2, 2]);
  });

  it('that run again leave nothing of earlier runs, and call afterCommit once', async () => {
    let [runs, after] = [0, 0];
    await database.transaction(async (tx) => {
      runs += 1;
      tx.afterCommit(() => {
        after += 1;
      });
      await tx.run(addOne, { id: 1 });
      if (runs < 3) throw Object.assign(new Error('conflict'), { code: '40001' });
    });
    assert.deepEqual([runs, after, (await read())[0]], [3, 1, 1]);
  });

  it('fail with storage_unavailable if they conflict again and again', async () => {
    let runs = 0;
    const stubborn = database.transaction(async () => {
      runs += 1;
      throw Object.assign(new Error('conflict'), { code: '40001' });
    });
    await assert.rejects(stubborn, isStorageFailure);
    assert.ok(runs > 1 && runs <= 11, String(runs));
  });

  it('that throw leave no trace, get their own error, and run once', async () => {
    const refusal = new ApiError('not_found');
    let runs = 0;
    const refused = database.transaction(async (tx) => {
      runs += 1;
      await tx.run(addOne, { id: 1 });
      throw refusal;
    });
    await assert.rejects(refused, (err) => err === refusal);
    assert.deepEqual([runs, (await read())[0]], [1, 0]);
  });

  it('with parallel statements write nothing after one of them has failed', async () => {
    const inSteps = async (tx: Tx): Promise<void> => {
      for (let id = 10; id < 15; id++) await tx.run(insert, { id });
    };
    await assert.rejects(
      database.transaction((tx) => pipeline([tx.run(insert, { id: 1 }), inSteps(tx)])),
      isStorageFailure,
    );
    assert.equal((await read()).length, 2);
    await database.transaction((tx) => pipeline([tx.run(insert, { id: 3 }), inSteps(tx)]));
    assert.equal((await read()).length, 8);
  });

  it('that violate a constraint fail without text of the database, and the connection stays usable', async () => {
    for (let i = 0; i < 40; i++) {
      const twice = database.transaction((tx) => tx.run(insert, { id: 1 }));
      await assert.rejects(twice, (err) => isStorageFailure(err) && !String(err).includes('duplicate'));
    }
    await database.transaction((tx) => tx.run(addOne, { id: 1 }));
    assert.equal((await read())[0], 1);
  });

  /** Cuts the connection of a transaction. Resolves when it was noticed, which the error handler hears of. */
  async function cutOff(tx: Tx): Promise<void> {
    faults.length = 0;
    const pid = (await tx.first(ownPid, {}))?.pid;
    await runSql(config, 'select pg_terminate_backend(?)', [pid]);
    await eventually(() => faults.length > 0);
  }

  it('fail if their connection is cut, and the next ones succeed', async () => {
    const cut = database.transaction(async (tx) => {
      await tx.run(addOne, { id: 1 });
      await cutOff(tx);
      await tx.run(addOne, { id: 1 });
    });
    await assert.rejects(cut, isStorageFailure);
    await database.transaction((tx) => tx.run(addOne, { id: 1 }));
    assert.equal((await read())[0], 1);
  });

  /** Lets PostgreSQL end the transaction as one of a process that stands still. */
  async function standStill(tx: Tx, waitForEnd: (pid: number) => Promise<void> | void): Promise<void> {
    faults.length = 0;
    const pid = (await tx.first(ownPid, {}))?.pid as number;
    await tx.first(boundIdle, {});
    await waitForEnd(pid);
  }

  it('fail if PostgreSQL ended them because they were idle, and neither happen nor run again', async () => {
    let runs = 0;
    const idle = database.transaction(async (tx) => {
      runs += 1;
      await tx.run(addOne, { id: 1 });
      await standStill(tx, async () => void (await eventually(() => faults.length > 0)));
      await tx.run(addOne, { id: 1 });
    });
    await assert.rejects(idle, isStorageFailure);
    assert.deepEqual([runs, (await read())[0]], [1, 0]);
    await database.transaction((tx) => tx.run(addOne, { id: 1 }));
    assert.equal((await read())[0], 1);
  });

  it('that were idle for too long when they send COMMIT are not confirmed, and do not run again', async () => {
    let runs = 0;
    const idle = database.transaction(async (tx) => {
      runs += 1;
      await tx.run(addOne, { id: 1 });
      // Stands still, as a stopped process does: the end of the connection is read after COMMIT was sent.
      await standStill(tx, (pid) => {
        const ended = spawnSync(process.execPath, ['--input-type=module', '-e', UNTIL_ENDED], {
          env: { URL: config.databaseUrl as string, PID: String(pid) },
          cwd: import.meta.dirname,
        });
        assert.equal(ended.status, 0, String(ended.stderr));
      });
    });
    await assert.rejects(idle, (err) => err instanceof Unconfirmed);
    assert.deepEqual([runs, (await read())[0]], [1, 0]);
  });

  it('fail with storage_unavailable if their connection breaks before COMMIT, which then has no SQLSTATE', async () => {
    const cut = database.transaction(async (tx) => {
      await tx.run(addOne, { id: 1 });
      await cutOff(tx);
    });
    await assert.rejects(cut, isStorageFailure);
    assert.equal((await read())[0], 0);
  });
});
