import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { ApiError } from '../api/errors.ts';
import type { Appends } from './logs/appends.ts';

interface Pending {
  work: () => Promise<unknown>;
  committed: () => void;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

const GATHER_TURNS = 4;

/** Lets other work of the event loop run. */
const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

export interface GroupCommitOptions {
  /** Transactions per shared commit. */
  batchMax: number;
  /** What the members append to logs. */
  appends: Pick<Appends, 'clear' | 'beginMember' | 'undoMember' | 'flush'>;
  /** Runs right before each COMMIT, with nothing in between. */
  beforeCommit(): void;
}

/**
 * Group commit: transactions that arrive together share one BEGIN … COMMIT, each as its own savepoint. Every
 * outcome, refusals included, is reported only after the shared COMMIT has reached the disk. A refusal has to wait too:
 * it may rest on what a neighbour in the batch has written and not yet made durable.
 */
export class GroupCommit {
  readonly #db: DatabaseSync;
  readonly #options: GroupCommitOptions;
  readonly #queue: Pending[] = [];
  // Prepared once: parsing these for each member cost more than running them.
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #savepoint: StatementSync;
  readonly #release: StatementSync;
  #isRunning = false;
  /** Transactions at the head of the queue that get their own commit. */
  #alone = 0;
  #whenIdle: (() => void)[] = [];

  constructor(db: DatabaseSync, options: GroupCommitOptions) {
    this.#db = db;
    this.#options = options;
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#savepoint = db.prepare('SAVEPOINT member');
    this.#release = db.prepare('RELEASE member');
  }

  /** Runs `work` in a transaction; resolves after the fsync that makes it durable, right after `committed` ran. */
  submit<T>(work: () => Promise<T>, committed: () => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ work, committed, resolve: resolve as (value: unknown) => void, reject });
      if (this.#isRunning) return;
      this.#isRunning = true;
      // Not at once: everything the event loop has read in this turn joins the same commit.
      setImmediate(() => void this.#drain());
    });
  }

  /** Resolves when nothing is queued or running. */
  idle(): Promise<void> {
    return this.#isRunning ? new Promise((resolve) => void this.#whenIdle.push(resolve)) : Promise.resolve();
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#gather();
      await this.#runBatch();
      // Let the event loop read what arrived during the commit, so that the next batch is a full one.
      if (this.#queue.length > 0) await nextTurn();
    }
    this.#isRunning = false;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  /** Turns of the event loop pass while each brings more to commit together: reading what is there costs less than a sync. */
  async #gather(): Promise<void> {
    const { batchMax } = this.#options;
    const queue = this.#queue;
    for (let turns = 0, seen = 0; turns < GATHER_TURNS && queue.length > seen && queue.length < batchMax; turns += 1) {
      seen = queue.length;
      await nextTurn();
    }
  }

  async #runBatch(): Promise<void> {
    const { appends, beforeCommit } = this.#options;
    const queue = this.#queue;
    const batch: Pending[] = [];
    const outcomes: (() => void)[] = [];
    const max = this.#sizeOfNext();
    try {
      this.#begin.run();
      for (let next = queue.shift(); next !== undefined; next = batch.length < max ? queue.shift() : undefined) {
        batch.push(next);
        outcomes.push(await this.#runOne(next));
      }
      if (!(await this.#writeAppends(batch))) return;
      beforeCommit();
      this.#commit.run();
    } catch (err) {
      this.#rollBack();
      const failure = err instanceof ApiError ? err : new ApiError('storage_unavailable', { cause: err });
      // BEGIN itself failed: all that wait for this batch get the error, so that the queue drains instead of spinning.
      if (batch.length === 0) batch.push(...queue.splice(0, max));
      for (const pending of batch) pending.reject(failure);
      return;
    } finally {
      appends.clear();
    }
    for (const report of outcomes) report();
  }

  #sizeOfNext(): number {
    if (this.#alone === 0) return this.#options.batchMax;
    this.#alone -= 1;
    return 1;
  }

  /**
   * Writes what the members appended. If the write fails, the failing member is unknown: each member runs again,
   * with its own commit. @returns false then
   */
  async #writeAppends(batch: readonly Pending[]): Promise<boolean> {
    try {
      await this.#options.appends.flush();
      return true;
    } catch (err) {
      if (batch.length === 1 || !this.#db.isTransaction) throw err;
      this.#rollBack();
      this.#queue.unshift(...batch);
      this.#alone = batch.length;
      return false;
    }
  }

  /** One member of the batch: its effect stays inside its savepoint or is gone. */
  async #runOne(pending: Pending): Promise<() => void> {
    const { appends } = this.#options;
    this.#savepoint.run();
    appends.beginMember();
    try {
      const value = await pending.work();
      this.#release.run();
      return () => {
        pending.committed();
        pending.resolve(value);
      };
    } catch (err) {
      // A full disk or an I/O error makes SQLite roll the whole transaction back: then the batch is lost, not this member.
      if (!this.#db.isTransaction) throw err;
      this.#db.exec('ROLLBACK TO member');
      this.#release.run();
      appends.undoMember();
      return () => pending.reject(err);
    }
  }

  /** A rollback that fails changes nothing about the batch being lost; it must not stop the writer as well. */
  #rollBack(): void {
    try {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
    } catch {
      // The next BEGIN fails, and gives the reason to the transactions that wait for it.
    }
  }
}
