import type { AccountLog, Appended, Change, Statement, Writer } from '../../api/transaction.ts';

type AnyLog = AccountLog<unknown, unknown>;

export interface AppendsWriter extends Writer {
  /** Runs changes in their order. @throws at once, without a promise, if one of them was not asked of the database */
  runAll(changes: readonly Change[]): Promise<unknown>;
}

interface Pending {
  /** Where logs end, with the rows that are not written yet. */
  readonly ends: Map<string, unknown>;
  readonly rows: Appended<unknown, unknown>[];
  /** How many of the rows are in the database. */
  written: number;
  /** How many rows there were, and how many of them were written, when the member began. */
  rowsBefore: number;
  writtenBefore: number;
  /** Raised when `ends` may have changed otherwise. */
  version: number;
}

/** The logs of the process, in the order in which each was first appended to. */
const allLogs: AnyLog[] = [];

/** Which of the first `seen` logs a statement names. It is asked for every statement. */
const naming = new WeakMap<Statement<never, unknown>, { seen: number; named: AnyLog[] }>();

/**
 * What transactions append to logs and have not written. It costs a savepoint nothing, and the rows of all members of a
 * shared commit move the end of an account's log once.
 */
export class Appends {
  readonly #tx: AppendsWriter;
  readonly #textOf: (statement: Statement<never, unknown>) => string;
  readonly #logs = new Map<AnyLog, Pending>();
  /** Of a write that failed. */
  #fault: { err: unknown } | null = null;

  /** `tx` runs the statements of the logs, `textOf` returns the SQL of any statement. */
  constructor(tx: AppendsWriter, textOf: (statement: Statement<never, unknown>) => string) {
    this.#tx = tx;
    this.#textOf = textOf;
  }

  /** @see Tx.append */
  async append<End, Row>(
    log: AccountLog<End, Row>,
    accountId: string,
    next: (end: End) => { end: End; row: Row },
  ): Promise<End> {
    const pending = this.#of(log as AnyLog);
    for (;;) {
      const { version } = pending;
      const known = pending.ends.get(accountId);
      const read = known ?? (await log.lock(this.#tx, accountId));
      if (version !== pending.version) continue;
      // Another call of this transaction may have appended meanwhile.
      const made = next((pending.ends.get(accountId) ?? read) as End);
      pending.ends.set(accountId, made.end);
      pending.rows.push({ accountId, ...made });
      return made.end;
    }
  }

  /** @see Tx.reserve */
  async reserve<End, Row>(log: AccountLog<End, Row>, accountIds: readonly string[]): Promise<ReadonlySet<string>> {
    const pending = this.#of(log as AnyLog);
    const { version } = pending;
    const { ends, missing } = await log.lockFree(this.#tx, unknownOf(pending, accountIds));
    if (version === pending.version) learn(pending, ends);
    const free = new Set([...ends.keys(), ...missing]);
    return new Set(accountIds.filter((id) => free.has(id) || pending.ends.has(id)));
  }

  /** @see Tx.hold */
  async hold<End, Row>(log: AccountLog<End, Row>, accountIds: readonly string[]): Promise<void> {
    const pending = this.#of(log as AnyLog);
    const { version } = pending;
    const unknown = unknownOf(pending, accountIds).sort();
    // On SQLite nothing has to travel, and one alone is locked by its first append.
    if (this.#tx.engine === 'sqlite' || unknown.length < 2 || log.lockAll === undefined) return;
    const ends = await log.lockAll(this.#tx, unknown);
    if (version === pending.version) learn(pending, ends);
  }

  /**
   * Flushes pending rows that the statement could read. Call it before each statement. @returns the writes, or null
   * for none
   */
  flushFor(statement: Statement<never, unknown>): Promise<unknown> | null {
    let isNamed = false;
    for (const log of this.#namedIn(statement)) {
      const pending = this.#logs.get(log);
      if (pending === undefined) continue;
      isNamed = true;
      forget(pending);
    }
    if (!isNamed) return null;
    const writes = this.flush();
    // The statement may fail as well, and then no caller waits for these.
    writes.catch(() => {});
    return writes;
  }

  /**
   * Writes all that is not written. Its statements are asked before it returns. A row that no statement could ask the
   * database to write stays unwritten, so that a caller who goes on nevertheless gets the same fault from the commit.
   * @throws at once, without a promise, if one of them was not asked
   */
  flush(): Promise<unknown> {
    // Work that caught the fault of an earlier write must not go on without its rows.
    if (this.#fault !== null) throw this.#fault.err;
    const { engine } = this.#tx;
    const changes = [...this.#logs].flatMap(([log, { rows, written }]) =>
      rows.length > written ? log.changes(engine, rows.slice(written)) : [],
    );
    if (changes.length === 0) return Promise.resolve();
    const writes = this.#tx.runAll(changes);
    writes.catch((err: unknown) => {
      this.#fault = { err };
    });
    for (const pending of this.#logs.values()) pending.written = pending.rows.length;
    return writes;
  }

  /** Ends a shared commit. */
  clear(): void {
    this.#logs.clear();
    this.#fault = null;
  }

  /** Begins a member of a shared commit. */
  beginMember(): void {
    for (const pending of this.#logs.values()) {
      pending.rowsBefore = pending.rows.length;
      pending.writtenBefore = pending.written;
    }
  }

  /** Takes back what the member appended, after it was rolled back. */
  undoMember(): void {
    // The rows of the others that were written with its own are written again.
    this.#fault = null;
    for (const pending of this.#logs.values()) {
      pending.rows.length = pending.rowsBefore;
      pending.written = pending.writtenBefore;
      forget(pending);
      for (const { accountId, end } of pending.rows.slice(pending.written)) pending.ends.set(accountId, end);
    }
  }

  #of(log: AnyLog): Pending {
    let pending = this.#logs.get(log);
    if (pending === undefined) {
      pending = { ends: new Map(), rows: [], written: 0, rowsBefore: 0, writtenBefore: 0, version: 0 };
      this.#logs.set(log, pending);
      if (!allLogs.includes(log)) allLogs.push(log);
    }
    return pending;
  }

  #namedIn(statement: Statement<never, unknown>): readonly AnyLog[] {
    const known = naming.get(statement);
    if (known?.seen === allLogs.length) return known.named;
    const text = this.#textOf(statement);
    const named = allLogs.filter(({ tables }) => tables.some((table) => text.includes(`"${table}"`)));
    naming.set(statement, { seen: allLogs.length, named });
    return named;
  }
}

const unknownOf = ({ ends }: Pending, accountIds: readonly string[]): string[] =>
  [...new Set(accountIds)].filter((id) => !ends.has(id));

/** Takes over what was read of a log, unless this transaction has appended to it meanwhile. */
function learn({ ends }: Pending, read: ReadonlyMap<string, unknown>): void {
  for (const [id, end] of read) if (!ends.has(id)) ends.set(id, end);
}

function forget(pending: Pending): void {
  pending.ends.clear();
  pending.version += 1;
}
