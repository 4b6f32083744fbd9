import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { eventually } from '../../test/support/eventually.ts';
import { startTestApp } from '../../test/support/harness.ts';

describe('an instance that stands still holds locks on what it leased', () => {
  it('another one goes on reporting, so that it starts new work, and takes over when the locks end', async () => {
    const t = await startTestApp('postgres', {});
    const stopped = new pg.Client({ connectionString: t.config.databaseUrl as string });
    const hasRow = async (): Promise<boolean> =>
      (await t.sql(`select 1 from service_instances where id = 'ins_stopped'`)).length > 0;
    const lastReport = async (): Promise<number> => {
      const [row] = await t.sql(`select seen_at from service_instances where id <> 'ins_stopped'`);
      return Number(row?.seen_at);
    };
    try {
      await stopped.connect();
      await t.sql(
        `insert into jobs (id, lane, kind, payload, attempts, run_at, lease_until, leased_by, created_at)
         values ('job_held', 'mail', 'mail.login', '{"email":"nobody@out.example"}', 1, 0, 9000000000000, 'ins_stopped', 0)`,
      );
      await stopped.query(`begin; select 1 from jobs where id = 'job_held' for update`);
      await t.sql(`insert into service_instances (id, seen_at) values ('ins_stopped', 0)`);
      // After each report it looks for instances that are gone, and meets the lock.
      for (const time of ['first', 'second']) {
        const before = await lastReport();
        await eventually(async () => (await lastReport()) > before, `the ${time} report`);
      }
      assert.ok(await hasRow(), 'the lock holds it');
      await stopped.query('rollback');
      await eventually(async () => !(await hasRow()), 'taken over');
      assert.deepEqual(await t.sql(`select 1 from jobs where leased_by = 'ins_stopped'`), []);
    } finally {
      await stopped.end();
      await t.stop();
    }
  });
});
