import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createRemoteJWKSet, decodeJwt, jwtVerify, SignJWT } from 'jose';
import { suspend } from '../../../../test/support/agents.ts';
import { onEngines, type Suite } from '../../../../test/support/harness.ts';
import { makePod } from '../../../../test/support/pods.ts';
import { newSigningKey, proofOf, publishKey, RFC_8037_KEY } from '../../../../test/support/signing-keys.ts';
import { preferredType } from '../../../base/negotiation.ts';

const KEYS = '/v1/agents/signing-keys';
const PUBLIC_KEY = RFC_8037_KEY.publicKey;

it('content negotiation: picks the preferred type by the most specific range, else the first offered', () => {
  const offers = ['application/json', 'text/html'] as const;
  for (const [accept, type] of [
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
    ['application/json', 'application/json'],
    ['text/*', 'text/html'],
    ['text/html;q=0.1, application/json;q=0.5', 'application/json'],
    ['*/*;q=0.9, application/json;q=0', 'text/html'],
    ['TEXT/HTML', 'text/html'],
    ['image/png', 'application/json'],
    [',;q=,text/html;q=x', 'application/json'],
  ] as const)
    assert.equal(preferredType(accept, offers), type, accept);
});

const visiting = (suite: Suite) => {
  const agent = async (name: string) => {
    const { t } = suite;
    const registered = await t.api().post('/v1/register', { name, capabilities: ['search', '<b>bold</b>'] });
    const { api_key: key, account_id: accountId, email } = registered.body;
    return { api: t.api(key), accountId, email, handle: email.split('@')[0] as string };
  };
  const get = (path: string, accept?: string) =>
    fetch(suite.t.baseUrl + path, { headers: accept === undefined ? {} : { accept } });
  return { agent, get };
};

