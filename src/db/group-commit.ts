import type { DatabaseSync } from 'node:sqlite';
import { ApiError } from '../kernel/errors.ts';

interface Pending {
  work: () => Promise<unknown>;
  committed: () => void;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

const GATHER_TURNS = 4;

export interface GroupCommit {
  /** Runs `work` in a transaction; resolves after the fsync that makes it durable, right after `committed` ran. */
  submit<T>(work: () => Promise<T>, committed: () => void): Promise<T>;
  /** Resolves when nothing is queued or running. */
  idle(): Promise<void>;
}

/**
 * Group commit: transactions that arrive together share one BEGIN … COMMIT, each as a savepoint of its own, and every
 * outcome, refusals included, is told only after the shared COMMIT has reached the disk. A refusal has to wait too:
 * it may rest on what a neighbour in the batch has written and not yet made durable.
 * `beforeCommit` runs right before each COMMIT, with nothing in between.
 */
export function createGroupCommit(db: DatabaseSync, batchMax: number, beforeCommit: () => void): GroupCommit {
  const queue: Pending[] = [];
  // Prepared once: parsing these for each member cost more than running them.
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const savepoint = db.prepare('SAVEPOINT member');
  const release = db.prepare('RELEASE member');
  let running = false;
  let whenIdle: (() => void)[] = [];

  /** One member of the batch: its effect stays inside its savepoint or is gone. */
  async function runOne(pending: Pending): Promise<() => void> {
    savepoint.run();
    try {
      const value = await pending.work();
      release.run();
      return () => {
        pending.committed();
        pending.resolve(value);
      };
    } catch (err) {
      // A full disk or an I/O error makes SQLite roll the whole transaction back: then the batch is lost, not this member.
      if (!db.isTransaction) throw err;
      db.exec('ROLLBACK TO member');
      release.run();
      return () => pending.reject(err);
    }
  }

  /** A rollback that fails changes nothing about the batch being lost; it must not stop the writer as well. */
  function rollBack(): void {
    try {
      if (db.isTransaction) db.exec('ROLLBACK');
    } catch {
      // The next BEGIN fails, and says why, to those who wait for it.
    }
  }

  async function runBatch(): Promise<void> {
    const batch: Pending[] = [];
    const outcomes: (() => void)[] = [];
    try {
      begin.run();
      for (let next = queue.shift(); next !== undefined; next = batch.length < batchMax ? queue.shift() : undefined) {
        batch.push(next);
        outcomes.push(await runOne(next));
      }
      beforeCommit();
      commit.run();
    } catch (err) {
      rollBack();
      const failure = err instanceof ApiError ? err : new ApiError('storage_unavailable', { cause: err });
      // BEGIN itself failed: whoever waited for this batch hears of it, so that the queue drains instead of spinning.
      if (batch.length === 0) batch.push(...queue.splice(0, batchMax));
      for (const pending of batch) pending.reject(failure);
      return;
    }
    for (const tell of outcomes) tell();
  }

  /** Turns of the event loop pass while each brings more to commit together: reading what is there costs less than a sync. */
  async function gather(): Promise<void> {
    for (let turns = 0, seen = 0; turns < GATHER_TURNS && queue.length > seen && queue.length < batchMax; turns += 1) {
      seen = queue.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      await gather();
      await runBatch();
      // Let the event loop read what arrived during the commit, so that the next batch is a full one.
      if (queue.length > 0) await new Promise((resolve) => setImmediate(resolve));
    }
    running = false;
    for (const resolve of whenIdle) resolve();
    whenIdle = [];
  }

  return {
    submit: <T>(work: () => Promise<T>, committed: () => void) =>
      new Promise<T>((resolve, reject) => {
        queue.push({ work, committed, resolve: resolve as (value: unknown) => void, reject });
        if (running) return;
        running = true;
        // Not at once: everything the event loop has read in this turn joins the same commit.
        setImmediate(() => void drain());
      }),
    idle: () => (running ? new Promise((resolve) => whenIdle.push(resolve)) : Promise.resolve()),
  };
}
