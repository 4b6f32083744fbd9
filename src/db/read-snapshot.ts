import type { DatabaseSync, StatementSync } from 'node:sqlite';

/**
 * Lets the reads of one turn of the event loop share a read transaction. Alone, each read takes and drops file locks,
 * and after a commit fetches its pages anew, which costs more than the look-up itself. The snapshot ends with the turn;
 * a commit, and news of another process's commit, end it earlier.
 */
export class ReadSnapshot {
  readonly #db: DatabaseSync;
  readonly #start: StatementSync;
  readonly #finish: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#start = db.prepare('BEGIN');
    this.#finish = db.prepare('COMMIT');
  }

  /** Called before a read. */
  begin(): void {
    if (this.#db.isTransaction) return;
    this.#start.run();
    setImmediate(this.end);
  }

  /** From here on reads see what is committed by now. */
  readonly end = (): void => {
    if (this.#db.isOpen && this.#db.isTransaction) this.#finish.run();
  };
}
