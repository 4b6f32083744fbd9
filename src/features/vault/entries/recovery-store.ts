import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import {
  ACCOUNT_SEEDS,
  type AccountSeed,
  ANONYMOUS_SEEDS,
  type AnonymousSeed,
  type SEED_NETWORKS,
} from './recovery-table.ts';

const sql = tables<{
  vault_recoveries: RowOf<typeof ACCOUNT_SEEDS>;
  vault_seeds: RowOf<typeof ANONYMOUS_SEEDS>;
  vault_seed_networks: RowOf<typeof SEED_NETWORKS>;
  vault_seed_bytes: { id: number; used: number };
}>();

// ---- Seeds of accounts

export const deleteAccountSeed = ACCOUNT_SEEDS.remove();
const seedsOfAccount = ACCOUNT_SEEDS.list(['accountId']);

const accountSeedsOf = sql((q, p: { email: string; account_id: string; limit: number }) =>
  q
    .selectFrom('vault_recoveries')
    .select(ACCOUNT_SEEDS.names)
    .where('email', '=', p.email)
    .where('account_id', '>=', p.account_id)
    .orderBy('account_id')
    .orderBy('is_former')
    .limit(p.limit),
);

/** Returns the seed of an account, and its former one during a notice. */
export async function findAccountSeeds(
  reader: Reader,
  accountId: string,
): Promise<{ current: AccountSeed | null; former: AccountSeed | null }> {
  const seeds = await seedsOfAccount(reader, accountId);
  return {
    current: seeds.find(({ isFormer }) => !isFormer) ?? null,
    former: seeds.find(({ isFormer }) => isFormer) ?? null,
  };
}

/** Stores the current or the former seed of an account. It replaces the one before. */
export const storeAccountSeed = ACCOUNT_SEEDS.save();

/** Lists the seeds that an address recovers, in the order of their accounts, starting with `accountId`. */
export const listAccountSeeds = async (
  reader: Reader,
  email: string,
  accountId: string,
  limit: number,
): Promise<AccountSeed[]> =>
  (await reader.all(accountSeedsOf, { email, account_id: accountId, limit })).map(ACCOUNT_SEEDS.fromRow);

// ---- Seeds without an account

const insertSeed = ANONYMOUS_SEEDS.insert();
/** Oldest first. */
export const listAnonymousSeeds = ANONYMOUS_SEEDS.after(['email']);

const seedIds = sql((q, p: { email: string; limit: number }) =>
  q.selectFrom('vault_seeds').select('id').where('email', '=', p.email).orderBy('id').limit(p.limit),
);

/** Checks and counts in one statement, so that parallel calls cannot pass the limit together. */
const takeSeedBytes = sql((q, p: { bytes: number; most_before: number }) =>
  q
    .updateTable('vault_seed_bytes')
    .set((eb) => ({ used: eb('used', '+', p.bytes) }))
    .where('id', '=', 1)
    .where('used', '<=', p.most_before)
    .returning('used'),
);
const addToNetwork = sql((q, p: { network: string; bytes: number }) =>
  q
    .insertInto('vault_seed_networks')
    .values({ network: p.network, used: p.bytes })
    .onConflict((row) =>
      row.column('network').doUpdateSet((eb) => ({ used: eb('vault_seed_networks.used', '+', p.bytes) })),
    )
    .returning('used'),
);
/** An address has a hundred seeds at most. */
const addressBytes = sql((q, p: { email: string }) =>
  q
    .selectFrom('vault_seeds')
    .select((eb) => eb.fn.sum<number | string | null>(eb.fn('octet_length', ['encrypted_seed'])).as('used'))
    .where('email', '=', p.email),
);
const seedBytes = sql((q, _p: Record<never, never>) =>
  q.selectFrom('vault_seed_bytes').select('used').where('id', '=', 1),
);

/**
 * Stores a seed, unless all of them would then take more than `most` bytes.
 * @param network where it comes from
 * @returns what all seeds, and those of the network, took before; null if it does not fit
 */
export async function storeAnonymousSeed(
  tx: Tx,
  seed: AnonymousSeed,
  network: string,
  most: number,
): Promise<{ all: number; ofNetwork: number } | null> {
  const bytes = Buffer.byteLength(seed.encryptedSeed);
  const taken = await tx.first(takeSeedBytes, { bytes, most_before: most - bytes });
  if (!taken) return null;
  const added = await tx.first(addToNetwork, { network, bytes });
  await insertSeed(tx, seed);
  return { all: taken.used - bytes, ofNetwork: (added?.used ?? bytes) - bytes };
}

/** Bytes of the anonymous seeds of an address. */
export const addressSeedBytes = async (reader: Reader, email: string): Promise<number> =>
  Number((await reader.first(addressBytes, { email }))?.used ?? 0);

/** Bytes that all anonymous seeds take. */
export const anonymousSeedBytes = async (reader: Reader): Promise<number> =>
  (await reader.first(seedBytes, {}))?.used ?? 0;

/** Counts the seeds of an address, up to `most`. */
export const countAnonymousSeeds = async (reader: Reader, email: string, most: number): Promise<number> =>
  (await reader.all(seedIds, { email, limit: most })).length;
