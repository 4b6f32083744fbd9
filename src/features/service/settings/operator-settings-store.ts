import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { OPERATOR_SETTINGS, type OperatorSettings } from './operator-settings-table.ts';

type Row = RowOf<typeof OPERATOR_SETTINGS>;

const sql = tables<{ operator_settings: Row }>();

const byAddress = sql((q, p: { address: string }) =>
  q.selectFrom('operator_settings').select(OPERATOR_SETTINGS.names).where('address', '=', p.address),
);
/** Locks the row, so that a change of the setting and a removal of what it needs wait for each other. */
const ensureRow = sql((q, p: Row) =>
  q
    .insertInto('operator_settings')
    .values(OPERATOR_SETTINGS.values(p))
    .onConflict((conflict) => conflict.column('address').doUpdateSet({ address: p.address })),
);
const update = sql((q, p: Row) =>
  q.updateTable('operator_settings').set({ require_passkey: p.require_passkey }).where('address', '=', p.address),
);

const deleteRow = sql((q, p: { address: string }) =>
  q.deleteFrom('operator_settings').where('address', '=', p.address),
);

export async function findSettings(reader: Reader, address: string): Promise<OperatorSettings> {
  const row = await reader.first(byAddress, { address });
  return row ? OPERATOR_SETTINGS.fromRow(row) : { address, requirePasskey: false };
}

/** Locks the settings of an address until the transaction ends. */
export async function lockSettings(tx: Tx, address: string): Promise<OperatorSettings> {
  await tx.run(ensureRow, OPERATOR_SETTINGS.toRow({ address, requirePasskey: false }));
  return findSettings(tx, address);
}

/** @returns how many rows it deleted: none or one */
export const forgetSettings = (tx: Tx, address: string): Promise<number> => tx.run(deleteRow, { address });

/** Saves settings that are locked. */
export const saveSettings = async (tx: Tx, settings: OperatorSettings): Promise<void> =>
  void (await tx.run(update, OPERATOR_SETTINGS.toRow(settings)));
