import { sql as raw } from 'kysely';
import type { Erasure } from '../api/account/erasure.ts';
import type { ExportPart } from '../api/account/export-file.ts';
import {
  type FoundThing,
  SEARCHED_CHARS,
  type SearchKind,
  type SearchPart,
  searchParams,
  seesAddress,
} from '../api/account/search-part.ts';
import type { Reader, Statement, Tx } from '../api/transaction.ts';
import { exportOf } from './account-export.ts';
import { rowsOf } from './account-rows.ts';
import { type ColumnMap, type Columns, columnMap, type RecordIn } from './column-map.ts';
import { jsonRows, newestOfEach } from './json-rows.ts';
import { type Build, tables } from './statement.ts';

type Field<C> = keyof C & string;
type Fields<C> = readonly Field<C>[];
type ValuesOf<C extends Columns, F extends Fields<C>> = { [I in keyof F]: RecordIn<C>[F[I]] };

/** Rows that belong to the account of the row that `field` names in another table. */
interface Through<C> {
  field: Field<C>;
  of: { readonly name: string; readonly key: readonly string[]; readonly columns: Columns };
  /** The field of that table with the account's id. */
  account: string;
}

/** How a search finds rows by words in their texts. */
interface Searched<C extends Columns> {
  kind: SearchKind;
  /** The field with the id of the account that has the row. An index holds it, then `order`. */
  by: Field<C>;
  /** The newest rows in this order are looked at. */
  order: Field<C>;
  /** The fields in which words are looked for. */
  texts: Fields<C>;
  /** The fields that `shown` reads beside these. */
  reads?: Fields<C>;
  where?: Partial<RecordIn<C>>;
  /** The field with the mail address that the row is of, or several, for callers that are limited to some. */
  address?: Field<C>;
  shown(row: RecordIn<C>): Omit<FoundThing, 'texts' | 'accountId'>;
}

interface About<C extends Columns, K extends Fields<C>, P extends Fields<C>> {
  /** The fields of the primary key. */
  key: K;
  /** The fields that hold the id of an account whose rows these are, or a way to it. The first finds what is exported. */
  account: readonly (Field<C> | Through<C>)[];
  /** What deleting an account does with its rows. `by`: the file that deletes them, with what. */
  erase: 'delete' | { keep: string } | { by: string };
  /** The field with the time at which a row expires. In `by` it stands for the rows that have not at a given time. */
  expires?: Field<C>;
  /** The fields that order its pages, newest first. Together they are unique among the rows of a page. */
  page?: P;
  search?: readonly Searched<C>[];
}

type AnyTables = Record<string, Record<string, unknown>>;
type Cells = Record<string, unknown>;
/** A `where` of any query. */
interface Conditions {
  where(name: string, is: '=' | 'is' | '>', value: unknown): this;
}

const sql = tables<AnyTables>();

/** The texts in a value of a column. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Every table, for the list of their statements and a comparison with the schema. */
export const TABLES: Table<Columns, readonly string[], readonly string[]>[] = [];

/**
 * A table, told once: its columns, whose rows it holds, and the plain statements. A method declares a statement, so it is
 * called where a module loads. `by` names fields that the caller gives values for, the key by default; `where` gives
 * constants. What needs thought (ranges, joins, aggregates, conflicts that count) is written out in the store.
 *
 * ```ts
 * const NOTES = table(
 *   'notes',
 *   { accountId: column.text('account_id'), name: exported.text('name'), body: exported.text('body') },
 *   { key: ['accountId', 'name'], account: ['accountId'], erase: 'delete' },
 * );
 * const findNote = NOTES.find();
 * const note = await findNote(reader, accountId, 'plan');
 * ```
 */
