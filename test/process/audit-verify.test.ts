import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { onEngines, type TestApp } from '../support/harness.ts';

const signet = fileURLToPath(new URL('../../bin/signet', import.meta.url));

function verify(t: TestApp, ...args: string[]): { code: number | null; out: string; err: string } {
  const { dataDir, databaseUrl, masterKey } = t.config;
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    ...(masterKey ? { MASTER_KEY: masterKey.toString('base64') } : {}),
  };
  const { status, stdout, stderr } = spawnSync('sh', [signet, 'audit', 'verify', ...args], { env, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

onEngines('any', 'signet audit verify', {}, (suite) => {
  it('reports intact chains, and names the entry that was altered, removed or cut off', async () => {
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
    // From here on the service signs nothing more.
    await t.app.provided.audit.flush();
    const before = verify(t);
    assert.equal(before.code, 0, before.err);
    assert.match(before.out, /^16 entries in 4 chains are valid$/m);
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

  it('names an entry that was inserted, or moved to another place', async () => {
    const { t } = suite;
    const [inserted, moved] = [await t.createAccount(), await t.createAccount()];
    for (const { api } of [inserted, moved])
      for (const name of ['one', 'two', 'three'])
        await api.post('/v1/account/recovery-email', { email: `${name}@example.com` });
    await t.app.provided.audit.flush();
    // A copy of 2 inserted as 3; and 2 and 3 exchanged.
    for (const [from, to] of [
      [4, 5],
      [3, 4],
    ])
      await t.sql('update audit_entries set seq = ? where account_id = ? and seq = ?', to, inserted.accountId, from);
    await t.sql(
      `insert into audit_entries (account_id, seq, entry, action, created_at, prev_hash, hash)
       select account_id, 3, entry, action, created_at, prev_hash, hash from audit_entries
       where account_id = ? and seq = 2`,
      inserted.accountId,
    );
    for (const [from, to] of [
      [2, 99],
      [3, 2],
      [99, 3],
    ])
      await t.sql('update audit_entries set seq = ? where account_id = ? and seq = ?', to, moved.accountId, from);
    for (const [{ accountId }, seq] of [
      [inserted, 3],
      [moved, 2],
    ] as const) {
      const { faults } = JSON.parse(verify(t, accountId, '--json').out);
      assert.deepEqual(faults, [{ account_id: accountId, seq, problem: 'unlinked' }]);
    }
  });

  it('finds a rewritten chain with correct hashes, by the signatures over the old one', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    for (const name of ['one', 'two', 'three'])
      await api.post('/v1/account/recovery-email', { email: `${name}@example.com` });
    await t.app.provided.audit.flush();
    assert.equal(verify(t, accountId).code, 0);
    const rows = await t.sql('select seq, entry from audit_entries where account_id = ? order by seq', accountId);
    let previous = hash('sha256', `signet:audit:v1:${accountId}`, 'hex');
    for (const { seq, entry } of rows) {
      const forged = { ...JSON.parse(String(entry)), prev_hash: previous };
      if (Number(seq) === 2) forged.actor = 'somebody else';
      const text = JSON.stringify(forged);
      const digest = hash('sha256', text, 'hex');
      const set = 'update audit_entries set entry = ?, prev_hash = ?, hash = ? where account_id = ? and seq = ?';
      await t.sql(set, text, previous, digest, accountId, Number(seq));
      previous = digest;
    }
    await t.sql('update audit_chains set last_hash = ? where account_id = ?', previous, accountId);
    const { code, out } = verify(t, accountId, '--json');
    assert.equal(code, 1);
    const { faults } = JSON.parse(out) as { faults: { problem: string }[] };
    assert.equal(faults[0]?.problem, 'forged');
  });
});
