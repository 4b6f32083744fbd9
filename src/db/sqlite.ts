import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { ApiError } from '../api/errors.ts';
import type { Database, Statement, Tx } from '../api/transaction.ts';
import { runAfterCommit } from './after-commit.ts';
import { GroupCommit } from './group-commit.ts';
import { Appends, type AppendsWriter } from './logs/appends.ts';
import { ReadSnapshot } from './read-snapshot.ts';
import { Signals } from './signals.ts';
import { bind, createCompiler } from './statement.ts';

export interface SqliteOptions {
  /** Called with faults in what runs after a commit. */
  onError?: (err: Error) => void;
  /** Transactions per shared commit; 1 commits each alone (the benchmark's other side). */
  batchMax?: number;
  /** `PRAGMA synchronous`. FULL: a commit is on the disk when it returns. Lowered only by the test that shows it matters. */
  synchronous?: 'FULL' | 'NORMAL' | 'OFF';
  /** Overwrite what is deleted or replaced, in the file and, when it closes, in the write-ahead log. */
  secureDelete?: boolean;
  /** How often writes by other processes (the operator's command line) are looked for. */
  foreignWritePollMs?: number;
}

const STATEMENTS_MAX = 512;

/** One connection with its prepared statements. */
export class SqliteConnection {
  readonly db: DatabaseSync;
  readonly #compile = createCompiler('sqlite');
  readonly #erases: boolean;
  readonly #prepared = new Map<string, Prepared>();

  /** Opens `path` and sets the pragmas that all connections need. */
  constructor(path: string, options: SqliteOptions & { readOnly?: boolean } = {}) {
    this.db = new DatabaseSync(path);
    this.#erases = options.secureDelete ?? false;
    // First, because the mode may wait for another process that opens or recovers the same file.
    this.db.exec('PRAGMA busy_timeout = 5000');
    this.db.exec('PRAGMA journal_mode = WAL');
    // FULL is set by hand although it is the built-in default: builds differ, and NORMAL may lose acknowledged commits.
    this.db.exec(`PRAGMA synchronous = ${options.synchronous ?? 'FULL'}`);
    this.db.exec('PRAGMA foreign_keys = ON');
    this.db.exec('PRAGMA temp_store = MEMORY');
    // 16 MiB: beyond it the system's own cache serves, which all processes share and which gives memory back.
    this.db.exec('PRAGMA cache_size = -16384');
    // Set by hand, because builds differ. Moving four times as much at once would hold one commit of 70 for 12 ms.
    this.db.exec('PRAGMA wal_autocheckpoint = 1000');
    if (options.secureDelete) this.db.exec('PRAGMA secure_delete = ON');
    if (options.readOnly) this.db.exec('PRAGMA query_only = ON');
  }

  all<P, R>(statement: Statement<P, R>, params: P): R[] {
    return this.#call(statement, params, allRows) as R[];
  }

  first<P, R>(statement: Statement<P, R>, params: P): R | undefined {
    return this.#call(statement, params, firstRow) as R | undefined;
  }