class Table<C extends Columns, K extends Fields<C>, P extends Fields<C>> {
  readonly name: string;
  readonly key: K;
  readonly columns: C;
  readonly kinds: ColumnMap<C>['kinds'];
  readonly names: ColumnMap<C>['names'];
  readonly values: ColumnMap<C>['values'];
  readonly fromRow: ColumnMap<C>['fromRow'];
  readonly toRow: ColumnMap<C>['toRow'];
  readonly exports: readonly ExportPart[];
  readonly erases: readonly Erasure[];
  readonly searches: readonly SearchPart[];
  readonly statements: { does: string; statement: Statement<never, unknown> }[] = [];
  readonly #page: P;
  readonly #expires: string | undefined;

  constructor(name: string, columns: C, about: About<C, K, P>) {
    const map = columnMap(columns);
    this.name = name;
    this.key = about.key;
    this.columns = columns;
    this.kinds = map.kinds;
    this.names = map.names;
    this.values = map.values;
    this.fromRow = map.fromRow;
    this.toRow = map.toRow;
    this.#page = about.page ?? ([] as Fields<C> as P);
    this.#expires = about.expires && columns[about.expires]?.name;
    this.exports = this.#exportsOf(about);
    this.erases = about.erase === 'delete' ? about.account.map((way) => this.#erasureOf(way)) : [];
    this.searches = (about.search ?? []).map((searched) => this.#searchOf(searched));
  }

  insert(): (tx: Tx, record: RecordIn<C>) => Promise<void> {
    const statement = this.#declare('insert', (q, p) =>
      q.insertInto(this.name).values(this.values(p as never) as Cells),
    );
    return async (tx, record) => void (await tx.run(statement, this.toRow(record) as Cells));
  }

  /**
   * Inserts a row unless it is there. `unique` names the fields of a unique index that tells so; without it, any does.
   * @returns false when it was there
   */
  insertNew(unique?: Fields<C>): (tx: Tx, record: RecordIn<C>) => Promise<boolean> {
    const statement = this.#declare('insert new', (q, p) =>
      q
        .insertInto(this.name)
        .values(this.values(p as never) as Cells)
        .onConflict((row) => (unique ? row.columns(this.#namesOf(unique)) : row).doNothing()),
    );
    return async (tx, record) => (await tx.run(statement, this.toRow(record) as Cells)) === 1;
  }

  /** Inserts a row, or changes these fields of the one with its key: by default all others. */
  save(
    fields: Fields<C> = Object.keys(this.columns).filter((field) => !this.key.includes(field)),
  ): (tx: Tx, record: RecordIn<C>) => Promise<void> {
    const changed = columnMap(this.#some(fields));
    const statement = this.#declare(`save ${fields}`, (q, p) =>
      q
        .insertInto(this.name)
        .values(this.values(p as never) as Cells)
        .onConflict((row) => row.columns(this.#namesOf(this.key)).doUpdateSet(changed.values(p as never) as Cells)),
    );
    return async (tx, record) => void (await tx.run(statement, this.toRow(record) as Cells));
  }

  /** Inserts any number of rows by one statement. */
  insertAll(): (tx: Tx, records: readonly RecordIn<C>[]) => Promise<void> {
    const names = this.names as string[];
    const statement = this.#declare('insert all', (q, p, engine) =>
      q
        .insertInto(this.name)
        .columns(names)
        .expression((eb) =>
          eb.selectFrom(jsonRows(engine, p.rows as string, this.jsonTypes()).as('given')).select(names),
        ),
    );
    return async (tx, records) => void (await tx.run(statement, { rows: this.json(records) }));
  }

  find<const F extends Fields<C> = K>(
    by?: F,
    where?: Partial<RecordIn<C>>,
  ): (reader: Reader, ...values: ValuesOf<C, F>) => Promise<RecordIn<C> | null> {
    return this.#finder(by, where, false);
  }

  /** The same for a change: PostgreSQL, which has several writers, locks the row until the transaction ends. */
  lock<const F extends Fields<C> = K>(
    by?: F,
    where?: Partial<RecordIn<C>>,
  ): (tx: Tx, ...values: ValuesOf<C, F>) => Promise<RecordIn<C> | null> {
    return this.#finder(by, where, true);
  }

  /** Lists all rows, in the order of the key. */
  list<const F extends Fields<C>>(
    by: F,
    where: Partial<RecordIn<C>> = {},
  ): (reader: Reader, ...values: ValuesOf<C, F>) => Promise<RecordIn<C>[]> {
    const order = this.#namesOf(this.key.filter((field) => !by.includes(field)));
    const statement = this.#declare(`list by ${by}`, (q, p) =>
      order.reduce((query, name) => query.orderBy(name), this.#where(this.#select(q), by, p, where)),
    );
    const params = this.#params(by);
    return async (reader, ...values) =>
      (await reader.all(statement, params(values))).map((row) => this.fromRow(row as never));
  }

  /** Lists the rows that come before a place in the order of its pages, newest first. */
  page<const F extends Fields<C>>(
    by: F,
    where: Partial<RecordIn<C>> = {},
  ): (
    reader: Reader,
    given: Pick<RecordIn<C>, F[number]>,
    before: Pick<RecordIn<C>, P[number]>,
    limit: number,
  ) => Promise<RecordIn<C>[]> {
    return this.#pager('page', by, where, { order: this.#page, direction: 'desc' }) as never;
  }

  /** Lists the rows that come after a place in the order of the key. */
  after<const F extends Fields<C>>(
    by: F,
    where: Partial<RecordIn<C>> = {},
  ): (
    reader: Reader,
    given: Pick<RecordIn<C>, F[number]>,
    after: Pick<RecordIn<C>, Exclude<K[number], F[number]>>,
    limit: number,
  ) => Promise<RecordIn<C>[]> {
    const order = this.key.filter((field) => !by.includes(field));
    return this.#pager('after', by, where, { order, direction: 'asc' }) as never;
  }

  /** Changes these fields of the rows that a record names, by its key or by other fields. @returns whether there was one */
  patch<const F extends Fields<C>, const B extends Fields<C> = K>(
    fields: F,
    where: Partial<RecordIn<C>> = {},
    by: B = this.key as Fields<C> as B,
  ): (tx: Tx, record: Pick<RecordIn<C>, F[number] | B[number]>) => Promise<boolean> {
    // A statement has one parameter for a field.
    if (fields.some((field) => by.includes(field))) throw new Error(`${this.name}: patch of ${fields} by ${by}`);
    const changed = columnMap(this.#some(fields));
    const statement = this.#declare(`patch ${fields}`, (q, p) =>
      this.#where(q.updateTable(this.name).set(changed.values(p as never) as Cells), by, p, where),
    );
    const { toRow } = columnMap(this.#some([...fields, ...by]));
    return async (tx, record) => (await tx.run(statement, toRow(record as never) as Cells)) > 0;
  }

  /** @returns how many rows were deleted */
  remove<const F extends Fields<C> = K>(
    by?: F,
    where: Partial<RecordIn<C>> = {},
  ): (tx: Tx, ...values: ValuesOf<C, F>) => Promise<number> {
    const fields = by ?? this.key;
    const statement = this.#declare(`remove by ${fields}`, (q, p) =>
      this.#where(q.deleteFrom(this.name), fields, p, where),
    );
    const params = this.#params(fields);
    return (tx, ...values) => tx.run(statement, params(values));
  }

  /** Deletes the rows whose time in `field` is a given one or earlier. @returns how many */
  purge(field: Field<C>): (tx: Tx, last: number) => Promise<number> {
    const [name = ''] = this.#namesOf([field]);
    const statement = this.#declare(`purge by ${field}`, (q, p) => q.deleteFrom(this.name).where(name, '<=', p.last));
    return (tx, last) => tx.run(statement, { last });
  }

  /** The types of its columns for {@link jsonRows}, in their order. */
  jsonTypes(): Record<ColumnMap<C>['names'][number], 'text' | 'integer'> {
    const typeOf = (kind: string) => (kind === 'integer' || kind === 'flag' ? 'integer' : 'text');
    return Object.fromEntries(Object.entries(this.kinds).map(([name, kind]) => [name, typeOf(kind)])) as never;
  }

  /** Records as the JSON of {@link jsonRows}. */
  json(records: readonly RecordIn<C>[]): string {
    return JSON.stringify(records.map((record) => Object.values(this.toRow(record))));
  }

  #declare(does: string, build: Build<AnyTables, Cells, Cells>): Statement<Cells, Cells> {
    const statement = sql(build);
    this.statements.push({ does, statement: statement as Statement<never, unknown> });
    return statement;
  }

  #finder<F extends Fields<C>>(by: F | undefined, where: Partial<RecordIn<C>> = {}, isForUpdate: boolean) {
    const fields = by ?? this.key;
    const statement = this.#declare(`${isForUpdate ? 'lock' : 'find'} by ${fields}`, (q, p, engine) => {
      const query = this.#where(this.#select(q), fields, p, where);
      return isForUpdate && engine === 'postgres' ? query.forUpdate() : query;
    });
    const params = this.#params(fields);
    return async (reader: Reader, ...values: ValuesOf<C, F>): Promise<RecordIn<C> | null> => {
      const row = await reader.first(statement, params(values));
      return row ? this.fromRow(row as never) : null;
    };
  }

