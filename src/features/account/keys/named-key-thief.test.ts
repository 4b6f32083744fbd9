import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onEngines, type TestAccount, type TestApp, tokenIn } from '../../../../test/support/harness.ts';
import { SCOPE_NAMES } from '../../../api/scopes.ts';

const KEYS = '/v1/account/keys';
const ME = '/v1/account/me';

const opens = async (t: TestApp, key: string): Promise<number> => (await t.api(key).get(ME)).status;

async function makeKey(account: TestAccount, fields: Record<string, unknown> = {}) {
  const { status, body } = await account.api.post(KEYS, { name: 'ci', scopes: ['account:read'], ...fields });
  assert.equal(status, 201, JSON.stringify(body));
  return body as { id: string; api_key: string; key_prefix: string };
}

onEngines('any', 'a thief with a named key', {}, (suite) => {
  it('gets and plants nothing that would outlive or exceed it; the owner deletes the key and is alone again', async () => {
    const { t } = suite;
    const owner = await t.createAccount({ email: 'owner@example.com' });
    const { address } = (await owner.api.post('/v1/email/claim', { address: 'held' })).body;
    const { id, api_key } = await makeKey(owner, { scopes: SCOPE_NAMES, expires_in_seconds: 3600 });
    const thief = t.api(api_key);
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.alloc(32, 7).toString('base64url') };
    const publicKey = Buffer.alloc(32, 9).toString('base64url');
    const attempts: [string, string, unknown?][] = [
      ['POST', KEYS, { name: 'mine', scopes: ['mail:read'] }],
      ['POST', `${KEYS}/${id}/rotate`, { grace_seconds: 86_400 }],
      ['DELETE', `${KEYS}/${id}`],
      ['POST', '/v1/auth/keys/rotate'],
      ['POST', '/v1/auth/keys/generate-backup'],
      ['POST', '/v1/auth/keys/activate-backup'],
      ['POST', '/v1/account/recovery-email', { email: 'thief@example.com' }],
      ['POST', '/v1/account/operator-email', { email: 'thief@example.com' }],
      ['POST', '/v1/vault/recovery-email', { email: 'thief@example.com', sealed_seed: 'x' }],
      ['POST', '/v1/pods', { name: 'mine' }],
      ['POST', '/v1/pods/pod_x/keys'],
      ['POST', '/v1/programs', { name: 'mine', audience: 'https://example.com' }],
      ['POST', '/v1/agents/signing-keys', { jwk }],
      ['POST', '/v1/e2e/rotate-key', { master_seed: 'mine', new_public_key: publicKey }],
      ['POST', '/v1/email/claim', { address, public_key: publicKey }],
      ['POST', '/v1/tokens/issue', { audience: 'https://example.com', scopes: ['read'], ttl: 7200 }],
    ];
    for (const [method, path, body] of attempts) {
      const refused = await thief(method, path, body);
      assert.deepEqual([refused.status, refused.body.error], [403, 'insufficient_scope'], `${method} ${path}`);
    }
    await owner.api.delete(`${KEYS}/${id}`);
    assert.equal(await opens(t, api_key), 401);
    const { keys } = (await owner.api.get(KEYS)).body;
    assert.deepEqual([keys.length, keys[0].kind], [1, 'primary']);
    const { recovery_email, operator_email } = (await owner.api.get(ME)).body;
    assert.deepEqual([recovery_email, operator_email], [null, null]);
  });

  it('gets no token with a scope of the API that the key lacks, and no feed link without calendar:read', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const issuer = t.api((await makeKey(account, { scopes: ['identity:issue', 'mail:read'] })).api_key);
    const issue = (scopes: string[]) => issuer.post('/v1/tokens/issue', { audience: 'https://example.com', scopes });
    assert.equal((await issue(['vault:read', 'mail:read'])).body.required_scope, 'vault:read');
    assert.equal((await issue(['mail:read', 'orders.read'])).status, 201);
    const writer = t.api((await makeKey(account, { scopes: ['calendar:write'] })).api_key);
    for (const refused of [await writer.get('/v1/calendar/feed'), await writer.post('/v1/calendar/feed/rotate')])
      assert.deepEqual([refused.status, refused.body.required_scope], [403, 'calendar:read']);
    const both = t.api((await makeKey(account, { scopes: ['calendar:read', 'calendar:write'] })).api_key);
    assert.equal((await both.post('/v1/calendar/feed/rotate')).status, 200);
  });

  it('a key that reads mail claims no address by looking at it', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const reader = t.api((await makeKey(account, { scopes: ['mail:read'] })).api_key);
    assert.equal((await reader.get('/v1/email/inbox?address=free-one')).status, 404);
    assert.equal((await reader.get('/v1/inbox/free-one')).status, 404);
    assert.equal((await account.api.get('/v1/email/addresses')).body.addresses.length, 0);
  });

  it('rotate names the keys that still work', async () => {
    const { t } = suite;
    const account = await t.createAccount({ backup: true, email: 'standing@example.com' });
    const named = await makeKey(account);
    await makeKey(account, { expires_in_seconds: 1 });
    t.clock.advance(1000);
    const { standing, api_key } = (await account.api.post('/v1/auth/keys/rotate')).body;
    assert.deepEqual(
      standing.map(({ kind }: { kind: string }) => kind),
      ['backup', 'named'],
    );
    assert.deepEqual(standing[1], { id: named.id, kind: 'named', key_prefix: named.key_prefix });
    assert.deepEqual([await opens(t, named.api_key), await opens(t, api_key)], [200, 200]);
  });

  it('a session can create and delete named keys', async () => {
    const { t } = suite;
    const account = await t.createAccount({ email: 'session@example.com' });
    await t.api().post('/v1/auth/login', { email: 'session@example.com' });
    const token = tokenIn((await t.outboxMails()).findLast((mail) => mail.includes('/login#')) ?? '');
    const { headers } = await t.api().get(`/v1/auth/verify?token=${token}`);
    const session = t.api(headers.get('location')?.split('#session=')[1] ?? '');
    const { id } = await makeKey({ ...account, api: session });
    assert.equal((await session.delete(`${KEYS}/${id}`)).status, 200);
  });
});
