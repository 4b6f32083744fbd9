import type { Reader, Tx } from '../../../api/transaction.ts';
import { tables } from '../../../db/statement.ts';

const sql = tables<{ vault_accounts: { account_id: string; keys: number; bought: number } }>();

const countsOf = sql((q, p: { account_id: string }) =>
  q.selectFrom('vault_accounts').select(['keys', 'bought']).where('account_id', '=', p.account_id),
);

/** How many keys an account has, and how many it bought on top of its tier's limit. */
export const readCounts = async (reader: Reader, accountId: string): Promise<{ keys: number; bought: number }> =>
  (await reader.first(countsOf, { account_id: accountId })) ?? { keys: 0, bought: 0 };

/** Checks and counts in one statement, so that parallel requests cannot get past the limit. */
const takeOne = sql((q, p: { account_id: string; limit: number }) =>
  q
    .insertInto('vault_accounts')
    .values({ account_id: p.account_id, keys: 1, bought: 0 })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet((eb) => ({ keys: eb('vault_accounts.keys', '+', 1) }))
        .where((eb) => eb('vault_accounts.keys', '<', eb('vault_accounts.bought', '+', p.limit))),
    )
    .returning('keys'),
);

const buyOne = sql((q, p: { account_id: string }) =>
  q
    .insertInto('vault_accounts')
    .values({ account_id: p.account_id, keys: 1, bought: 1 })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((eb) => ({
        keys: eb('vault_accounts.keys', '+', 1),
        bought: eb('vault_accounts.bought', '+', 1),
      })),
    ),
);

const giveOne = sql((q, p: { account_id: string }) =>
  q
    .updateTable('vault_accounts')
    .set((eb) => ({ keys: eb('keys', '-', 1) }))
    .where('account_id', '=', p.account_id),
);

/** Counts one more key. @returns false, and counts nothing, when the account has `limit` and what it bought already */
export async function takeKeySlot(tx: Tx, accountId: string, limit: number): Promise<boolean> {
  // The first row is inserted without a look at the limit.
  if (limit < 1 && (await readCounts(tx, accountId)).bought === 0) return false;
  return (await tx.first(takeOne, { account_id: accountId, limit })) !== undefined;
}

/** Counts one more key that a payment raised the limit for. */
export const buyKeySlot = async (tx: Tx, accountId: string): Promise<void> =>
  void (await tx.run(buyOne, { account_id: accountId }));

/** Counts one key less. */
export const giveKeySlotBack = async (tx: Tx, accountId: string): Promise<void> =>
  void (await tx.run(giveOne, { account_id: accountId }));
