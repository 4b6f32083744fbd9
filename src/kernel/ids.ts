import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'; // Crockford base32, lower case

/** Every kind of id the service hands out. */
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
  | 'fnd'
  | 'prg'
  | 'job'
  | 'mail'
  | 'req';

const POOL_BYTES = 10 * 512;
const pool = Buffer.alloc(POOL_BYTES);
let poolOffset = POOL_BYTES;

/** 80 random bits for one id, drawn from a pool because a call into the random generator costs more than the rest of an id. */
function randomTail(): Buffer {
  if (poolOffset >= POOL_BYTES) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  poolOffset += 10;
  return pool.subarray(poolOffset - 10, poolOffset);
}

/** Fixed-width Crockford base32 of a non-negative integer below 2^53, most significant first, so text order is number order. */
export function base32(value: number, width: number): string {
  let text = '';
  for (let rest = value; text.length < width; rest = Math.floor(rest / 32)) text = ALPHABET[rest % 32] + text;
  return text;
}

/** The inverse of {@link base32}; null for text that is not of the alphabet. */
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
 * A time-ordered 128-bit id: 48 bits of milliseconds, 80 random bits, 26 characters behind the prefix.
 * Time order keeps index inserts at the right-hand edge and lets the id itself be a list's cursor.
 */
export function newId(prefix: IdPrefix, now: number): string {
  const tail = randomTail();
  let text = `${prefix}_${base32(now, 10)}`;
  let bits = 0;
  let value = 0;
  for (const byte of tail) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return text;
}

/** True for text of the form `<prefix>_<26 Crockford characters>`. */
export const isId = (prefix: IdPrefix, text: string): boolean =>
  text.length === prefix.length + 27 &&
  text.startsWith(`${prefix}_`) &&
  /^[0-9a-hjkmnp-tv-z]{26}$/.test(text.slice(prefix.length + 1));

/** Sorts below every id of `ms` milliseconds or later and above every earlier one: turns a range of time into one of ids. */
export const idBoundary = (prefix: IdPrefix, ms: number): string =>
  `${prefix}_${base32(Math.min(Math.max(0, ms), 2 ** 50 - 1), 10)}`;

/** Sorts behind every id of its kind in any collation of a database; punctuation would not. */
export const lastId = (prefix: IdPrefix): string => `${prefix}_${'z'.repeat(26)}`;
