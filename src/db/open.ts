import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../kernel/transaction.ts';
import { migratePostgres, migrateSqlite } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite, type SqliteOptions } from './sqlite.ts';

export interface DatabaseLocation {
  /** `postgres://…`, or null for SQLite under `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
}

export const sqlitePath = (dataDir: string): string => join(dataDir, 'signet.db');

/** Applies outstanding migrations. @returns their ids */
export async function migrate(location: DatabaseLocation): Promise<string[]> {
  if (location.databaseUrl) return migratePostgres(location.databaseUrl);
  mkdirSync(location.dataDir, { recursive: true, mode: 0o700 });
  return migrateSqlite(sqlitePath(location.dataDir));
}

/** Opens an up-to-date database. */
export function openDatabase(location: DatabaseLocation, options: SqliteOptions = {}): Database {
  if (location.databaseUrl) return openPostgres(location.databaseUrl, options);
  return openSqlite(sqlitePath(location.dataDir), options);
}
