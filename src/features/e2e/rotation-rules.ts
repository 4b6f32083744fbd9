import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError, invalidField } from '../../kernel/errors.ts';
import type { Tier } from '../../kernel/limits.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { lockAccounts } from '../accounts/account-rules.ts';
import { parsePublicKey } from './e2e-rules.ts';
import { countHistory, findEncryption, rememberKey, saveEncryption } from './rotation-store.ts';

interface Claim {
  accountId: string;
  tier: Tier;
  address: string;
  publicKey: string | null;
  now: number;
}

/** What rotation needs of the addresses. A port: they build on this feature, so it cannot build on them. */
export interface AddressPort<R> {
  /** On an address the account has: replaces its key. */
  claim(tx: Tx, claim: Claim): Promise<R>;
  list(reader: Reader, accountId: string): Promise<readonly { address: string; publicKey: string | null }[]>;
  find(reader: Reader, address: string): Promise<{ accountId: string; publicKey: string | null } | null>;
}

export interface Rotation {
  publicKey: string;
  /** Keys the account has had, the active one included. */
  historyCount: number;
  firstSetup: boolean;
}

export interface RotationRules {
  /**
   * Makes a key the active one of every address of the account.
   * @throws ApiError `seed_mismatch` unless the seed is that of the first call
   */
  rotate(tx: Tx, principal: Principal, masterSeed: string, publicKey: string, now: number): Promise<Rotation>;
}

const hashSeed = (seed: string): string => createHash('sha256').update(seed).digest('hex');

/** @throws ApiError `invalid_request` naming the field */
export function requireNewPublicKey(text: string): string {
  const key = parsePublicKey(text);
  const message = 'new_public_key must be an X25519 public key: 32 bytes as base64 or hex.';
  if (key === null) throw invalidField('/body/new_public_key', 'invalid_format', message);
  return key;
}

/**
 * Addresses that are claimed without a key of their own get the account's, if it has one. Whoever claims holds the
 * account, so that no claim slips past a rotation that is under way.
 */
export function withAccountKey<R, A extends AddressPort<R>>(addresses: A): A {
  async function claim(tx: Tx, given: Claim): Promise<R> {
    const { accountId, address, now } = given;
    await lockAccounts(tx, [accountId]);
    const found = await addresses.find(tx, address);
    const owned = found?.accountId === accountId ? found : null;
    const account = owned ? null : await findEncryption(tx, accountId);
    const publicKey = given.publicKey ?? account?.publicKey ?? null;
    const claimed = await addresses.claim(tx, { ...given, publicKey });
    if (owned?.publicKey) await rememberKey(tx, accountId, owned.publicKey, now);
    if (publicKey !== null) await rememberKey(tx, accountId, publicKey, now);
    return claimed;
  }
  return { ...addresses, claim };
}

/** `addresses` as they are, without {@link withAccountKey}. */
export function createRotationRules<R>(addresses: AddressPort<R>): RotationRules {
  return {
    rotate: async (tx, { accountId, tier }, masterSeed, publicKey, now) => {
      // Two first calls with different seeds: the second has to see the first one's.
      await lockAccounts(tx, [accountId]);
      const known = await findEncryption(tx, accountId);
      const seedHash = hashSeed(masterSeed);
      if (known && !timingSafeEqual(Buffer.from(known.seedHash), Buffer.from(seedHash)))
        throw new ApiError('seed_mismatch');
      await saveEncryption(tx, accountId, { seedHash, publicKey }, now);
      // In the order in which everybody takes addresses, so that no two transactions wait for each other.
      const owned = (await addresses.list(tx, accountId)).toSorted((a, b) => (a.address < b.address ? -1 : 1));
      for (const { address, publicKey: replaced } of owned) {
        if (replaced !== null) await rememberKey(tx, accountId, replaced, now);
        await addresses.claim(tx, { accountId, tier, address, publicKey, now });
      }
      await rememberKey(tx, accountId, publicKey, now);
      return { publicKey, historyCount: await countHistory(tx, accountId), firstSetup: known === null };
    },
  };
}
