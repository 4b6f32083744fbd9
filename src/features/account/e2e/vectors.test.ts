import assert from 'node:assert/strict';
import {
  createCipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { createSealer } from './mail-sealer.ts';

type Vector = Record<
  | 'name'
  | 'recipient_private_key'
  | 'recipient_public_key'
  | 'key_id'
  | 'ephemeral_private_key'
  | 'ephemeral_public_key'
  | 'message_id'
  | 'iv'
  | 'shared_secret'
  | 'content_key'
  | 'plaintext'
  | 'sealed',
  string
>;

const FILE = new URL('../../../../docs/vectors/e2e-mail.json', import.meta.url);
const { format, alg, vectors } = JSON.parse(readFileSync(FILE, 'utf8')) as {
  format: string;
  alg: string;
  vectors: Vector[];
};

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');
/** The DER of an X25519 private key before the key itself (RFC 8410 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');
const privateKeyOf = (raw: string): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, bytes(raw)]), format: 'der', type: 'pkcs8' });
const publicKeyOf = (raw: string): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: raw }, format: 'jwk' });

/** HKDF-SHA-256 by RFC 5869. It shares only the hash with the code under test. */
const hmac = (key: Buffer, data: Buffer): Buffer => {
  const pad = (byte: number) => Buffer.alloc(64, byte).map((value, i) => value ^ (key[i] ?? 0));
  const inner = createHash('sha256')
    .update(Buffer.concat([pad(0x36), data]))
    .digest();
  return createHash('sha256')
    .update(Buffer.concat([pad(0x5c), inner]))
    .digest();
};

describe('docs/vectors/e2e-mail.json', () => {
  it('has vectors of the documented format', () => {
    assert.deepEqual([format, alg], ['signet:e2e-mail:v1', 'X25519-HKDF-SHA256-A256GCM']);
    assert.ok(vectors.length >= 3);
  });

  for (const vector of vectors) {
    it(`is what our encryption yields with these random values: ${vector.name}`, () => {
      const privateKey = privateKeyOf(vector.ephemeral_private_key);
      const sealer = createSealer(vector.recipient_public_key, vector.message_id, {
        ephemeralKeys: () => ({ privateKey, publicKey: createPublicKey(privateKey) }),
        iv: () => bytes(vector.iv),
      });
      assert.deepEqual(sealer.encryption, {
        alg,
        key_id: vector.key_id,
        ephemeral_public_key: vector.ephemeral_public_key,
      });
      assert.equal(sealer.seal(vector.plaintext).toString('base64url'), vector.sealed);
    });

    it(`is what an implementation of the documented format yields: ${vector.name}`, () => {
      const secret = diffieHellman({
        privateKey: privateKeyOf(vector.recipient_private_key),
        publicKey: publicKeyOf(vector.ephemeral_public_key),
      });
      assert.equal(secret.toString('base64url'), vector.shared_secret);
      const extracted = hmac(Buffer.alloc(32), secret);
      const key = hmac(extracted, Buffer.from(`${format}\u0001`));
      assert.equal(key.toString('base64url'), vector.content_key);
      assert.deepEqual(Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(32), format, 32)), key);
      const cipher = createCipheriv('aes-256-gcm', key, bytes(vector.iv)).setAAD(Buffer.from(vector.message_id));
      const sealed = [bytes(vector.iv), cipher.update(vector.plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()];
      assert.equal(Buffer.concat(sealed).toString('base64url'), vector.sealed);
      const keyId = createHash('sha256').update(bytes(vector.recipient_public_key)).digest('hex').slice(0, 16);
      assert.equal(keyId, vector.key_id);
    });
  }
});
