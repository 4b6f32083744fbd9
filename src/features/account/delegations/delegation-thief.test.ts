import assert from 'node:assert/strict';
import { it } from 'node:test';
import { delegate, exchange, tokenFor } from '../../../../test/support/delegations.ts';
import { onEngines } from '../../../../test/support/harness.ts';
import { SCOPE_NAMES } from '../../../api/scopes.ts';

const ME = '/v1/account/me';
const DELEGATIONS = '/v1/delegations';

onEngines('any', 'a thief around a delegation', {}, (suite) => {
  it('a stranger with the id of B’s delegation, and B with A’s stolen token, get nothing', async () => {
    const { t } = suite;
    const [a, b, stranger] = [await t.createAccount(), await t.createAccount(), await t.createAccount()];
    const { id } = await delegate(t, a.api, b, { scopes: SCOPE_NAMES });
    const missing = 'dlg_00000000000000000000000000';
    // Even the delegator is not the delegate. Each sees what he would see of a delegation that does not exist.
    for (const { key } of [stranger, a]) {
      const [refused, unknown] = [await exchange(t, key, id), await exchange(t, key, missing)];
      assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_request']);
      assert.equal(refused.text, unknown.text);
    }
    const [others, none] = [
      await stranger.api.delete(`${DELEGATIONS}/${id}`),
      await stranger.api.delete(`${DELEGATIONS}/${missing}`),
    ];
    assert.deepEqual([others.status, others.text], [404, none.text]);
    assert.deepEqual((await stranger.api.get(DELEGATIONS)).body.delegations, []);

    const { access_token: tokenB } = await tokenFor(t, b.key, id);
    const aat = (await a.api.post('/v1/tokens/issue', { audience: t.baseUrl, scopes: [...SCOPE_NAMES.slice(0, 20)] }))
      .body;
    // An AAT for our own audience, signed by us, is no credential and no subject token. Nor is an access token, or a key.
    assert.equal((await t.api(aat.token).get(ME)).status, 401);
    for (const subject of [aat.token, aat.jti, tokenB, a.key])
      for (const type of [
        'urn:signet:token-type:delegation',
        'urn:ietf:params:oauth:token-type:access_token',
        'urn:ietf:params:oauth:token-type:jwt',
      ]) {
        const refused = await exchange(t, b.key, subject, { subject_token_type: type });
        assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_request']);
      }
    // B’s token acts on A, and still exchanges nothing: not what B has, nor what somebody delegated to A.
    const toA = await delegate(t, stranger.api, a, { scopes: ['mail:read'] });
    for (const subject of [id, toA.id]) assert.equal((await exchange(t, tokenB, subject)).status, 403);
  });

  it('with every scope an access token still gets and plants nothing that outlasts it', async () => {
    const { t } = suite;
    const [a, b] = [await t.createAccount({ email: 'owner@example.com' }), await t.createAccount()];
    const { address } = (await a.api.post('/v1/email/claim', { address: 'lent' })).body;
    const { id } = await delegate(t, a.api, b, { scopes: SCOPE_NAMES });
    const thief = t.api((await tokenFor(t, b.key, id)).access_token);
    assert.equal((await thief.get(ME)).status, 200);
    const attempts: [string, string, unknown?][] = [
      ['POST', '/v1/account/keys', { name: 'mine', scopes: ['mail:read'] }],
      ['POST', '/v1/auth/keys/rotate'],
      ['POST', '/v1/auth/keys/generate-backup'],
      ['POST', '/v1/account/recovery-email', { email: 'thief@example.com' }],
      ['POST', '/v1/account/operator-email', { email: 'thief@example.com' }],
      ['POST', '/v1/vault/recovery-email', { email: 'thief@example.com', sealed_seed: 'x' }],
      ['POST', '/v1/pods', { name: 'mine' }],
      ['POST', '/v1/programs', { name: 'mine', audience: 'https://example.com' }],
      ['POST', '/v1/agents/signing-keys', { public_key: Buffer.alloc(32, 7).toString('base64url') }],
      ['POST', '/v1/tokens/issue', { audience: 'https://example.com', scopes: ['read'] }],
      ['POST', '/v1/email/webhooks', { address, url: 'https://thief.example/hook' }],
      ['GET', '/v1/calendar/feed'],
      ['POST', '/v1/calendar/feed/rotate'],
    ];
    for (const [method, path, body] of attempts) {
      const refused = await thief(method, path, body);
      assert.deepEqual([refused.status, refused.body.error], [403, 'insufficient_scope'], `${method} ${path}`);
    }
    // A root delegation would be one that the token’s own does not bound: it may only pass on, and here not even that.
    const c = await t.createAccount();
    const expires_at = new Date(t.clock.now() + 60_000).toISOString();
    const refused = await thief.post(DELEGATIONS, { to: c.accountId, scopes: ['mail:read'], expires_at });
    assert.deepEqual([refused.status, refused.body.error], [403, 'may_not_delegate']);
  });

  it('an event stream ends with the delegation that it was opened by', async () => {
    const { t } = suite;
    const [a, b] = [await t.createAccount(), await t.createAccount()];
    const { id } = await delegate(t, a.api, b, { scopes: ['events:read'] });
    const { access_token } = await tokenFor(t, b.key, id);
    const stream = await fetch(`${t.baseUrl}/v1/events/stream`, {
      headers: { authorization: `Bearer ${access_token}` },
    });
    assert.equal(stream.status, 200);
    await a.api.delete(`${DELEGATIONS}/${id}`);
    assert.match(await stream.text(), /retry: 2000\n\n$/);
  });

  it('N6: a delegate’s calls count for the account, and cannot use up all of its day', async () => {
    const { t } = suite;
    const [a, b] = [await t.createAccount(), await t.createAccount()];
    const { id } = await delegate(t, a.api, b, { scopes: ['account:read'] });
    const byB = t.api((await tokenFor(t, b.key, id)).access_token);
    const left = async (key: string) => Number((await t.api(key).get(ME)).headers.get('ratelimit-remaining'));
    const [ofA, ofB] = [await left(a.key), await left(b.key)];
    for (let i = 0; i < 5; i++) await byB.get(ME);
    assert.deepEqual([await left(a.key), await left(b.key)], [ofA - 6, ofB - 1]);
    // The day of these tests has a million.
    assert.equal((await byB.get(ME)).headers.get('ratelimit-limit'), '800000');
  });

  it('a delegate’s Idempotency-Key is its own: it replays its own call, and never one of the account', async () => {
    const { t } = suite;
    const [a, b] = [await t.createAccount(), await t.createAccount()];
    const { id } = await delegate(t, a.api, b, { scopes: ['money:spend'] });
    const headers = { 'idempotency-key': 'same' };
    const [first, second] = [await tokenFor(t, b.key, id), await tokenFor(t, b.key, id)];
    const charge = (key: string) => t.api(key).post('/v1/charge', { amount: 5 }, headers);
    const byA = await charge(a.key);
    const byB = await charge(first.access_token);
    assert.notEqual(byB.body.charge_id, byA.body.charge_id);
    assert.equal((await charge(second.access_token)).body.charge_id, byB.body.charge_id);
  });

  it('a thief with B’s key who passed A’s authority on loses it when B’s platform replaces the key', async () => {
    const { t } = suite;
    const [a, platform, friend] = [await t.createAccount(), await t.createAccount(), await t.createAccount()];
    const pod = (await platform.api.post('/v1/pods', { name: 'b' })).body;
    const podId = pod.account_id ?? pod.pod?.account_id;
    const podKey = pod.api_key ?? pod.pod?.api_key;
    const { id } = await delegate(t, a.api, { accountId: podId }, { scopes: ['account:read'], may_delegate: 1 });
    const stolen = (await tokenFor(t, podKey, id)).access_token;
    const onward = await delegate(t, t.api(stolen), friend, { scopes: ['account:read'] });
    const kept = (await tokenFor(t, friend.key, onward.id)).access_token;
    const pods = (await platform.api.get('/v1/pods')).body.pods;
    const replaced = await platform.api.post(`/v1/pods/${pods[0].id ?? pods[0].pod_id}/keys`);
    assert.equal(replaced.status, 201, replaced.text);
    for (const token of [stolen, kept]) assert.equal((await t.api(token).get(ME)).status, 401);
    // What A gave stands, and the new key uses it.
    assert.equal((await exchange(t, replaced.body.api_key, id)).status, 200);
  });

  it('a thief with a named key of B who passed A’s authority on loses it with the key', async () => {
    const { t } = suite;
    const [a, b, friend] = [await t.createAccount(), await t.createAccount(), await t.createAccount()];
    const { id } = await delegate(t, a.api, b, { scopes: ['account:read'], may_delegate: 1 });
    const named = (await b.api.post('/v1/account/keys', { name: 'ci', scopes: ['identity:issue'] })).body;
    const stolen = (await tokenFor(t, named.api_key, id)).access_token;
    const onward = await delegate(t, t.api(stolen), friend, { scopes: ['account:read'] });
    const kept = (await tokenFor(t, friend.key, onward.id)).access_token;
    assert.equal((await t.api(kept).get(ME)).status, 200);
    assert.equal((await b.api.delete(`/v1/account/keys/${named.id}`)).status, 200);
    for (const token of [stolen, kept]) assert.equal((await t.api(token).get(ME)).status, 401);
    assert.equal((await exchange(t, friend.key, onward.id)).status, 400);
    // What A gave stands, and B’s own key uses it.
    assert.equal((await exchange(t, b.key, id)).status, 200);
  });

  it('what is passed on with a named key ends when that key expires', async () => {
    const { t } = suite;
    const [a, b, friend] = [await t.createAccount(), await t.createAccount(), await t.createAccount()];
    const { id } = await delegate(t, a.api, b, { scopes: ['account:read'], may_delegate: 1 });
    const fields = { name: 'half hour', scopes: ['identity:issue'], expires_in_seconds: 1800 };
    const named = (await b.api.post('/v1/account/keys', fields)).body;
    const onward = await delegate(t, t.api((await tokenFor(t, named.api_key, id)).access_token), friend, {
      scopes: ['account:read'],
    });
    assert.equal(onward.expires_at, named.expires_at);
    const kept = (await tokenFor(t, friend.key, onward.id)).access_token;
    assert.equal((await t.api(kept).get(ME)).status, 200);
    t.clock.advance(1_800_000);
    assert.equal((await t.api(kept).get(ME)).status, 401);
    assert.equal((await exchange(t, friend.key, onward.id)).status, 400);
    assert.equal((await exchange(t, b.key, id)).status, 200);
  });

  it('the database holds access tokens only as SHA-256', async () => {
    const { t } = suite;
    const [a, b] = [await t.createAccount(), await t.createAccount()];
    const { id } = await delegate(t, a.api, b, { scopes: ['account:read'] });
    const { access_token } = await tokenFor(t, b.key, id, {});
    const rows = [...(await t.sql('select * from access_tokens')), ...(await t.sql('select * from idempotency_keys'))];
    assert.ok(!JSON.stringify(rows).includes(access_token.slice(-30)));
  });
});

