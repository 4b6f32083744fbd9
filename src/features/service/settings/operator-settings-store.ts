import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { OPERATOR_SETTINGS, type OperatorSettings } from './operator-settings-table.ts';

const findRow = OPERATOR_SETTINGS.find();
/** @returns how many rows it deleted: none or one */
export const forgetSettings = OPERATOR_SETTINGS.remove();
const update = OPERATOR_SETTINGS.patch(['requirePasskey', 'mails']);

const defaults = (address: string): OperatorSettings => ({ address, requirePasskey: false, mails: 'now' });

type Row = RowOf<typeof OPERATOR_SETTINGS>;

const sql = tables<{ operator_settings: Row }>();

/** Locks the row, so that a change of the setting and a removal of what it needs wait for each other. */
const ensureRow = sql((q, p: Row) =>
  q
    .insertInto('operator_settings')
    .values(OPERATOR_SETTINGS.values(p))
    .onConflict((conflict) => conflict.column('address').doUpdateSet({ address: p.address })),
);
export const findSettings = async (reader: Reader, address: string): Promise<OperatorSettings> =>
  (await findRow(reader, address)) ?? defaults(address);

/** Locks the settings of an address until the transaction ends. */
export async function lockSettings(tx: Tx, address: string): Promise<OperatorSettings> {
  await tx.run(ensureRow, OPERATOR_SETTINGS.toRow(defaults(address)));
  return findSettings(tx, address);
}

/** Saves settings that are locked. */
export const saveSettings = async (tx: Tx, settings: OperatorSettings): Promise<void> =>
  void (await update(tx, settings));
