import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Database } from '../api/transaction.ts';
import { migratePostgres, migrateSqlite } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite, type SqliteOptions } from './sqlite.ts';

export interface DatabaseLocation {
  /** `postgres://…`, or null for SQLite under `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
}

export const sqlitePath = (dataDir: string): string => join(dataDir, 'signet.db');

/** Level by level: Node's own `recursive` never returns where a folder cannot be made, as below /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** @throws Error that names the variable, what it got and what it wants */
function makeDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir);
    if (!statSync(dataDir).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
    accessSync(dataDir, constants.W_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const message = `DATA_DIR is ${JSON.stringify(dataDir)}; it must be a folder that this user can write (${code})`;
    throw Object.assign(new Error(message, { cause }), { code });
  }
}

/** A service that is just about to end gets this long, milliseconds. */
const PATIENCE_MS = 1000;
const SQLITE_BUSY = 5;

/**
 * Makes this process the only service on a data folder: one would cache keys that the other changes.
 * SQLite's own exclusive lock on a file beside the database serves, because the system drops it with the process, however
 * that ends; the database itself stays open to the command line. @returns what releases the folder
 * @throws Error with a `code` and a sentence for the operator
 */
function lockFolder(dataDir: string): () => void {
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

/** For a service, which shares its SQLite folder with no other. @returns what gives it up */
export function claimDatabase({ databaseUrl, dataDir }: DatabaseLocation): () => void {
  if (databaseUrl) return () => {};
  makeDataDir(dataDir);
  return lockFolder(dataDir);
}

/**
 * Applies outstanding migrations. `claim`, for who has not claimed the database, is called before the first of them: a step
 * may take away what a running service needs. @returns their ids
 */
export async function migrate(location: DatabaseLocation, claim = (): (() => void) => () => {}): Promise<string[]> {
  if (location.databaseUrl) return migratePostgres(location.databaseUrl);
  makeDataDir(location.dataDir);
  return migrateSqlite(sqlitePath(location.dataDir), claim);
}

/** Opens an up-to-date database. */
export function openDatabase(location: DatabaseLocation, options: SqliteOptions = {}): Database {
  if (location.databaseUrl) return openPostgres(location.databaseUrl, options);
  return openSqlite(sqlitePath(location.dataDir), options);
}
