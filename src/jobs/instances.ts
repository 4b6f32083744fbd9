import type { Database, Tx } from '../api/transaction.ts';
import { monotonicMs } from '../base/clock.ts';
import { randomBase62 } from '../base/secret.ts';
import { databaseTime, tables } from '../db/statement.ts';

interface Row {
  id: string;
  /** By the clock of the database, milliseconds: the clocks of instances may differ. */
  seen_at: number;
}

const sql = tables<{ service_instances: Row }>();

const BEAT_MS = 2500;
/** An instance without a heartbeat for so long is gone, or cut off from the database. */
const GONE_MS = 10_000;
/** An instance that could not report for so long starts nothing new, well before the others take its work over. */
const DOUBT_MS = 8000;

const report = sql((q, p: { id: string }, engine) =>
  q
    .updateTable('service_instances')
    .set({ seen_at: databaseTime(engine) })
    .where('id', '=', p.id),
);
const join = sql((q, p: { id: string }, engine) =>
  q.insertInto('service_instances').values({ id: p.id, seen_at: databaseTime(engine) }),
);
const removeGone = sql((q, p: { id: string }, engine) =>
  q
    .deleteFrom('service_instances')
    .where('seen_at', '<', databaseTime(engine, -GONE_MS))
    .where('id', '<>', p.id)
    .returning('id'),
);
/** How long to wait for a lock of an instance that stands still. The next beat tries again. */
const LOCK_WAIT_MS = 2000;
/** Another instance finds it gone at its next beat, and goes on with what it left. */
const leave = sql((q, p: { id: string }) =>
  q.updateTable('service_instances').set({ seen_at: 0 }).where('id', '=', p.id),
);

/**
 * The longest step of an attempt. After a gap, what was leased before it may still be under way for so long, on a relay that
 * hangs. Mostly all of it has ended at once.
 */
const STEP_MS = 60_000;

/** What the start of an instance connects. */
export interface LeaseHolders {
  /** Frees the leases of an instance that is gone; null: of every earlier process. */
  releaseLeases(tx: Tx, instanceId: string | null): Promise<unknown>;
  /** Called when leases of another instance became free. */
  onLeasesReleased(): void;
  /** Resolves when every attempt has ended that is under way now, or whose lease is being taken. */
  whenAttemptsEnd(): Promise<unknown>;
  onFault(err: unknown): void;
}

/**
 * This process among those that share a database. On PostgreSQL each reports every 2.5 seconds; the leases of one that
 * stops reporting are free 10 to 12.5 seconds later. SQLite has one service process, proven by the lock on its folder, so all
 * leases are free when it starts.
 */
export class Instance {
  readonly id: string;
  readonly #database: Database;
  #lastBeat = Number.NEGATIVE_INFINITY;
  /** Until when an attempt may go on that was leased before a gap in the reports. */
  #doubtUntil = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();
  #takingOver: Promise<void> | null = null;
  #free: LeaseHolders['releaseLeases'] = async () => {};

  constructor(database: Database) {
    this.#database = database;
    this.id = `ins_${randomBase62(16)}`;
  }

  /**
   * False if other instances may have taken over this one’s leases: it was stopped, or cut off from the database. Then it
   * must not hand over anything.
   */
  readonly holdsLeases = (): boolean => {
    const now = monotonicMs();
    return !this.#isShared || (now - this.#lastBeat < DOUBT_MS && now >= this.#doubtUntil);
  };

  /** Call it before any lease is taken. */
  async start(holders: LeaseHolders): Promise<void> {
    if (!this.#isShared) return this.#database.transaction(async (tx) => void (await holders.releaseLeases(tx, null)));
    this.#free = holders.releaseLeases;
    await this.#beat(holders);
    this.#timer = setInterval(() => {
      this.#beating = this.#beating.then(() => this.#beat(holders)).catch(holders.onFault);
    }, BEAT_MS).unref();
  }

  /** Releases all leases. Call it after the last job has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
    await this.#takingOver;
    if (!this.#isShared) return;
    await this.#database.transaction(async (tx) => {
      await tx.run(leave, { id: this.id });
      await this.#free(tx, this.id);
    });
  }

  get #isShared(): boolean {
    return this.#database.engine === 'postgres';
  }

  async #beat(holders: LeaseHolders): Promise<void> {
    await this.#report(holders);
    // Not awaited, and not with the report: a stopped instance may hold locks on what it leased, and a process that
    // waits for them must go on reporting, or looks stopped itself.
    this.#takingOver ??= this.#takeOver(holders)
      .catch(holders.onFault)
      .finally(() => {
        this.#takingOver = null;
      });
  }

  async #report({ whenAttemptsEnd, onFault }: LeaseHolders): Promise<void> {
    // The clock is read first: what counts is when the report left, not when it was confirmed.
    const at = monotonicMs();
    const until = at + STEP_MS;
    const isKnown = await this.#database.transaction(async (tx) => {
      if ((await tx.run(report, { id: this.id })) === 1) return true;
      // Before it joins: the answer of the COMMIT may be lost, and the next report finds it known.
      if (this.#lastBeat > 0) this.#doubtUntil = until;
      await tx.run(join, { id: this.id });
      return false;
    });
    // An instance that takes leases over removes their former instance in the same transaction. While ours was known,
    // none was taken: a database that was away for a while is no reason to wait.
    if (!isKnown && this.#lastBeat > 0) {
      // Until then none of them hands over anything, nor takes another lease. What is leased afterwards is ours alone.
      whenAttemptsEnd()
        .then(() => {
          // It may have been removed again meanwhile.
          if (this.#doubtUntil === until) this.#doubtUntil = Number.NEGATIVE_INFINITY;
        })
        .catch(onFault);
    }
    this.#lastBeat = at;
  }

  /** Frees what the instances leased that no longer report. */
  async #takeOver({ releaseLeases, onLeasesReleased }: LeaseHolders): Promise<void> {
    const gone = await this.#database.transaction(
      async (tx) => {
        const rows = await tx.all(removeGone, { id: this.id });
        for (const { id } of rows) await releaseLeases(tx, id);
        return rows;
      },
      { lockWaitMs: LOCK_WAIT_MS },
    );
    if (gone.length > 0) onLeasesReleased();
  }
}
