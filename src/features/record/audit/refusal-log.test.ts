import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AuditEntry } from '../../../../src/client/audit-chain.ts';
import { onEngines, type TestAccount, type TestApp } from '../../../../test/support/harness.ts';

async function refusedOf(t: TestApp, { api }: TestAccount) {
  await t.app.provided.audit.flush();
  return (await api.get('/v1/audit?result=refused&limit=200')).body.entries;
}

onEngines('any', 'refused changes in the audit log', {}, (suite) => {
  it('403: the owner sees what a stolen named key tried, and with which key', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const named = (await account.api.post('/v1/account/keys', { name: 'ci', scopes: ['mail:read'] })).body;
    const thief = t.api(named.api_key);
    assert.equal((await thief.put('/v1/vault/secret', { ciphertext: 'x' })).status, 403);
    assert.equal((await thief.delete('/v1/account')).status, 403);
    const key = { id: named.key_id ?? named.id, kind: 'key', name: 'ci', prefix: named.key_prefix };
    const seen = (await refusedOf(t, account)).map(({ action, actor, status, resource_id: resource }: AuditEntry) => [
      action,
      actor,
      status,
      resource,
    ]);
    assert.deepEqual(seen.reverse(), [
      ['vault.stored', key, 403, 'secret'],
      ['account.deletion_scheduled', key, 403, null],
    ]);
  });

  it('reads that are refused write nothing, and a flood is sampled', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const named = (await account.api.post('/v1/account/keys', { name: 'ci', scopes: ['mail:read'] })).body;
    const thief = t.api(named.api_key);
    await thief.get('/v1/vault/secret');
    assert.deepEqual(await refusedOf(t, account), []);
    for (let n = 0; n < 201; n++) await thief.put(`/v1/vault/key-${n}`, { ciphertext: 'x' });
    assert.equal((await refusedOf(t, account)).length, 101);
  });
});
