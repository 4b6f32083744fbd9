import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { SETTING_CHANGES, type SettingChanges } from './setting-change-table.ts';

type Row = RowOf<typeof SETTING_CHANGES>;
type Key = Pick<Row, 'account_id' | 'setting' | 'target'>;

const sql = tables<{ setting_changes: Row }>();

const byKey = sql((q, p: Key) =>
  q
    .selectFrom('setting_changes')
    .select(SETTING_CHANGES.names)
    .where('account_id', '=', p.account_id)
    .where('setting', '=', p.setting)
    .where('target', '=', p.target),
);
const bySetting = sql((q, p: Pick<Row, 'account_id' | 'setting'>) =>
  q
    .selectFrom('setting_changes')
    .select(SETTING_CHANGES.names)
    .where('account_id', '=', p.account_id)
    .where('setting', '=', p.setting)
    .orderBy('target'),
);
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

export async function findChanges(
  reader: Reader,
  { accountId, setting, target }: Pick<SettingChanges, 'accountId' | 'setting' | 'target'>,
): Promise<SettingChanges | null> {
  const row = await reader.first(byKey, { account_id: accountId, setting, target });
  return row ? SETTING_CHANGES.fromRow(row) : null;
}

/** In the order of their targets. */
export const listChanges = async (
  reader: Reader,
  accountId: string,
  setting: SettingChanges['setting'],
): Promise<SettingChanges[]> =>
  (await reader.all(bySetting, { account_id: accountId, setting })).map(SETTING_CHANGES.fromRow);

export const saveChanges = async (tx: Tx, changes: SettingChanges): Promise<void> =>
  void (await tx.run(upsert, SETTING_CHANGES.toRow(changes)));

export const deleteChangesBefore = (tx: Tx, before: number): Promise<number> => tx.run(deleteBefore, { before });