  close(): void {
    if (this.#erases) this.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.db.close();
  }

  /** @returns the number of rows changed */
  run<P, R>(statement: Statement<P, R>, params: P): number {
    return this.#call(statement, params, changedRows);
  }

  /** The SQL of a statement. */
  textOf(statement: Statement<never, unknown>): string {
    return this.#compile(statement).text;
  }

  #call<P, R, T>(statement: Statement<P, R>, params: P, how: (prepared: Prepared, values: SQLInputValue[]) => T): T {
    const compiled = this.#compile(statement as Statement<never, unknown>);
    const values = bind(compiled, params) as SQLInputValue[];
    try {
      return how(this.#prepare(compiled.text), values);
    } catch (err) {
      throw err instanceof TypeError ? err : new ApiError('storage_unavailable', { cause: err });
    }
  }

  #prepare(text: string): Prepared {
    let prepared = this.#prepared.get(text);
    if (prepared === undefined) {
      if (this.#prepared.size >= STATEMENTS_MAX) this.#prepared.delete(this.#prepared.keys().next().value as string);
      const statement = this.db.prepare(text);
      statement.setReturnArrays(true);
      prepared = { statement, rowOf: rowMaker(statement) };
      this.#prepared.set(text, prepared);
    }
    return prepared;
  }
}

/** A row as its values, in the order of the columns. */
type Values = unknown;

interface Prepared {
  statement: StatementSync;
  rowOf: (values: Values) => unknown;
}

/**
 * Compiles the function that makes a row of its values. The objects that the driver makes are dictionaries: to build and
 * read those of a list takes twice as long.
 */
function rowMaker(statement: StatementSync): Prepared['rowOf'] {
  const members = statement.columns().map(({ name }, i) => `${JSON.stringify(name)}: values[${i}]`);
  return new Function('values', `return { ${members.join(', ')} };`) as Prepared['rowOf'];
}

const allRows = ({ statement, rowOf }: Prepared, values: SQLInputValue[]): unknown[] =>
  (statement.all(...values) as Values[]).map(rowOf);
function firstRow({ statement, rowOf }: Prepared, values: SQLInputValue[]): unknown {
  const found: Values = statement.get(...values);
  return found === undefined ? undefined : rowOf(found);
}
const changedRows = ({ statement }: Prepared, values: SQLInputValue[]): number =>
  Number(statement.run(...values).changes);

/**
 * Looks for commits of other processes (the operator's command line), every `everyMs` and when it is asked to.
 * data_version changes only by commits of other connections, so it is asked of the writer.
 */
function watchForeignWrites(db: DatabaseSync, everyMs: number, onWrite: () => void) {
  const statement = db.prepare('PRAGMA data_version');
  const current = (): number => (statement.get() as { data_version: number }).data_version;
  let seen = current();
  let isFresh = false;
  const look = (): void => {
    const version = current();
    if (version === seen) return;
    seen = version;
    onWrite();
  };
  const age = (): void => {
    isFresh = false;
  };
  const poll = setInterval(look, everyMs).unref();
  return {
    /** Looks now. Costs a file lock, as much as a read, so requests of one turn of the event loop share one look. */
    look: (): void => {
      if (isFresh) return;
      isFresh = true;
      setImmediate(age);
      look();
    },
    stop: (): void => clearInterval(poll),
  };
}

/** For the statements of logs. They run at once, and their outcome is a promise. */
const writerOf = (writer: SqliteConnection): AppendsWriter => ({
  engine: 'sqlite',
  all: async (statement, params) => writer.all(statement, params),
  first: async (statement, params) => writer.first(statement, params),
  run: async (statement, params) => writer.run(statement, params),
  runAll: (changes) => {
    for (const { statement, params } of changes) writer.run(statement, params as never);
    return Promise.resolve();
  },
});

function transactionOf(writer: SqliteConnection, appends: Appends, signals: Signals, afterCommit: (() => void)[]): Tx {
  /** Runs a statement after what it may look for is written. */
  const call = async <T>(statement: Statement<never, unknown>, run: () => T): Promise<T> => {
    const settled = appends.flushFor(statement);
    const outcome = run();
    if (settled !== null) await settled;
    return outcome;
  };
  return {
    all: (statement, params) => call(statement as Statement<never, unknown>, () => writer.all(statement, params)),
    first: (statement, params) => call(statement as Statement<never, unknown>, () => writer.first(statement, params)),
    run: (statement, params) => call(statement as Statement<never, unknown>, () => writer.run(statement, params)),
    append: (log, accountId, next) => appends.append(log, accountId, next),
    tryLockLogs: (log, accountIds) => appends.reserve(log, accountIds),
    lockLogs: (log, accountIds) => appends.hold(log, accountIds),
    afterCommit: (callback) => void afterCommit.push(callback),
    signal: (topic) => void afterCommit.push(() => signals.emit(topic)),
  };
}

/**
 * Moves the write-ahead log into the file. Not within a transaction, where SQLite refuses to. What is left over is done by the
 * next call, or by SQLite itself with a commit; that commit also reports a fault of the disk.
 */
function checkpointWal(db: DatabaseSync): void {
  if (db.isTransaction) return;
  try {
    db.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {
    // Nothing is lost: the log has everything.
  }
}

/**
 * SQLite as the service's database: one writer with group commit, one read connection apart, so that a read never
 * sees what is not yet durable and never waits for a write.
 */
export function openSqlite(path: string, options: SqliteOptions = {}): Database {
  const writer = new SqliteConnection(path, options);
  const reader = new SqliteConnection(path, { ...options, readOnly: true });
  const signals = new Signals();
  const snapshot = new ReadSnapshot(reader.db);
  const appends = new Appends(writerOf(writer), (statement) => writer.textOf(statement));
  const { batchMax = 256, onError = () => {} } = options;
  const commits = new GroupCommit(writer.db, { batchMax, appends, beforeCommit: snapshot.end });

  const foreign = watchForeignWrites(writer.db, options.foreignWritePollMs ?? 1000, () => {
    // A woken listener must see the write that woke it.
    snapshot.end();
    signals.emitAll();
  });

  const transaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    let afterCommit: (() => void)[] = [];
    return commits.submit(
      () => {
        // Again, if a neighbour spoilt the shared commit.
        afterCommit = [];
        return work(transactionOf(writer, appends, signals, afterCommit));
      },
      () => runAfterCommit(afterCommit, onError),
    );
  };

  return {
    engine: 'sqlite',
    all: async (statement, params) => {
      snapshot.begin();
      return reader.all(statement, params);
    },
    first: async (statement, params) => {
      snapshot.begin();
      return reader.first(statement, params);
    },
    transaction,
    signal: (topic) => signals.emit(topic),
    onSignal: (topic, listener) => signals.on(topic, listener),
    pollForeignWrites: () => {
      try {
        foreign.look();
      } catch (err) {
        throw new ApiError('storage_unavailable', { cause: err });
      }
    },
    checkpointWal: () => checkpointWal(writer.db),
    ping: async () => reader.db.prepare('SELECT 1').get() !== undefined,
    close: async () => {
      foreign.stop();
      await commits.idle();
      reader.db.close();
      writer.close();
    },
  };
}
