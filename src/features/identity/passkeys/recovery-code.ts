import { randomBytes } from 'node:crypto';
import { hashSecret } from '../../../base/secret.ts';

/** Crockford base32: nothing in it looks like something else on paper. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CODES = 10;
/** 80 random bits, so that a plain hash is enough. */
const LENGTH = 16;

const newCode = (): string =>
  Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length])
    .join('')
    .replace(/.{4}(?=.)/g, '$&-');

/** Makes ten recovery codes, such as `7k2m-9xqd-0f4h-tw8z`. */
export const newCodes = (): string[] => Array.from({ length: CODES }, newCode);

/** Hashes a code for one address. Case, hyphens and look-alike letters do not matter. */
export const codeHash = (address: string, code: string): string => {
  const letters = code.toLowerCase().replace(/[^a-z0-9]/g, '');
  return hashSecret(`recovery-code:${address}:${letters.replace(/o/g, '0').replace(/[il]/g, '1')}`);
};
