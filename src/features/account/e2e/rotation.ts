import { createHash, timingSafeEqual } from 'node:crypto';
import { isTrusted } from '../../../api/account/factor.ts';
import type { Notices } from '../../../api/account/removal-notices.ts';
import { ApiError, invalidField } from '../../../api/errors.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { lockAccounts } from '../accounts/account-lifecycle.ts';
import { factorOfKey, type KeyFactorDeps, mayReplaceKey } from './key-factor.ts';
import { parsePublicKey } from './mail-sealer.ts';
import { countHistory, findEncryption, rememberKey, restartKey, saveEncryption } from './rotation-store.ts';

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
  for (const publicKey of keys)
    if (publicKey) await rememberKey(tx, { accountId, publicKey, createdAt: now, trustedFromStart: false });
}

/**
 * Adds a key that comes into use to the history. A key that was out of use begins its age anew: else a thief's key that
 * was taken back would count as old when it is set again.
 */
export async function noteKey(
  tx: Tx,
  {
    isUsed,
    now,
    ...key
  }: { accountId: string; publicKey: string; isUsed: boolean; trustedFromStart: boolean; now: number },
): Promise<void> {
  await rememberKey(tx, { ...key, createdAt: now });
  if (!isUsed) await restartKey(tx, { ...key, createdAt: now });
}

/**
 * Refuses to put another key in the place of one that needs the master seed or notice.
 * @throws ApiError `seed_mismatch` for a key that the seed protects, `older_factor_required` for an old one
 */
export async function requireReplaceable(
  tx: Tx,
  notices: Notices,
  principal: Principal,
  publicKey: string,
  now: number,
): Promise<void> {
  const { accountId } = principal;
  // Else a claim would walk around the proof that a rotation asks for.
  if (publicKey === (await findEncryption(tx, accountId))?.publicKey)
    throw new ApiError('seed_mismatch', {
      message: 'The master seed protects this key. Replace it with POST /v1/e2e/rotate-key.',
    });
  const by = await notices.askerOf(tx, principal);
  if (await mayReplaceKey(tx, notices, { accountId, publicKey, by, now })) return;
  throw new ApiError('older_factor_required', {
    message: 'This key is older than 7 days. Remove it first, with notice: DELETE /v1/e2e/key.',
  });
}

/**
 * Makes a key the active one of every address of the account. The first call registers the seed. An old key that the
 * seed does not protect, because a claim set it, stays in use for the 7 days of its notice.
 * @throws ApiError `seed_mismatch` if a later call has another seed
 */
export async function rotateKey(
  tx: Tx,
  { addresses, notices }: KeyFactorDeps,
  principal: Principal,
  { masterSeed, publicKey }: { masterSeed: string; publicKey: string },
  now: number,
): Promise<Rotation> {
  const { accountId } = principal;
  // Of two first calls with different seeds, the second must see the seed of the first.
  await lockAccounts(tx, [accountId]);
  const known = await findEncryption(tx, accountId);
  const seedHash = hashSeed(masterSeed);
  if (known && !timingSafeEqual(Buffer.from(known.seedHash), Buffer.from(seedHash)))
    throw new ApiError('seed_mismatch');
  const by = await notices.askerOf(tx, principal);
  const isProvenOld = known !== null && isTrusted(await factorOfKey(tx, accountId, known.publicKey), now);
  const trustedFromStart = isProvenOld || (await notices.isTrustedFromStart(tx, principal, now));
  const list = await addresses.list(tx, accountId);
  await saveEncryption(tx, { accountId, seedHash, publicKey, updatedAt: now });
  const isUsed = [known, ...list].some((used) => used?.publicKey === publicKey);
  // In the order in which every transaction locks addresses, so that no two wait for each other.
  const owned = list.toSorted((a, b) => (a.address < b.address ? -1 : 1));
  for (const { address, publicKey: replaced } of owned) {
    await rememberKeys(tx, accountId, [replaced], now);
    const isOwn = replaced === null || replaced === publicKey || replaced === known?.publicKey;
    if (!isOwn && !(await mayReplaceKey(tx, notices, { accountId, publicKey: replaced, by, now }))) {
      await notices.start(tx, { accountId, what: 'e2e_key', target: replaced, by, now });
      continue;
    }
    // Not a new claim: the account may no longer hold the domain of an address, and it may verify the domain again.
    await addresses.setPublicKey(tx, address, publicKey);
  }
  await noteKey(tx, { accountId, publicKey, isUsed, trustedFromStart, now });
  return { publicKey, historyCount: await countHistory(tx, accountId), firstSetup: known === null };
}
