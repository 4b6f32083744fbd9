import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { SignetCryptoError } from './signet-error.ts';
import { createTokenVerifier, type TokenVerifierOptions } from './token-verifier.ts';

const NOW = Date.UTC(2026, 0, 14, 12);
const seconds = NOW / 1000;
const ISSUER = 'https://signet.example';
const AUDIENCE = 'https://api.example';

const code = (expected: string) => (err: unknown) => err instanceof SignetCryptoError && err.code === expected;

async function signingKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig', alg: 'EdDSA' } };
}

type SigningKey = Awaited<ReturnType<typeof signingKey>>;

const CLAIMS = {
  iss: ISSUER,
  sub: 'acc_1',
  aud: AUDIENCE,
  iat: seconds - 10,
  exp: seconds + 60,
  jti: 'aat_1',
  scopes: ['mail:read', 'mail:send'],
  agent_id: 'acc_1',
};

const sign = ({ kid, privateKey }: SigningKey, claims: object = {}, header: object = {}): Promise<string> =>
  new SignJWT({ ...CLAIMS, ...claims } as JWTPayload)
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid, ...header })
    .sign(privateKey);

/** An issuer that publishes keys, records each request, and can be made to fail. */
async function issuer() {
  const key = await signingKey('first');
  const state = { keys: [key.jwk] as object[], asked: [] as string[], fails: false, now: NOW };
  const answer: typeof fetch = async (url) => {
    state.asked.push(String(url));
    if (state.fails) throw new TypeError('no answer');
    return Response.json({ keys: state.keys });
  };
  const verifier = (options: Partial<TokenVerifierOptions> = {}) =>
    createTokenVerifier({ issuer: ISSUER, audience: AUDIENCE, fetch: answer, now: () => state.now, ...options });
  return { key, state, verifier };
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('createTokenVerifier', () => {
  it('accepts a token of the issuer, returns its claims, and fetches the keys once', async () => {
    const { key, state, verifier } = await issuer();
    const own = verifier();
    const token = await sign(key);
    assert.deepEqual(await own.verify(token), CLAIMS);
    await Promise.all(Array.from({ length: 10 }, () => own.verify(token)));
    assert.deepEqual(state.asked, [`${ISSUER}/.well-known/jwks.json`]);
    const several = verifier({ jwksUrl: 'https://keys.example/set', scopes: ['mail:send'] });
    await several.verify(await sign(key, { aud: ['x', AUDIENCE], nbf: seconds }, { typ: 'application/at+jwt' }));
    assert.equal(state.asked.at(-1), 'https://keys.example/set');
  });

  it('refuses a wrong audience or issuer, a token outside its lifetime, malformed claims and missing scopes', async () => {
    const { key, verifier } = await issuer();
    const cases: [object, string][] = [
      [{ iss: `${ISSUER}/` }, 'wrong_issuer'],
      [{ iss: undefined }, 'wrong_issuer'],
      [{ aud: 'https://api.example.evil' }, 'wrong_audience'],
      [{ aud: [] }, 'wrong_audience'],
      [{ aud: undefined }, 'wrong_audience'],
      [{ exp: seconds - 5 }, 'expired'],
      [{ exp: undefined }, 'malformed'],
      [{ exp: 'soon' }, 'malformed'],
      [{ jti: undefined }, 'malformed'],
      [{ nbf: 'x' }, 'malformed'],
      [{ nbf: seconds + 6 }, 'not_yet_valid'],
      [{ iat: seconds + 6 }, 'not_yet_valid'],
      [{ scopes: ['mail:read'] }, 'missing_scope'],
      [{ scopes: 'mail:send' }, 'missing_scope'],
    ];
    for (const [claims, expected] of cases) {
      // The library that signs has its own views on claims, so the payload is signed as it is.
      const payload = encode({ ...CLAIMS, ...claims });
      const head = encode({ alg: 'EdDSA', typ: 'at+jwt', kid: key.kid });
      const bytes = await crypto.subtle.sign('Ed25519', key.privateKey, Buffer.from(`${head}.${payload}`));
      const token = `${head}.${payload}.${Buffer.from(bytes).toString('base64url')}`;
      const call = verifier({ scopes: ['mail:send'] }).verify(token);
      await assert.rejects(call, code(expected), JSON.stringify(claims));
    }
    await verifier().verify(await sign(key, { exp: seconds - 4 }));
    await assert.rejects(verifier({ leewaySeconds: 0 }).verify(await sign(key, { exp: seconds })), code('expired'));
    const wide = verifier({ leewaySeconds: 3600 });
    await assert.rejects(wide.verify(await sign(key, { exp: seconds - 61 })), code('expired'));
  });

  it('refuses a header that would choose the algorithm, the key or the type', async () => {
    const { key, verifier } = await issuer();
    const [head, payload, signature] = (await sign(key)).split('.') as [string, string, string];
    const own = verifier();
    const base = { alg: 'EdDSA', typ: 'at+jwt', kid: 'first' };
    const headers: [object, string][] = [
      [{ ...base, alg: 'none' }, 'signature_invalid'],
      [{ ...base, alg: 'HS256' }, 'signature_invalid'],
      [{ ...base, alg: 'eddsa' }, 'signature_invalid'],
      [{ ...base, typ: 'JWT' }, 'wrong_type'],
      [{ ...base, typ: undefined }, 'wrong_type'],
      [{ ...base, kid: undefined }, 'unknown_key'],
      [{ ...base, crit: ['exp'] }, 'malformed'],
      [{ ...base, jku: 'https://evil.example' }, 'signature_invalid'],
    ];
    for (const [header, expected] of headers)
      await assert.rejects(
        own.verify(`${encode(header)}.${payload}.${signature}`),
        code(expected),
        JSON.stringify(header),
      );
    const broken = ['', 'a.b', `${head}.${payload}.`, `${head}.${payload}`, `${head}.${payload}.${signature}.x`];
    broken.push(`${head}.${payload}.${signature}=`, ` ${head}.${payload}.${signature}`, `${encode([])}.${payload}.AA`);
    broken.push('a'.repeat(20_000));
    for (const token of broken) await assert.rejects(own.verify(token), code('malformed'), token.slice(0, 50));
    const changed = encode({ ...CLAIMS, scopes: ['admin'] });
    await assert.rejects(own.verify(`${head}.${changed}.${signature}`), code('signature_invalid'));
    await assert.rejects(own.verify(`${head}.${payload}.${signature.slice(0, 40)}`), code('signature_invalid'));
    const stranger = { ...(await signingKey('first')) };
    await assert.rejects(own.verify(await sign(stranger)), code('signature_invalid'));
  });

  it('follows a rotation; unknown keys cause at most two fetches a minute', async () => {
    const { key, state, verifier } = await issuer();
    const own = verifier();
    await own.verify(await sign(key));
    const second = await signingKey('second');
    state.keys.push(second.jwk);
    await assert.rejects(own.verify(await sign(second)), code('unknown_key'));
    state.now += 31_000;
    await own.verify(await sign(second));
    assert.equal(state.asked.length, 2);
    for (let i = 0; i < 20; i++)
      await assert.rejects(own.verify(await sign(key, {}, { kid: `made-up-${i}` })), code('unknown_key'));
    assert.equal(state.asked.length, 2);
    state.keys = [second.jwk];
    state.now += 10 * 60_000 + 1;
    const later = { iat: state.now / 1000, exp: state.now / 1000 + 60 };
    await assert.rejects(own.verify(await sign(key, later)), code('unknown_key'), 'a key that was taken out');
    await own.verify(await sign(second, later));
    assert.equal(state.asked.length, 3);
  });

  it('has no keys while the issuer fails, and fetches them again after a while', async () => {
    const { key, state, verifier } = await issuer();
    const own = verifier();
    state.fails = true;
    const token = await sign(key);
    for (let i = 0; i < 5; i++) await assert.rejects(own.verify(token), code('keys_unavailable'));
    assert.equal(state.asked.length, 1);
    state.fails = false;
    state.now += 31_000;
    await own.verify(await sign(key, { exp: seconds + 600 }));
    state.keys = [
      { kty: 'OKP', crv: 'Ed25519', x: 'AA', kid: 'short' },
      { kty: 'oct', k: 'AA', kid: 'first' },
    ];
    await assert.rejects(verifier().verify(token), code('unknown_key'));
    const text = (body: string) => verifier({ fetch: async () => new Response(body) });
    for (const body of ['', '<html>', '{}', 'x'.repeat(70_000)])
      await assert.rejects(text(body).verify(token), code('keys_unavailable'));
  });
});
