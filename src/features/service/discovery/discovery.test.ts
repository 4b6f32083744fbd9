import assert from 'node:assert/strict';
import http from 'node:http';
import https from 'node:https';
import { it } from 'node:test';
import { Resolver } from 'did-resolver';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oauth from 'openid-client';
import { getResolver } from 'web-did-resolver';
import { onEngines } from '../../../../test/support/harness.ts';
import { newSigningKey, publishKey } from '../../../../test/support/signing-keys.ts';

const WANTED = { audience: 'https://api.example.com', scopes: ['mail.read'] };

onEngines('any', 'discovery', {}, (suite) => {
  it('openid-client discovers this service with either document, introspects a token and sees its revocation', async () => {
    const { t } = suite;
    const { api, key, accountId } = await t.createAccount();
    const { token, jti } = (await api.post('/v1/tokens/issue', WANTED)).body;
    for (const algorithm of ['oidc', 'oauth2'] as const) {
      const client = await oauth.discovery(new URL(t.baseUrl), 'a relying party', undefined, oauth.None(), {
        algorithm,
        execute: [oauth.allowInsecureRequests],
      });
      assert.equal(client.serverMetadata().issuer, t.baseUrl);
      const { active, sub, jti: id } = await oauth.tokenIntrospection(client, token);
      assert.deepEqual([active, sub, id], [true, accountId, jti]);
      const { payload } = await jwtVerify(
        token,
        createRemoteJWKSet(new URL(client.serverMetadata().jwks_uri as string)),
        {
          issuer: client.serverMetadata().issuer,
          audience: WANTED.audience,
          currentDate: new Date(t.clock.now()),
        },
      );
      assert.equal(payload.jti, jti);
    }
    const owner = await oauth.discovery(
      new URL(t.baseUrl),
      'the owner',
      undefined,
      (_server, _client, _body, headers) => headers.set('authorization', `Bearer ${key}`),
      { execute: [oauth.allowInsecureRequests] },
    );
    await oauth.tokenRevocation(owner, token);
    assert.deepEqual({ ...(await oauth.tokenIntrospection(owner, token)) }, { active: false });
  });

  it('a did:web resolver resolves the service and an agent; the agent’s keys match its JWKS', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    await api.post('/v1/email/claim', { address: 'resolved' });
    const made = await publishKey(api, newSigningKey());
    const { did, jwks_url: jwksUrl } = (await t.api().get('/agents/resolved')).body;
    const host = new URL(t.baseUrl).host.replace(':', '%3A');
    assert.equal(did, `did:web:${host}:agents:resolved`);
    // The resolver speaks HTTPS alone; the test service has no certificate.
    const { request } = https;
    https.request = ((options: http.RequestOptions) =>
      http.request({ ...options, protocol: 'http:', agent: undefined })) as typeof request;
    try {
      const resolver = new Resolver(getResolver());
      const { didDocument, didResolutionMetadata } = await resolver.resolve(did);
      assert.equal(didResolutionMetadata.error, undefined);
      assert.deepEqual(didDocument?.authentication, [`${did}#${made.body.keyid}`]);
      const { keys } = (await (await fetch(jwksUrl)).json()) as { keys: { kid: string }[] };
      assert.equal(keys[0]?.kid, made.body.keyid);
      assert.deepEqual(
        didDocument?.verificationMethod?.map(({ publicKeyJwk }) => publicKeyJwk),
        keys,
      );
      const issuer = (await t.api().get('/.well-known/jwks.json')).body;
      const service = await resolver.resolve(`did:web:${host}`);
      assert.equal(service.didDocument?.verificationMethod?.[0]?.publicKeyJwk?.kid, issuer.keys[0].kid);
      assert.equal(keys.length, 1);
    } finally {
      https.request = request;
    }
  });

  it('/.well-known/agent.json describes this service', async () => {
    const { status, body } = await suite.t.api().get('/.well-known/agent.json');
    assert.equal(status, 200);
    assert.equal(body.url, suite.t.baseUrl);
    assert.ok(body.skills.length > 0);
  });
});
