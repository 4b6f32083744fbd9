import { randomInt } from 'node:crypto';
import { invalidField } from '../../kernel/errors.ts';
import { hashSecret } from '../../kernel/secret.ts';

/** RFC 8628 6.1: consonants alone, so that no code is a word or is misread. 20^8 of them: 34.5 bits. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** `XXXX-XXXX` */
export function mintUserCode(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`;
}

/**
 * The hash of a code as a person typed it: case, blanks and hyphens do not matter.
 * @throws ApiError `invalid_request` for what is no code at all
 */
export function userCodeHash(typed: string): string {
  const letters = typed.toUpperCase().replace(/[\s-]+/g, '');
  if (letters.length === LENGTH && [...letters].every((letter) => ALPHABET.includes(letter)))
    return hashSecret(`${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`);
  throw invalidField('/body/user_code', 'invalid_format', '/body/user_code must be a code such as BCDF-GHJK.');
}
