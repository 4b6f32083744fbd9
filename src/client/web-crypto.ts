import { type Bytes, concat, fromBase64, randomBytes, toBase64Url, utf8 } from './encoding.ts';
import { SignetCryptoError } from './signet-error.ts';

/** The primitives, using only WebCrypto, which Node and browsers share. */

const IV_BYTES = 12;
const TAG_BYTES = 16;
const ZERO_SALT = new Uint8Array(32);

/** HKDF-SHA-256 (RFC 5869). */
export async function hkdf(secret: Bytes, info: Bytes, length: number, salt: Bytes = ZERO_SALT): Promise<Bytes> {
  const key = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
  const bits = await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, length * 8);
  return new Uint8Array(bits);
}

const PBKDF2 = 'PBKDF2';

export async function pbkdf2(passphrase: string, salt: Bytes, iterations: number): Promise<Bytes> {
  // Normalizes characters that look the same: keyboards encode an umlaut differently.
  const secret = utf8(passphrase.normalize('NFKC'));
  const key = await crypto.subtle.importKey('raw', secret, PBKDF2, false, ['deriveBits']);
  return new Uint8Array(await crypto.subtle.deriveBits({ name: PBKDF2, hash: 'SHA-256', salt, iterations }, key, 256));
}

/** The platforms declare the type under different names. */
export type WebKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const aesKey = (key: Bytes, usage: 'encrypt' | 'decrypt') =>
  crypto.subtle.importKey('raw', key, 'AES-GCM', false, [usage]);

/** AES-256-GCM. @returns IV ‖ ciphertext ‖ tag, with a random IV unless one is given: never give the same one twice */
export async function seal(
  key: Bytes,
  plaintext: Bytes,
  aad: Bytes,
  iv: Bytes = randomBytes(IV_BYTES),
): Promise<Bytes> {
  const params = { name: 'AES-GCM', iv, additionalData: aad, tagLength: TAG_BYTES * 8 };
  const sealed = await crypto.subtle.encrypt(params, await aesKey(key, 'encrypt'), plaintext);
  return concat(iv, new Uint8Array(sealed));
}

/**
 * Opens IV ‖ ciphertext ‖ tag.
 * @throws SignetCryptoError `truncated`, `not_authentic`
 */
export async function open(key: Bytes, sealed: Bytes, aad: Bytes): Promise<Bytes> {
  if (sealed.length < IV_BYTES + TAG_BYTES) {
    throw new SignetCryptoError('truncated', `${sealed.length} bytes are too few to have been sealed.`);
  }
  const iv = sealed.slice(0, IV_BYTES);
  const params = { name: 'AES-GCM', iv, additionalData: aad, tagLength: TAG_BYTES * 8 };
  try {
    const opened = await crypto.subtle.decrypt(params, await aesKey(key, 'decrypt'), sealed.slice(IV_BYTES));
    return new Uint8Array(opened);
  } catch (cause) {
    const message = 'Cannot open it: the key or name is wrong, or the bytes were changed.';
    throw new SignetCryptoError('not_authentic', message, { cause });
  }
}

const hmacKey = (key: Bytes, usage: 'sign' | 'verify') =>
  crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [usage]);

export const hmac = async (key: Bytes, data: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.sign('HMAC', await hmacKey(key, 'sign'), data));

/** Compares in constant time, done by the platform. */
export const hmacHolds = async (key: Bytes, mac: Bytes, data: Bytes): Promise<boolean> =>
  crypto.subtle.verify('HMAC', await hmacKey(key, 'verify'), mac, data);

export const sha256 = async (data: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', data));

const X25519 = 'X25519';
/** The DER prefix of an X25519 private key (RFC 8410 7). */
const PKCS8_PREFIX = new Uint8Array([0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6e, 4, 0x22, 4, 0x20]);

/** 32 bytes of a key written as base64url. @throws SignetCryptoError `malformed` */
export function keyBytes(text: string): Bytes {
  const bytes = fromBase64(text);
  if (bytes.length !== 32) throw new SignetCryptoError('malformed', 'An X25519 key must have 32 bytes.');
  return bytes;
}

/** A new X25519 key pair, each half 32 bytes in base64url. */
export async function generateX25519(): Promise<{ publicKey: string; privateKey: string }> {
  const pair: object = await crypto.subtle.generateKey({ name: X25519 }, true, ['deriveBits']);
  const { privateKey: own, publicKey: shared } = pair as { privateKey: WebKey; publicKey: WebKey };
  // A PKCS #8 private key ends with the raw key.
  const privateKey = new Uint8Array(await crypto.subtle.exportKey('pkcs8', own)).slice(-32);
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', shared));
  return { publicKey: toBase64Url(publicKey), privateKey: toBase64Url(privateKey) };
}

/**
 * The secret that an X25519 private and public key share (RFC 7748 5, 6.1).
 * @throws SignetCryptoError `weak_public_key` when it is all zero, as it is for every key of small order
 */
export async function x25519(privateKey: Bytes, publicKey: Bytes): Promise<Bytes> {
  const own = await crypto.subtle.importKey('pkcs8', concat(PKCS8_PREFIX, privateKey), X25519, false, ['deriveBits']);
  const other = await crypto.subtle.importKey('raw', publicKey, X25519, false, []);
  const refuse = (cause?: unknown): never => {
    throw new SignetCryptoError('weak_public_key', 'This public key gives every key pair the same secret.', { cause });
  };
  // Some platforms throw; others return zeros.
  const bits = await crypto.subtle.deriveBits({ name: X25519, public: other }, own, 256).catch(refuse);
  const secret = new Uint8Array(bits);
  return secret.some((byte) => byte !== 0) ? secret : refuse();
}
