import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A service that is just about to end gets this long, milliseconds. */
const PATIENCE_MS = 1000;
const SQLITE_BUSY = 5;

/**
 * Makes this process the only service on a data folder: one would cache keys that the other changes.
 * SQLite's own exclusive lock on a file beside the database serves, because the system drops it with the process, however
 * that ends; the database itself stays open to the command line. @returns what releases the folder
 * @throws Error with a `code` and a sentence for the operator
 */
export function lockFolder(dataDir: string): () => void {
  const path = join(dataDir, 'signet.lock');
  const lock = new DatabaseSync(path, { timeout: PATIENCE_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    const { errcode, message } = cause as { errcode?: number; message: string };
    const why =
      errcode === SQLITE_BUSY
        ? 'another service runs on this folder: stop it first, or give this one a folder of its own; several services share a PostgreSQL (DATABASE_URL)'
        : `its lock ${path} cannot be taken: ${message}`;
    throw Object.assign(new Error(`DATA_DIR is ${JSON.stringify(dataDir)}; ${why}`, { cause }), {
      code: 'DATA_DIR_IN_USE',
    });
  }
  return () => lock.close();
}
