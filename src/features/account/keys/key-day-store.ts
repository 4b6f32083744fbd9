import type { Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { jsonRows } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import { KEY_DAYS, type KeyDay } from './key-day-table.ts';

/** By key, oldest first. */
export const listKeyDays = KEY_DAYS.list(['accountId']);
export const purgeKeyDays = KEY_DAYS.purge('dayStart');

const sql = tables<{ key_days: RowOf<typeof KEY_DAYS> }>();

/** Without `where true`, SQLite reads ON CONFLICT as the ON of a join. */
const addEach = sql((q, p: { rows: string }, engine) =>
  q
    .insertInto('key_days')
    .columns(KEY_DAYS.names)
    .expression((eb) =>
      eb
        .selectFrom(jsonRows(engine, p.rows, KEY_DAYS.jsonTypes()).as('given'))
        .select(KEY_DAYS.names)
        .where(eb.lit(true)),
    )
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'key_id', 'day_start']).doUpdateSet((eb) => ({
        requests: eb('key_days.requests', '+', eb.ref('excluded.requests')),
        last_used_at: eb.ref('excluded.last_used_at'),
        network: eb.fn.coalesce('excluded.network', 'key_days.network'),
      })),
    ),
);

/** Adds to the days of keys, each named once, in one order on every instance. */
export const addToKeyDays = async (tx: Tx, days: readonly KeyDay[]): Promise<void> =>
  void (await tx.run(addEach, { rows: KEY_DAYS.json(days) }));
