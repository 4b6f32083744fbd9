import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTier, suspend, unsuspend } from '../../../../test/support/agents.ts';
import { onEngines, type TestAccount, type TestApp } from '../../../../test/support/harness.ts';
import { newId } from '../../../base/ids.ts';
import { hashSecret, keyPrefix, mintKey } from '../../../base/secret.ts';

const BAD_EMAILS = ['ada', 'ada@', '@example.com', 'a b@example.com', 'ada@example.com\r\nBcc: eve@example.com', ''];
const FIELDS = ['recovery', 'operator'] as const;

/** Creates a pod of the account with a key. */
async function createPod(t: TestApp, { accountId }: TestAccount, status = 'active') {
  const id = newId('acc', t.clock.now());
  const key = mintKey('pod');
  await t.sql(
    `insert into accounts (id, parent_id, tier, status, capabilities, created_at) values (?, ?, 'free', ?, '[]', ?)`,
    ...[id, accountId, status, t.clock.now()],
  );
  await t.sql(
    `insert into api_keys (hash, account_id, kind, status, prefix, created_at, activated_at)
     values (?, ?, 'pod', 'active', ?, ?, ?)`,
    ...[hashSecret(key), id, keyPrefix(key, 'pod'), t.clock.now(), t.clock.now()],
  );
  return { id, key, api: t.api(key) };
}

onEngines('any', 'GET /v1/account/me', {}, (suite) => {
  it('200 with every field of an account', async () => {
    const { t } = suite;
    const { key, accountId, api } = await t.createAccount({ name: 'Ada', email: 'ada@example.com' });
    const { status, body } = await api.get('/v1/account/me');
    assert.equal(status, 200);
    const { limits, left, scopes, ...rest } = body;
    assert.equal(limits.addresses, 10);
    const { requests_per_day, emails_per_day, emails_per_hour } = limits;
    assert.deepEqual(left, { requests_per_day: requests_per_day - 1, emails_per_day, emails_per_hour });
    assert.ok(scopes.includes('account:manage'));
    assert.deepEqual(rest, {
      id: accountId,
      account_id: accountId,
      key_prefix: keyPrefix(key, 'platform'),
      name: 'Ada',
      tier: 'free',
      recovery_email: null,
      email: 'ada@example.com',
      operator_email: null,
      people: [
        { role: 'email', address: 'ada@example.com', confirmed: false, confirmed_at: null, removal_due_at: null },
      ],
      vault_recovery_email: null,
      addresses: [],
      storage_used: 0,
      parent_account_id: null,
      deletion: null,
      capabilities: [],
      created_at: new Date(t.clock.now()).toISOString(),
    });
  });

  it('200: name is an empty string when not set, for a pod too', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const pod = await createPod(t, account);
    for (const { api } of [account, pod]) assert.equal((await api.get('/v1/account/me')).body.name, '');
  });

  it('200 with a pod key: returns the pod and its platform', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const pod = await createPod(t, platform);
    const { status, body } = await pod.api.get('/v1/account/me');
    assert.deepEqual([status, body.id, body.parent_account_id], [200, pod.id, platform.accountId]);
    assert.equal(body.key_prefix, keyPrefix(pod.key, 'pod'));
  });

  it('401 unauthorized: no key, and a scheme that is not Bearer', async () => {
    const { t } = suite;
    const { key } = await t.createAccount();
    for (const headers of [
      {},
      { authorization: `Basic ${key}` },
      { authorization: key },
      { authorization: 'Bearer' },
    ]) {
      const { status, body } = await t.api().get('/v1/account/me', headers as Record<string, string>);
      assert.deepEqual([status, body.error], [401, 'unauthorized']);
    }
    assert.equal((await t.api().get('/v1/account/me', { authorization: `bearer ${key}` })).status, 200);
  });

  it('403 pod_suspended for a suspended pod; 403 account_suspended for a suspended account', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const pod = await createPod(t, account, 'suspended');
    assert.equal((await pod.api.get('/v1/account/me')).body.error, 'pod_suspended');
    await suspend(t, account.accountId);
    const refused = await account.api.get('/v1/account/me');
    assert.deepEqual([refused.status, refused.body.error], [403, 'account_suspended']);
  });

  it('refuses the pods of a suspended platform', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const pod = await createPod(t, account);
    await suspend(t, account.accountId);
    assert.equal((await pod.api.get('/v1/account/me')).body.error, 'pod_suspended');
  });
});

