import { fromBase64, fromHex, toHex } from './encoding.ts';
import { SignetCryptoError } from './signet-error.ts';
import { sha256 } from './web-crypto.ts';

const HEX = /^[0-9a-fA-F]{64}$/;

/**
 * A short form of the public key of a credential request: the first 16 bytes of its SHA-256, as eight groups of hex. The
 * page that asks the operator shows the same. If the two differ, someone replaced the key.
 * @param publicKey 32 bytes as base64url, base64 or hex, as sent in `public_key`
 * @returns eight groups of four digits, separated by spaces
 * @throws SignetCryptoError `malformed`
 */
export async function credentialFingerprint(publicKey: string): Promise<string> {
  const bytes = HEX.test(publicKey) ? fromHex(publicKey) : fromBase64(publicKey);
  if (bytes.length !== 32) throw new SignetCryptoError('malformed', 'A public key has 32 bytes.');
  return (toHex((await sha256(bytes)).slice(0, 16)).match(/.{4}/g) as string[]).join(' ');
}
