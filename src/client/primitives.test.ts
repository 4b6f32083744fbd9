import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { gcm } from '@noble/ciphers/aes.js';
import { x25519 as nobleX25519 } from '@noble/curves/ed25519.js';
import { hkdf as nobleHkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { type Bytes, concat, fromBase64, fromHex, toBase64, toBase64Url, toHex } from './encoding.ts';
import { SignetCryptoError } from './signet-error.ts';
import { hkdf, open, seal, x25519 } from './web-crypto.ts';

type Vector = Record<string, string> & { name: string };

interface Vectors {
  aes_256_gcm: { valid: Vector[]; refused: Vector[] };
  hkdf_sha_256: (Vector & { length: number })[];
  x25519: { valid: Vector[]; refused: Vector[] };
}

const FILE = new URL('../../docs/vectors/primitives.json', import.meta.url);
const vectors = JSON.parse(readFileSync(FILE, 'utf8')) as Vectors;

const of = (vector: Vector, field: string): Bytes => fromHex(vector[field] as string);
const code = (expected: string) => (err: unknown) => err instanceof SignetCryptoError && err.code === expected;

describe('AES-256-GCM of docs/vectors/primitives.json', () => {
  for (const vector of vectors.aes_256_gcm.valid) {
    it(`seals and opens: ${vector.name}`, async () => {
      const [key, iv, aad, plaintext, sealed] = ['key', 'iv', 'aad', 'plaintext', 'sealed'].map((f) => of(vector, f));
      assert.ok(key && iv && aad && plaintext && sealed);
      assert.equal(toHex(gcm(key, iv, aad).encrypt(plaintext)), vector.sealed, 'the second implementation');
      assert.equal(toHex(await seal(key, plaintext, aad, iv)), toHex(concat(iv, sealed)));
      assert.equal(toHex(await open(key, concat(iv, sealed), aad)), vector.plaintext);
    });
  }

  for (const vector of vectors.aes_256_gcm.refused) {
    it(`refuses: ${vector.name}`, async () => {
      const [key, iv, aad, sealed] = ['key', 'iv', 'aad', 'sealed'].map((field) => of(vector, field));
      assert.ok(key && iv && aad && sealed);
      assert.throws(() => gcm(key, iv, aad).decrypt(sealed), 'the second implementation');
      await assert.rejects(open(key, concat(iv, sealed), aad), code('not_authentic'));
    });
  }

  it('refuses every prefix of a sealed text, with `truncated` if it is too short to be one', async () => {
    const [vector] = vectors.aes_256_gcm.valid.filter(({ name }) => name === '17 bytes');
    assert.ok(vector);
    const whole = concat(of(vector, 'iv'), of(vector, 'sealed'));
    for (let length = 0; length < whole.length; length++) {
      const expected = length < 28 ? 'truncated' : 'not_authentic';
      await assert.rejects(open(of(vector, 'key'), whole.slice(0, length), of(vector, 'aad')), code(expected));
    }
  });

  it('uses a new IV each time', async () => {
    const key = of(vectors.aes_256_gcm.valid[0] as Vector, 'key');
    const sealed = await Promise.all(Array.from({ length: 100 }, () => seal(key, new Uint8Array(1), new Uint8Array())));
    assert.equal(new Set(sealed.map((bytes) => toHex(bytes.slice(0, 12)))).size, 100);
  });
});

describe('HKDF-SHA-256 of docs/vectors/primitives.json', () => {
  for (const vector of vectors.hkdf_sha_256) {
    it(`derives: ${vector.name}`, async () => {
      const [ikm, salt, info] = ['ikm', 'salt', 'info'].map((field) => of(vector, field));
      assert.ok(ikm && salt && info);
      assert.equal(toHex(nobleHkdf(sha256, ikm, salt, info, vector.length)), vector.okm, 'the second implementation');
      assert.equal(toHex(await hkdf(ikm, info, vector.length, salt)), vector.okm);
    });
  }
});

describe('X25519 of docs/vectors/primitives.json', () => {
  for (const vector of vectors.x25519.valid) {
    it(`agrees: ${vector.name}`, async () => {
      const [own, other] = [of(vector, 'private_key'), of(vector, 'public_key')];
      assert.equal(toHex(nobleX25519.getSharedSecret(own, other)), vector.shared_secret, 'the second implementation');
      assert.equal(toHex(await x25519(own, other)), vector.shared_secret);
    });
  }

  for (const vector of vectors.x25519.refused) {
    it(`refuses a key of small order: ${vector.name}`, async () => {
      const [own, other] = [of(vector, 'private_key'), of(vector, 'public_key')];
      assert.throws(() => nobleX25519.getSharedSecret(own, other), 'the second implementation');
      await assert.rejects(x25519(own, other), code('weak_public_key'));
    });
  }
});

describe('base64 and hex', () => {
  it('round-trip at every length, as the platform encodes them', () => {
    for (let length = 0; length < 100; length++) {
      const bytes = crypto.getRandomValues(new Uint8Array(length));
      const buffer = Buffer.from(bytes);
      assert.equal(toBase64Url(bytes), buffer.toString('base64url'));
      assert.equal(toBase64(bytes), buffer.toString('base64'));
      assert.deepEqual([fromBase64(toBase64Url(bytes)), fromBase64(toBase64(bytes))], [bytes, bytes]);
      assert.deepEqual(fromHex(buffer.toString('hex').toUpperCase()), bytes);
    }
  });

  for (const text of ['A', 'AAAAA', 'AB', 'AAB', 'A*AA', 'AA AA', 'AA\n', 'ÄA', 'A=', '====', 'AA===', '=AAA'])
    it(`refuse ${JSON.stringify(text)}: not the canonical encoding of any bytes`, () =>
      assert.throws(() => fromBase64(text), code('malformed')));
  for (const text of ['0', '0g', '0x00', ' 00'])
    it(`refuse ${JSON.stringify(text)} as hex`, () => assert.throws(() => fromHex(text), code('malformed')));
});
