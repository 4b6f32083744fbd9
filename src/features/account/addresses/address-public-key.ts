import { invalidField } from '../../../api/errors.ts';
import { parsePublicKey } from '../e2e/mail-sealer.ts';

/** @throws ApiError `invalid_request` naming the field */
export function requirePublicKey(text: string, path: string): string {
  const key = parsePublicKey(text);
  if (key === null)
    throw invalidField(path, 'invalid_format', `${path} must be an X25519 public key: 32 bytes as base64url or hex.`);
  return key;
}
