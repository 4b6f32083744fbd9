import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { importJWK, SignJWT } from 'jose';
import { eventually } from '../../../../test/support/eventually.ts';
import { type Api, onEngines } from '../../../../test/support/harness.ts';
import { enqueueJob } from '../../../jobs/queue.ts';
import { revokeSigningKey, rotateSigningKey, signingKeyPath } from './signing-keys.ts';

const WANTED = { audience: 'https://api.example.com', scopes: ['a'] };

onEngines('any', 'a rotation of the signing key', {}, (suite) => {
  it('keeps old tokens valid, signs new ones with a new key, and removes the old key from the JWKS when its last token expires', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const issue = async (ttl: number) => (await api.post('/v1/tokens/issue', { ...WANTED, ttl })).body.token as string;
    const kidOf = (token: string): string => JSON.parse(atob(token.split('.')[0] as string)).kid;
    const published = async (): Promise<string[]> =>
      (await t.api().get('/.well-known/jwks.json')).body.keys.map(({ kid }: { kid: string }) => kid);
    const isActive = async (token: string) => (await t.api().post('/v1/tokens/introspect', { token })).body.active;

    const before = await issue(600);
    assert.deepEqual(await published(), [kidOf(before)]);
    t.clock.advance(1000);
    // In its own folder, as an operator does next to one of several instances.
    const folder = mkdtempSync(join(tmpdir(), 'signet-rotation-'));
    const { kid, retired } = await rotateSigningKey(t.app.database, join(folder, 'key.json'), t.clock.now());
    rmSync(folder, { recursive: true });
    assert.equal(retired, 1);

    const after = await issue(60);
    assert.notEqual(kidOf(after), kidOf(before));
    assert.deepEqual([await isActive(before), await isActive(after)], [true, true]);
    assert.deepEqual((await published()).sort(), [kidOf(before), kidOf(after), kid].sort());
    t.clock.advance(598_999);
    assert.equal(await isActive(before), true);
    assert.ok((await published()).includes(kidOf(before)));
    t.clock.advance(1);
    assert.equal(await isActive(before), false);
    assert.deepEqual((await published()).sort(), [kidOf(after), kid].sort());
  });
});

const kidOf = (token: string): string => JSON.parse(atob(token.split('.')[0] as string)).kid;

onEngines('any', 'a revocation of a stolen signing key', {}, (suite) => {
  it('of a retired key leaves the key that signs in place', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const path = signingKeyPath(t.config.dataDir);
    const old = (await api.post('/v1/tokens/issue', WANTED)).body.token;
    const { kid } = await rotateSigningKey(t.app.database, path, t.clock.now());
    const revoked = await revokeSigningKey(t.app.database, path, kidOf(old), t.clock.now(), enqueueJob);
    assert.deepEqual([revoked?.changed, revoked?.replacedBy], [true, null]);
    assert.equal((await t.api().post('/v1/tokens/introspect', { token: old })).body.active, false);
    assert.ok((await t.api().get('/.well-known/jwks.json')).body.keys.some((key: { kid: string }) => key.kid === kid));
  });
});

onEngines('both', 'a revocation of a stolen signing key', {}, (suite) => {
  it('ends its tokens and those that the thief signs at once, takes it out of the JWKS, and a new key signs', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const isActive = async (token: string) => (await t.api().post('/v1/tokens/introspect', { token })).body.active;
    const published = async (): Promise<string[]> =>
      (await t.api().get('/.well-known/jwks.json')).body.keys.map(({ kid }: { kid: string }) => kid);
    const issued = (await api.post('/v1/tokens/issue', WANTED)).body;
    const kid = kidOf(issued.token);
    assert.equal(await isActive(issued.token), true);

    // The thief copies the key file, and signs the id of a token that the account really has.
    const path = signingKeyPath(t.config.dataDir);
    const stolen = await importJWK(JSON.parse(readFileSync(path, 'utf8')), 'EdDSA');
    const claims = JSON.parse(Buffer.from(issued.token.split('.')[1], 'base64url').toString());
    const forge = (jti: string, iat: number) =>
      new SignJWT({ ...claims, scopes: ['admin'], scope: 'admin', jti, iat, exp: iat + 3600 })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid })
        .sign(stolen);
    const forged = await forge(claims.jti, claims.iat);
    assert.equal(await isActive(forged), true, 'the theft works before the revocation');

    const revoked = await revokeSigningKey(t.app.database, path, kid, t.clock.now(), enqueueJob);
    assert.deepEqual([revoked?.changed, revoked?.tokens], [true, 1]);
    assert.deepEqual([await isActive(issued.token), await isActive(forged)], [false, false]);
    assert.deepEqual(await published(), [revoked?.replacedBy]);
    assert.equal((await t.api().get(`/v1/audit/${issued.jti}`)).body.status, 'revoked');

    // On PostgreSQL this instance learns of the change by a signal, and refuses to use the old key until then.
    const next = await eventually(async () => {
      const reply = await api.post('/v1/tokens/issue', WANTED);
      return reply.status !== 503 && reply;
    });
    assert.deepEqual([next.status, kidOf(next.body.token)], [201, revoked?.replacedBy]);
    assert.equal(await isActive(next.body.token), true);
    assert.equal(await isActive(await forge(next.body.jti, claims.iat)), false, 'nor the id of a new token');

    const again = await revokeSigningKey(t.app.database, path, kid, t.clock.now(), enqueueJob);
    assert.deepEqual(again, { changed: false, tokens: 0, replacedBy: null });
    assert.equal(await revokeSigningKey(t.app.database, path, 'unknown', t.clock.now(), enqueueJob), null);
  });

  it('tells each owner of each token that ended with it, once, however many there are', async () => {
    const { t } = suite;
    const [one, other] = [await t.createAccount(), await t.createAccount()];
    const first = (await one.api.post('/v1/tokens/issue', WANTED)).body;
    const kid = kidOf(first.token);
    const own = (await one.api.post('/v1/tokens/issue', WANTED)).body.jti;
    await one.api.post('/v1/tokens/revoke', { token: own });
    t.clock.advance(1000);
    const MANY = 401;
    for (let i = 0; i < MANY; i++)
      await t.sql(
        `insert into agent_tokens (jti, account_id, kid, audience, scopes, issued_at, expires_at, revoked_at)
         select ?, ?, kid, audience, scopes, issued_at, expires_at + ?, null from agent_tokens where jti = ?`,
        ...[`many-${i}-${t.engine}`, other.accountId, 1000 * (i % 3), first.jti],
      );
    const revoked = await revokeSigningKey(
      ...([t.app.database, signingKeyPath(t.config.dataDir), kid, t.clock.now(), enqueueJob] as const),
    );
    assert.ok(revoked && revoked.tokens > MANY);
    await t.app.worker.runDue();
    const told = async ({ api }: { api: Api }): Promise<string[]> =>
      (await api.get('/v1/events?types=token.revoked&limit=200')).body.events
        .filter(({ type }: { type: string }) => type === 'token.revoked')
        .map(({ data }: { data: { jti: string } }) => data.jti);
    assert.deepEqual((await told(one)).toSorted(), [first.jti, own].toSorted());
    const counted = await t.sql(
      `select count(*) as events from events where account_id = ? and type = 'token.revoked'`,
      other.accountId,
    );
    assert.equal(Number(counted[0]?.events), MANY);
    assert.ok((await told(other)).every((jti) => jti.startsWith('many-')));
  });
});
