import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { gcm } from '@noble/ciphers/aes.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { SignetCryptoError } from './signet-error.ts';
import { checkVaultVersion, openVaultEntry, openVaultText, proveVaultVersion, sealVaultEntry } from './vault-seal.ts';
import { backUpSeed, randomSalt, randomSeed, restoreSeed, seedFromPassphrase } from './vault-seed.ts';

interface EntryVector {
  name: string;
  seed: string;
  key: string;
  version: number;
  entry_key: string;
  iv: string;
  plaintext: string;
  plaintext_text?: string;
  ciphertext: string;
  version_key: string;
  version_proof: string;
}

interface Vectors {
  entries: EntryVector[];
  refused: (Pick<EntryVector, 'name' | 'seed' | 'key' | 'version' | 'ciphertext'> & {
    version_proof: string | null;
    code: string;
  })[];
  passphrase_seeds: { name: string; passphrase: string; salt: string; iterations: number; seed: string }[];
  seed_backups: Record<'name' | 'passphrase' | 'salt' | 'iv' | 'backup_key' | 'seed' | 'encrypted_seed', string>[];
}

const FILE = new URL('../../docs/vectors/vault.json', import.meta.url);
const vectors = JSON.parse(readFileSync(FILE, 'utf8')) as Vectors;

const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'base64url'));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const base64Url = (value: Uint8Array): string => Buffer.from(value).toString('base64url');
const ZERO_SALT = new Uint8Array(32);
const code = (expected: string) => (err: unknown) => err instanceof SignetCryptoError && err.code === expected;

/** The documented format written out again, over another implementation of every primitive. */
const second = {
  key: (seed: Uint8Array, purpose: string, name: string) =>
    hkdf(sha256, seed, ZERO_SALT, utf8(`signet:${purpose}:v1:${name}`), 32),
  seal: (key: Uint8Array, iv: Uint8Array, plaintext: Uint8Array, name: string) =>
    base64Url(Buffer.concat([iv, gcm(key, iv, utf8(name)).encrypt(plaintext)])),
  open: (key: Uint8Array, blob: string, name: string) =>
    gcm(key, bytes(blob).slice(0, 12), utf8(name)).decrypt(bytes(blob).slice(12)),
  proof: (key: Uint8Array, version: number, blob: string) =>
    `v1.${base64Url(hmac(sha256, key, utf8(`${version}.${blob}`)))}`,
};

describe('docs/vectors/vault.json', () => {
  for (const vector of vectors.entries) {
    it(`a second implementation of the documented format gives the same values: ${vector.name}`, () => {
      const key = second.key(bytes(vector.seed), 'vault', vector.key);
      assert.equal(base64Url(key), vector.entry_key);
      assert.equal(second.seal(key, bytes(vector.iv), bytes(vector.plaintext), vector.key), vector.ciphertext);
      const versionKey = second.key(bytes(vector.seed), 'vault-version', vector.key);
      assert.equal(base64Url(versionKey), vector.version_key);
      assert.equal(second.proof(versionKey, vector.version, vector.ciphertext), vector.version_proof);
    });

    it(`the client opens it, and makes and accepts its proof: ${vector.name}`, async () => {
      const { key, version, ciphertext, version_proof: proof } = vector;
      const seed = bytes(vector.seed);
      assert.deepEqual(await openVaultEntry(seed, key, ciphertext), bytes(vector.plaintext));
      if (vector.plaintext_text !== undefined)
        assert.equal(await openVaultText(seed, key, ciphertext), vector.plaintext_text);
      assert.equal(await proveVaultVersion(seed, key, version, ciphertext), proof);
      await checkVaultVersion(seed, key, version, ciphertext, proof);
    });

    it(`what the client seals, the second implementation opens: ${vector.name}`, async () => {
      const { key } = vector;
      const blob = await sealVaultEntry(bytes(vector.seed), key, bytes(vector.plaintext));
      assert.equal(base64Url(second.open(bytes(vector.entry_key), blob, key)), vector.plaintext);
      assert.notEqual(blob, vector.ciphertext);
    });
  }

  for (const { name, seed, key, version, ciphertext, version_proof: proof, code: expected } of vectors.refused) {
    it(`${expected}: ${name}`, async () => {
      const whole = async (): Promise<void> => {
        await openVaultEntry(bytes(seed), key, ciphertext);
        await checkVaultVersion(bytes(seed), key, version, ciphertext, proof ?? undefined);
      };
      await assert.rejects(whole(), code(expected));
    });
  }

  for (const { name, passphrase, salt, iterations, seed } of vectors.passphrase_seeds) {
    it(`the seed of a passphrase: ${name}`, async () => {
      const c = iterations;
      assert.equal(base64Url(await seedFromPassphrase(passphrase, bytes(salt))), seed);
      // Slow by design, and slower there: one is enough.
      if (passphrase === passphrase.normalize('NFKC')) return;
      const again = pbkdf2(sha256, utf8(passphrase.normalize('NFKC')), bytes(salt), { c, dkLen: 32 });
      assert.equal(base64Url(again), seed, 'the second implementation');
    });
  }

  for (const vector of vectors.seed_backups) {
    it(`the seed of a backup: ${vector.name}`, async () => {
      const raw = new Uint8Array(Buffer.from(vector.encrypted_seed, 'base64'));
      const aad = Buffer.concat([utf8('signet:seed-backup:v1'), raw.slice(0, 24)]);
      const opened = gcm(bytes(vector.backup_key), bytes(vector.iv), aad).decrypt(raw.slice(36));
      assert.equal(base64Url(opened), vector.seed, 'the second implementation');
      assert.equal(base64Url(raw.slice(8, 24)), vector.salt);
      for (const encoding of ['base64', 'base64url', 'hex'] as const) {
        const text = Buffer.from(raw).toString(encoding);
        assert.equal(base64Url(await restoreSeed(text, vector.passphrase)), vector.seed, encoding);
      }
    });
  }
});

