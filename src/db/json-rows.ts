import { type RawBuilder, sql } from 'kysely';
import type { Engine } from './statement.ts';

/** `text?` may be null. */
type ColumnType = 'text' | 'text?' | 'integer';
type RowOf<C extends Record<string, ColumnType>> = {
  [K in keyof C]: C[K] extends 'integer' ? number : C[K] extends 'text' ? string : string | null;
};

/**
 * Rows that come in as one parameter: the JSON text of an array of arrays, a member for each of `columns` in their
 * order. One statement, compiled once, then writes or finds any number of rows; a list of parameters as long as the
 * rows would be another statement for each length.
 */
export function jsonRows<const C extends Record<string, ColumnType>>(
  engine: Engine,
  json: string,
  columns: C,
): RawBuilder<RowOf<C>> {
  const cells = Object.entries(columns).map(([name, type], i) => {
    const cell =
      engine === 'postgres' && type === 'integer'
        ? sql`(value ->> ${sql.lit(i)})::bigint`
        : sql`value ->> ${sql.lit(i)}`;
    return sql`${cell} as ${sql.id(name)}`;
  });
  const source = engine === 'postgres' ? sql`jsonb_array_elements(${json}::jsonb)` : sql`json_each(${json})`;
  return sql<RowOf<C>>`(select ${sql.join(cells)} from ${source})`;
}
