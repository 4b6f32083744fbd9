import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { SENDING_DAYS, type SendingDay } from './suppression-table.ts';

export const forgetDays = SENDING_DAYS.purge('day');

type Row = RowOf<typeof SENDING_DAYS>;

const sql = tables<{ sending_days: Row }>();

const add = sql((q, p: Row) =>
  q
    .insertInto('sending_days')
    .values(SENDING_DAYS.values(p))
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'day']).doUpdateSet((eb) => ({
        sent: eb('sending_days.sent', '+', eb.ref('excluded.sent')),
        bad: eb('sending_days.bad', '+', eb.ref('excluded.bad')),
      })),
    ),
);

const since = sql((q, p: { account_id: string; day: number }) =>
  q
    .selectFrom('sending_days')
    .select(SENDING_DAYS.names)
    .where('account_id', '=', p.account_id)
    .where('day', '>=', p.day)
    .orderBy('day'),
);

/** Adds to the counts of a day. The row stays locked until the transaction ends. */
export const addToDay = async (tx: Tx, counts: SendingDay): Promise<void> =>
  void (await tx.run(add, SENDING_DAYS.toRow(counts)));

/** The days from `day` on, oldest first. */
export const daysSince = async (reader: Reader, accountId: string, day: number): Promise<SendingDay[]> =>
  (await reader.all(since, { account_id: accountId, day })).map(SENDING_DAYS.fromRow);
