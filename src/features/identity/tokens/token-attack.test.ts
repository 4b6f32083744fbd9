import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { it } from 'node:test';
import { onEngines } from '../../../../test/support/harness.ts';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());

/** Signs a JWS with the given key and any header. */
function forged(header: object, claims: object, key: KeyObject): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${sign(key.asymmetricKeyType === 'rsa' ? 'sha256' : null, Buffer.from(input), key).toString('base64url')}`;
}

// Attacks of RFC 8725 section 3, and other mistakes that RFC 7515 allows.
/** The service's own private key, known to the test. */
const { privateKey: OURS } = generateKeyPairSync('ed25519');
const env = { SIGNING_KEY: JSON.stringify(OURS.export({ format: 'jwk' })) };

onEngines('any', 'POST /v1/tokens/introspect refuses', { env }, (suite) => {
  const ours = async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const wanted = { audience: 'https://api.example.com', scopes: ['a'], ttl: 3600 };
    const { token } = (await account.api.post('/v1/tokens/issue', wanted)).body as { token: string };
    const [header = '', payload = '', signature = ''] = token.split('.');
    return { ...account, token, header, payload, signature, head: decode(header), claims: decode(payload) };
  };
  const isInactive = async (token: string, what: string) => {
    const { status, body } = await suite.t.api().post('/v1/tokens/introspect', { token });
    assert.equal(status, 200, what);
    assert.deepEqual(body, { active: false }, what);
  };

  it('another algorithm, the public key as an HMAC secret, or no signature at all', async () => {
    const { head, claims, payload, signature } = await ours();
    const { keys } = (await suite.t.api().get('/.well-known/jwks.json')).body;
    for (const alg of ['none', 'None', 'NONE', '', null, 'HS256', 'RS256', 'ES256', 'Ed25519', ['EdDSA']]) {
      const header = encode({ ...head, alg });
      await isInactive(`${header}.${payload}.${signature}`, `${alg} with our signature`);
      await isInactive(`${header}.${payload}.`, `${alg} without one`);
    }
    for (const secret of [Buffer.from(keys[0].x, 'base64url'), keys[0].x, JSON.stringify(keys[0])]) {
      const input = `${encode({ ...head, alg: 'HS256' })}.${payload}`;
      await isInactive(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`, 'HS256');
    }
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await isInactive(forged({ ...head, alg: 'RS256' }, claims, privateKey), 'RS256');
  });

  it('a stranger’s key, with or without its name in the header', async () => {
    const { head, claims } = await ours();
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const jwk = publicKey.export({ format: 'jwk' });
    for (const more of [{}, { jwk }, { jku: 'https://evil.example/jwks.json' }, { x5u: 'https://evil.example/x' }])
      await isInactive(forged({ ...head, ...more }, claims, privateKey), JSON.stringify(more));
    for (const kid of ['unknown', '../../etc/passwd', "' or 1=1 --", '\0', '', 7, null, 'x'.repeat(9000)])
      await isInactive(forged({ ...head, kid }, claims, privateKey), `kid ${kid}`);
  });

  it('a header that is not ours, signed by our key: crit, jwk, another typ', async () => {
    const { t } = suite;
    const { head, claims } = await ours();
    const active = await t.api().post('/v1/tokens/introspect', { token: forged(head, claims, OURS) });
    assert.equal(active.body.active, true, 'a token that the test signs is as good as a real one');
    for (const more of [
      { crit: ['exp'] },
      { jwk: {} },
      { b64: false },
      { typ: 'JWT' },
      { typ: undefined },
      { cty: 'JWT' },
    ])
      await isInactive(forged({ ...head, ...more }, claims, OURS), JSON.stringify(more));
    const now = Math.floor(t.clock.now() / 1000);
    for (const more of [{ iat: now + 1 }, { exp: now }, { iss: 'https://evil.example' }, { jti: 'aat_unknown' }])
      await isInactive(forged(head, { ...claims, ...more }, OURS), JSON.stringify(more));
  });

  it('an altered payload, non-canonical base64url, a wrong number of parts, and other malformed text', async () => {
    const { token, header, payload, signature, claims } = await ours();
    await isInactive(`${header}.${encode({ ...claims, scopes: ['everything'] })}.${signature}`, 'payload');
    // The last character of 64 bytes carries four unused bits.
    const last = signature.at(-1) as string;
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const twin = alphabet[alphabet.indexOf(last) ^ 1] as string;
    await isInactive(`${header}.${payload}.${signature.slice(0, -1)}${twin}`, 'trailing bits');
    for (const altered of [
      `${token}=`,
      `${token}.`,
      `.${token}`,
      `${token}.${signature}`,
      `${header}.${payload}`,
      ` ${token}`,
      `${token}\n`,
      token.replaceAll('-', '+').replaceAll('_', '/').concat('='),
      `${header}..${signature}`,
      `${header}.${payload}.AAAA`,
      '',
      '.',
      '..',
      '...',
      'a.b.c',
      '{}',
      'null',
      'é'.repeat(50),
      'A'.repeat(99_999),
      encode('x'),
      `${encode([])}.e30.AA`,
    ])
      if (altered !== token) await isInactive(altered, altered.slice(0, 60));
    assert.equal((await suite.t.api().post('/v1/tokens/introspect', { token })).body.active, true);
    assert.deepEqual((await suite.t.api().post('/v1/tokens/introspect', {})).body, { active: false });
  });
});
