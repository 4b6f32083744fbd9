import {
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { createSealer, type SealerRandom } from '../../account/e2e/mail-sealer.ts';

/**
 * A credential is sealed like a mail (docs/mail.md), with its own info string and the request's id as AAD. The sealed text
 * is base64url of ephemeral public key (32 bytes) ‖ IV (12) ‖ ciphertext ‖ tag (16), without padding.
 */
const SEAL_FORMAT = 'signet:credential:v1';
const DEVICE_INFO = 'signet:credential-device:v1';
const SALT = Buffer.alloc(32);
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Bytes of the plaintext: the size of a vault entry on the free tier. */
export const CREDENTIAL_BYTES_MAX = 16_384;
/** Characters of the sealed text. */
export const SEALED_LENGTH_MAX = Math.ceil(((CREDENTIAL_BYTES_MAX + KEY_BYTES + IV_BYTES + TAG_BYTES) * 4) / 3);

/** The DER of an X25519 private key up to the key itself (RFC 8410 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');

/**
 * Derives the key of an agent without its own from the device code. The service stores only a hash of that code, so it can
 * open the sealed value only during a poll.
 */
function deviceKey(deviceCode: string): KeyObject {
  const raw = Buffer.from(hkdfSync('sha256', deviceCode, SALT, DEVICE_INFO, KEY_BYTES));
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, raw]), format: 'der', type: 'pkcs8' });
}

/** Returns the public half of that key, base64url. */
export const devicePublicKey = (deviceCode: string): string =>
  createPublicKey(deviceKey(deviceCode)).export({ format: 'jwk' }).x as string;

/** @param publicKey X25519, base64url */
export function sealCredential(publicKey: string, requestId: string, value: string, random?: SealerRandom): string {
  const { encryption, seal } = createSealer(publicKey, requestId, random, SEAL_FORMAT);
  return Buffer.concat([Buffer.from(encryption.ephemeral_public_key, 'base64url'), seal(value)]).toString('base64url');
}

/** Opens a value sealed to the key of a device code. @throws Error when it was sealed to another key, or changed */
export function openCredential(deviceCode: string, requestId: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const x = bytes.subarray(0, KEY_BYTES).toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' });
  const secret = diffieHellman({ privateKey: deviceKey(deviceCode), publicKey });
  const key = Buffer.from(hkdfSync('sha256', secret, SALT, SEAL_FORMAT, KEY_BYTES));
  const ivEnd = KEY_BYTES + IV_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(KEY_BYTES, ivEnd));
  decipher.setAAD(Buffer.from(requestId)).setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(ivEnd, -TAG_BYTES)), decipher.final()]).toString('utf8');
}

/** Whether a text has the form of a sealed value. Only the agent can check whether it opens. */
export function isSealed(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text && bytes.length > KEY_BYTES + IV_BYTES + TAG_BYTES;
}
