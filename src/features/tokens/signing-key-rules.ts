import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { type CryptoKey, calculateJwkThumbprint, importJWK, type JWK } from 'jose';
import type { ListPublicKeys, PublicKey } from '../../kernel/public-keys.ts';
import type { Database, Reader } from '../../kernel/transaction.ts';
import { makePrivateFile, readIfThere, replacePrivateFile } from '../../mail/private-file.ts';
import { listKeys, recordKey, retireAllBut } from './signing-key-store.ts';
import { lastExpiryOf } from './token-store.ts';

/** Wakes every instance: the signing keys changed. */
const SIGNING_TOPIC = 'signing-keys';

export interface SigningKey extends PublicKey {
  privateKey: CryptoKey;
}

export interface Keyring {
  /** The key that signs now; null when signing is off. */
  current(): Promise<SigningKey | null>;
  /** The public key of that id, for tokens that may still be valid. */
  find(kid: string): Promise<CryptoKey | null>;
  list: ListPublicKeys;
  /** Makes the key at the first start, and puts it on record. */
  open(): Promise<void>;
  close(): void;
}

/** Where the signing key of a data folder lies. */
export const signingKeyPath = (dataDir: string): string => join(dataDir, 'signing-key.json');

/** Checks an Ed25519 private key as a JWK (RFC 8037 2). @throws Error saying what it is not */
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
  const privateKey = await importJWK({ kty: 'OKP', crv: 'Ed25519', d, x }, 'EdDSA').catch(() => {
    throw new Error('is not a usable Ed25519 key');
  });
  const kid = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x });
  return { kid, x, privateKey: privateKey as CryptoKey };
}

const newJwk = (): string => `${JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }))}\n`;

/** The key file of the data folder. @throws Error naming the file when it holds no key */
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

const importPublic = async ({ x }: PublicKey): Promise<CryptoKey> =>
  (await importJWK({ kty: 'OKP', crv: 'Ed25519', x }, 'EdDSA')) as CryptoKey;

const record = (database: Database, key: PublicKey, now: number): Promise<void> =>
  database.transaction((tx) => recordKey(tx, key, now));

export interface KeyringOptions {
  database: Database;
  /** `SIGNING_KEY` as a private JWK; null: the file of the data folder. */
  given: string | null;
  path: string;
  enabled: boolean;
  now(): number;
}

/**
 * The signing keys of this instance and the public keys of all. A rotation reaches it by a signal: it then reads the file
 * again, and where that key is retired too (another instance's folder saw the rotation) makes one of its own.
 */
export function createKeyring({ database, given, path, enabled, now }: KeyringOptions): Keyring {
  let signing: Promise<SigningKey> | null = null;
  let publics = new Map<string, CryptoKey>();
  const stopListening = database.onSignal(SIGNING_TOPIC, () => {
    signing = null;
    publics = new Map();
  });

  async function load(): Promise<SigningKey> {
    let key = given === null ? await readOrMake(path) : await readPrivateJwk(given);
    const known = (await listKeys(database)).find(({ kid }) => kid === key.kid);
    if (known && known.retiredAt !== null && given === null) {
      const text = newJwk();
      await replacePrivateFile(path, text);
      key = await readPrivateJwk(text);
      await record(database, key, now());
    }
    if (!known) await record(database, key, now());
    return key;
  }

  const current = (): Promise<SigningKey> => {
    signing ??= load().catch((err: unknown) => {
      signing = null;
      throw err;
    });
    return signing;
  };

  return {
    current: async () => (enabled ? current() : null),

    async find(kid) {
      const known = publics.get(kid);
      if (known) return known;
      const found = (await listKeys(database)).find((key) => key.kid === kid);
      if (!found) return null;
      const key = await importPublic(found);
      publics.set(kid, key);
      return key;
    },

    list: (at) => publishedKeys(database, at),

    async open() {
      if (enabled) await current();
    },

    close: stopListening,
  };
}

async function publishedKeys(reader: Reader, now: number): Promise<PublicKey[]> {
  const published: PublicKey[] = [];
  for (const { kid, x, retiredAt } of await listKeys(reader))
    if (retiredAt === null || (await lastExpiryOf(reader, kid)) > now) published.push({ kid, x });
  return published;
}

/**
 * Replaces the key of the data folder and retires every other; running instances sign with new keys once they hear of it.
 * What was signed before stays valid until it expires.
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

/** Signs any message with the key that signs now; null while signing is off. */
export const signerOf =
  (keyring: Keyring) =>
  async (message: Uint8Array): Promise<{ kid: string; signature: Uint8Array } | null> => {
    const key = await keyring.current();
    if (!key) return null;
    const signature = await crypto.subtle.sign('Ed25519', key.privateKey, message as Uint8Array<ArrayBuffer>);
    return { kid: key.kid, signature: new Uint8Array(signature) };
  };

/** Whether a signature is of a key that this service has on record. */
export function createVerifier(database: Reader) {
  const known = new Map<string, CryptoKey>();
  return async (kid: string, message: Uint8Array, signature: Uint8Array): Promise<boolean> => {
    const found = known.get(kid) ?? (await listKeys(database)).find((key) => key.kid === kid);
    if (!found) return false;
    const key = 'x' in found ? await importPublic(found) : found;
    known.set(kid, key);
    const [bytes, text] = [signature as Uint8Array<ArrayBuffer>, message as Uint8Array<ArrayBuffer>];
    return crypto.subtle.verify('Ed25519', key, bytes, text);
  };
}

/** Every key that ever signed here, newest first. */
export const allSigningKeys = async (database: Reader): Promise<PublicKey[]> =>
  (await listKeys(database)).map(({ kid, x }) => ({ kid, x }));
