/**
 * The database as the rest of the code sees it. `db/` implements these on SQLite and PostgreSQL; a function that
 * writes takes a {@link Tx}, so writing outside a transaction does not compile.
 */

/** A query compiled once per engine. `P` names its parameters, `R` is a row. Made by `db/statement.ts` only. */
export interface Statement<P, R> {
  readonly build: unknown;
  /** Never set: carries the types. */
  readonly types?: { params: P; row: R };
}

/** Reads. Outside a transaction they see what is committed. */
export interface Reader {
  all<P, R>(statement: Statement<P, R>, params: P): Promise<R[]>;
  first<P, R>(statement: Statement<P, R>, params: P): Promise<R | undefined>;
}

/** An open transaction. Never await anything but the database inside one: on SQLite everyone queues behind it. */
export interface Tx extends Reader {
  /** Executes and returns the number of rows changed. */
  run<P, R>(statement: Statement<P, R>, params: P): Promise<number>;
  /** Runs once the transaction is durable, before its caller hears of it; not at all if it rolls back. */
  afterCommit(callback: () => void): void;
  /** Wakes listeners of a topic on every instance once this is durable. A hint, never the truth. */
  signal(topic: string): void;
}

/**
 * Statements of one transaction that need not wait for each other: on PostgreSQL they share a round trip, and run in
 * their order. Unlike `Promise.all` it leaves none behind when one fails: what a transaction began has to end before it
 * is rolled back, or it would write after that.
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
   * Runs `work` and resolves when its effect is durable (fsynced). On a serialization conflict the whole of `work`
   * runs again, so it must not have effects of its own outside `tx`.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Wakes listeners of a topic on every instance. */
  signal(topic: string): void;
  /** Calls `listener` on a signal of `topic`; returns the function that stops it. */
  onSignal(topic: string, listener: () => void): () => void;
  /**
   * Call it before trusting what a listener keeps true. On SQLite it finds what another process has committed and wakes
   * every listener before it returns. On PostgreSQL it does nothing: signals cross processes by themselves there.
   */
  catchUp(): void;
  /** True while the database answers. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}
