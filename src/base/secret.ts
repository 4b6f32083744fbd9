import { createHmac, hash, hkdfSync, randomFillSync } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BODY_LENGTH = 32;
const CHECK_LENGTH = 6;

/** The prefix of each kind of key. Keys end in a checksum; sessions and link tokens do not. */
const KEY_PREFIX = {
  platform: 'signet_live_',
  pod: 'signet_pod_',
  backup: 'signet_bak_',
  program: 'signet_prog_',
  named: 'signet_key_',
  access: 'signet_at_',
} as const;
type CheckedKind = keyof typeof KEY_PREFIX;
/** The kinds of which an account has one: its primary and its backup. */
export type KeyKind = Exclude<CheckedKind, 'program' | 'named' | 'access'>;
/** The kinds that give access to an account. A program's key only records decisions on findings. */
type AccessKind = KeyKind | 'named' | 'access';
export const SESSION_PREFIX = 'session_';
/** Of a session that a key opened. It is longer than a person's. */
export const KEY_SESSION_PREFIX = 'session_key';

/** Bytes from 248 (4 × 62) on are skipped, so that there is no modulo bias. */
const EVEN_BYTES = 248;

const base62Of = (bytes: Iterable<number>): string =>
  Array.from(bytes, (byte) => (byte < EVEN_BYTES ? BASE62[byte % 62] : '')).join('');

const pool = new Uint8Array(1024);
let poolOffset = pool.length;

/** A random byte. They come from a pool, as those of ids do, and each is erased there: it may become part of a key. */
function randomByte(): number {
  if (poolOffset === pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  const byte = pool[poolOffset] as number;
  pool[poolOffset] = 0;
  poolOffset += 1;
  return byte;
}

/** Makes `length` random characters of base62. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    const byte = randomByte();
    if (byte < EVEN_BYTES) text += BASE62[byte % 62];
  }
  return text;
}

/** CRC-32 (IEEE) of the text as six base62 digits, most significant first, zero-padded. */
function checksum(text: string): string {
  let value = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECK_LENGTH; i++) {
    digits = BASE62[value % 62] + digits;
    value = Math.floor(value / 62);
  }
  return digits;
}

/**
 * Makes an API key: prefix, 32 random base62 characters, checksum. The caller shows it once and stores its {@link
 * hashSecret}.
 */
export function mintKey(kind: CheckedKind): string {
  const text = KEY_PREFIX[kind] + randomBase62(BODY_LENGTH);
  return text + checksum(text);
}

/** Makes a session or link token: prefix and 32 random base62 characters. */
export const mintToken = (prefix: string): string => prefix + randomBase62(BODY_LENGTH);

/**
 * Derives a token from the service's own key and a purpose, so that it can be shown again although only its hash is
 * stored. In practice 128 bytes always include 32 usable ones.
 */
export const deriveToken = (prefix: string, key: string, purpose: string): string =>
  prefix + base62Of(new Uint8Array(hkdfSync('sha256', key, '', purpose, 128))).slice(0, BODY_LENGTH);

/** The first characters of a key that lists may show: the kind's prefix and four more. */
export const keyPrefix = (key: string, kind: CheckedKind): string => key.slice(0, KEY_PREFIX[kind].length + 4);

/** SHA-256 in hex: the only form in which a secret is stored. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'hex');

/** Computes a keyed hash for data that must be comparable but not readable at rest, such as IP addresses. */
export const keyedHash = (key: string, value: string): string =>
  createHmac('sha256', key).update(value).digest('hex').slice(0, 32);

function isKeyOf(kind: CheckedKind, text: string): boolean {
  const end = KEY_PREFIX[kind].length + BODY_LENGTH;
  const isShaped = text.startsWith(KEY_PREFIX[kind]) && text.length === end + CHECK_LENGTH;
  return isShaped && text.slice(end) === checksum(text.slice(0, end));
}

/**
 * Returns the kind of a presented key, or null for a wrong prefix, length or checksum. So a mistyped key is refused
 * without a look-up.
 */
export const keyKindOf = (text: string): AccessKind | null =>
  (['platform', 'pod', 'backup', 'named', 'access'] as const).find((kind) => isKeyOf(kind, text)) ?? null;

/**
 * True for text that begins like a primary or backup key or a session, even a mistyped one. Such a credential opens a whole
 * account.
 */
export const isWholeCredential = (text: string): boolean =>
  [KEY_PREFIX.platform, KEY_PREFIX.pod, KEY_PREFIX.backup, SESSION_PREFIX].some((prefix) => text.startsWith(prefix));

/** True for text that may be a program's key. */
export const isProgramKey = (text: string): boolean => isKeyOf('program', text);

/** True for text shaped like a session token. */
export const isSessionToken = (text: string): boolean =>
  [SESSION_PREFIX, KEY_SESSION_PREFIX].some(
    (prefix) => text.length === prefix.length + BODY_LENGTH && text.startsWith(prefix),
  );
