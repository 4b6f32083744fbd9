import { type Expression, type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
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

type AnyTables = Record<string, Record<string, unknown>>;
type AnyQuery = SelectQueryBuilder<AnyTables, string, Record<string, unknown>>;

/**
 * The newest rows of each of some owners, as `t`: at most `each` of an owner, however many it has. Two columns of an index
 * are the owner and the order.
 * @param ids the owners, as {@link jsonTexts} @param narrowed adds conditions about columns of the table
 */
export function newestOfEach(
  q: Kysely<AnyTables>,
  engine: Engine,
  { table, owner, order, names }: { table: string; owner: string; order: string; names: readonly string[] },
  { ids, each }: { ids: string; each: number },
  narrowed: <Q extends { where: AnyQuery['where'] }>(query: Q) => Q = (query) => query,
): AnyQuery {
  const ofOwner = (from: Kysely<AnyTables>, columns: readonly string[]) =>
    narrowed(from.selectFrom(table).select(columns as string[]) as unknown as AnyQuery)
      .where(owner, '=', sql.ref('a.owner') as never)
      .orderBy(order, 'desc')
      .limit(each);
  const owners = q.selectFrom(jsonRows(engine, ids, { owner: 'text' }).as('a'));
  const newest =
    engine === 'postgres'
      ? owners.crossJoinLateral((eb) => ofOwner(eb as never, names).as('t') as never)
      : // It keeps the order of a cross join. Rows that are not narrowed may have the same place in the order.
        narrowed(
          owners
            .crossJoin(`${table} as t`)
            .where(`t.${owner}` as never, '=', sql.ref('a.owner') as never)
            .where(`t.${order}` as never, 'in', ofOwner(q, [order]) as never) as unknown as AnyQuery,
        );
  return (newest as unknown as AnyQuery)
    .select(names.map((name) => `t.${name}`) as never)
    .orderBy(`t.${order}` as never, 'desc');
}
