import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { onBothDatabases } from '../../../test/support/harness.ts';
import { rotateSigningKey } from './signing-key-rules.ts';

const WANTED = { audience: 'https://api.example.com', scopes: ['a'] };

onBothDatabases('a rotation of the signing key', {}, (suite) => {
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