onEngines('any', 'GET /agents/{name}', {}, (suite) => {
  const { agent, get } = visiting(suite);

  it('returns JSON by the local part in any case or by account id', async () => {
    const { t } = suite;
    const { accountId, email, handle } = await agent('Ada Lovelace');
    const reply = await get(`/agents/${handle}`);
    assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(reply.headers.get('vary'), 'accept');
    const profile = await reply.json();
    const url = `${t.baseUrl}/agents/${handle}`;
    assert.deepEqual(profile, {
      id: accountId,
      name: 'Ada Lovelace',
      email,
      did: `did:web:${new URL(t.baseUrl).host.replace(':', '%3A')}:agents:${handle}`,
      jwks_url: `${url}/.well-known/jwks.json`,
      did_url: `${url}/did.json`,
      profile_url: url,
      description: null,
      capabilities: ['search', '<b>bold</b>'],
      registered_at: new Date(t.clock.now()).toISOString(),
      verified: false,
      trust: {
        score: 0,
        tier: 'untrusted',
        breakdown: { behavioral: 0, consistency: 0, reputation: 0, transparency: 0 },
        observation_count: 0,
      },
    });
    assert.deepEqual(await (await get(`/agents/${handle.toUpperCase()}`)).json(), profile);
    assert.deepEqual(await (await get(`/agents/${accountId}`)).json(), profile);
    const plain = await t.createAccount();
    const { body } = await t.api().get(`/agents/${plain.accountId}`);
    assert.deepEqual([body.email, body.profile_url], [null, `${t.baseUrl}/agents/${plain.accountId}`]);
  });

  it('returns an HTML page that escapes untrusted text and runs no script', async () => {
    const { handle } = await agent('<script>alert(1)</script> & "Co"');
    const reply = await get(`/agents/${handle}`, 'text/html,*/*;q=0.8');
    assert.equal(reply.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(reply.headers.get('content-security-policy') as string, /default-src 'none'/);
    const page = await reply.text();
    assert.equal(page.includes('<script'), false);
    assert.equal(page.includes('<b>'), false);
    assert.match(page, /&lt;script&gt;alert\(1\)&lt;\/script&gt; &amp; &quot;Co&quot;/);
  });

  it('returns the DID document when `Accept` asks for it', async () => {
    const { handle } = await agent('Grace');
    for (const type of ['application/did+json', 'application/did+ld+json']) {
      const reply = await get(`/agents/${handle}`, type);
      assert.equal(reply.headers.get('content-type'), `${type}; charset=utf-8`);
      assert.deepEqual(await reply.json(), await (await get(`/agents/${handle}/did.json`)).json());
    }
  });

  it('an address that begins like an id has its profile, and no address can equal another account’s id', async () => {
    const { t } = suite;
    const [eve, victim] = [await t.createAccount(), await t.createAccount()];
    const taken = await eve.api.post('/v1/email/claim', { address: victim.accountId });
    assert.equal(taken.body.error, 'address_reserved');
    assert.equal((await eve.api.post('/v1/email/claim', { address: 'acc_eve' })).status, 201);
    assert.equal((await t.api().get('/agents/acc_eve')).body.id, eve.accountId);
  });

  it('the same 404 for an unknown and a suspended agent, on all three documents', async () => {
    const { t } = suite;
    const { handle, accountId } = await agent('Eve');
    await suspend(t, accountId);
    for (const suffix of ['', '/did.json', '/.well-known/jwks.json']) {
      const missing = await t.api().get(`/agents/nobody-at-all${suffix}`);
      assert.equal(missing.status, 404);
      for (const name of [handle, accountId])
        assert.equal((await t.api().get(`/agents/${name}${suffix}`)).text, missing.text);
    }
  });
});

onEngines('both', 'GET /agents/{name}', {}, (suite) => {
  const { agent, get } = visiting(suite);

  it('the page says that there is no independent evidence until 5 other agents reported; own and repeated reports do not count', async () => {
    const { t } = suite;
    const { api, accountId, handle } = await agent('Boaster');
    const page = async () => (await get(`/agents/${handle}`, 'text/html')).text();
    const report = (by: typeof api) =>
      by.post('/v1/telemetry/submit', {
        event: 'worked',
        agent_id: accountId,
        timestamp: new Date(t.clock.now()).toISOString(),
        action_type: 'decision',
        outcome: 'success',
      });
    assert.match(await page(), /It has no score yet/);
    for (let i = 0; i < 10; i++) {
      assert.ok((await report(api)).status < 300);
      await api.post('/v1/observations', { topic: `topic ${i}`, content: 'I am good.', shared: true });
    }
    assert.match(await page(), /“verified” \(by its own reports, at a score of 750 or more\)/);
    // The pods of one platform are one witness.
    const platform = await t.createAccount();
    for (const _ of [1, 2, 3, 4, 5]) await report((await makePod(t, platform)).api);
    const peers = await Promise.all(Array.from({ length: 4 }, () => t.createAccount()));
    for (const peer of peers) {
      assert.match(await page(), /No independent evidence yet/);
      for (const _ of [1, 2]) assert.ok((await report(peer.api)).status < 300);
    }
    assert.doesNotMatch(await page(), /No independent evidence yet/);
    assert.match(await page(), /Nobody has checked who runs this agent/);
  });
});

onEngines('any', 'an agent’s signing keys', {}, (suite) => {
  it('can be registered in base64url or hex, listed, published and deleted; their id is the RFC 7638 thumbprint', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    const made = await publishKey(api, RFC_8037_KEY, { label: 'laptop' });
    assert.equal(made.status, 201);
    // RFC 8037 A.3.
    assert.equal(made.body.keyid, 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
    assert.deepEqual((await api.get(KEYS)).body, { keys: [made.body], count: 1 });
    const published = async () => (await t.api().get(`/agents/${accountId}/.well-known/jwks.json`)).body.keys;
    assert.deepEqual(
      (await published()).map(({ kid }: { kid: string }) => kid),
      [made.body.keyid],
    );
    const hex = Buffer.from(PUBLIC_KEY, 'base64url').toString('hex');
    assert.equal((await api.post(KEYS, { public_key: hex })).body.error, 'signing_key_exists');
    const stranger = (await t.createAccount()).api;
    assert.equal((await stranger.delete(`${KEYS}/${made.body.keyid}`)).status, 404);
    assert.deepEqual((await api.delete(`${KEYS}/${made.body.keyid}`)).body, { deleted: true, keyid: made.body.keyid });
    assert.equal((await api.delete(`${KEYS}/${made.body.keyid}`)).status, 404);
    assert.equal((await published()).length, 0);
  });

  it('M6: nobody publishes the key of another: each proof is for one account, one key and five minutes', async () => {
    const { t } = suite;
    const [owner, thief] = [await t.createAccount(), await t.createAccount()];
    const key = newSigningKey();
    const { publicKey: public_key } = key;
    const asked = await thief.api.post(KEYS, { public_key });
    assert.deepEqual([asked.status, asked.body.error], [409, 'proof_required']);
    assert.match(asked.body.challenge, new RegExp(thief.accountId));
    assert.equal((await thief.api.get(KEYS)).body.count, 0);
    // The thief signs with a key of his own, or replays what the owner signed for the owner's account.
    const { challenge } = (await owner.api.post(KEYS, { public_key })).body;
    for (const proof of [
      proofOf(newSigningKey(), asked.body.challenge),
      proofOf(key, challenge),
      'x',
      'A'.repeat(86),
    ]) {
      const refused = await thief.api.post(KEYS, { public_key, proof });
      assert.deepEqual([refused.status, refused.body.details[0].code], [400, 'invalid_proof']);
    }
    const proof = proofOf(key, challenge);
    t.clock.advance(5 * 60_000 + 1);
    assert.equal((await owner.api.post(KEYS, { public_key, proof })).status, 400);
    const later = (await owner.api.post(KEYS, { public_key })).body.challenge;
    t.clock.advance(4 * 60_000);
    assert.equal((await owner.api.post(KEYS, { public_key, proof: proofOf(key, later) })).status, 201);
    assert.equal((await owner.api.post(KEYS, { public_key })).body.error, 'signing_key_exists');
  });

  it('M5: a token that an agent signed itself is refused by a verifier that follows our documents', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    const key = newSigningKey();
    const { keyid } = (await publishKey(api, key)).body;
    const issuer = (await t.api().get('/.well-known/oauth-authorization-server')).body;
    const real = (await api.post('/v1/tokens/issue', { audience: 'https://shop.example', scopes: ['buy'] })).body.token;
    const forged = await new SignJWT({ ...decodeJwt(real), scope: 'admin', scopes: ['admin'] })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: keyid })
      .sign(key.privateKey);
    const expected = { issuer: issuer.issuer, audience: 'https://shop.example', typ: 'at+jwt' };
    const currentDate = new Date(t.clock.now());
    const ofService = createRemoteJWKSet(new URL(issuer.jwks_uri));
    assert.equal((await jwtVerify(real, ofService, { ...expected, currentDate })).payload.sub, accountId);
    await assert.rejects(jwtVerify(forged, ofService, { ...expected, currentDate }), {
      code: 'ERR_JWKS_NO_MATCHING_KEY',
    });
    // The agent's list holds no key of the service, so no verifier can use it for tokens of the service by mistake.
    const { jwks_url, did_url } = (await t.api().get(`/agents/${accountId}`)).body;
    const ofAgent = createRemoteJWKSet(new URL(jwks_url));
    await assert.rejects(jwtVerify(real, ofAgent, { ...expected, currentDate }), { code: 'ERR_JWKS_NO_MATCHING_KEY' });
    const did = (await (await fetch(did_url)).json()) as { verificationMethod: { publicKeyJwk: { kid: string } }[] };
    assert.deepEqual(
      did.verificationMethod.map(({ publicKeyJwk }) => publicKeyJwk.kid),
      [keyid],
    );
  });
});

onEngines('both', 'an agent’s signing keys', {}, (suite) => {
  it('400 for an invalid Ed25519 key; of 15 parallel calls 10 succeed and the others get 403 signing_key_limit', async () => {
    const { api } = await suite.t.createAccount();
    for (const wrong of ['A'.repeat(43).slice(1), 'x'.repeat(44), '!'.repeat(43), PUBLIC_KEY.slice(0, -1)])
      assert.equal((await api.post(KEYS, { public_key: wrong })).status, 400, wrong);
    const replies = await Promise.all(Array.from({ length: 15 }, () => publishKey(api, newSigningKey())));
    assert.equal(replies.filter(({ status }) => status === 201).length, 10);
    assert.equal(replies.filter(({ body }) => body.error === 'signing_key_limit').length, 5);
    assert.equal((await api.get(KEYS)).body.count, 10);
  });
});