for (const field of FIELDS) {
  onEngines('any', `POST /v1/account/${field}-email`, {}, (suite) => {
    const path = `/v1/account/${field}-email`;
    const name = `${field}_email`;

    it('200 with every field; the new address replaces the old one, in lower case', async () => {
      const { api } = await suite.t.createAccount();
      for (const [given, kept] of [
        ['first@example.com', 'first@example.com'],
        [' Second@Example.COM ', 'second@example.com'],
      ]) {
        const { status, body } = await api.post(path, { email: given });
        assert.equal(status, 200);
        assert.deepEqual(body, { ok: true, [name]: kept, confirmed: false });
        assert.equal((await api.get('/v1/account/me')).body[name], kept);
      }
    });

    it('changes only the caller’s account', async () => {
      const { t } = suite;
      const [ada, bob] = [await t.createAccount(), await t.createAccount()];
      await ada.api.post(path, { email: 'ada@example.com' });
      const me = (await bob.api.get('/v1/account/me')).body;
      assert.deepEqual([me.recovery_email, me.operator_email, me.email], [null, null, null]);
    });

    it('400 invalid_request: an invalid or missing address; changes nothing', async () => {
      const { api } = await suite.t.createAccount();
      await api.post(path, { email: 'kept@example.com' });
      for (const body of [...BAD_EMAILS.map((email) => ({ email })), { email: 7 }, {}, undefined]) {
        const refused = await api.post(path, body);
        assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_request']);
        assert.equal(refused.body.details[0].path, '/body/email');
      }
      assert.equal((await api.get('/v1/account/me')).body[name], 'kept@example.com');
    });

    it('401 unauthorized: no key', async () => {
      assert.equal((await suite.t.api().post(path, { email: 'ada@example.com' })).status, 401);
    });
  });
}

onEngines('any', 'a pod key on the account’s addresses', {}, (suite) => {
  it('403 pod_auth_forbidden on operator-email; changes nothing', async () => {
    const { t } = suite;
    const pod = await createPod(t, await t.createAccount());
    const refused = await pod.api.post('/v1/account/operator-email', { email: 'eve@example.com' });
    assert.deepEqual([refused.status, refused.body.error], [403, 'pod_auth_forbidden']);
    assert.equal((await pod.api.get('/v1/account/me')).body.operator_email, null);
  });

  it('rotates a pod key into another pod key', async () => {
    const { t } = suite;
    const pod = await createPod(t, await t.createAccount());
    const { status, body } = await pod.api.post('/v1/auth/keys/rotate');
    assert.equal(status, 200);
    assert.match(body.api_key, /^signet_pod_[0-9A-Za-z]{38}$/);
    assert.equal((await pod.api.get('/v1/account/me')).status, 401);
    const refused = await t.api(body.api_key).post('/v1/account/operator-email', { email: 'eve@example.com' });
    assert.equal(refused.body.error, 'pod_auth_forbidden');
  });
});

onEngines('both', 'a tier that the operator sets', {}, (suite) => {
  it('takes effect with the next request, and so does a suspension', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    assert.equal((await api.get('/v1/account/me')).body.tier, 'free');
    await setTier(t, accountId, 'paid');
    assert.equal((await api.get('/v1/account/me')).body.tier, 'paid');
    await suspend(t, accountId);
    assert.equal((await api.get('/v1/account/me')).status, 403);
    await unsuspend(t, accountId);
    assert.equal((await api.get('/v1/account/me')).body.tier, 'paid');
  });

  it('takes effect with the next request of a pod', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const pod = await createPod(t, platform);
    assert.equal((await pod.api.get('/v1/account/me')).body.tier, 'free');
    await setTier(t, platform.accountId, 'paid');
    assert.equal((await pod.api.get('/v1/account/me')).body.tier, 'paid');
  });
});

onEngines('any', 'a tier that another process sets beside the running service', {}, (suite) => {
  it('takes effect with the next request of that account on SQLite', async (context) => {
    const { t } = suite;
    if (t.engine !== 'sqlite') return context.skip();
    const { api, accountId } = await t.createAccount();
    for (const tier of ['paid', 'free', 'paid']) {
      await t.sql('update accounts set tier = ? where id = ?', tier, accountId);
      assert.equal((await api.get('/v1/account/me')).body.tier, tier);
    }
  });
});
