import type { Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { SETTING_CHANGES, type SettingChanges } from './setting-change-table.ts';

export const findChanges = SETTING_CHANGES.find();
/** In the order of their targets. */
export const listChanges = SETTING_CHANGES.list(['accountId', 'setting']);

type Row = RowOf<typeof SETTING_CHANGES>;

const sql = tables<{ setting_changes: Row }>();

const upsert = sql((q, p: Row) =>
  q
    .insertInto('setting_changes')
    .values(SETTING_CHANGES.values(p))
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'setting', 'target'])
        .doUpdateSet({ changes: p.changes, changed_at: p.changed_at }),
    ),
);
const deleteBefore = sql((q, p: { before: number }) =>
  q.deleteFrom('setting_changes').where('changed_at', '<=', p.before),
);

export const saveChanges = async (tx: Tx, changes: SettingChanges): Promise<void> =>
  void (await tx.run(upsert, SETTING_CHANGES.toRow(changes)));

export const deleteChangesBefore = (tx: Tx, before: number): Promise<number> => tx.run(deleteBefore, { before });
