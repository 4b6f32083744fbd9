import { existsSync } from 'node:fs';
import type { Database } from '../../api/transaction.ts';
import { systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { makeMasterKey, Sealer, type Secrets } from '../../base/sealing.ts';
import { ConfigError } from '../../config/config-variable.ts';
import { type Config, processConfig } from '../../config/service-config.ts';
import { openSecrets } from '../../db/master-keys.ts';
import { MIGRATION_IDS } from '../../db/migrate.ts';
import { openDatabase, sqlitePath } from '../../db/open.ts';
import { compareSchema, type OperatorRules } from '../../features/top/admin/service-operator.ts';
import { CommandError, type Output } from '../output.ts';

/** The state of one run. */
export interface AdminRun {
  output(): Output;
  /** One line on stderr. */
  warn(line: string): void;
  exitCode: number;
}

/** Reads the environment. @throws CommandError with exit code 2 */
export function readConfiguration(): Config {
  try {
    return processConfig();
  } catch (err) {
    throw err instanceof ConfigError ? new CommandError(2, err.message) : err;
  }
}

/** The path of the SQLite file. @throws CommandError when it does not exist */
export function requireFile({ dataDir }: Config): string {
  const path = sqlitePath(dataDir);
  if (existsSync(path)) return path;
  throw new CommandError(
    1,
    `there is no database ${path}; create it with signet migrate, or set DATA_DIR to another folder`,
  );
}

/** Opens the database if it has this version's schema. A command must not change the schema of a running service. */
async function openCurrent(config: Config): Promise<Database> {
  if (config.databaseUrl === null) requireFile(config);
  const database = openDatabase(config, {
    // This connection also carries the signals that notify a running service of changes.
    onError: (err) =>
      void process.stderr.write(
        `signet: database connection: ${err.message}; if you changed something, run the command again\n`,
      ),
  });
  try {
    const { missing, unknown } = await compareSchema(database, MIGRATION_IDS);
    if (missing.length > 0)
      throw new CommandError(1, `the database lacks ${missing.join(', ')}; run signet migrate first`);
    if (unknown.length > 0)
      throw new CommandError(
        1,
        `a newer version of signet changed this database (${unknown.join(', ')}); use that version`,
      );
    return database;
  } catch (err) {
    await database.close();
    throw err;
  }
}

/** Works on an open database, and closes it. Resolves after a running service was notified of the changes. */
export async function closing<T>(database: Database, work: (database: Database) => Promise<T>): Promise<T> {
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Works on the database of the configuration. */
export const withDatabase = async <T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> =>
  closing(await openCurrent(config), work);

const SILENT: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Builds the service's own features and starts none of them. */
async function build(config: Config, database: Database, secrets: Secrets) {
  const { createContext } = await import('../../app.ts');
  const { buildFeatures } = await import('../../features.ts');
  return buildFeatures(createContext({ config, log: SILENT, database, secrets }));
}

/** The features over an open database. */
export async function featuresOver(config: Config, database: Database) {
  const { masterKeysOf, sealedColumnsOf } = await import('../../secrets.ts');
  const given = await masterKeysOf(config, { seals: false });
  const { parts, provided } = await build(config, database, await openSecrets(database, given, systemClock.now()));
  return { given, provided, sealed: sealedColumnsOf(parts) };
}

/** The same without a master key: with one that nothing uses. */
export const featuresWithoutKey = (config: Config, database: Database) =>
  build(config, database, { sealer: new Sealer(makeMasterKey()), serviceKey: '', formerKey: null });

/** Works on the accounts of the database. */
export function withOperator<T>(work: (operator: OperatorRules) => Promise<T>): Promise<T> {
  const config = readConfiguration();
  return withDatabase(config, async (database) => work((await featuresOver(config, database)).provided.operator));
}
