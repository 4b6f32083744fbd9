import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as oauth from 'oauth4webapi';
import { createAgent, suspend, unsuspend } from '../../../../test/support/agents.ts';
import { delegate, exchange, type Form, tokenFor } from '../../../../test/support/delegations.ts';
import { onEngines } from '../../../../test/support/harness.ts';

const DELEGATIONS = '/v1/delegations';
const ME = '/v1/account/me';
const HOUR_MS = 3_600_000;

onEngines('any', 'delegation', {}, (suite) => {
  it('A → B → C: scopes intersect, end and depth are never wider, and the audit log of A names everybody', async () => {
    const { t } = suite;
    const [a, b, c, d] = [
      await t.createAccount(),
      await t.createAccount(),
      await t.createAccount(),
      await t.createAccount(),
    ];
    const expiresAt = new Date(t.clock.now() + HOUR_MS).toISOString();
    const first = await delegate(t, a.api, b, {
      scopes: ['audit:read', 'calendar:read', 'calendar:write'],
      expires_at: expiresAt,
      may_delegate: 1,
    });
    assert.deepEqual([first.account_id, first.from, first.to], [a.accountId, a.accountId, b.accountId]);
    const byB = t.api(
      (await tokenFor(t, b.key, first.id, { scope: 'calendar:read audit:read mail:read' })).access_token,
    );
    assert.equal((await byB.get('/v1/calendar/events')).status, 200);
    const refused = await byB.post('/v1/calendar/events', { summary: 'x' });
    assert.deepEqual([refused.status, refused.body.required_scope], [403, 'calendar:write']);

    // B passes on more than its token has, for longer, and further than it may.
    const later = new Date(t.clock.now() + 9 * HOUR_MS).toISOString();
    const wish = { scopes: ['calendar:read', 'calendar:write', 'mail:read'], expires_at: later, may_delegate: 3 };
    const second = await delegate(t, byB, c, wish);
    assert.deepEqual([second.scopes, second.expires_at, second.may_delegate], [['calendar:read'], expiresAt, 0]);
    assert.deepEqual([second.account_id, second.from, second.to], [a.accountId, b.accountId, c.accountId]);
    const none = await byB.post(DELEGATIONS, { to: c.accountId, scopes: ['mail:read'], expires_at: later });
    assert.deepEqual([none.status, none.body.error], [400, 'invalid_scope']);

    const tokenOfC = await tokenFor(t, c.key, second.id);
    assert.equal(tokenOfC.scope, 'calendar:read');
    const byC = t.api(tokenOfC.access_token);
    assert.equal((await byC.get('/v1/calendar/events')).status, 200);
    const tooDeep = await byC.post(DELEGATIONS, { to: d.accountId, scopes: ['calendar:read'], expires_at: later });
    assert.deepEqual([tooDeep.status, tooDeep.body.error], [403, 'may_not_delegate']);

    const { entries } = (await a.api.get('/v1/audit?action=delegation.created')).body;
    assert.deepEqual(
      entries.map((entry: { act?: string[]; resource_id: string }) => [entry.resource_id, entry.act]),
      [
        [second.id, [b.accountId]],
        [first.id, undefined],
      ],
    );
    const introspected = (await c.api.post('/v1/tokens/introspect', { token: tokenOfC.access_token })).body;
    assert.deepEqual(
      [introspected.active, introspected.sub, introspected.act, introspected.scope],
      [true, a.accountId, { sub: c.accountId, act: { sub: b.accountId } }, 'calendar:read'],
    );
    // Nobody else learns anything, although he holds the token's text.
    for (const api of [d.api, t.api()])
      assert.deepEqual((await api.post('/v1/tokens/introspect', { token: tokenOfC.access_token })).body, {
        active: false,
      });
  });

  it('B ends what it passed on, C gives back what it got, and an access token is revoked alone', async () => {
    const { t } = suite;
    const [a, b, c] = [await t.createAccount(), await t.createAccount(), await t.createAccount()];
    const first = await delegate(t, a.api, b, { scopes: ['account:read'], may_delegate: 1 });
    const tokenB = (await tokenFor(t, b.key, first.id)).access_token;
    for (const who of [b, c]) {
      const second = await delegate(t, t.api(tokenB), c, { scopes: ['account:read'] });
      const tokenC = (await tokenFor(t, c.key, second.id)).access_token;
      assert.equal((await t.api(tokenC).get(ME)).status, 200);
      assert.equal((await who.api.delete(`${DELEGATIONS}/${second.id}`)).status, 200);
      assert.equal((await t.api(tokenC).get(ME)).status, 401);
    }
    assert.equal((await t.api(tokenB).get(ME)).status, 200);
    const another = (await tokenFor(t, b.key, first.id)).access_token;
    assert.deepEqual((await c.api.post('/v1/tokens/revoke', { token: tokenB })).body.revoked, false);
    assert.deepEqual((await a.api.post('/v1/tokens/revoke', { token: tokenB })).body, { revoked: true, jti: null });
    assert.equal((await t.api(tokenB).get(ME)).status, 401);
    assert.equal((await t.api(another).get(ME)).status, 200);
  });

  it('a suspended delegator, actor or earlier actor ends it; the token lives for minutes, and not past the delegation', async () => {
    const { t } = suite;
    const [a, b, c] = [await t.createAccount(), await t.createAccount(), await t.createAccount()];
    const until = new Date(t.clock.now() + HOUR_MS).toISOString();
    const first = await delegate(t, a.api, b, { scopes: ['account:read'], may_delegate: 1, expires_at: until });
    const tokenB = (await tokenFor(t, b.key, first.id)).access_token;
    const second = await delegate(t, t.api(tokenB), c, { scopes: ['account:read'] });
    const { access_token: tokenC, expires_in } = await tokenFor(t, c.key, second.id);
    assert.equal(expires_in, 900);
    for (const { accountId } of [a, b, c]) {
      await suspend(t, accountId);
      assert.ok([401, 403].includes((await t.api(tokenC).get(ME)).status));
      await unsuspend(t, accountId);
      assert.equal((await t.api(tokenC).get(ME)).status, 200);
    }
    t.clock.advance(900_000);
    assert.equal((await t.api(tokenC).get(ME)).status, 401);
    t.clock.advance(HOUR_MS - 900_000 - 60_000);
    assert.equal((await tokenFor(t, c.key, second.id)).expires_in, 60);
    t.clock.advance(60_000);
    assert.equal((await exchange(t, c.key, second.id)).body.error, 'invalid_request');
    assert.equal((await b.api.get(DELEGATIONS)).body.delegations[1].status, 'expired');
  });

  it('a named key delegates within its scopes and its end, and its delegations end with it', async () => {
    const { t } = suite;
    const [a, b] = [await t.createAccount(), await t.createAccount()];
    const fields = { name: 'ci', scopes: ['identity:issue', 'account:read'], expires_in_seconds: 600 };
    const { id, api_key } = (await a.api.post('/v1/account/keys', fields)).body;
    const wide = {
      to: b.accountId,
      scopes: ['mail:read'],
      expires_at: new Date(t.clock.now() + HOUR_MS).toISOString(),
    };
    const refused = await t.api(api_key).post(DELEGATIONS, wide);
    assert.deepEqual([refused.status, refused.body.required_scope], [403, 'mail:read']);
    const made = await delegate(t, t.api(api_key), b, { scopes: ['account:read'] });
    assert.equal(Date.parse(made.expires_at), t.clock.now() + 600_000);
    const { access_token } = await tokenFor(t, b.key, made.id);
    assert.equal((await t.api(access_token).get(ME)).status, 200);
    await a.api.delete(`/v1/account/keys/${id}`);
    assert.equal((await t.api(access_token).get(ME)).status, 401);
    assert.equal((await exchange(t, b.key, made.id)).status, 400);
    assert.equal((await b.api.get(DELEGATIONS)).body.delegations[0].status, 'revoked');
  });

  it('what a key limited to an address delegates is limited to it, also when it is passed on', async () => {
    const { t } = suite;
    const [a, b, c] = [await createAgent(t), await t.createAccount(), await t.createAccount()];
    const other = (await createAgent(t, {}, a)).address;
    const scopes = ['identity:issue', 'mail:read', 'mail:send'];
    const { api_key } = (await a.api.post('/v1/account/keys', { name: 'ci', scopes, addresses: [a.address] })).body;
    const fields = { scopes: ['mail:read', 'mail:send'], may_delegate: 1 };
    const first = await delegate(t, t.api(api_key), b, fields);
    const byB = t.api((await tokenFor(t, b.key, first.id)).access_token);
    const second = await delegate(t, byB, c, fields);
    const byC = t.api((await tokenFor(t, c.key, second.id)).access_token);
    const mail = { to: a.address, subject: 'x', text: 'x' };
    for (const api of [byB, byC]) {
      assert.equal((await api.get(`/v1/email/inbox?address=${a.address}`)).status, 200);
      const [theirs, none] = [
        await api.get(`/v1/email/inbox?address=${other}`),
        await api.get('/v1/email/inbox?address=nobody@agents.localhost'),
      ];
      assert.deepEqual([theirs.status, theirs.body.error], [none.status, none.body.error]);
      assert.equal((await api.post('/v1/email/send', { ...mail, from: a.address })).status, 201);
      assert.equal((await api.post('/v1/email/send', { ...mail, from: other })).status, 403);
      assert.deepEqual((await api.get('/v1/email/addresses')).body.addresses.length, 1);
    }
    // A limited key exchanges nothing: what others delegated to the account is not about its address.
    const back = await delegate(t, b.api, a, { scopes: ['account:read'] });
    assert.equal((await exchange(t, api_key, back.id)).status, 403);
  });

  it('the exchange needs identity:issue on the delegate’s key and nothing else; its tokens end with a named key', async () => {
    const { t } = suite;
    const [a, b] = [await t.createAccount(), await t.createAccount()];
    const { id } = await delegate(t, a.api, b, { scopes: ['account:read'] });
    const keyOf = async (scopes: string[]) => (await b.api.post('/v1/account/keys', { name: 'x', scopes })).body;
    const weak = await keyOf(['account:read', 'identity:read']);
    const refused = await exchange(t, weak.api_key, id);
    assert.deepEqual([refused.status, refused.body.required_scope], [403, 'identity:issue']);
    const enough = await keyOf(['identity:issue']);
    const { access_token } = await tokenFor(t, enough.api_key, id);
    assert.equal((await t.api(access_token).get(ME)).body.id, a.accountId);
    await b.api.delete(`/v1/account/keys/${enough.id}`);
    assert.equal((await t.api(access_token).get(ME)).status, 401);
  });

  it('oauth4webapi discovers the token endpoint and does the exchange', async () => {
    const { t } = suite;
    const [a, b] = [await t.createAccount(), await t.createAccount()];
    const { id } = await delegate(t, a.api, b, { scopes: ['account:read', 'mail:read'] });
    const insecure = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(t.baseUrl);
    const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    const server = await oauth.processDiscoveryResponse(issuer, found);
    const grant = 'urn:ietf:params:oauth:grant-type:token-exchange';
    assert.ok(server.grant_types_supported?.includes(grant));
    const client = { client_id: b.accountId };
    const withKey: oauth.ClientAuth = (_server, _client, _body, headers) =>
      headers.set('authorization', `Bearer ${b.key}`);
    const parameters = {
      subject_token: id,
      subject_token_type: 'urn:signet:token-type:delegation',
      scope: 'account:read',
    };
    const ask = (more: Record<string, string> = {}) =>
      oauth.genericTokenEndpointRequest(server, client, withKey, grant, { ...parameters, ...more }, insecure);
    const granted = await oauth.processGenericTokenEndpointResponse(server, client, await ask());
    assert.deepEqual(
      [granted.token_type, granted.scope, granted.issued_token_type],
      ['bearer', 'account:read', 'urn:ietf:params:oauth:token-type:access_token'],
    );
    assert.equal((await t.api(granted.access_token).get(ME)).body.id, a.accountId);
    const codes = [
      ['invalid_scope', { scope: 'vault:read' }],
      ['invalid_target', { audience: 'https://other.example' }],
      ['invalid_target', { resource: 'https://other.example' }],
      ['invalid_request', { subject_token: 'dlg_00000000000000000000000000' }],
      ['invalid_request', { subject_token_type: 'urn:ietf:params:oauth:token-type:jwt' }],
      ['invalid_request', { actor_token: 'x', actor_token_type: 'urn:ietf:params:oauth:token-type:jwt' }],
      ['invalid_request', { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' }],
    ] as const;
    for (const [code, more] of codes) {
      const failed = oauth.processGenericTokenEndpointResponse(server, client, await ask(more));
      await assert.rejects(failed, { name: 'ResponseBodyError', error: code, status: 400 }, JSON.stringify(more));
    }
    const bad: Form = { grant_type: 'client_credentials' };
    assert.equal((await exchange(t, b.key, id, bad)).body.error, 'unsupported_grant_type');
  });

  it('a delegation for another service gives no token for this one', async () => {
    const { t } = suite;
    const [a, b] = [await t.createAccount(), await t.createAccount()];
    const { id } = await delegate(t, a.api, b, { scopes: ['account:read'], audience: 'https://other.example' });
    for (const fields of [{}, { audience: 'https://other.example' }, { audience: t.baseUrl }])
      assert.equal((await exchange(t, b.key, id, fields)).body.error, 'invalid_target');
    const ours = await delegate(t, a.api, b, { scopes: ['account:read'], audience: t.baseUrl, may_delegate: 1 });
    const byB = t.api((await tokenFor(t, b.key, ours.id, { audience: t.baseUrl })).access_token);
    const c = await t.createAccount();
    const wider = {
      to: c.accountId,
      scopes: ['account:read'],
      expires_at: ours.expires_at,
      audience: 'https://other.example',
    };
    assert.equal((await byB.post(DELEGATIONS, wider)).body.error, 'invalid_target');
  });
});

onEngines('both', 'delegation: what the database decides', {}, (suite) => {
  it('revoking the first delegation ends every token of the tree with the next request', async () => {
    const { t } = suite;
    const [a, b, c] = [await t.createAccount(), await t.createAccount(), await t.createAccount()];
    const first = await delegate(t, a.api, b, { scopes: ['account:read'], may_delegate: 1 });
    const tokenB = (await tokenFor(t, b.key, first.id)).access_token;
    const second = await delegate(t, t.api(tokenB), c, { scopes: ['account:read'] });
    const tokenC = (await tokenFor(t, c.key, second.id)).access_token;
    for (const token of [tokenB, tokenC]) assert.equal((await t.api(token).get(ME)).body.id, a.accountId);
    assert.equal((await a.api.delete(`${DELEGATIONS}/${first.id}`)).status, 200);
    for (const token of [tokenB, tokenC]) assert.equal((await t.api(token).get(ME)).status, 401);
    assert.equal((await exchange(t, c.key, second.id)).status, 400);
    const listed = (await c.api.get(DELEGATIONS)).body.delegations;
    assert.deepEqual([listed.length, listed[0].id, listed[0].status], [1, second.id, 'revoked']);
    const types = (await b.api.get('/v1/events')).body.events.map(({ type }: { type: string }) => type);
    assert.deepEqual(types.filter((type: string) => type === 'delegation.ended').length, 1);
  });
});
