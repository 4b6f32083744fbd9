import type { AccountLog, Change, Tx } from '../../api/transaction.ts';
import type { Engine } from '../statement.ts';

/** Rows without an order have one end for all accounts, at which there is nothing to know. */
const END = { accountId: '', end: true } as const;

/**
 * Makes the function that adds rows to a table right before the commit, with those of all transactions that share it. It
 * is for rows that take no place among others, such as the entries of an index. A statement that names one of the tables
 * sees them (see `Tx.append`).
 * @param names the tables
 * @param changesOf what writes rows
 */
export function lateRows<Row>(
  names: readonly string[],
  changesOf: (engine: Engine, rows: readonly Row[]) => readonly Change[],
) {
  const log: AccountLog<true, Row> = {
    tables: names,
    lock: async () => END.end,
    lockFree: async (_tx, accountIds) => ({ ends: new Map(accountIds.map((id) => [id, END.end])), missing: [] }),
    changes: (engine, appended) =>
      changesOf(
        engine,
        appended.map(({ row }) => row),
      ),
  };
  return async (tx: Tx, row: Row): Promise<void> =>
    void (await tx.append(log, END.accountId, () => ({ end: END.end, row })));
}
