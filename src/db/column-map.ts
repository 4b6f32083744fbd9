import type { Sealed } from '../base/sealing.ts';

/** What a column holds. `secret`: never leaves the service. */
export type ColumnKind = 'text' | 'integer' | 'flag' | 'json' | 'bytes' | 'secret';

interface AnyColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly isExported: boolean;
  read(stored: never): unknown;
  write(value: never): unknown;
}

class Column<N extends string, Stored, Value> {
  readonly name: N;
  readonly kind: ColumnKind;
  readonly isExported: boolean;
  readonly read: (stored: Stored) => Value;
  readonly write: (value: Value) => Stored;

  constructor(
    about: { name: N; kind: ColumnKind; isExported: boolean },
    read: (stored: Stored) => Value,
    write: (value: Value) => Stored,
  ) {
    this.name = about.name;
    this.kind = about.kind;
    this.isExported = about.isExported;
    this.read = read;
    this.write = write;
  }

  /** The same column, nullable. */
  orNull(): Column<N, Stored | null, Value | null> {
    const { read, write } = this;
    // A value that is stored as it is needs no function.
    if ((read as unknown) === asItIs) return this as Column<N, Stored | null, Value | null>;
    return new Column<N, Stored | null, Value | null>(
      this,
      (stored) => (stored === null ? null : read(stored)),
      (value) => (value === null ? null : write(value)),
    );
  }
}

const asItIs = <T>(value: T): T => value;

function freezeAll(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  for (const member of Object.values(value)) freezeAll(member);
}

/** Parses JSON, and remembers the last text with its value. */
function parseOnce<T>(): (text: string) => T {
  let last: { text: string; value: T } | null = null;
  return (text) => {
    if (last?.text !== text) {
      last = { text, value: JSON.parse(text) as T };
      freezeAll(last.value);
    }
    return last.value;
  };
}

const columnKinds = (isExported: boolean) => {
  const plain = <N extends string, T>(name: N, kind: ColumnKind = 'text') =>
    new Column<N, T, T>({ name, kind, isExported }, asItIs, asItIs);
  const json = <N extends string, T>(name: N, read: (stored: string) => T) =>
    new Column<N, string, T>({ name, kind: 'json', isExported }, read, (value) => JSON.stringify(value));
  return {
    text: <const N extends string>(name: N) => plain<N, string>(name),
    /** A whole number, for amounts, counts and times in milliseconds. */
    integer: <const N extends string>(name: N) => plain<N, number>(name, 'integer'),
    /** A secret of one row, sealed and opened by `Sealer` (`sealing.ts`), which needs the row's id. */
    sealed: <const N extends string>(name: N) => plain<N, Sealed>(name, 'secret'),
    bytes: <const N extends string>(name: N) => plain<N, Uint8Array>(name, 'bytes'),
    /** True or false, stored as 1 or 0. */
    flag: <const N extends string>(name: N) =>
      new Column<N, number, boolean>(
        { name, kind: 'flag', isExported },
        (stored) => stored !== 0,
        (value) => (value ? 1 : 0),
      ),
    /** Any JSON value, stored as text. */
    json:
      <T>() =>
      <const N extends string>(name: N) =>
        json<N, T>(name, (stored) => JSON.parse(stored) as T),
    /** The same, where neighbouring rows mostly hold the same value: it is parsed once for them, shared and frozen. */
    sharedJson:
      <T>() =>
      <const N extends string>(name: N) =>
        json<N, T>(name, parseOnce<T>()),
    /** Text that is one of the literals `T`. */
    enum:
      <T extends string>() =>
      <const N extends string>(name: N) =>
        plain<N, T>(name),
  };
};

export const column = columnKinds(false);
/** Columns that the export of an account holds. A secret is never one of them. */
export const exported = columnKinds(true);

export type Columns = Record<string, AnyColumn>;
type StoredOf<C> = C extends { write(value: never): infer Stored } ? Stored : never;
type ValueOf<C> = C extends { read(stored: never): infer Value } ? Value : never;
type NameOf<C> = C extends { name: infer N extends string } ? N : never;

type Row<C extends Columns> = { [K in keyof C as NameOf<C[K]>]: StoredOf<C[K]> };
export type RecordIn<C extends Columns> = { -readonly [K in keyof C]: ValueOf<C[K]> };

export interface ColumnMap<C extends Columns> {
  readonly columns: C;
  /** What each column holds, by its name. */
  readonly kinds: Readonly<Record<string, ColumnKind>>;
  /** The column names, for a selection. */
  readonly names: NameOf<C[keyof C]>[];
  /** The columns of `p` by name, for an insert. The parameters of a statement cannot be spread. */
  values(p: Row<C>): Row<C>;
  fromRow(row: Row<C>): RecordIn<C>;
  toRow(record: RecordIn<C>): Row<C>;
}

/** A row as the database stores it, by column name. */
export type RowOf<M extends { fromRow(row: never): unknown }> = Parameters<M['fromRow']>[0];
/** A record as the code uses it, by field name. */
export type RecordOf<M extends { fromRow(row: never): unknown }> = ReturnType<M['fromRow']>;

/**
 * Declares the columns of a table once. The type of a row, the type of a record, the selection, the values of an insert
 * and the mapping in both directions are derived from it.
 *
 * ```ts
 * const keys = columnMap({
 *   id: column.text('id'),
 *   accountId: column.text('account_id'),
 *   label: column.text('label').orNull(),
 *   isActive: column.flag('is_active'),
 * });
 * type Key = RecordOf<typeof keys>;
 * const sql = tables<{ keys: RowOf<typeof keys> }>();
 * const byId = sql((q, p: { id: string }) => q.selectFrom('keys').select(keys.names).where('id', '=', p.id));
 * const insert = sql((q, p: RowOf<typeof keys>) => q.insertInto('keys').values(keys.values(p)));
 * const found = keys.fromRow(await reader.first(byId, { id }));
 * await tx.run(insert, keys.toRow(key));
 * ```
 */
export function columnMap<const C extends Columns>(columns: C): ColumnMap<C> {
  const fields = Object.entries<AnyColumn>(columns).map(([field, { name, read, write }]) => ({
    field,
    name,
    read: read as (stored: unknown) => unknown,
    write: write as (value: unknown) => unknown,
  }));
  type Values = Record<string, unknown>;
  return {
    columns,
    kinds: Object.fromEntries(Object.values<AnyColumn>(columns).map(({ name, kind }) => [name, kind])),
    names: fields.map(({ name }) => name) as NameOf<C[keyof C]>[],
    values: (p) => {
      const row: Values = {};
      for (const { name } of fields) row[name] = (p as Values)[name];
      return row as never;
    },
    fromRow: mapper(fields.map(({ field, name, read }) => ({ to: field, from: name, change: read }))) as never,
    toRow: mapper(fields.map(({ field, name, write }) => ({ to: name, from: field, change: write }))) as never,
  };
}

/**
 * Compiles a function that makes an object of one shape from another. Written out, it takes a third of the time of a loop
 * over the members, and it runs for every row that is read or written. The names are those in the code.
 */
function mapper(members: readonly { to: string; from: string; change: (value: never) => unknown }[]) {
  const text = members.map(({ to, from, change }, i) => {
    const value = `given[${JSON.stringify(from)}]`;
    return `${JSON.stringify(to)}: ${change === asItIs ? value : `changes[${i}](${value})`}`;
  });
  const build = new Function('changes', `return (given) => ({ ${text.join(', ')} });`);
  return build(members.map(({ change }) => change)) as (given: unknown) => unknown;
}
