import { concat, fromBase64, fromHex, randomBytes, toBase64, toBase64Url, utf8 } from './encoding.ts';
import { SignetCryptoError } from './signet-error.ts';
import { open, pbkdf2, seal } from './web-crypto.ts';

/** Seeds, from which the keys of a vault are derived, and their backups. */

/** The entry with a copy of the seed of its vault, sealed with a passphrase by {@link backUpSeed}. The seed does not open it. */
export const SEALED_SEED = 'signet.seed';

const SEED_BYTES = 32;
const SALT_BYTES = 16;
const ITERATIONS = 600_000;
/** The most rounds that a backup may require; more would only waste the client's time. */
const ITERATIONS_MAX = 10_000_000;
/** `SGB1`. */
const MAGIC = new Uint8Array([0x53, 0x47, 0x42, 0x31]);
const HEADER_BYTES = MAGIC.length + 4 + SALT_BYTES;
const BACKUP_BYTES = HEADER_BYTES + 12 + SEED_BYTES + 16;
const CONTEXT = utf8('signet:seed-backup:v1');

/** Creates a seed. Only the seed opens the vault: the service cannot. */
export const randomSeed = (): Uint8Array<ArrayBuffer> => randomBytes(SEED_BYTES);

/**
 * Reads a seed of 32 bytes, written as base64url, base64 or hex, as in `SIGNET_SEED`.
 * @throws SignetCryptoError `malformed`
 */
export function readSeed(seed: string | Uint8Array): Uint8Array<ArrayBuffer> {
  if (typeof seed !== 'string') return new Uint8Array(seed);
  const text = seed.trim();
  const bytes = /^[0-9a-fA-F]{64}$/.test(text) ? fromHex(text) : fromBase64(text);
  if (bytes.length !== SEED_BYTES) throw new SignetCryptoError('malformed', `A seed has ${SEED_BYTES} bytes.`);
  return bytes;
}

/** Writes a seed as base64url, as {@link readSeed} reads it. */
export const writeSeed = (seed: Uint8Array): string => toBase64Url(seed);

/** Creates a salt for {@link seedFromPassphrase}. It is not secret, but is needed together with the passphrase. */
export const randomSalt = (): Uint8Array<ArrayBuffer> => randomBytes(SALT_BYTES);

/**
 * Derives a seed from a passphrase and a salt: PBKDF2-SHA-256 with 600,000 rounds over the passphrase in Unicode
 * form NFKC. A random seed with a backup is the better choice: its passphrase can be changed.
 * @param salt of {@link randomSalt}, at least 16 bytes
 */
export async function seedFromPassphrase(passphrase: string, salt: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  if (salt.length < SALT_BYTES) throw new SignetCryptoError('malformed', `A salt has at least ${SALT_BYTES} bytes.`);
  return pbkdf2(passphrase, new Uint8Array(salt), ITERATIONS);
}

function header(iterations: number, salt: Uint8Array): Uint8Array {
  const count = new Uint8Array(4);
  new DataView(count.buffer).setUint32(0, iterations);
  return concat(MAGIC, count, salt);
}

/**
 * Seals a seed with a passphrase, as the `encrypted_seed` of `setVaultRecovery` and `storeSeed`: base64 of `SGB1` ‖
 * rounds (4 bytes, big-endian) ‖ salt (16) ‖ IV (12) ‖ ciphertext (32) ‖ tag (16). The key is PBKDF2-SHA-256 of the passphrase;
 * everything before the IV is additional data, after `signet:seed-backup:v1`.
 */
export async function backUpSeed(seed: Uint8Array, passphrase: string): Promise<string> {
  if (seed.length !== SEED_BYTES) throw new SignetCryptoError('malformed', `A seed has ${SEED_BYTES} bytes.`);
  const salt = randomSalt();
  const head = header(ITERATIONS, salt);
  const key = await pbkdf2(passphrase, salt, ITERATIONS);
  return toBase64(concat(head, await seal(key, new Uint8Array(seed), concat(CONTEXT, head))));
}

/** Opens a backup, written as base64, base64url or hex. @throws SignetCryptoError `malformed`, `truncated`, `not_authentic` */
export async function restoreSeed(encryptedSeed: string, passphrase: string): Promise<Uint8Array<ArrayBuffer>> {
  const isHex = /^(?:[0-9a-fA-F]{2})+$/.test(encryptedSeed) && encryptedSeed.length >= 2 * BACKUP_BYTES;
  const bytes = isHex ? fromHex(encryptedSeed) : fromBase64(encryptedSeed);
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) {
    throw new SignetCryptoError('malformed', 'This backup was not made by this library.');
  }
  if (bytes.length < BACKUP_BYTES) throw new SignetCryptoError('truncated', 'The backup is truncated.');
  const head = bytes.slice(0, HEADER_BYTES);
  const iterations = new DataView(head.buffer).getUint32(MAGIC.length);
  if (iterations < ITERATIONS || iterations > ITERATIONS_MAX) {
    throw new SignetCryptoError('malformed', `The backup requires ${iterations} rounds, which is out of range.`);
  }
  const key = await pbkdf2(passphrase, head.slice(-SALT_BYTES), iterations);
  return open(key, bytes.slice(HEADER_BYTES), concat(CONTEXT, head));
}
