import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { onBothDatabases, type TestApp } from '../harness.ts';

const signet = fileURLToPath(new URL('../../bin/signet', import.meta.url));

function verify(t: TestApp, ...args: string[]): { code: number | null; out: string; err: string } {
  const { dataDir, databaseUrl } = t.config;
  const env = { ...process.env, DATA_DIR: dataDir, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) };
  const { status, stdout, stderr } = spawnSync('sh', [signet, 'audit', 'verify', ...args], { env, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

onBothDatabases('signet audit verify', {}, (suite) => {
  it('says that chains hold, and names the entry that was altered, removed or cut off', async () => {
    const { t } = suite;
    const accounts = [
      await t.createAccount(),
      await t.createAccount(),
      await t.createAccount(),
      await t.createAccount(),
    ];
    for (const { api } of accounts) {
      for (const name of ['one', 'two', 'three'])
        await api.post('/v1/account/recovery-email', { email: `${name}@example.com` });
    }
    const [whole, altered, removed, cut] = accounts.map(({ accountId }) => accountId);
    const before = verify(t);
    assert.equal(before.code, 0, before.err);
    assert.match(before.out, /^16 entries in 4 chains hold$/m);
    const forge = `update audit_entries set entry = replace(entry, '"success"', '"refused"') where account_id = ? and seq = 2`;
    await t.sql(forge, altered);
    await t.sql('delete from audit_entries where account_id = ? and seq = 3', removed);
    await t.sql('delete from audit_entries where account_id = ? and seq = 4', cut);
    const after = verify(t, '--json');
    assert.equal(after.code, 1);
    const { ok, faults } = JSON.parse(after.out) as { ok: boolean; faults: { account_id: string }[] };
    assert.equal(ok, false);
    const byId = (a: { account_id: string }, b: { account_id: string }): number =>
      a.account_id.localeCompare(b.account_id);
    const expected = [
      { account_id: altered as string, seq: 2, problem: 'altered' },
      { account_id: removed as string, seq: 3, problem: 'missing' },
      { account_id: cut as string, seq: 4, problem: 'missing' },
    ];
    assert.deepEqual(faults.sort(byId), expected.sort(byId));
    assert.equal(verify(t, whole as string).code, 0);
    assert.match(verify(t, altered as string).out, /entry 2 was altered/);
  });
});
