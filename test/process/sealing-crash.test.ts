import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { SEAL_PREFIX, Sealer } from '../../src/base/sealing.ts';
import { type Config, readConfig } from '../../src/config/service-config.ts';
import { WEBHOOK_SECRET } from '../../src/features/mail/webhooks/webhook-table.ts';
import { eventually } from '../support/eventually.ts';
import { ANY_ENGINE } from '../support/full-run.ts';
import { freshDatabase, runSql } from '../support/harness.ts';
import { outliveLeases } from './kill.ts';
import { launch, startService } from './service.ts';

const KEY = Buffer.alloc(32, 5);
/** Enough that sealing them takes many transactions. */
const ROWS = 10_000;

const secretOf = (id: string): string => `plain-secret-of-${id}-`;

const countSealed = async (config: Config): Promise<number> => {
  const [row] = await runSql(config, 'select count(*) as n from webhooks where secret like ?', [`${SEAL_PREFIX}%`]);
  return Number(row?.n);
};

/** Makes a database as version 0.1 left it: many webhooks, with their secrets in the clear and no master key. */
async function fillPlain(env: Record<string, string>, config: Config): Promise<void> {
  const service = await startService(env);
  const { api_key } = (await service.api().post('/v1/auth/keys', {})).body;
  const api = service.api(api_key);
  const { address } = (await api.post('/v1/email/claim', { address: 'early' })).body;
  const made = await api.post('/v1/email/webhooks', { address, url: 'https://hooks.example.com/', secret: 'first' });
  assert.equal(made.status, 201, made.text);
  await service.kill('SIGTERM');
  const [row] = await runSql(config, 'select * from webhooks', []);
  const columns = Object.keys(row ?? {}).filter((name) => name !== 'id' && name !== 'secret');
  await runSql(
    config,
    `insert into webhooks (id, secret, ${columns.join(', ')})
     with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${ROWS})
     select 'whk_' || n, 'plain-secret-of-whk_' || n || '-', ${columns.join(', ')} from numbers, webhooks`,
    [],
  );
  await runSql(config, 'delete from webhooks where id = ?', [made.body.id]);
  await forgetKey(config);
}

async function forgetKey(config: Config): Promise<void> {
  await runSql(config, 'delete from service_settings', []);
  await runSql(config, 'delete from master_keys', []);
}

/** Makes every secret plain again. */
async function unseal(config: Config): Promise<void> {
  await runSql(config, `update webhooks set secret = 'plain-secret-of-' || id || '-'`, []);
  await forgetKey(config);
}

/** Starts the service and kills it once it has sealed more than `sealed` secrets. @returns how many it has sealed */
async function killWhileSealing(env: Record<string, string>, config: Config, sealed: number): Promise<number> {
  const { child, exited, stderr } = launch(env);
  await eventually(async () => (await countSealed(config)) > sealed || child.exitCode !== null);
  assert.equal(child.exitCode, null, `the service ended: ${stderr()}`);
  child.kill('SIGKILL');
  await exited;
  if (config.databaseUrl !== null) await outliveLeases(config);
  return countSealed(config);
}

describe('a service that is killed while it seals what an earlier version stored in the clear', () => {
  for (const engine of ANY_ENGINE)
    it(`${engine}: seals the rest at the next start, and loses no secret`, async () => {
      const fresh = await freshDatabase(engine);
      const env = {
        ...fresh.env,
        PORT: '0',
        SMTP_PORT: '0',
        IMAP_PORT: '0',
        SUBMISSION_PORT: '0',
        MASTER_KEY: KEY.toString('base64'),
      };
      const config = readConfig(env);
      await fillPlain(env, config);
      let sealed = 0;
      for (let [kills, tries] = [0, 0]; kills < 2; tries++) {
        assert.ok(tries < 10, 'the service was not killed in the middle');
        const before = sealed;
        sealed = await killWhileSealing(env, config, before);
        assert.ok(before < sealed, `${sealed} secrets are sealed, after ${before}`);
        kills += 1;
        if (sealed < ROWS) continue;
        // The kill came too late, as on a busy machine: from the beginning.
        await unseal(config);
        [kills, sealed] = [0, 0];
      }
      await (await startService(env)).kill('SIGTERM');
      const rows = await runSql(config, 'select id, secret from webhooks', []);
      assert.equal(rows.length, ROWS);
      const sealer = new Sealer(KEY);
      for (const { id, secret } of rows as { id: string; secret: ReturnType<Sealer['seal']> }[])
        assert.equal(sealer.open(WEBHOOK_SECRET, id, secret), secretOf(id));
      if (engine === 'sqlite')
        for (const name of ['signet.db', 'signet.db-wal'].map((each) => join(config.dataDir, each)))
          if (existsSync(name)) assert.ok(!readFileSync(name, 'latin1').includes('plain-secret-of-'), name);
      await fresh.drop();
    });
});
