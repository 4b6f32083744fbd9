import type { RefusingLimit } from '../api/limits.ts';
import type { Reader, Tx } from '../api/transaction.ts';
import { column } from './column-map.ts';
import { tables } from './statement.ts';
import { table } from './table.ts';

/** How many of one kind of thing each account has, held below a limit. */
export interface SlotCounter {
  /** Counts one more. @returns false, and counts nothing, when the account has `limit` already */
  take(tx: Tx, accountId: string, limit: number): Promise<boolean>;
  /** Counts one less. */
  giveBack(tx: Tx, accountId: string): Promise<void>;
  used(reader: Reader, accountId: string): Promise<number>;
}

/** How many things of each kind an account has. A kind has the name of its limit. */
export const ACCOUNT_COUNTS = table(
  'account_counts',
  { accountId: column.text('account_id'), kind: column.text('kind'), used: column.integer('used') },
  { key: ['accountId', 'kind'], account: ['accountId'], erase: 'delete' },
);

const findCount = ACCOUNT_COUNTS.find();

const sql = tables<{ account_counts: { account_id: string; kind: string; used: number } }>();

const takeOne = sql((q, p: { account_id: string; kind: string; limit: number }) =>
  q
    .insertInto('account_counts')
    .values({ account_id: p.account_id, kind: p.kind, used: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'kind'])
        .doUpdateSet((eb) => ({ used: eb('account_counts.used', '+', 1) }))
        .where('account_counts.used', '<', p.limit),
    ),
);

const giveOne = sql((q, p: { account_id: string; kind: string }) =>
  q
    .updateTable('account_counts')
    .set((eb) => ({ used: eb('used', '-', 1) }))
    .where('account_id', '=', p.account_id)
    .where('kind', '=', p.kind)
    .where('used', '>', 0),
);

/**
 * A counter of the things that one limit holds. It checks and counts in one statement, so that no number of parallel calls
 * gets past the limit, and nothing is counted by reading all rows.
 */
export const slotCounter = (kind: RefusingLimit): SlotCounter => ({
  // The first row is inserted without a look at the limit.
  take: async (tx, accountId, limit) =>
    limit > 0 && (await tx.run(takeOne, { account_id: accountId, kind, limit })) === 1,
  giveBack: async (tx, accountId) => void (await tx.run(giveOne, { account_id: accountId, kind })),
  used: async (reader, accountId) => (await findCount(reader, accountId, kind))?.used ?? 0,
});
