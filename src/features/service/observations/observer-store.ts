import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { OBSERVERS } from './observation-table.ts';

type Row = RowOf<typeof OBSERVERS>;

const sql = tables<{ observers: Row }>();

const insertRow = sql((q, p: Row) =>
  q
    .insertInto('observers')
    .values(OBSERVERS.values(p))
    .onConflict((conflict) => conflict.doNothing()),
);

const byAccount = sql((q, p: { account_id: string; limit: number }) =>
  q.selectFrom('observers').select('observer_id').where('account_id', '=', p.account_id).limit(p.limit),
);

/** Records that one account reported on another. A repeat changes nothing. */
export const addObserver = async (tx: Tx, accountId: string, observerId: string): Promise<void> =>
  void (await tx.run(insertRow, { account_id: accountId, observer_id: observerId }));

/** Counts the accounts that reported on this one, up to `limit`. */
export const countObservers = async (reader: Reader, accountId: string, limit: number): Promise<number> =>
  (await reader.all(byAccount, { account_id: accountId, limit })).length;
