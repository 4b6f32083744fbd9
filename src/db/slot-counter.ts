import type { Reader, Tx } from '../api/transaction.ts';
import { tables } from './statement.ts';

/** How many of one kind of thing each account has, held below a limit. */
export interface SlotCounter {
  /** Counts one more. @returns false, and counts nothing, when the account has `limit` already */
  take(tx: Tx, accountId: string, limit: number): Promise<boolean>;
  /** Counts one less. */
  giveBack(tx: Tx, accountId: string): Promise<void>;
  used(reader: Reader, accountId: string): Promise<number>;
}

/**
 * A counter in its own table, with the columns `account_id` and `used`. It checks and counts in one statement, so
 * that no number of parallel calls gets past the limit, and nothing is counted by reading all rows.
 */
export function slotCounter(table: `${string}_counts`): SlotCounter {
  const sql = tables<Record<'counts', { account_id: string; used: number }>>();
  // The builder knows one name for the table of any counter.
  const name = table as 'counts';
  const takeOne = sql((q, p: { account_id: string; limit: number }) =>
    q
      .insertInto(name)
      .values({ account_id: p.account_id, used: 1 })
      .onConflict((conflict) =>
        conflict
          .column('account_id')
          .doUpdateSet((eb) => ({ used: eb(`${name}.used`, '+', 1) }))
          .where(`${name}.used`, '<', p.limit),
      ),
  );
  const giveOne = sql((q, p: { account_id: string }) =>
    q
      .updateTable(name)
      .set((eb) => ({ used: eb('used', '-', 1) }))
      .where('account_id', '=', p.account_id)
      .where('used', '>', 0),
  );
  const usedBy = sql((q, p: { account_id: string }) =>
    q.selectFrom(name).select('used').where('account_id', '=', p.account_id),
  );
  return {
    // The first row is inserted without a look at the limit.
    take: async (tx, accountId, limit) => limit > 0 && (await tx.run(takeOne, { account_id: accountId, limit })) === 1,
    giveBack: async (tx, accountId) => void (await tx.run(giveOne, { account_id: accountId })),
    used: async (reader, accountId) => (await reader.first(usedBy, { account_id: accountId }))?.used ?? 0,
  };
}
