import type { DatabaseSync } from 'node:sqlite';

export interface ReadSnapshot {
  /** Called before a read. */
  begin(): void;
  /** From here on reads see what is committed by now. */
  end(): void;
}

/**
 * Lets the reads of one turn of the event loop share a read transaction. Alone, each read takes and drops file locks,
 * and after a commit fetches its pages anew, which costs more than the look-up itself. The snapshot ends with the turn;
 * whoever is about to commit, or to tell of a commit, ends it earlier.
 */
export function createReadSnapshot(db: DatabaseSync): ReadSnapshot {
  const start = db.prepare('BEGIN');
  const finish = db.prepare('COMMIT');
  const end = (): void => {
    if (db.isOpen && db.isTransaction) finish.run();
  };
  return {
    begin: () => {
      if (db.isTransaction) return;
      start.run();
      setImmediate(end);
    },
    end,
  };
}
