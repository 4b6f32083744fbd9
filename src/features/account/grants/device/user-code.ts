import { randomInt } from 'node:crypto';
import { invalidField } from '../../../../api/errors.ts';
import { hashSecret } from '../../../../base/secret.ts';

/** Consonants only (RFC 8628 6.1), so that no code is a word or misread. 20^8 codes are 34.5 bits. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** Returns a random code, `XXXX-XXXX`. */
export function mintUserCode(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`;
}

/**
 * Hashes a code that a person typed. Case, spaces and hyphens do not matter.
 * @throws ApiError `invalid_request` when it is not a code
 */
export function userCodeHash(typed: string): string {
  const letters = typed.toUpperCase().replace(/[\s-]+/g, '');
  if (letters.length === LENGTH && [...letters].every((letter) => ALPHABET.includes(letter)))
    return hashSecret(`${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`);
  throw invalidField('/body/user_code', 'invalid_format', '/body/user_code must be a code such as BCDF-GHJK.');
}
