import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { suspend, unsuspend } from '../../../../test/support/agents.ts';
import { onEngines, type Suite, startTestApp, type TestApp } from '../../../../test/support/harness.ts';

const WANTED = { audience: 'https://api.example.com/v1', scopes: ['mail.read', 'vault:write'] };
const ISSUE = '/v1/tokens/issue';

const introspect = async (t: TestApp, token: unknown) => (await t.api().post('/v1/tokens/introspect', { token })).body;

onEngines('any', 'POST /v1/tokens/issue', {}, (suite) => {
  it('201: jose verifies the token with the JWKS, as RFC 9068 requires', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount({ name: 'Ada' });
    const { status, body } = await api.post(ISSUE, { ...WANTED, ttl: 600 });
    assert.equal(status, 201);
    const now = Math.floor(t.clock.now() / 1000);
    assert.match(body.jti, /^aat_[0-9a-hjkmnp-tv-z]{26}$/);
    assert.equal(body.expires_at, new Date((now + 600) * 1000).toISOString());
    assert.equal(body.audit_url, `${t.baseUrl}/v1/audit/${body.jti}`);
    const keys = createRemoteJWKSet(new URL(`${t.baseUrl}/.well-known/jwks.json`));
    const { payload } = await jwtVerify(body.token, keys, {
      issuer: t.baseUrl,
      audience: WANTED.audience,
      typ: 'at+jwt',
      algorithms: ['EdDSA'],
      currentDate: new Date(t.clock.now()),
      requiredClaims: ['iss', 'exp', 'aud', 'sub', 'client_id', 'iat', 'jti'],
    });
    assert.deepEqual(payload, {
      iss: t.baseUrl,
      sub: accountId,
      aud: WANTED.audience,
      client_id: accountId,
      iat: now,
      exp: now + 600,
      jti: body.jti,
      scope: 'mail.read vault:write',
      scopes: WANTED.scopes,
      agent_id: accountId,
      agent_name: 'Ada',
    });
    const [key] = (await t.api().get('/.well-known/jwks.json')).body.keys;
    assert.deepEqual(decodeProtectedHeader(body.token), { alg: 'EdDSA', typ: 'at+jwt', kid: key.kid });
    assert.deepEqual(
      { ...key, x: '', kid: '' },
      { kty: 'OKP', crv: 'Ed25519', x: '', kid: '', use: 'sig', alg: 'EdDSA' },
    );
  });

  it('states whether the account owns the email address', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const { address } = (await api.post('/v1/email/claim', { address: 'vouched' })).body;
    for (const [email, verified] of [
      [address.toUpperCase(), true],
      ['boss@example.com', false],
    ]) {
      const { token } = (await api.post(ISSUE, { ...WANTED, agent_email: email, agent_name: 'Bo' })).body;
      const claims = await introspect(t, token);
      assert.equal(claims.agent_email, email.toLowerCase());
      assert.equal(claims.agent_email_verified, verified);
      assert.equal(claims.agent_name, 'Bo');
    }
  });

  it('400 with the code of the specification: no scopes, a malformed one, 21 scopes, a ttl out of range; accepts 20 scopes and the limits of the range', async () => {
    const { api } = await suite.t.createAccount();
    const many = (count: number) => Array.from({ length: count }, (_, i) => `s${i}`);
    for (const [wrong, code] of [
      [{ scopes: [] }, 'invalid_scopes'],
      [{ scopes: undefined }, 'invalid_scopes'],
      [{ scopes: 'mail.read' }, 'invalid_scopes'],
      [{ scopes: [7] }, 'invalid_scopes'],
      [{ scopes: ['mail.read', 'Mail'] }, 'invalid_scopes'],
      [{ scopes: ['a b'] }, 'invalid_scopes'],
      [{ scopes: ['a\n'] }, 'invalid_scopes'],
      [{ scopes: [`a${'b'.repeat(128)}`] }, 'invalid_scopes'],
      [{ scopes: many(21) }, 'invalid_scopes'],
      [{ ttl: 59 }, 'ttl_out_of_range'],
      [{ ttl: 86_401 }, 'ttl_out_of_range'],
      [{ ttl: -1 }, 'ttl_out_of_range'],
      [{ audience: 'api.example.com' }, 'invalid_request'],
      [{ audience: 'https://a b' }, 'invalid_request'],
      [{ audience: '' }, 'invalid_request'],
      [{ agent_email: 'nobody' }, 'invalid_request'],
    ] as const) {
      const { status, body } = await api.post(ISSUE, { ...WANTED, ...wrong });
      assert.equal(status, 400, JSON.stringify(wrong));
      assert.equal(body.error, code, JSON.stringify(wrong));
    }
    for (const right of [{ scopes: many(20) }, { ttl: 60 }, { ttl: 86_400 }, { audience: 'urn:agents:all' }])
      assert.equal((await api.post(ISSUE, { ...WANTED, ...right })).status, 201, JSON.stringify(right));
  });

  it('400 scope_ceiling_exceeded: scopes that the account may not ask for; the reply lists the allowed ones', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    await t.sql(`update accounts set allowed_scopes = '["mail.read","mail.send"]' where id = '${accountId}'`);
    await new Promise(setImmediate);
    const refused = await api.post(ISSUE, WANTED);
    assert.equal(refused.status, 400);
    assert.equal(refused.body.error, 'scope_ceiling_exceeded');
    assert.deepEqual(refused.body.allowed_scopes, ['mail.read', 'mail.send']);
    assert.equal((await api.post(ISSUE, { ...WANTED, scopes: ['mail.read'] })).status, 201);
    await t.sql(`update accounts set allowed_scopes = '[]' where id = '${accountId}'`);
    await new Promise(setImmediate);
    assert.equal((await api.post(ISSUE, { ...WANTED, scopes: ['mail.read'] })).body.error, 'scope_ceiling_exceeded');
  });
});

