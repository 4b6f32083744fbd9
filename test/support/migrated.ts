import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { migrate, sqlitePath } from '../../src/db/open.ts';
import { closeDatabase, createDatabase, dropDatabase } from './postgres.ts';
import { testFolder } from './test-folder.ts';

/**
 * One migrated database for each engine, made once for a whole run. A test copies it, which takes a fifth of the time
 * that the migrations take.
 */

/** The folder of the SQLite file, and the name of the database on the test server. */
const FOLDER = 'SIGNET_TEST_MIGRATED_FOLDER';
const DATABASE = 'SIGNET_TEST_MIGRATED_DATABASE';

/** Migrates both. @returns the environment that tells the test processes of them, and a function that removes them */
export async function migrateOnce(adminUrl: string): Promise<{ env: Record<string, string>; drop(): Promise<void> }> {
  const dataDir = mkdtempSync(join(testFolder(), 'signet-migrated-'));
  const name = `signet_migrated_${process.pid}`;
  await migrate({ databaseUrl: null, dataDir });
  await migrate({ databaseUrl: await createDatabase(adminUrl, name), dataDir });
  await closeDatabase(adminUrl, name);
  return {
    env: { [FOLDER]: dataDir, [DATABASE]: name },
    drop: async () => {
      rmSync(dataDir, { recursive: true, force: true });
      await dropDatabase(adminUrl, name);
    },
  };
}

/** Undefined outside a run of `npm test`. */
export const migratedDatabase = (): string | undefined => process.env[DATABASE];

/** Puts the migrated SQLite file into a data folder. Outside a run of `npm test` the service makes its own. */
export function copyMigratedFile(dataDir: string): void {
  const folder = process.env[FOLDER];
  if (folder) copyFileSync(sqlitePath(folder), sqlitePath(dataDir));
}
