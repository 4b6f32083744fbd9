import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { readConfig } from '../../src/config/service-config.ts';
import { eventually } from '../support/eventually.ts';
import { freshDatabase, runSql } from '../support/harness.ts';
import { ROOMY_LIMITS, type Service, startService } from './service.ts';

const sealed = (text: string) => ({ ciphertext: Buffer.from(text).toString('base64') });

describe('an instance that stands still inside a transaction [postgres]', () => {
  let env: Record<string, string>;
  let drop: () => Promise<void>;
  let stopped: Service;
  let other: Service;
  let locker: pg.Client;

  before(async () => {
    ({ env, drop } = await freshDatabase('postgres'));
    [stopped, other] = (await Promise.all([0, 1].map(() => startService({ ...env, LIMITS: ROOMY_LIMITS })))) as [
      Service,
      Service,
    ];
    locker = new pg.Client({ connectionString: readConfig(env).databaseUrl as string });
    await locker.connect();
  });
  after(async () => {
    await locker?.end();
    await Promise.all([stopped?.kill('SIGKILL'), other?.kill('SIGKILL')]);
    await drop();
  });

  const sessions = async (condition: string): Promise<number> =>
    (
      await runSql(
        readConfig(env),
        `select 1 from pg_stat_activity where datname = current_database() and application_name = 'signet' and ${condition}`,
        [],
      )
    ).length;

  it('another one serves the account before it goes on; its own call did nothing, and can be repeated', async () => {
    const { api_key: key } = (await stopped.api().post('/v1/auth/keys')).body;
    const read = async (service: Service) => (await service.api(key).get('/v1/vault/plan')).body.ciphertext;
    assert.equal((await stopped.api(key).put('/v1/vault/plan', sealed('first'))).status, 201);

    // It waits for this row when it is stopped, so it is inside a transaction.
    await locker.query(`begin; select 1 from vault_entries where key = 'plan' for update`);
    const once = { 'idempotency-key': 'stopped-once' };
    const call = stopped.api(key).put('/v1/vault/plan', sealed('stopped'), once);
    await eventually(async () => (await sessions(`wait_event_type = 'Lock'`)) === 1, 'it waits for the row');
    stopped.signal('SIGSTOP');
    await locker.query('rollback');
    await eventually(async () => (await sessions(`wait_event_type = 'Lock'`)) === 0, 'it has the row');

    // One call waits for up to ten seconds; without a bound all of them would in vain.
    let served = 0;
    await eventually(async () => {
      served = (await other.api(key).put('/v1/vault/plan', sealed('other'))).status;
      return served !== 503;
    }, 'another instance serves the account');
    assert.equal(served, 200);

    stopped.signal('SIGCONT');
    const reply = await call;
    assert.deepEqual([reply.status, reply.body.code], [503, 'storage_unavailable']);
    assert.equal(await read(stopped), sealed('other').ciphertext);
    assert.equal((await stopped.api(key).put('/v1/vault/plan', sealed('stopped'), once)).status, 200);
    assert.equal(await read(other), sealed('stopped').ciphertext);
    const versions = await runSql(readConfig(env), `select version from vault_versions where key = 'plan'`, []);
    assert.equal(versions.length, 3);
  });
});
