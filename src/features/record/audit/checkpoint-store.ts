import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { jsonRows } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import { CHECKPOINTS, type Checkpoint } from './audit-table.ts';

const sql = tables<{ audit_seals: RowOf<typeof CHECKPOINTS> }>();

/** Without `where true`, SQLite reads ON CONFLICT as the ON of a join. */
const insertRows = sql((q, p: { rows: string }, engine) =>
  q
    .insertInto('audit_seals')
    .columns(CHECKPOINTS.names)
    .expression((eb) =>
      eb
        .selectFrom(jsonRows(engine, p.rows, CHECKPOINTS.jsonTypes()).as('given'))
        .select(CHECKPOINTS.names)
        .where(eb.lit(true)),
    )
    // Another instance may have signed the same entry.
    .onConflict((conflict) => conflict.doNothing()),
);

const lastOf = sql((q, p: { account_id: string }) =>
  q.selectFrom('audit_seals').select('seq').where('account_id', '=', p.account_id).orderBy('seq', 'desc').limit(1),
);

/** Inserts any number of checkpoints with one statement. */
export const insertCheckpoints = async (tx: Tx, checkpoints: readonly Checkpoint[]): Promise<void> =>
  void (await tx.run(insertRows, { rows: CHECKPOINTS.json(checkpoints) }));

/** Lists the checkpoints after an entry, oldest first. */
export const listCheckpoints = CHECKPOINTS.after(['accountId']);

/** Returns the entry of the newest checkpoint, or 0 without one. */
export const lastCheckpoint = async (reader: Reader, accountId: string): Promise<number> =>
  (await reader.first(lastOf, { account_id: accountId }))?.seq ?? 0;
