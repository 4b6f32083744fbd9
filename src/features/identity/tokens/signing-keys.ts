import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { join } from 'node:path';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { ApiError } from '../../../api/errors.ts';
import type { EnqueueJob } from '../../../api/job-types.ts';
import type { Database, Reader, Tx } from '../../../api/transaction.ts';
import { publicKeyOf } from '../../../base/jws.ts';
import { makePrivateFile, readIfThere, replacePrivateFile } from '../../../base/private-file.ts';
import type { ListPublicKeys, PublicKey } from '../../../base/public-keys.ts';
import { findSigningKey, listKeys, markKeyRevoked, recordKey, retireAllBut } from './signing-key-store.ts';
import { lastExpiryOf, revokeTokensOf } from './token-store.ts';

/** The signal that the signing keys changed. */
const SIGNING_TOPIC = 'signing-keys';

export interface SigningKey extends PublicKey {
  privateKey: KeyObject;
}

/** The path of the signing key in a data folder. */
export const signingKeyPath = (dataDir: string): string => join(dataDir, 'signing-key.json');

/** Null when the two are not the halves of one key: what one signs, the other would not verify. */
function privateKeyOf(d: string, x: string): KeyObject | null {
  try {
    const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
    return createPublicKey(key).export({ format: 'jwk' }).x === x ? key : null;
  } catch {
    return null;
  }
}

/** Checks an Ed25519 private key as a JWK (RFC 8037 2). @throws Error with the reason */
async function readPrivateJwk(text: string): Promise<SigningKey> {
  let jwk: JWK;
  try {
    jwk = JSON.parse(text) as JWK;
  } catch {
    throw new Error('is not JSON');
  }
  if (jwk?.kty !== 'OKP' || jwk.crv !== 'Ed25519' || typeof jwk.d !== 'string' || typeof jwk.x !== 'string')
    throw new Error('is not an Ed25519 private JWK: {"kty": "OKP", "crv": "Ed25519", "d": …, "x": …}');
  const { d, x } = jwk;
  const privateKey = privateKeyOf(d, x);
  if (privateKey === null) throw new Error('is not a usable Ed25519 key');
  const kid = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x });
  return { kid, x, privateKey };
}

const newJwk = (): string => `${JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }))}\n`;

/** Reads the key file of the data folder. @throws Error with the path when it holds no valid key */
async function readKeyFile(path: string): Promise<SigningKey | null> {
  const text = await readIfThere(path);
  if (text === null) return null;
  try {
    return await readPrivateJwk(text);
  } catch (err) {
    throw new Error(`the signing key ${path} ${(err as Error).message}`);
  }
}

async function readOrMake(path: string): Promise<SigningKey> {
  const known = await readKeyFile(path);
  if (known) return known;
  const text = newJwk();
  await makePrivateFile(path, text);
  return (await readKeyFile(path)) ?? (await readPrivateJwk(text));
}

const record = (database: Database, key: PublicKey, now: number): Promise<void> =>
  database.transaction((tx) => recordKey(tx, key, now));

export interface KeyringOptions {
  database: Database;
  /** `SIGNING_KEY` as a private JWK. Null to use the file of the data folder. */
  given: string | null;
  path: string;
  enabled: boolean;
  now(): number;
}

/**
 * The signing key of this instance, and the public keys of all instances. After a rotation signal it reads the key file
 * again. If that key is retired as well, because another instance rotated, it makes a new one.
 */
export class Keyring {
  readonly #options: KeyringOptions;
  #signing: Promise<SigningKey | null> | null = null;
  #publics = new Map<string, KeyObject>();
  #stopListening = (): void => {};

  constructor(options: KeyringOptions) {
    this.#options = options;
  }

  /**
   * Starts to listen for rotations, and makes and records the key at the first start.
   * @throws Error when `SIGNING_KEY` is a key that was revoked
   */
  readonly open = async (): Promise<void> => {
    this.#stopListening = this.#options.database.onSignal(SIGNING_TOPIC, this.#forget);
    if ((await this.current()) === null && this.#options.enabled)
      throw new Error('SIGNING_KEY is a key that was revoked; set another key');
  };

  readonly close = (): void => this.#stopListening();

  readonly #forget = (): void => {
    this.#signing = null;
    this.#publics = new Map();
  };

