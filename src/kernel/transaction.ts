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

/** Reads. Outside a transaction they see committed data. */
export interface Reader {
  all<P, R>(statement: Statement<P, R>, params: P): Promise<R[]>;
  first<P, R>(statement: Statement<P, R>, params: P): Promise<R | undefined>;
}

/** An open transaction. Await only the database inside one: on SQLite all other writes wait for it. */
export interface Tx extends Reader {
  /** Executes a statement. @returns the number of rows changed */
  run<P, R>(statement: Statement<P, R>, params: P): Promise<number>;
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
export async function together<T extends readonly unknown[]>(
  work: {
    [K in keyof T]: Promise<T[K]>;
  },
): Promise<T> {
  const outcomes = await Promise.allSettled(work);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as unknown as T;
}

export interface Database extends Reader {
  readonly engine: 'sqlite' | 'postgres';
  /**
   * Runs `work` and resolves when its effect is durable (fsynced). After a serialization conflict `work` runs again, so it
   * must have no effect outside `tx`.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Wakes listeners of a topic on every instance. */
  signal(topic: string): void;
  /** Calls `listener` on each signal of `topic`. @returns the function that removes the listener */
  onSignal(topic: string, listener: () => void): () => void;
  /**
   * Call this before you trust state that a listener keeps current. On SQLite it looks for commits of other processes and
   * wakes every listener before it returns. On PostgreSQL it does nothing, because signals cross processes there.
   */
  catchUp(): void;
  /** True if the database answers. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}