const issuing = (suite: Suite) => {
  const issued = async () => {
    const account = await suite.t.createAccount();
    const { token, jti } = (await account.api.post(ISSUE, { ...WANTED, ttl: 60 })).body;
    return { ...account, token: token as string, jti: jti as string };
  };
  return { issued };
};

onEngines('any', 'the life of a token', {}, (suite) => {
  const { issued } = issuing(suite);

  it('introspection takes JSON or a form, and returns the claims until the token expires, then only {"active": false}', async () => {
    const { t } = suite;
    const { accountId, token, jti } = await issued();
    const now = Math.floor(t.clock.now() / 1000);
    const active = await introspect(t, token);
    assert.deepEqual(active, {
      active: true,
      iss: t.baseUrl,
      sub: accountId,
      aud: WANTED.audience,
      client_id: accountId,
      iat: now,
      exp: now + 60,
      jti,
      scope: 'mail.read vault:write',
      scopes: WANTED.scopes,
      agent_id: accountId,
      agent_name: active.agent_name,
      token_type: 'Bearer',
    });
    const form = await fetch(`${t.baseUrl}/v1/tokens/introspect`, {
      method: 'POST',
      body: new URLSearchParams({ token, token_type_hint: 'access_token', client_assertion: 'passed over' }),
    });
    assert.equal(form.headers.get('cache-control'), 'no-store');
    assert.deepEqual(await form.json(), active);
    t.clock.advance((now + 60) * 1000 - t.clock.now() - 1);
    assert.equal((await introspect(t, token)).active, true);
    t.clock.advance(1);
    assert.deepEqual(await introspect(t, token), { active: false });
    assert.equal((await t.api().get(`/v1/audit/${jti}`)).body.status, 'expired');
  });

  it('introspection of any body: 200 with only {"active": false} without a token, the claims with one', async () => {
    const { t } = suite;
    const { token } = await issued();
    const send = async (body: NonNullable<RequestInit['body']> | null | null, type?: string) => {
      const reply = await fetch(`${t.baseUrl}/v1/tokens/introspect`, {
        method: 'POST',
        body,
        ...(type === undefined ? {} : { headers: { 'content-type': type } }),
      });
      return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
    };
    const form = 'application/x-www-form-urlencoded';
    const inactive: [NonNullable<RequestInit['body']> | null | null, string?][] = [
      [null],
      ['', 'application/json'],
      ...['{}', '{', 'null', '[]', '7', '"text"', '{"token":', '{"token":7}', '{"token":null}', '{"token":["a"]}'].map(
        (body): [string, string] => [body, 'application/json'],
      ),
      ['{"token":"\\u0000"}', 'application/json'],
      ['{"__proto__":{"token":"a"}}', 'application/json'],
      [JSON.stringify({ token: 'a'.repeat(100_001) }), 'application/json'],
      [JSON.stringify({ unknown: 'field', deep: JSON.parse('['.repeat(40) + ']'.repeat(40)) }), 'application/json'],
      [new Uint8Array([0xff, 0xfe, 0]), 'application/json'],
      ...['', 'token=', 'token=a&token=b', 'token=%00', 'token=%ff', `token=${'a'.repeat(100_001)}`, 'other=1'].map(
        (body): [string, string] => [body, form],
      ),
      [token, 'text/plain'],
      ['<token/>', 'application/xml'],
    ];
    for (const [body, type] of inactive)
      assert.deepEqual(
        await send(body, type),
        { status: 200, body: { active: false } },
        `${type} ${String(body).slice(0, 40)}`,
      );
    const active = await introspect(t, token);
    assert.equal(active.active, true);
    const beside = JSON.stringify({ token, token_type_hint: 7, unknown: 'field' });
    assert.deepEqual(await send(beside, 'application/json; charset=utf-8'), { status: 200, body: active });
    assert.deepEqual(await send(`token=${token}&hint=1`, `${form}; charset=utf-8`), { status: 200, body: active });
    const huge = await send('a'.repeat(1_100_000), 'application/json');
    assert.deepEqual([huge.status, huge.body.error], [413, 'body_too_large']);
  });

  it('revocation by token or jti takes effect at once; other accounts’ and unknown tokens get the same reply', async () => {
    const { t } = suite;
    const { api, token, jti } = await issued();
    const stranger = (await t.createAccount()).api;
    const unknown = await stranger.post('/v1/tokens/revoke', { token: 'aat_00000000000000000000000000' });
    assert.equal(unknown.status, 200);
    for (const foreign of [token, jti])
      assert.equal((await stranger.post('/v1/tokens/revoke', { token: foreign })).text, unknown.text);
    assert.equal((await introspect(t, token)).active, true);
    assert.deepEqual((await api.post('/v1/tokens/revoke', { token })).body, { revoked: true, jti });
    assert.deepEqual(await introspect(t, token), { active: false });
    assert.deepEqual((await api.post('/v1/tokens/revoke', { token: jti })).body, { revoked: true, jti });
    const { body } = await t.api().get(`/v1/audit/${jti}`);
    const at = (ms: number) => new Date(ms).toISOString();
    const iat = Math.floor(t.clock.now() / 1000) * 1000;
    assert.deepEqual(body, {
      jti,
      status: 'revoked',
      audience: WANTED.audience,
      scopes: WANTED.scopes,
      issued_at: at(iat),
      expires_at: at(iat + 60_000),
      revoked_at: at(t.clock.now()),
    });
    const types = (await api.get('/v1/events')).body.events.map(({ type }: { type: string }) => type);
    assert.deepEqual(types, ['token.issued', 'token.revoked']);
  });

  it('the token of a suspended account is inactive until the account is active again; an unknown jti is 404', async () => {
    const { t } = suite;
    const { accountId, token } = await issued();
    await suspend(t, accountId);
    assert.deepEqual(await introspect(t, token), { active: false });
    await unsuspend(t, accountId);
    assert.equal((await introspect(t, token)).active, true);
    assert.equal((await t.api().get('/v1/audit/aat_00000000000000000000000000')).status, 404);
  });

  it('the database does not hold the token itself', async () => {
    const { t } = suite;
    const { token, accountId } = await issued();
    const signature = token.split('.')[2] as string;
    for (const table of ['agent_tokens', 'audit_entries', 'events', 'idempotency_keys'])
      assert.equal(JSON.stringify(await t.sql(`select * from ${table}`)).includes(signature), false, table);
    assert.equal((await t.sql(`select jti from agent_tokens where account_id = '${accountId}'`)).length, 1);
  });
});

onEngines('both', 'the life of a token', {}, (suite) => {
  const { issued } = issuing(suite);

  it('of 20 parallel revocations one takes effect, and all replies say revoked', async () => {
    const { api, token } = await issued();
    const replies = await Promise.all(Array.from({ length: 20 }, () => api.post('/v1/tokens/revoke', { token })));
    assert.ok(replies.every(({ status, body }) => status === 200 && body.revoked));
    const types = (await api.get('/v1/events')).body.events.map(({ type }: { type: string }) => type);
    assert.deepEqual(types, ['token.issued', 'token.revoked']);
  });
});

it('SIGNING=off: 503 signing_unavailable, an empty JWKS, and no token is active', async () => {
  const t = await startTestApp('sqlite', { env: { SIGNING: 'off' } });
  try {
    const { api } = await t.createAccount();
    const refused = await api.post(ISSUE, WANTED);
    assert.equal(refused.status, 503);
    assert.equal(refused.body.error, 'signing_unavailable');
    assert.deepEqual((await t.api().get('/.well-known/jwks.json')).body, { keys: [] });
    assert.deepEqual(await introspect(t, 'a.b.c'), { active: false });
  } finally {
    await t.stop();
  }
});
