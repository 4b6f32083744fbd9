import type { Reader } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { jsonRows, jsonTexts } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import { SUPPRESSIONS, type Suppression } from './suppression-table.ts';

/** The same as `among` for one address, as most mail has: for a quarter of the cost on SQLite. */
const one = SUPPRESSIONS.list(['accountId', 'address']);
/** @returns 0 if there is no such suppression */
export const deleteSuppression = SUPPRESSIONS.remove();

const sql = tables<{ suppressions: RowOf<typeof SUPPRESSIONS> }>();

const among = sql((q, p: { account_id: string; addresses: string }, engine) =>
  q
    .selectFrom('suppressions')
    .select(SUPPRESSIONS.names)
    .where('account_id', '=', p.account_id)
    .where('address', 'in', (eb) =>
      eb.selectFrom(jsonRows(engine, p.addresses, { address: 'text' }).as('given')).select('given.address'),
    ),
);

/** @returns false if the recipient was suppressed already; the first reason stays */
export const insertSuppression = SUPPRESSIONS.insertNew();

/** Those of `addresses` that are suppressed. */
export const suppressionsAmong = async (
  reader: Reader,
  accountId: string,
  addresses: readonly string[],
): Promise<Suppression[]> => {
  const [first = '', ...others] = addresses;
  if (others.length === 0) return one(reader, accountId, first);
  return (await reader.all(among, { account_id: accountId, addresses: jsonTexts(addresses) })).map(
    SUPPRESSIONS.fromRow,
  );
};

/** By address, after the given one. */
export const listSuppressions = SUPPRESSIONS.after(['accountId']);
