import { tables } from '../../db/statement.ts';
import type { RowOf } from '../../kernel/column-map.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { CHECKPOINTS, type Checkpoint } from './audit-data.ts';

type Row = RowOf<typeof CHECKPOINTS>;

const sql = tables<{ audit_seals: Row }>();

const insertRow = sql((q, p: Row) =>
  q
    .insertInto('audit_seals')
    .values(CHECKPOINTS.values(p))
    // Another instance may have signed the same entry.
    .onConflict((conflict) => conflict.doNothing()),
);

const after = sql((q, p: { account_id: string; seq: number; limit: number }) =>
  q
    .selectFrom('audit_seals')
    .select(CHECKPOINTS.names)
    .where('account_id', '=', p.account_id)
    .where('seq', '>', p.seq)
    .orderBy('seq')
    .limit(p.limit),
);

const lastOf = sql((q, p: { account_id: string }) =>
  q.selectFrom('audit_seals').select('seq').where('account_id', '=', p.account_id).orderBy('seq', 'desc').limit(1),
);

export const insertCheckpoint = async (tx: Tx, checkpoint: Checkpoint): Promise<void> =>
  void (await tx.run(insertRow, CHECKPOINTS.toRow(checkpoint)));

/** Lists the checkpoints after the entry `seq`, oldest first. */
export const listCheckpoints = async (
  reader: Reader,
  accountId: string,
  seq: number,
  limit: number,
): Promise<Checkpoint[]> => (await reader.all(after, { account_id: accountId, seq, limit })).map(CHECKPOINTS.fromRow);

/** Returns the entry of the newest checkpoint, or 0 without one. */
export const lastCheckpoint = async (reader: Reader, accountId: string): Promise<number> =>
  (await reader.first(lastOf, { account_id: accountId }))?.seq ?? 0;
