import {
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { Statement } from '../api/transaction.ts';

export type Engine = 'sqlite' | 'postgres';

/** Milliseconds since the epoch by the clock of the database, `ms` from now: the clocks of instances may differ. */
export const databaseTime = (engine: Engine, ms = 0) =>
  engine === 'postgres'
    ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint + ${sql.lit(ms)}`
    : sql<number>`unixepoch() * 1000 + ${sql.lit(ms)}`;

/** Stands for a parameter while a statement is compiled. */
class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** What to bind: the parameter with this name, or without a name a constant. */
interface Binding {
  slot: string | null;
  constant: unknown;
}

/** SQL text and, in order, what to bind. */
export interface Compiled {
  text: string;
  bindings: readonly Binding[];
}

/** A test that explains every statement sets this before it loads the rest; the service leaves it empty. */
export const declarations: { watch?: (statement: Statement<never, unknown>) => void } = {};

export type Build<DB, P, R> = (q: Kysely<DB>, p: P, engine: Engine) => Compilable<R>;

/**
 * Declares statements over the tables `DB`. Each is written once with the query builder and compiled once per engine;
 * from then on it costs what a prepared statement costs. Building SQL anew per call was measured at a quarter of that.
 *
 * ```ts
 * const sql = tables<{ api_keys: ApiKeyRow }>();
 * const keyByHash = sql((q, p: { hash: string }) => q.selectFrom('api_keys').selectAll().where('hash', '=', p.hash));
 * ```
 * A statement whose shape depends on its arguments (optional filters) is declared inside the function that runs it. Values
 * come by `p` alone: a constant of the code may become part of the text.
 */
export function tables<DB>() {
  return <P, R>(build: Build<DB, P, R>): Statement<P, R> => {
    const statement: Statement<P, R> = { build };
    declarations.watch?.(statement as Statement<never, unknown>);
    return statement;
  };
}

/** A constant that is the same as text in SQL: a number, or a word such as `'inbox'`. */
const isPlain = (value: unknown): boolean =>
  Number.isSafeInteger(value) || (typeof value === 'string' && /^\w{1,40}$/.test(value));

/**
 * Keeps SQLite from planning a statement again at every call. It does so for each new value of a parameter that its
 * planner has looked at: one after `limit`, or one compared with the column of a partial index. Planning takes five to
 * thirty times as long as a look-up. The planner sees constants, and does not look behind a `+`, which changes no value.
 */
class OncePlanned extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (isPlain(value)) {
      this.appendImmediateValue(value);
      return;
    }
    if (value instanceof Slot) this.append('+');
    super.appendValue(value);
  }
}

const builders: Record<Engine, Kysely<unknown>> = {
  sqlite: new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new OncePlanned(),
    },
  }),
  postgres: new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
};

const slots = new Proxy({}, { get: (_target, name) => new Slot(String(name)) });

/** Compiles statements for one engine, each once. */
export function createCompiler(engine: Engine): (statement: Statement<never, unknown>) => Compiled {
  const cache = new WeakMap<object, Compiled>();
  return (statement) => {
    const known = cache.get(statement);
    if (known) return known;
    const build = statement.build as Build<unknown, unknown, unknown>;
    const query = build(builders[engine], slots, engine).compile();
    const bindings = query.parameters.map((value) =>
      value instanceof Slot ? { slot: value.name, constant: null } : { slot: null, constant: value },
    );
    const compiled = { text: query.sql, bindings };
    cache.set(statement, compiled);
    return compiled;
  };
}

/** The values to bind, in order. @throws TypeError when a parameter is missing: a bug, never a client's fault */
export function bind({ bindings, text }: Compiled, params: unknown): unknown[] {
  const given = params as Record<string, unknown>;
  // A plain loop over plain members: this runs for every statement.
  const values = new Array<unknown>(bindings.length);
  for (let i = 0; i < values.length; i++) {
    const { slot, constant } = bindings[i] as Binding;
    const value = slot === null ? constant : given[slot];
    if (value === undefined) throw new TypeError(`missing parameter ${slot ?? ''}: ${text}`);
    values[i] = value;
  }
  return values;
}
