import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
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
  // PostgreSQL expects a hundred rows of a JSON text, and of an array ten: a table of a few thousand rows is then read by its
  // index.
  const source =
    engine === 'postgres'
      ? sql`unnest(array(select each from jsonb_array_elements(${json}::jsonb) as each)) as value`
      : sql`json_each(${json})`;
  return sql<RowOf<C>>`(select ${sql.join(cells)} from ${source})`;
}

/** Texts as rows of one cell, for {@link jsonRows} and {@link isAmong}. */
export const jsonTexts = (texts: Iterable<string>): string => JSON.stringify(Array.from(texts, (text) => [text]));

/** Whether a value is one of {@link jsonTexts}. */
export const isAmong = (engine: Engine, value: Expression<string>, json: string): RawBuilder<SqlBool> =>
  engine === 'postgres'
    ? sql<SqlBool>`${value} = any(array(select each ->> 0 from jsonb_array_elements(${json}::jsonb) as each))`
    : sql<SqlBool>`${value} in (select value ->> 0 from json_each(${json}))`;
