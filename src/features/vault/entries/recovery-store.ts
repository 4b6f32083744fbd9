import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { ACCOUNT_SEEDS, type AccountSeed, ANONYMOUS_SEEDS, type AnonymousSeed } from './recovery-table.ts';

const sql = tables<{
  vault_recoveries: RowOf<typeof ACCOUNT_SEEDS>;
  vault_seeds: RowOf<typeof ANONYMOUS_SEEDS>;
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
    .where('used', '<=', p.most_before),
);
const seedBytes = sql((q, _p: Record<never, never>) =>
  q.selectFrom('vault_seed_bytes').select('used').where('id', '=', 1),
);

/** Stores a seed, unless all of them would then take more than `most` bytes. @returns whether it did */
export async function storeAnonymousSeed(tx: Tx, seed: AnonymousSeed, most: number): Promise<boolean> {
  const bytes = Buffer.byteLength(seed.encryptedSeed);
  if ((await tx.run(takeSeedBytes, { bytes, most_before: most - bytes })) === 0) return false;
  await insertSeed(tx, seed);
  return true;
}

/** Bytes that all anonymous seeds take. */
export const anonymousSeedBytes = async (reader: Reader): Promise<number> =>
  (await reader.first(seedBytes, {}))?.used ?? 0;

/** Counts the seeds of an address, up to `most`. */
export const countAnonymousSeeds = async (reader: Reader, email: string, most: number): Promise<number> =>
  (await reader.all(seedIds, { email, limit: most })).length;
