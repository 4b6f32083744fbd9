import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { mailPorts } from './administration-mail.ts';
import { runCli } from './cli/cli.ts';
import { type Check, CommandError, type Operator, type Ports, type RunningService } from './cli/ports.ts';
import { type Config, processConfig } from './config.ts';
import { openSecrets, rotateMasterKey as rotateMaster } from './db/master-keys.ts';
import { MIGRATION_IDS } from './db/migrate.ts';
import { migrate, openDatabase, sqlitePath } from './db/open.ts';
import { claimedReserved } from './features/addresses/claimed-reserved-rules.ts';
import { hasUnparsed } from './features/mailboxes/content-store.ts';
import { BackupRefused, backupSqlite, readSealedKey } from './features/operator/backup-store.ts';
import { examine } from './features/operator/doctor-rules.ts';
import { compareSchema } from './features/operator/operator-rules.ts';
import { openMasterKey, requirePassphrase, sealMasterKey } from './features/operator/sealed-key-rules.ts';
import {
  revokeSigningKey as revokeKey,
  rotateSigningKey as rotateKey,
  signingKeyPath,
} from './features/tokens/signing-key-rules.ts';
import { enqueueJob } from './jobs/queue.ts';
import { systemClock } from './kernel/clock.ts';
import type { Log } from './kernel/log.ts';
import { ReservedNames } from './kernel/reserved-names.ts';
import { makeMasterKey, Sealer } from './kernel/sealing.ts';
import { ConfigError } from './kernel/setting.ts';
import type { Database } from './kernel/transaction.ts';
import { RELEASE } from './kernel/version.ts';
import { makePrivateFile, readIfThere } from './mail/private-file.ts';

const now = (): number => systemClock.now();

function readConfiguration(): Config {
  try {
    return processConfig();
  } catch (err) {
    throw err instanceof ConfigError ? new CommandError(2, err.message) : err;
  }
}

function requireFile({ dataDir }: Config): string {
  const path = sqlitePath(dataDir);
  if (existsSync(path)) return path;
  throw new CommandError(
    1,
    `there is no database ${path}; create it with signet migrate, or set DATA_DIR to another folder`,
  );
}

const location = ({ databaseUrl, dataDir }: Config) => ({ databaseUrl, dataDir });

