import {
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { createSealer, type SealerRandom } from '../e2e/e2e-rules.ts';

/**
 * How a credential is sealed: as mail is (docs/mail.md), with an info string of its own and the request's id as
 * AAD. One text: base64url of ephemeral public key (32) ‖ IV (12) ‖ ciphertext ‖ tag (16), unpadded.
 */
const SEAL_FORMAT = 'signet:credential:v1';
const DEVICE_INFO = 'signet:credential-device:v1';
const SALT = Buffer.alloc(32);
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Of the plaintext: as much as the smallest vault entry may hold. */
export const CREDENTIAL_BYTES_MAX = 16_384;
/** Characters of the sealed text. */
export const SEALED_LENGTH_MAX = Math.ceil(((CREDENTIAL_BYTES_MAX + KEY_BYTES + IV_BYTES + TAG_BYTES) * 4) / 3);

/** RFC 8410 7: the DER of an X25519 private key up to the key itself. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');

/**
 * The key of an agent that brought none: it follows from the device code, of which the service stores only the hash. So
 * what is sealed to it can be opened only while the agent shows the code.
 */
function deviceKey(deviceCode: string): KeyObject {
  const raw = Buffer.from(hkdfSync('sha256', deviceCode, SALT, DEVICE_INFO, KEY_BYTES));
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, raw]), format: 'der', type: 'pkcs8' });
}

/** base64url. */
export const devicePublicKey = (deviceCode: string): string =>
  createPublicKey(deviceKey(deviceCode)).export({ format: 'jwk' }).x as string;

export function sealCredential(publicKey: string, requestId: string, value: string, random?: SealerRandom): string {
  const { encryption, seal } = createSealer(publicKey, requestId, random, SEAL_FORMAT);
  return Buffer.concat([Buffer.from(encryption.ephemeral_public_key, 'base64url'), seal(value)]).toString('base64url');
}

/** Opens what was sealed to the key of a device code. @throws Error when it was sealed to another, or altered */
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

/** True for text that has the form of a sealed value; whether it opens, only the agent can tell. */
export function isSealed(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text && bytes.length > KEY_BYTES + IV_BYTES + TAG_BYTES;
}