  /** Returns the key that signs. Null when signing is off, or when `SIGNING_KEY` was revoked. */
  async current(): Promise<SigningKey | null> {
    if (!this.#options.enabled) return null;
    this.#signing ??= this.#load().catch((err: unknown) => {
      this.#signing = null;
      throw err;
    });
    return this.#signing;
  }

  /** Refuses a key that was revoked after it signed. @throws ApiError `storage_unavailable`: with a retry another key signs */
  async requireUsable(tx: Tx, kid: string): Promise<void> {
    if ((await findSigningKey(tx, kid))?.revokedAt === null) return;
    this.#forget();
    throw new ApiError('storage_unavailable', { cause: `the signing key ${kid} was revoked` });
  }

  /** Finds a public key by id, to verify tokens that may still be valid. Null for a revoked key. */
  async find(kid: string): Promise<KeyObject | null> {
    const known = this.#publics.get(kid);
    if (known) return known;
    const found = await findSigningKey(this.#options.database, kid);
    if (!found || found.revokedAt !== null) return null;
    const key = publicKeyOf(found.x);
    this.#publics.set(kid, key);
    return key;
  }

  /** Lists the public keys that sign, or signed a token that is still valid. */
  readonly list: ListPublicKeys = (at) => publishedKeys(this.#options.database, at);

  async #load(): Promise<SigningKey | null> {
    const { database, given, path, now } = this.#options;
    let key = given === null ? await readOrMake(path) : await readPrivateJwk(given);
    const known = await findSigningKey(database, key.kid);
    if (known && known.revokedAt !== null && given !== null) return null;
    if (known && known.retiredAt !== null && given === null) {
      const text = newJwk();
      await replacePrivateFile(path, text);
      key = await readPrivateJwk(text);
      await record(database, key, now());
    }
    if (!known) await record(database, key, now());
    return key;
  }
}

async function publishedKeys(reader: Reader, now: number): Promise<PublicKey[]> {
  const published: PublicKey[] = [];
  for (const { kid, x, retiredAt, revokedAt } of await listKeys(reader))
    if (revokedAt === null && (retiredAt === null || (await lastExpiryOf(reader, kid)) > now))
      published.push({ kid, x });
  return published;
}

/**
 * Replaces the key of the data folder and retires every other key. Running instances sign with new keys after the signal.
 * Earlier tokens stay valid until they expire.
 */
export async function rotateSigningKey(database: Database, path: string, now: number) {
  const text = newJwk();
  const key = await readPrivateJwk(text);
  await replacePrivateFile(path, text);
  const retired = await database.transaction(async (tx) => {
    await recordKey(tx, key, now);
    tx.signal(SIGNING_TOPIC);
    return retireAllBut(tx, key.kid, now);
  });
  return { kid: key.kid, retired };
}

export interface KeyRevocation {
  /** False when the key already was revoked. */
  changed: boolean;
  /** How many tokens ended that had not expired. */
  tokens: number;
  /** The key that replaces it in this data folder. Null when the folder's key is another one. */
  replacedBy: string | null;
}

/**
 * Takes a stolen key out of the JWKS and ends its tokens. The data folder gets a new key if it holds the revoked one;
 * running instances replace theirs after the signal. A job then tells the owners of the tokens.
 * @param path the key file of the data folder. Null when `SIGNING_KEY` is set
 * @returns null when the service never had this key
 */
export async function revokeSigningKey(
  database: Database,
  path: string | null,
  kid: string,
  now: number,
  enqueueJob: EnqueueJob,
): Promise<KeyRevocation | null> {
  if (!(await findSigningKey(database, kid))) return null;
  const isOwn = path !== null && (await readKeyFile(path))?.kid === kid;
  const text = newJwk();
  const next = isOwn ? await readPrivateJwk(text) : null;
  // Before the commit, so that an instance that follows the signal finds the new key.
  if (next) await replacePrivateFile(path as string, text);
  return database.transaction(async (tx) => {
    const changed = await markKeyRevoked(tx, kid, now);
    if (next) await recordKey(tx, next, now);
    tx.signal(SIGNING_TOPIC);
    const tokens = await revokeTokensOf(tx, kid, now);
    const payload = { kid, revokedAt: now, after: { expiresAt: now, jti: '' } };
    if (tokens > 0) await enqueueJob(tx, { kind: 'token.tell', payload, runAt: now });
    return { changed, tokens, replacedBy: next?.kid ?? null };
  });
}

/** Returns a function that signs a message with the current key. It returns null while signing is off. */
export const signerOf =
  (keyring: Keyring) =>
  async (message: Uint8Array): Promise<{ kid: string; signature: Uint8Array } | null> => {
    const key = await keyring.current();
    if (!key) return null;
    return { kid: key.kid, signature: sign(null, message, key.privateKey) };
  };

/** Returns a function that checks a signature against the recorded keys of this service. */
export function createVerifier(database: Reader) {
  const known = new Map<string, KeyObject>();
  return async (kid: string, message: Uint8Array, signature: Uint8Array): Promise<boolean> => {
    const found = known.get(kid) ?? (await listKeys(database)).find((key) => key.kid === kid);
    if (!found) return false;
    const key = 'x' in found ? publicKeyOf(found.x) : found;
    known.set(kid, key);
    return verify(null, message, key, signature);
  };
}

/** Lists every key that this service ever signed with, newest first. */
export const allSigningKeys = async (database: Reader): Promise<PublicKey[]> =>
  (await listKeys(database)).map(({ kid, x }) => ({ kid, x }));