/** Opens the database if it has this version's schema. A command must not change the schema of a running service. */
async function openCurrent(config: Config): Promise<Database> {
  if (config.databaseUrl === null) requireFile(config);
  const database = openDatabase(location(config), {
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

const SILENT: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Builds the service's own features over an open database and starts none of them. */
async function featuresOver(config: Config, database: Database) {
  const { createContext } = await import('./app.ts');
  const { masterKeysOf, sealedColumnsOf } = await import('./secrets.ts');
  const { buildFeatures } = await import('./features.ts');
  const given = await masterKeysOf(config, { seals: false });
  const secrets = await openSecrets(database, given, now());
  const { parts, provided } = buildFeatures(createContext({ config, log: SILENT, database, secrets }));
  return { given, provided, sealed: sealedColumnsOf(parts) };
}

async function openOperator(): Promise<Operator> {
  const config = readConfiguration();
  const database = await openCurrent(config);
  try {
    return (await featuresOver(config, database)).provided.operator;
  } catch (err) {
    await database.close();
    throw err;
  }
}

async function rotateMasterKey(): Promise<{ keyId: string; sealed: number; unreadable: number }> {
  const config = readConfiguration();
  const database = await openCurrent(config);
  try {
    const { given, sealed } = await featuresOver(config, database);
    return await rotateMaster(database, given, sealed);
  } finally {
    await database.close();
  }
}

async function startService(config: Config, log: Log): Promise<RunningService> {
  // Loaded here, so that the other commands start faster.
  const { startApp } = await import('./app.ts');
  const { baseUrl, smtpPort, stop } = await startApp(config, log);
  return {
    baseUrl,
    smtp: smtpPort === null ? 'off' : `${config.smtpHost}:${smtpPort}`,
    database: config.databaseUrl === null ? 'sqlite' : 'postgres',
    mailDomain: config.mailDomain,
    stop,
  };
}

/** Reads a passphrase file. */
async function passphraseIn(file: string): Promise<string> {
  const text = await readIfThere(file);
  if (text === null) throw new CommandError(1, `there is no file ${file}; write the passphrase to it`);
  try {
    return requirePassphrase(text);
  } catch (err) {
    throw new CommandError(1, `${file}: ${(err as Error).message}`);
  }
}

/** The master key of the database, sealed for a backup. */
async function sealedKeyFor(config: Config, passphraseFile: string): Promise<string> {
  const passphrase = await passphraseIn(passphraseFile);
  const database = await openCurrent(config);
  try {
    const { given } = await featuresOver(config, database);
    if (!given.current) throw new CommandError(1, 'there is no master key; start the service once first');
    return await sealMasterKey(given.current, passphrase);
  } finally {
    await database.close();
  }
}

async function restoreMasterKey(file: string, passphraseFile: string): Promise<{ path: string }> {
  const { dataDir } = readConfiguration();
  const passphrase = await passphraseIn(passphraseFile);
  const path = join(dataDir, 'master.key');
  try {
    const sealed = readSealedKey(file);
    if (sealed === null) throw new BackupRefused(`${file} holds no master key; use the key that you kept apart`);
    const key = await openMasterKey(sealed, passphrase);
    if (!key) throw new BackupRefused(`the passphrase does not open the master key in ${file}`);
    const text = `${key.toString('base64')}\n`;
    await makePrivateFile(path, text);
    if ((await readIfThere(path)) === text) return { path };
    throw new BackupRefused(`${path} holds another master key; move it away first`);
  } catch (err) {
    throw err instanceof BackupRefused ? new CommandError(1, err.message) : err;
  }
}

async function backup(
  file: string,
  { force, includeKeyWith }: { force: boolean; includeKeyWith: string | null },
): Promise<{ path: string; sizeBytes: number }> {
  const config = readConfiguration();
  if (config.databaseUrl !== null) {
    // pg_dump must match the version of the server, so we do not run one from this machine.
    const command = 'pg_dump --format=custom --no-owner --file=FILE "$DATABASE_URL"';
    throw new CommandError(1, `DATABASE_URL is a PostgreSQL database; copy it with ${command}`);
  }
  try {
    const source = requireFile(config);
    const sealedKey = includeKeyWith === null ? null : await sealedKeyFor(config, includeKeyWith);
    return await backupSqlite(source, file, { force, sealedKey });
  } catch (err) {
    throw err instanceof BackupRefused ? new CommandError(1, err.message) : err;
  }
}

/** Works also when no master key fits: the features are built with a key that nothing uses. */
async function examineKeysOf(config: Config, database: Database) {
  const { createContext } = await import('./app.ts');
  const { buildFeatures } = await import('./features.ts');
  const { examineSecrets, sealedColumnsOf } = await import('./secrets.ts');
  const secrets = { sealer: new Sealer(makeMasterKey()), serviceKey: '', formerKey: null };
  const { parts } = buildFeatures(createContext({ config, log: SILENT, database, secrets }));
  return examineSecrets(config, database, sealedColumnsOf(parts));
}

async function doctor(): Promise<Check[]> {
  let config: Config;
  try {
    config = readConfiguration();
  } catch (err) {
    if (!(err instanceof CommandError)) throw err;
    return [{ name: 'config', status: 'fail', message: err.message, remedy: 'docs/operator.md lists the variables' }];
  }
  return examine({
    ...config,
    sqlitePath: config.databaseUrl === null ? sqlitePath(config.dataDir) : null,
    version: RELEASE,
    migrations: MIGRATION_IDS,
    openDatabase: () => openDatabase(location(config)),
    hasUnparsedMail: hasUnparsed,
    claimedReserved: (reader) =>
      claimedReserved(reader, config.mailDomain, new ReservedNames(config.reservedAddresses)),
    examineSecrets: (database) => examineKeysOf(config, database),
    now,
  });
}

async function rotateSigningKey(): Promise<{ kid: string; retired: number }> {
  const config = readConfiguration();
  if (config.signingKey !== null) {
    const remedy = 'set another key there and restart the service';
    throw new CommandError(1, `SIGNING_KEY is set, so this command cannot change the key; ${remedy}`);
  }
  const database = await openCurrent(config);
  try {
    return await rotateKey(database, signingKeyPath(config.dataDir), now());
  } finally {
    await database.close();
  }
}

async function revokeSigningKey(kid: string): ReturnType<typeof revokeKey> {
  const config = readConfiguration();
  const database = await openCurrent(config);
  try {
    const path = config.signingKey === null ? signingKeyPath(config.dataDir) : null;
    return await revokeKey(database, path, kid, now(), enqueueJob);
  } finally {
    await database.close();
  }
}

const ports: Ports = {
  version: RELEASE,
  service: () => {
    const config = readConfiguration();
    return { logLevel: config.logLevel, start: (log) => startService(config, log) };
  },
  migrate: () => migrate(location(readConfiguration())),
  openOperator,
  backup,
  restoreMasterKey,
  doctor,
  mail: mailPorts(readConfiguration),
  rotateSigningKey,
  rotateMasterKey,
  revokeSigningKey,
};

/** Runs one of the administrator's commands. @returns the exit code */
export const runAdministration = (args: readonly string[]): Promise<number> =>
  runCli(args, ports, { out: process.stdout, err: process.stderr });
