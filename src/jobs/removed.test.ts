import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../../test/support/eventually.ts';
import { freshDatabase, runSql, startTestApp, type TestApp } from '../../test/support/harness.ts';
import type { Database } from '../api/transaction.ts';
import { type Config, readConfig } from '../config/service-config.ts';
import { migrate, openDatabase } from '../db/open.ts';
import { Instance } from './instances.ts';
import { enqueueJob, freeJobs } from './queue.ts';
import { type JobHandlers, JobWorker } from './worker.ts';

/** Half of those of the minute that an instance doubts at most. */
const REPORTS_MAX = 12;

const NOON = Date.UTC(2026, 0, 14, 12);

type Sql = (text: string) => Promise<Record<string, unknown>[]>;

/** Waits until something is so. @returns the reports of the only instance meanwhile */
async function reportsUntil(sql: Sql, what: string, isSo: () => Promise<boolean> | boolean): Promise<number> {
  const seen = new Set<unknown>();
  await eventually(async () => {
    for (const { seen_at: at } of await sql('select seen_at from service_instances')) seen.add(at);
    return isSo();
  }, what);
  return seen.size;
}

/** As another instance does that has not heard of it for ten seconds. */
async function remove(sql: Sql): Promise<void> {
  await sql('with gone as (delete from service_instances) update jobs set lease_until = 0, leased_by = null');
  await eventually(async () => (await sql('select 1 from service_instances')).length === 1, 'it reports again');
}

describe('an instance that finds itself removed', () => {
  let t: TestApp;
  before(async () => {
    t = await startTestApp('postgres', {});
  });
  after(() => t?.stop());

  it('sends mail again at once when nothing is under way, not after a minute', async () => {
    const { api } = await t.createAccount();
    assert.equal((await api.post('/v1/email/claim', { address: 'ada' })).status, 201);
    await remove(t.sql);
    const mail = { from: 'ada', to: 'bob@out.example', subject: 'soon', text: 'hello' };
    assert.equal((await api.post('/v1/email/send', mail)).body.status, 'pending');
    const reports = await reportsUntil(
      t.sql,
      'sent',
      async () => (await api.get('/v1/email/outbox')).body.messages[0].status === 'sent',
    );
    assert.ok(reports <= REPORTS_MAX, `${reports} reports`);
  });
});

describe('an attempt that began before its instance was removed', () => {
  let config: Config;
  let database: Database;
  let drop: () => Promise<void>;
  const sql: Sql = (text) => runSql(config, text, []);
  before(async () => {
    const fresh = await freshDatabase('postgres');
    drop = fresh.drop;
    config = readConfig(fresh.env);
    await migrate(config);
    database = openDatabase(config);
  });
  after(async () => {
    await database?.close();
    await drop();
  });

  it('may not hand over however long it takes; new work starts when it has ended', async () => {
    const instance = new Instance(database);
    const started: string[] = [];
    const faults: unknown[] = [];
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const worker = new JobWorker({
      database,
      instanceId: instance.id,
      mayLease: instance.holdsLeases,
      now: () => NOON,
      handlers: {
        'mail.login': async ({ payload: { email } }: { payload: { email: string } }) => {
          started.push(email);
          if (email.startsWith('old')) await released;
          return { status: 'done' };
        },
      } as unknown as JobHandlers,
      onFault: (err) => void faults.push(err),
    });
    const add = (email: string) =>
      database.transaction((tx) => enqueueJob(tx, { kind: 'mail.login', payload: { email }, runAt: NOON }));
    await instance.start({
      releaseLeases: freeJobs,
      onLeasesReleased: () => worker.wake(),
      whenAttemptsEnd: () => worker.settled(),
      onFault: (err) => void faults.push(err),
    });
    worker.start();
    try {
      await add('old@example.com');
      await eventually(() => started.length === 1, 'attempted');
      await remove(sql);
      await eventually(() => !instance.holdsLeases(), 'it knows');
      await add('new@example.com');
      let asked = 0;
      const reports = new Set<unknown>();
      await eventually(async () => {
        for (const { seen_at: at } of await sql('select seen_at from service_instances')) reports.add(at);
        asked += instance.holdsLeases() ? 1 : 0;
        return reports.size > 2;
      }, 'two reports');
      assert.deepEqual([asked, started], [0, ['old@example.com']]);
      release();
      const later = await reportsUntil(sql, 'new work', () => started.includes('new@example.com'));
      assert.ok(later <= REPORTS_MAX, `${later} reports`);
      assert.deepEqual(faults, []);
    } finally {
      release();
      await worker.stop();
      await instance.stop();
    }
  });
});