describe('seeds', () => {
  it('a backup opens only with its passphrase, and only if it is complete and unchanged', async () => {
    const seed = randomSeed();
    const backup = await backUpSeed(seed, 'a passphrase');
    assert.match(backup, /^[A-Za-z0-9+/]{112}$/);
    assert.deepEqual(await restoreSeed(backup, 'a passphrase'), seed);
    await assert.rejects(restoreSeed(backup, 'a passphrasf'), code('not_authentic'));
    const raw = Buffer.from(backup, 'base64');
    const changedAt = (at: number, value: number): string => {
      const changed = Buffer.from(raw);
      changed[at] = value;
      return changed.toString('base64');
    };
    await assert.rejects(restoreSeed(changedAt(83, (raw[83] as number) ^ 1), 'a passphrase'), code('not_authentic'));
    await assert.rejects(restoreSeed(changedAt(7, 0xc1), 'a passphrase'), code('not_authentic'));
    await assert.rejects(restoreSeed(raw.subarray(0, 83).toString('base64'), 'a passphrase'), code('truncated'));
    await assert.rejects(restoreSeed('AAAA', 'a passphrase'), code('malformed'));
  });

  it('a backup with too few or too many iterations is refused before any work', async () => {
    const raw = Buffer.from(vectors.seed_backups[0]?.encrypted_seed ?? '', 'base64');
    for (const rounds of [1, 599_999, 10_000_001, 0xffffffff]) {
      raw.writeUInt32BE(rounds, 4);
      await assert.rejects(restoreSeed(raw.toString('base64'), 'correct horse battery staple'), code('malformed'));
    }
  });

  it('refuses invalid seeds, salts and names', async () => {
    await assert.rejects(sealVaultEntry(new Uint8Array(31), 'a', ''), code('malformed'));
    await assert.rejects(backUpSeed(new Uint8Array(33), 'a'), code('malformed'));
    await assert.rejects(seedFromPassphrase('a', new Uint8Array(15)), code('malformed'));
    for (const name of ['', 'a/b', 'ä', 'a b', 'n'.repeat(129)])
      await assert.rejects(sealVaultEntry(randomSeed(), name, ''), code('malformed'));
    assert.notDeepEqual(randomSeed(), randomSeed());
    assert.equal(randomSalt().length, 16);
  });

  it('bytes that are not UTF-8 are never returned as text', async () => {
    const seed = randomSeed();
    const blob = await sealVaultEntry(seed, 'a', new Uint8Array([0xff]));
    await assert.rejects(openVaultText(seed, 'a', blob), code('malformed'));
    assert.equal(await openVaultText(seed, 'b', await sealVaultEntry(seed, 'b', '\uFEFFx')), '\uFEFFx');
  });
});
