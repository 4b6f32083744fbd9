import { concat, fromBase64, textOf, toBase64Url, utf8 } from './encoding.ts';
import type { MailKeys } from './sealed-mail.ts';
import { SignetCryptoError } from './signet-error.ts';
import { generateX25519, hkdf, keyBytes, open, seal, x25519 } from './web-crypto.ts';

/** Credentials that an operator sealed in the browser (docs/credentials.md, docs/vectors/credential.json). */

const FORMAT = 'signet:credential:v1';
const KEY_BYTES = 32;
/** After the key: an IV of 12 bytes and a tag of 16. */
const SEAL_BYTES = 28;

/**
 * Seals a credential to the public key of the agent that asked, with a fresh key.
 * @returns base64url of that public key ‖ IV ‖ ciphertext ‖ tag
 * @throws SignetCryptoError `malformed`, `weak_public_key`
 */
export async function sealCredential(publicKey: string, requestId: string, value: string): Promise<string> {
  const own = await generateX25519();
  const secret = await x25519(keyBytes(own.privateKey), keyBytes(publicKey));
  const key = await hkdf(secret, utf8(FORMAT), 32);
  return toBase64Url(concat(keyBytes(own.publicKey), await seal(key, utf8(value), utf8(requestId))));
}

/**
 * Opens the value that `pollCredential` returned for a request with a public key, such as one from
 * `generateMailKeys`.
 * @throws SignetCryptoError `malformed`, `weak_public_key`, `not_authentic`
 */
export async function openCredential(
  delivered: { request_id: string; sealed_value?: string | undefined },
  keys: MailKeys,
): Promise<string> {
  if (delivered.sealed_value === undefined) throw new SignetCryptoError('malformed', 'The reply has no sealed value.');
  const bytes = fromBase64(delivered.sealed_value);
  if (bytes.length < KEY_BYTES + SEAL_BYTES) throw new SignetCryptoError('malformed', 'The sealed value is truncated.');
  const secret = await x25519(keyBytes(keys.privateKey), bytes.slice(0, KEY_BYTES));
  const key = await hkdf(secret, utf8(FORMAT), 32);
  return textOf(await open(key, bytes.slice(KEY_BYTES), utf8(delivered.request_id)));
}
