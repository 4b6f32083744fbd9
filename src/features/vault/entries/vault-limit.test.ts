import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTier } from '../../../../test/support/agents.ts';
import { type Api, onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { hashSecret, keyPrefix, mintKey } from '../../../base/secret.ts';
import { lockAccounts } from '../../account/accounts/account-lifecycle.ts';
import { verifyChain } from '../../record/audit/audit-log.ts';

const put = (api: Api, key: string, ciphertext = 'c2VhbGVk') => api.put(`/v1/vault/${key}`, { ciphertext });

async function filled(t: TestApp, keys: number) {
  const account = await t.createAccount();
  for (let n = 0; n < keys; n++) assert.equal((await put(account.api, `k${n}`)).status, 201);
  return account;
}

onEngines('any', 'the limit of vault keys', {}, (suite) => {
  it('402 payment_required with the terms for the eleventh key; a new version of an existing key is free', async () => {
    const { t } = suite;
    const { api } = await filled(t, 10);
    const refused = await put(api, 'k10');
    assert.deepEqual([refused.status, refused.body.error], [402, 'payment_required']);
    const { accepts, x402_version, reason, count, limit, tier } = refused.body;
    assert.deepEqual([x402_version, reason, count, limit, tier], [1, 'vault_key_limit', 10, 10, 'free']);
    assert.match(refused.body.message, /or delete a key\.$/, 'waiting does not help');
    const [terms] = accepts;
    assert.deepEqual([terms.scheme, terms.network, terms.maxAmountRequired], ['exact', 'base', '10000']);
    assert.equal(terms.resource, `${t.baseUrl}/v1/vault/k10`);
    assert.equal((await api.get('/v1/vault/k10')).status, 404);
    assert.equal((await put(api, 'k0')).status, 200);
    await api.delete('/v1/vault/k3');
    assert.equal((await put(api, 'k10')).status, 201);
    assert.equal((await api.get('/v1/vault/')).body.count, 10);
  });

  it('a paid account has no limit', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    await setTier(t, accountId, 'paid');
    for (let n = 0; n < 12; n++) assert.equal((await put(api, `k${n}`)).status, 201);
    const { body } = await api.get('/v1/vault/');
    assert.deepEqual([body.count, body.limit, body.tier], [12, null, 'paid']);
  });

  it('a bought key stays with the account when the key is deleted', async () => {
    const { t } = suite;
    const { api, accountId } = await filled(t, 10);
    await t.sql('update vault_accounts set bought = 1 where account_id = ?', accountId);
    assert.equal((await put(api, 'k10')).status, 201);
    assert.equal((await put(api, 'k11')).body.limit, 11);
    await api.delete('/v1/vault/k10');
    assert.equal((await put(api, 'k11')).status, 201);
    assert.equal((await put(api, 'k12')).status, 402);
  });
});

onEngines('both', 'the limit of vault keys', {}, (suite) => {
  it('of 20 parallel requests for the last key one succeeds, the others get 402', async () => {
    const { t } = suite;
    const { api } = await filled(t, 9);
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => put(api, `race${n}`)));
    assert.equal(replies.filter(({ status }) => status === 201).length, 1);
    assert.equal(replies.filter(({ status }) => status === 402).length, 19);
    const { body } = await api.get('/v1/vault/');
    assert.deepEqual([body.count, body.keys.length], [10, 10]);
  });

  it('the count stays exact when keys are stored and deleted in parallel', async () => {
    const { t } = suite;
    const { api, accountId } = await filled(t, 3);
    const acts = Array.from({ length: 48 }, (_, n) =>
      n % 3 === 0 ? api.delete(`/v1/vault/k${n % 4}`) : put(api, `k${n % 4}`),
    );
    const statuses = new Set((await Promise.all(acts)).map(({ status }) => status));
    for (const status of statuses) assert.ok([200, 201, 404].includes(status), String(status));
    const { body } = await api.get('/v1/vault/');
    assert.equal(body.count, body.keys.length);
    const entries = await t.sql('select key, versions from vault_entries where account_id = ?', accountId);
    for (const { key, versions } of entries) {
      const rows = await t.sql('select 1 from vault_versions where account_id = ? and key = ?', accountId, key);
      assert.equal(rows.length, Number(versions), String(key));
    }
    const [{ n } = { n: 0 }] = await t.sql('select count(*) as n from vault_versions where account_id = ?', accountId);
    assert.equal(
      Number(n),
      entries.reduce((sum, { versions }) => sum + Number(versions), 0),
      'every version has its entry',
    );
  });
});

