import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'; // Crockford base32, lower case
/** The two characters of each ten bits. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => `${ALPHABET[bits >> 5]}${ALPHABET[bits & 31]}`);

/** The prefix of every kind of id. */
export type IdPrefix =
  | 'acc'
  | 'pod'
  | 'apr'
  | 'evt'
  | 'aat'
  | 'vlt'
  | 'msg'
  | 'chg'
  | 'obs'
  | 'wh'
  | 'out'
  | 'stk'
  | 'dlv'
  | 'pay'
  | 'thr'
  | 'crd'
  | 'inv'
  | 'fnd'
  | 'prg'
  | 'key'
  | 'ses'
  | 'per'
  | 'ntc'
  | 'psk'
  | 'dlg'
  | 'grt'
  | 'rev'
  | 'oac'
  | 'job'
  | 'mail'
  | 'req'
  | 'drf';

const POOL_BYTES = 10 * 512;
const pool = Buffer.alloc(POOL_BYTES);
let poolOffset = POOL_BYTES;

/**
 * Returns 80 random bits from a pool. One call of the random generator per id would cost more than the rest of the id.
 */
function randomTail(): Buffer {
  if (poolOffset >= POOL_BYTES) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  poolOffset += 10;
  return pool.subarray(poolOffset - 10, poolOffset);
}

/**
 * Encodes a non-negative integer below 2^53 as Crockford base32 of a fixed width, so that text sorts like the numbers.
 */
export function base32(value: number, width: number): string {
  let text = '';
  let rest = value;
  // A remainder of a large number costs more than the rest.
  for (; text.length + 1 < width; rest = Math.floor(rest / 1024)) text = PAIRS[rest % 1024] + text;
  return text.length < width ? ALPHABET[rest % 32] + text : text;
}

/** The inverse of {@link base32}. Null for text with a character outside the alphabet. */
export function parseBase32(text: string): number | null {
  let value = 0;
  for (const char of text) {
    const digit = ALPHABET.indexOf(char);
    if (digit < 0) return null;
    value = value * 32 + digit;
  }
  return value;
}

/**
 * Makes a time-ordered 128-bit id: 48 bits of milliseconds and 80 random bits, 26 characters after the prefix. Because
 * ids are ordered by time, inserts go to the end of an index, and an id can be the cursor of a list.
 */
export const newId = (prefix: IdPrefix, now: number): string => idOf(prefix, now, randomTail());

/** Builds the id of a time and a tail of 10 bytes. The same parts always give the same id. */
export function idOf(prefix: IdPrefix, now: number, tail: Uint8Array): string {
  let text = `${prefix}_${base32(now, 10)}`;
  let bits = 0;
  let value = 0;
  for (const byte of tail) {
    value = (value << 8) | byte;
    bits += 8;
    if (bits < 10) continue;
    bits -= 10;
    text += PAIRS[value >>> bits];
    value &= (1 << bits) - 1;
  }
  return text;
}

/** True for text of the form `<prefix>_<26 Crockford characters>`. */
export const isId = (prefix: IdPrefix, text: string): boolean =>
  text.length === prefix.length + 27 &&
  text.startsWith(`${prefix}_`) &&
  /^[0-9a-hjkmnp-tv-z]{26}$/.test(text.slice(prefix.length + 1));

/** When an id was made, in milliseconds. Null for text that is no id of its kind. */
export const timeOfId = (prefix: IdPrefix, text: string): number | null =>
  isId(prefix, text) ? parseBase32(text.slice(prefix.length + 1, prefix.length + 11)) : null;

/**
 * Returns a text that sorts before every id of time `ms` or later, and after every earlier id. It makes a time range a
 * range of ids.
 */
export const idBoundary = (prefix: IdPrefix, ms: number): string =>
  `${prefix}_${base32(Math.min(Math.max(0, ms), 2 ** 50 - 1), 10)}`;

/** Returns a text that sorts after every id of its kind. Punctuation would not, in some database collations. */
export const lastId = (prefix: IdPrefix): string => `${prefix}_${'z'.repeat(26)}`;
