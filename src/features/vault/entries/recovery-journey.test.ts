import assert from 'node:assert/strict';
import { createCipheriv, createDecipheriv, hkdfSync, pbkdf2Sync, randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { onEngines, tokenIn } from '../../../../test/support/harness.ts';
import { freshEmail, linkTo, mailsTo, verify } from '../../../../test/support/recovery.ts';

/** Seals as clients do (docs/vault.md): AES-256-GCM, base64url of IV, ciphertext and tag. */
function seal(key: Buffer, aad: string, plain: string | Buffer): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(aad));
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}
function open(key: Buffer, aad: string, sealed: string): Buffer {
  const blob = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, blob.subarray(0, 12)).setAAD(Buffer.from(aad));
  decipher.setAuthTag(blob.subarray(-16));
  return Buffer.concat([decipher.update(blob.subarray(12, -16)), decipher.final()]);
}
const entryKey = (seed: Buffer, name: string): Buffer =>
  Buffer.from(hkdfSync('sha256', seed, Buffer.alloc(32), `signet:vault:v1:${name}`, 32));
const passKey = (passphrase: string, salt: Buffer): Buffer => pbkdf2Sync(passphrase, salt, 1000, 32, 'sha256');

onEngines('any', 'recovery of a vault whose API key is lost', {}, (suite) => {
  it('request a link, follow it, open the seed with the passphrase and the vault with the seed', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    const email = freshEmail();
    const seed = randomBytes(32);
    const salt = randomBytes(16);
    await api.put('/v1/vault/bank', {
      ciphertext: seal(entryKey(seed, 'bank'), 'bank', 'PIN 1234'),
      metadata: { n: 1 },
    });
    const backup = `${salt.toString('base64url')}.${seal(passKey('correct horse', salt), 'seed', seed)}`;
    const registered = await api.post('/v1/vault/recovery-email', {
      email: email.toUpperCase(),
      encrypted_seed: backup,
    });
    const { stored_at, ...fields } = registered.body;
    assert.deepEqual([registered.status, fields], [200, { ok: true, registered: true, email }]);
    assert.equal(stored_at, new Date(t.clock.now()).toISOString());

    // The seed stays when the API key is rotated.
    await api.post('/v1/auth/keys/rotate');
    const mail = await linkTo(t, email).then(() => mailsTo(t, email));
    assert.match(mail[0] as string, new RegExp(`${t.baseUrl}/recover#token=`));
    assert.ok(!mail[0]?.includes(backup.slice(0, 20)));

    const { status, body, headers } = await verify(t, tokenIn(mail[0] as string));
    assert.deepEqual([status, body.recovered, body.next_token], [200, true, null]);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.deepEqual(body.account_entries, [{ account_id: accountId, encrypted_seed: backup }]);
    assert.deepEqual(body.legacy_entries, []);
    const [salted = '', sealed = ''] = body.account_entries[0].encrypted_seed.split('.');
    const found = open(passKey('correct horse', Buffer.from(salted, 'base64url')), 'seed', sealed);
    const [{ key, ciphertext, ...entry }] = body.entries;
    assert.equal(open(entryKey(found, key), key, ciphertext).toString(), 'PIN 1234');
    const created = new Date(t.clock.now()).toISOString();
    assert.deepEqual(entry, { account_id: accountId, metadata: { n: 1 }, version: 1, created_at: created });
  });

  it('appends an event and an audit entry to each recovered account', async () => {
    const { t } = suite;
    const email = freshEmail();
    const accounts = [await t.createAccount(), await t.createAccount(), await t.createAccount()];
    for (const { api } of accounts) await api.post('/v1/vault/recovery-email', { email, encrypted_seed: 'c2VlZA' });
    assert.equal((await verify(t, await linkTo(t, email))).body.account_entries.length, 3);
    for (const { api, accountId } of accounts) {
      const { events } = (await api.get('/v1/events')).body;
      assert.deepEqual(events.at(-1).data, { key: null, version: null, action: 'recovered' });
      const rows = await t.sql('select entry from audit_entries where account_id = ? order by seq', accountId);
      const { action, actor, resource_id } = JSON.parse(String(rows.at(-1)?.entry));
      assert.deepEqual(
        [action, actor.kind, actor.role, resource_id],
        ['vault.recovered', 'person', 'vault_recovery', accountId],
      );
      assert.equal(rows.filter(({ entry }) => String(entry).includes('vault.recovered')).length, 1);
    }
  });
});
