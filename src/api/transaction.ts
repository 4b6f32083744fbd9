import { ApiError } from './errors.ts';

/**
 * The database as the rest of the code sees it. `db/` implements these on SQLite and PostgreSQL; a function that
 * writes takes a {@link Tx}, so writing outside a transaction does not compile.
 */

/**
 * A query, compiled once per engine. `P` is the type of its parameters, `R` that of a row. Only `db/statement.ts` makes
 * one.
 */
export interface Statement<P, R> {
  readonly build: unknown;
  /** Never set: carries the types. */
  readonly types?: { params: P; row: R };
}

/** Whether the transaction was stored is unknown, so it must not run again by itself. */
export class Unconfirmed extends ApiError {
  constructor(cause: unknown) {
    super('storage_unavailable', {
      message:
        'The database did not confirm the change. Repeat the request with the same Idempotency-Key: it then takes effect once.',
      cause,
    });
  }
}

/** Reads. Outside a transaction they see committed data. */
export interface Reader {
  all<P, R>(statement: Statement<P, R>, params: P): Promise<R[]>;
  first<P, R>(statement: Statement<P, R>, params: P): Promise<R | undefined>;
}

/** A row that a transaction appends, and where its account's log ends with it. */
export interface Appended<End, Row> {
  accountId: string;
  end: End;
  row: Row;
}

/** A statement that changes rows, with its parameters. */
export interface Change {
  readonly statement: Statement<never, unknown>;
  readonly params: unknown;
}

export const changeOf = <P>(statement: Statement<P, unknown>, params: P): Change => ({
  statement: statement as Statement<never, unknown>,
  params,
});

/** The rows of each account in an order, such as a chain of hashes, and where it ends. */
export interface AccountLog<End, Row> {
  /** A statement that names one of them sees what was appended before it. */
  readonly tables: readonly string[];
  /** Reads where the log of an account ends, and locks that until the transaction ends. */
  lock(tx: Writer, accountId: string): Promise<End>;
  /**
   * Locks where the logs of these accounts end, each named once, where no other transaction has it locked. Waits for none.
   * @returns the ends that are locked now, without those that a transaction of many accounts must leave alone, and the accounts
   * that have no log yet
   */
  lockFree(
    tx: Writer,
    accountIds: readonly string[],
  ): Promise<{ ends: ReadonlyMap<string, End>; missing: readonly string[] }>;
  /** Like `lock` for accounts in their order, with two statements. Only where transactions append to many logs. */
  lockAll?(tx: Writer, accountIds: readonly string[]): Promise<ReadonlyMap<string, End>>;
  /** What writes rows in their order, and where the log of each account now ends. If it throws, nothing is committed. */
  changes(engine: Database['engine'], appended: readonly Appended<End, Row>[]): readonly Change[];
}

/** What a log's statements run in. */
export interface Writer extends Reader {
  readonly engine: Database['engine'];
  /** Executes a statement. @returns the number of rows changed */
  run<P, R>(statement: Statement<P, R>, params: P): Promise<number>;
}

/** Who alone knows a part of the outcome of a call. */
export type OtherService = 'facilitator' | 'dns' | 'relay';

/** A call that is tried: its transaction is rolled back, and it asks no other service. */
export interface DryRun {
  /** Notes that the outcome of the real call depends on what this service says. */
  dependsOn(service: OtherService): void;
  /** Counts what it tells of others. That stays, and comes before the reply: what it throws is the reply. */
  counts(count: (tx: Tx) => Promise<void>): void;
}

/** An open transaction. Await only the database inside one: on SQLite all other writes wait for it. */
export interface Tx extends Reader {
  /** Set where it is sure to be rolled back, so that what is costly need not be written. */
  readonly dryRun?: DryRun;
  /** Executes a statement. @returns the number of rows changed */
  run<P, R>(statement: Statement<P, R>, params: P): Promise<number>;
  /**
   * Appends to the log of an account. `next` makes the row from where the log ends. It is written right before the commit,
   * with all that the transactions of a shared commit append. @returns where the log ends now
   */
  append<End, Row>(
    log: AccountLog<End, Row>,
    accountId: string,
    next: (end: End) => { end: End; row: Row },
  ): Promise<End>;
  /**
   * Locks the logs of these accounts with one statement, to append to them. Waits for no other transaction.
   * @returns the accounts whose logs are locked now, or do not exist yet
   */
  tryLockLogs<End, Row>(log: AccountLog<End, Row>, accountIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Locks the logs of these accounts together before the first append to them. Waits for other transactions. */
  lockLogs<End, Row>(log: AccountLog<End, Row>, accountIds: readonly string[]): Promise<void>;
  /** Calls back when the transaction is durable, before its caller resumes. Does not call after a rollback. */
  afterCommit(callback: () => void): void;
  /**
   * Wakes listeners of a topic on every instance when the transaction is durable. Signals are hints: listeners must
   * read the state.
   */
  signal(topic: string): void;
}

/**
 * Runs statements of one transaction that need not wait for each other. On PostgreSQL they share a round trip and run in
 * order. Unlike `Promise.all` it waits for all of them when one fails: a statement that still ran could write after the
 * rollback.
 */
export async function pipeline<T extends readonly unknown[]>(
  work: {
    [K in keyof T]: Promise<T[K]>;
  },
): Promise<T> {
  // A loop, because every write comes here: `Promise.allSettled` takes three times as long.
  for (let i = 1; i < work.length; i += 1) (work[i] as Promise<unknown>).catch(ignored);
  const values: unknown[] = [];
  let fault: { reason: unknown } | null = null;
  for (const promise of work) {
    try {
      values.push(await promise);
    } catch (reason) {
      fault ??= { reason };
    }
  }
  if (fault !== null) throw fault.reason;
  return values as unknown as T;
}

/** A promise that fails before it is waited for would end the process. Its fault is thrown where it is. */
const ignored = (): void => {};

export interface Database extends Reader {
  readonly engine: 'sqlite' | 'postgres';
  /**
   * Runs `work` and resolves when its effect is durable (fsynced). After a serialization conflict `work` runs again, so it
   * must have no effect outside `tx`. On PostgreSQL it fails after `lockWaitMs` for one lock, by default 10 seconds.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: { lockWaitMs?: number }): Promise<T>;
  /** Wakes listeners of a topic on every instance. */
  signal(topic: string): void;
  /** Calls `listener` on each signal of `topic`. @returns the function that removes the listener */
  onSignal(topic: string, listener: () => void): () => void;
  /**
   * Call this before you trust state that a listener keeps current. On SQLite it looks for commits of other processes and
   * wakes every listener before it returns. On PostgreSQL it does nothing, because signals cross processes there.
   */
  pollForeignWrites(): void;
  /** Call this between the transactions of much data. On SQLite it makes room in the log before that takes long. */
  checkpointWal(): void;
  /** True if the database answers. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}
