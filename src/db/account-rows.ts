import type { Kysely } from 'kysely';
import type { Erasure } from '../api/account/erasure.ts';
import type { Reader } from '../api/transaction.ts';
import { tables } from './statement.ts';

/** Where the rows of an account are found. */
interface Reach {
  /** The column that holds the account's id, or the id of a row of `through`. `account_id` by default. */
  by?: string;
  /** A table whose rows are the account's, by `account_id` or `by`, and whose ids stand in the column above. */
  through?: { table: string; id: string; by?: string };
  /** Only rows with this value, in the order of these columns. */
  only?: { column: string; value: string; order: Columns };
}

type AnyTables = Record<string, Record<string, unknown>>;
interface Some {
  account_id: string;
  limit: number;
}
type Columns = readonly [string, ...string[]];

const sql = tables<AnyTables>();

function some(q: Kysely<AnyTables>, p: Some, table: string, columns: Columns, reach: Reach) {
  const { by = 'account_id', through, only } = reach;
  const all = q.selectFrom(table).select([...columns]);
  const chosen = only ? all.where(only.column, '=', only.value) : all;
  const rows = only ? only.order.reduce((query, name) => query.orderBy(name), chosen) : chosen;
  const own = through
    ? rows.where((eb) =>
        eb(
          by,
          'in',
          eb
            .selectFrom(through.table)
            .select(through.id)
            .where(through.by ?? 'account_id', '=', p.account_id),
        ),
      )
    : rows.where(by, '=', p.account_id);
  return own.limit(p.limit);
}

/**
 * Declares that the rows of an account in `table` are deleted with it. `key`: the columns of the primary key. Rows that
 * are found through another table come before the rows of that table.
 *
 * ```ts
 * erases: [rowsOf('named_key_secrets', ['hash'], { by: 'key_id', through: { table: 'named_keys', id: 'id' } })]
 * ```
 */
export function rowsOf(table: string, key: Columns, reach: Reach = {}): Erasure {
  const [first, second, ...more] = key;
  const erase = sql((q, p: Some) =>
    q.deleteFrom(table).where((eb) => {
      const chosen = some(q, p, table, key, reach);
      if (second === undefined) return eb(first, 'in', chosen);
      return eb(eb.refTuple(first, second, ...(more as [])), 'in', chosen as never);
    }),
  );
  return { tables: [table], run: (tx, accountId, limit) => tx.run(erase, { account_id: accountId, limit }) };
}

/** Reads some rows of an account, in no order, for an erasure that does more than delete them. */
export function someRowsOf(table: string, columns: Columns, reach: Reach = {}) {
  const read = sql((q, p: Some) => some(q, p, table, columns, reach));
  return (reader: Reader, accountId: string, limit: number): Promise<Record<string, unknown>[]> =>
    reader.all(read, { account_id: accountId, limit });
}
