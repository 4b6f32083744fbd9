import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../src/base/ids.ts';
import { readConfig } from '../../src/config/service-config.ts';
import { ANY_ENGINE } from '../support/full-run.ts';
import { freshDatabase, runSql } from '../support/harness.ts';
import { createAccount, type Env, operatorEntries, refuses, succeeds } from './command-line.ts';
import { ROOMY_LIMITS, type Service, startService } from './service.ts';

const UNKNOWN = `acc_${'0'.repeat(26)}`;
const HOURS_72 = 72 * 3_600_000;

const isIn72Hours = (at: string): boolean => Math.abs(Date.parse(at) - Date.now() - HOURS_72) < 60_000;

for (const engine of ANY_ENGINE) {
  describe(`signet account, what takes 72 hours [${engine}]`, () => {
    let env: Env;
    let service: Service;
    let drop: () => Promise<void>;

    before(async () => {
      const database = await freshDatabase(engine);
      env = { LIMITS: ROOMY_LIMITS, ...database.env };
      drop = database.drop;
      service = await startService(env);
    });
    after(async () => {
      await service?.kill('SIGTERM');
      await drop?.();
    });

    it('remove-factor: announces the end of a backup key, and asking again finds the same', async () => {
      const { body } = await service.api().post('/v1/auth/keys', { backup: true });
      const { account_id: id, api_key: key } = body;
      const { keys } = (await service.api(key).get('/v1/account/keys')).body;
      const prefix = keys.find(({ kind }: { kind: string }) => kind === 'backup').key_prefix;
      const { notices } = (await succeeds(env, 'account', 'remove-factor', id, prefix, '--json')).json();
      assert.deepEqual([notices.length, notices[0].what, notices[0].target], [1, 'backup_key', prefix]);
      assert.ok(isIn72Hours(notices[0].ends_at), notices[0].ends_at);
      assert.equal((await service.api(key).get('/v1/account/notices')).body.notices[0].id, notices[0].id);
      const again = (await succeeds(env, 'account', 'remove-factor', id, prefix)).stdout;
      assert.match(again, /^backup_key +signet_bak_\S+ +goes \S+Z\n$/);
      await refuses(env, 1, /no such key or address/, 'account', 'remove-factor', id, 'signet_bak_none');
      await refuses(env, 1, new RegExp(UNKNOWN), 'account', 'remove-factor', UNKNOWN, prefix);
      assert.ok((await operatorEntries(env, id)).includes('account.factor_removal_asked'));
    });

    it('replace-operator: announces the next operator, and --cancel keeps the operators', async () => {
      const { id, api } = await createAccount(service);
      const email = 'next@example.com';
      const command = ['account', 'replace-operator', id, email];
      await refuses(env, 1, /no confirmed operator/, ...command);
      await refuses(env, 1, /no such account/, 'account', 'replace-operator', UNKNOWN, email);
      await refuses(env, 2, /email address/, 'account', 'replace-operator', id, 'nobody');
      await runSql(
        readConfig(env),
        `insert into people (id, account_id, role, address, named_at, named_by, old_when_confirmed, confirmed_at)
         values (?, ?, 'operator', 'lost@example.com', 1, 'test', 1, 1)`,
        [newId('per', Date.now()), id],
      );
      await refuses(env, 1, /elsewhere/, 'account', 'replace-operator', id, 'a@agents.localhost');
      const asked = (await succeeds(env, ...command, '--json')).json();
      assert.deepEqual([asked.account_id, asked.email, isIn72Hours(asked.ends_at)], [id, email, true]);
      const [notice] = (await api.get('/v1/account/notices')).body.notices;
      assert.deepEqual([notice.id, notice.what, notice.target], [asked.id, 'operator_replacement', email]);
      assert.match((await succeeds(env, ...command)).stdout, /--cancel\n$/);
      assert.deepEqual((await succeeds(env, ...command, '--cancel', '--json')).json(), { ok: true, account_id: id });
      assert.deepEqual((await api.get('/v1/account/notices')).body.notices, []);
      await refuses(env, 1, /is not going to replace/, ...command, '--cancel');
      const asks = 'account.operator_replacement_asked';
      assert.deepEqual(await operatorEntries(env, id), [asks, asks, 'account.operator_replacement_cancelled']);
    });

    it('delete: names the time and the pods that go too, and --cancel keeps the account', async () => {
      const { id, api } = await createAccount(service);
      const pod = (await api.post('/v1/pods', {})).body.account_id;
      const due = (await succeeds(env, 'account', 'delete', id, '--json')).json();
      assert.deepEqual([due.account_id, isIn72Hours(due.deletes_at)], [id, true]);
      assert.equal(due.pods.length, 1, pod);
      assert.equal((await api.post('/v1/account/delete/cancel')).status >= 400, true);
      assert.deepEqual((await succeeds(env, 'account', 'delete', id, '--cancel', '--json')).json(), {
        ok: true,
        account_id: id,
      });
      assert.match((await succeeds(env, 'account', 'delete', id)).stdout, /, with 1 pods\nto keep it: .* --cancel\n$/);
      assert.equal((await succeeds(env, 'account', 'delete', id, '--cancel')).stdout, `${id} stays\n`);
      await refuses(env, 1, /no such account/, 'account', 'delete', UNKNOWN);
      await refuses(env, 1, new RegExp(id), 'account', 'delete', pod);
    });
  });
}