onEngines('any', 'the owner of a vault', {}, (suite) => {
  /** A pod of the account, with a key of its own. */
  async function pod({ t }: { t: TestApp }, parentId: string): Promise<Api> {
    const key = mintKey('pod');
    const id = `acc_${parentId.slice(4, 20)}${'0'.repeat(10)}`;
    await t.sql(
      `insert into accounts (id, parent_id, tier, status, capabilities, created_at) values (?, ?, 'free', 'active', '[]', 0)`,
      ...[id, parentId],
    );
    await t.sql(
      `insert into api_keys (hash, account_id, kind, status, prefix, created_at) values (?, ?, 'pod', 'active', ?, 0)`,
      ...[hashSecret(key), id, keyPrefix(key, 'pod')],
    );
    return t.api(key);
  }

  it('an entry of another account looks like a missing one, for accounts, platforms and pods', async () => {
    const { t } = suite;
    const owner = await t.createAccount();
    const stranger = await t.createAccount();
    const ownPod = await pod(suite, owner.accountId);
    await put(owner.api, 'mine', 'b3duZXI');
    await put(ownPod, 'pods', 'cG9k');
    const pairs: [Api, string][] = [
      [stranger.api, 'mine'],
      [stranger.api, 'pods'],
      [owner.api, 'pods'],
      [ownPod, 'mine'],
    ];
    for (const [api, key] of pairs) {
      for (const path of [`/v1/vault/${key}`, `/v1/vault/${key}?version=1`]) {
        for (const method of ['GET', 'DELETE']) {
          const given = await api(method, path);
          const missing = await api(method, path.replace(key, 'nothing'));
          assert.deepEqual([given.status, given.text], [404, missing.text], `${method} ${path}`);
        }
      }
      assert.ok(!(await api.get('/v1/vault/')).text.includes(`"${key}"`));
    }
    await put(stranger.api, 'mine', 'other');
    assert.equal((await owner.api.get('/v1/vault/mine')).body.ciphertext, 'b3duZXI');
    assert.equal((await ownPod.get('/v1/vault/pods')).body.ciphertext, 'cG9k');
  });

  it('a revoked API key reads nothing; the new one reads what the old one stored', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    await put(api, 'k');
    const renewed = t.api((await api.post('/v1/auth/keys/rotate')).body.api_key);
    for (const refused of [await api.get('/v1/vault/k'), await put(api, 'k'), await api.get('/v1/vault/')])
      assert.equal(refused.status, 401);
    assert.equal((await renewed.get('/v1/vault/k')).body.ciphertext, 'c2VhbGVk');
  });
});

onEngines('any', 'the record of a vault', {}, (suite) => {
  const record = async (accountId: string) => {
    const rows = await suite.t.sql('select entry from audit_entries where account_id = ? order by seq', accountId);
    return rows.map(({ entry }) => JSON.parse(String(entry))).filter(({ category }) => category === 'vault');
  };

  it('a change appends an audit entry and an event; neither holds vault contents', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    const body = { ciphertext: 'VERYSECRET', metadata: { about: 'METASECRET' } };
    for (let n = 0; n < 2; n++) await api.put('/v1/vault/k', body);
    await api.delete('/v1/vault/k?version=1');
    await api.delete('/v1/vault/k');
    await api.post('/v1/vault/recovery-email', { email: 'ada@example.com', encrypted_seed: 'SEEDSECRET' });
    const { text, body: log } = await api.get('/v1/events');
    assert.deepEqual(
      log.events.map(({ type, data }: { type: string; data: object }) => [type, data]),
      [
        ['vault.updated', { key: 'k', version: 1, action: 'created' }],
        ['vault.updated', { key: 'k', version: 2, action: 'updated' }],
        ['vault.updated', { key: 'k', version: 1, action: 'version_deleted' }],
        ['vault.updated', { key: 'k', version: null, action: 'deleted' }],
        ['vault.updated', { key: null, version: null, action: 'recovery_set' }],
      ],
    );
    const entries = await record(accountId);
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['vault.stored', 'vault.stored', 'vault.deleted', 'vault.deleted', 'vault.recovery_set'],
    );
    for (const kept of [text, JSON.stringify(entries)]) assert.doesNotMatch(kept, /SECRET/);
  });

  it('a read appends one audit entry within a second, with actor, key and time', async () => {
    const { t } = suite;
    const { key, api, accountId } = await t.createAccount();
    await put(api, 'k');
    // What the service writes each second waits for this transaction; what is read meanwhile comes with the next second.
    await t.app.database.transaction(async (tx) => {
      await lockAccounts(tx, [accountId]);
      for (let n = 0; n < 30; n++) await api.get('/v1/vault/k');
    });
    await t.app.provided.audit.flush();
    const repeated = (await record(accountId)).length - 1;
    assert.ok(repeated === 1 || repeated === 2, `${repeated} entries`);
    await api.get('/v1/vault/');
    await api.get('/v1/vault/none');
    await t.app.provided.audit.flush();
    const reads = (await record(accountId)).slice(repeated);
    const wanted = { actor: key.slice(0, 16), at: new Date(t.clock.now()).toISOString(), result: 'success' };
    assert.deepEqual(
      reads.map(({ action, resource_id, actor, at, result }) => ({
        action,
        resource_id,
        actor: actor.prefix,
        at,
        result,
      })),
      [
        { action: 'vault.read', resource_id: 'k', ...wanted },
        { action: 'vault.listed', resource_id: null, ...wanted },
      ],
    );
    assert.equal((await verifyChain(t.app.database, accountId)).fault, null);
    await api.get('/v1/vault/k');
    await t.app.provided.audit.flush();
    assert.equal((await record(accountId)).length, repeated + 3, 'a later read is a new entry');
  });
});
