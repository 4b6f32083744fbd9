import { column, columnMap, type RecordOf } from '../../../db/column-map.ts';

/** What an operator decided for his address, over all accounts that he operates. */
export const OPERATOR_SETTINGS = columnMap({
  address: column.text('address'),
  /** Whether a mailed link no longer decides. */
  requirePasskey: column.flag('require_passkey'),
});
export type OperatorSettings = RecordOf<typeof OPERATOR_SETTINGS>;