onEngines('both', 'a thief around a delegation: what the database decides', {}, (suite) => {
  it('POST /v1/account/secure ends what a thief delegated, passed on and holds; what others delegated stays', async () => {
    const { t } = suite;
    const [owner, giver, thief] = [await t.createAccount(), await t.createAccount(), await t.createAccount()];
    const scopes = ['account:read'];
    const toOwner = await delegate(t, giver.api, owner, { scopes, may_delegate: 1 });
    // The thief has a copy of the owner's key: he delegates to himself, and passes on what the owner got.
    const planted = await delegate(t, owner.api, thief, { scopes });
    const stolen = (await tokenFor(t, owner.key, toOwner.id)).access_token;
    const onward = await delegate(t, t.api(stolen), thief, { scopes });
    const held = (await tokenFor(t, thief.key, planted.id)).access_token;
    const kept = (await tokenFor(t, thief.key, onward.id)).access_token;
    const warning = (await owner.api.post('/v1/auth/keys/rotate')).body;
    assert.match(warning.warning, new RegExp(planted.id));
    for (const token of [stolen, held, kept]) assert.equal((await t.api(token).get(ME)).status, 200);
    const secured = await t.api(warning.api_key).post('/v1/account/secure');
    assert.equal(secured.status, 200, secured.text);
    assert.deepEqual([secured.body.ended.delegations, secured.body.ended.tokens], [2, 2]);
    for (const token of [stolen, held, kept]) assert.equal((await t.api(token).get(ME)).status, 401);
    for (const { id } of [planted, onward]) assert.equal((await exchange(t, thief.key, id)).status, 400);
    assert.equal((await exchange(t, secured.body.api_key, toOwner.id)).status, 200);
  });
});
