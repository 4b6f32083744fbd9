import type { Reader } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { OBSERVERS } from './observation-table.ts';

const sql = tables<{ observers: RowOf<typeof OBSERVERS> }>();

const byAccount = sql((q, p: { account_id: string; limit: number }) =>
  q.selectFrom('observers').select('observer_id').where('account_id', '=', p.account_id).limit(p.limit),
);

/** Records that one account reported on another. A repeat changes nothing. */
export const addObserver = OBSERVERS.insertNew();

/** Counts the independent witnesses that reported on this account, up to `limit`. */
export const countObservers = async (reader: Reader, accountId: string, limit: number): Promise<number> =>
  (await reader.all(byAccount, { account_id: accountId, limit })).length;