  #pager(does: string, by: Fields<C>, where: Cells, place: { order: readonly string[]; direction: 'asc' | 'desc' }) {
    const order = this.#namesOf(place.order);
    const [first = '', second, ...more] = order;
    const than = place.direction === 'desc' ? '<' : '>';
    const statement = this.#declare(`${does} by ${by}`, (q, p) => {
      const query = this.#where(this.#select(q), by, p, where).where((eb) => {
        const from = order.map((name) => p[`from_${name}`]);
        if (second === undefined) return eb(first, than, from[0]);
        const tuple = eb.tuple(from[0], from[1], ...(from.slice(2) as []));
        return eb(eb.refTuple(first, second, ...(more as [])), than, tuple as never);
      });
      return order.reduce((some, name) => some.orderBy(name, place.direction), query).limit(p.limit as number);
    });
    return async (reader: Reader, given: Cells, from: Cells, limit: number): Promise<RecordIn<C>[]> => {
      const params: Cells = { limit };
      for (const field of by) params[this.columns[field]?.name as string] = given[field];
      for (const field of place.order) params[`from_${this.columns[field]?.name}`] = from[field];
      return (await reader.all(statement, params)).map((row) => this.fromRow(row as never));
    };
  }

  #select(q: Parameters<Build<AnyTables, Cells, Cells>>[0]) {
    return q.selectFrom(this.name).select(this.names as string[]);
  }

  #where<Q extends Conditions>(query: Q, by: readonly string[], p: Cells, where: Cells): Q {
    const given = this.#namesOf(by).reduce(
      (some, name) => some.where(name, name === this.#expires ? '>' : '=', p[name]),
      query,
    );
    return Object.entries(where).reduce((some, [field, value]) => {
      const { name, write } = this.columns[field] as Columns[string];
      return value === null ? some.where(name, 'is', null) : some.where(name, '=', write(value as never));
    }, given);
  }

  /** Makes the parameters of a statement from values in the order of `by`. */
  #params(by: readonly string[]): (values: readonly unknown[]) => Cells {
    const columns = by.map((field) => this.columns[field] as Columns[string]);
    return (values) => {
      const cells: Cells = {};
      for (let i = 0; i < columns.length; i++) {
        const { name, write } = columns[i] as Columns[string];
        cells[name] = write(values[i] as never);
      }
      return cells;
    };
  }

  #some(fields: readonly string[]): Columns {
    return Object.fromEntries(fields.map((field) => [field, this.columns[field] as Columns[string]]));
  }

  #namesOf(fields: readonly string[]): string[] {
    return fields.map((field) => (this.columns[field] as Columns[string]).name);
  }

  #exportsOf({ key, account: [owner] }: About<C, K, P>): ExportPart[] {
    const shown = Object.values<Columns[string]>(this.columns).filter(({ isExported }) => isExported);
    if (shown.length === 0) return [];
    if (typeof owner !== 'string') throw new Error(`${this.name} has rows of an account only through another table`);
    const rest = key.filter((field) => field !== owner);
    const [by = '', first = by, ...more] = this.#namesOf([owner, ...rest]);
    const kinds = Object.fromEntries(shown.map(({ name, kind }) => [name, kind]));
    return [exportOf({ table: this.name, columns: { kinds }, key: [first, ...more], by })];
  }

  #searchOf({ kind, by, order, texts, reads = [], where = {}, address, shown }: Searched<C>): SearchPart {
    const fields = [...new Set([by, order, ...texts, ...reads, ...(address === undefined ? [] : [address])])];
    const map = columnMap(this.#some(fields));
    const [own = '', place = '', ...rest] = this.#namesOf([by, order, ...texts]);
    const chars = raw.lit(SEARCHED_CHARS);
    // Of a text no more is read than is looked at.
    const long = rest.filter((name) => map.kinds[name as never] === 'text');
    const short = (map.names as string[]).filter((name) => !long.includes(name));
    const found = { table: this.name, owner: own, order: place, names: map.names as string[] };
    const statement = this.#declare(`search by ${by}`, (q, p, engine) => {
      const rows = newestOfEach(q, engine, found, p as never, (query) => this.#where(query as never, [], p, where));
      const begin = (name: string) => raw`substr(cast(${raw.ref(`t.${name}`)} as text), 1, ${chars})`;
      const cells = rest.map((name) => raw`coalesce(${begin(name)}, '')`);
      const said = raw`lower(${raw.join(cells, raw` || ' ' || `)})`;
      // Not LIKE, which may compare a long pattern anew from each letter of a long text. No limit: what is hidden from the
      // caller below would use it up.
      const at = raw.raw(engine === 'postgres' ? 'strpos' : 'instr');
      return ['word0', 'word1', 'word2'].reduce(
        (some, w) => some.where(raw<boolean>`${at}(${said}, ${p[w]}) > 0`),
        rows
          .clearSelect()
          .select([...short.map((name) => `t.${name}`), ...long.map((name) => begin(name).as(name))] as never),
      );
    });
    return {
      kind,
      find: async (reader, query) =>
        (await reader.all(statement, searchParams(query) as unknown as Cells))
          .map((row) => map.fromRow(row as never) as unknown as RecordIn<C>)
          .filter((row) => address === undefined || seesAddress(query.caller, row[address] as string | string[] | null))
          .map((row) => ({
            ...shown(row),
            accountId: row[by] as string,
            texts: texts.flatMap((field) => textsIn(row[field])),
          })),
    };
  }

  #erasureOf(way: Field<C> | Through<C>): Erasure {
    const [first = '', ...more] = this.#namesOf(this.key);
    const [by = ''] = this.#namesOf([typeof way === 'string' ? way : way.field]);
    if (typeof way === 'string') return rowsOf(this.name, [first, ...more], { by });
    const { name, key, columns } = way.of;
    const nameOf = (field = ''): string => columns[field]?.name as string;
    const through = { table: name, id: nameOf(key[0]), by: nameOf(way.account) };
    return rowsOf(this.name, [first, ...more], { by, through });
  }
}

/** Declares a table. */
export function table<const C extends Columns, const K extends Fields<C>, const P extends Fields<C> = []>(
  name: string,
  columns: C,
  about: About<C, K, P>,
): Table<C, K, P> {
  const declared = new Table(name, columns, about);
  TABLES.push(declared as never);
  return declared;
}
