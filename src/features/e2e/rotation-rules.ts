import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError, invalidField } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { lockAccounts } from '../accounts/account-rules.ts';
import { parsePublicKey } from './e2e-rules.ts';
import { countHistory, findEncryption, rememberKey, saveEncryption } from './rotation-store.ts';

/** The addresses of accounts, as rotation uses them. A port: addresses import this feature, so it cannot import them. */
export interface AddressPort {
  list(reader: Reader, accountId: string): Promise<readonly { address: string; publicKey: string | null }[]>;
  /** Replaces the key of an address that {@link list} returned. */
  setPublicKey(tx: Tx, address: string, publicKey: string): Promise<void>;
}

export interface Rotation {
  publicKey: string;
  /** How many keys the account has had, the active one included. */
  historyCount: number;
  firstSetup: boolean;
}

const hashSeed = (seed: string): string => createHash('sha256').update(seed).digest('hex');

/** @throws ApiError `invalid_request` naming the field */
export function requireNewPublicKey(text: string): string {
  const key = parsePublicKey(text);
  const message = 'new_public_key must be an X25519 public key: 32 bytes as base64 or hex.';
  if (key === null) throw invalidField('/body/new_public_key', 'invalid_format', message);
  return key;
}

/** The public key that new addresses of the account get. Null: none. */
export const accountKey = async (reader: Reader, accountId: string): Promise<string | null> =>
  (await findEncryption(reader, accountId))?.publicKey ?? null;

/** Adds keys to the account's history, without those it has. The caller holds the account's lock. */
export async function rememberKeys(
  tx: Tx,
  accountId: string,
  keys: readonly (string | null | undefined)[],
  now: number,
): Promise<void> {
  for (const key of keys) if (key) await rememberKey(tx, accountId, key, now);
}

/**
 * Makes a key the active one of every address of the account. The first call registers the seed.
 * @throws ApiError `seed_mismatch` if a later call has another seed
 */
export async function rotateKey(
  tx: Tx,
  addresses: AddressPort,
  { accountId }: Principal,
  { masterSeed, publicKey }: { masterSeed: string; publicKey: string },
  now: number,
): Promise<Rotation> {
  // Of two first calls with different seeds, the second must see the seed of the first.
  await lockAccounts(tx, [accountId]);
  const known = await findEncryption(tx, accountId);
  const seedHash = hashSeed(masterSeed);
  if (known && !timingSafeEqual(Buffer.from(known.seedHash), Buffer.from(seedHash)))
    throw new ApiError('seed_mismatch');
  await saveEncryption(tx, { accountId, seedHash, publicKey, updatedAt: now });
  // In the order in which every transaction locks addresses, so that no two wait for each other.
  const owned = (await addresses.list(tx, accountId)).toSorted((a, b) => (a.address < b.address ? -1 : 1));
  for (const { address, publicKey: replaced } of owned) {
    await rememberKeys(tx, accountId, [replaced], now);
    // Not a new claim: the account may no longer hold the domain of an address, and it may verify the domain again.
    await addresses.setPublicKey(tx, address, publicKey);
  }
  await rememberKeys(tx, accountId, [publicKey], now);
  return { publicKey, historyCount: await countHistory(tx, accountId), firstSetup: known === null };
}
