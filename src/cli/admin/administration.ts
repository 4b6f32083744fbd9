import type { Database } from '../../api/transaction.ts';
import { systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { RELEASE } from '../../base/version.ts';
import type { Config } from '../../config/service-config.ts';
import { rotateMasterKey as rotateMaster } from '../../db/master-keys.ts';
import { MIGRATION_IDS } from '../../db/migrate.ts';
import { claimDatabase, migrate, openDatabase, sqlitePath } from '../../db/open.ts';
import { claimedReserved } from '../../features/account/addresses/claimed-reserved-names.ts';
import {
  revokeSigningKey as revokeKey,
  rotateSigningKey as rotateKey,
  signingKeyPath,
} from '../../features/identity/tokens/signing-keys.ts';
import { hasUnparsed } from '../../features/mail/mailboxes/content/content-store.ts';
import { countRoleMails } from '../../features/mail/outbox/postmaster-quota.ts';
import { examine } from '../../features/top/admin/doctor.ts';
import { enqueueJob } from '../../jobs/queue.ts';
import { ReservedNames } from '../../mail/address/reserved-names.ts';
import { type Check, CommandError, type MailPorts, type Operator, type Ports, type RunningService } from '../ports.ts';
import { backup, restore, restoreMasterKey, scheduledCopies } from './backups.ts';
import { featuresOver, featuresWithoutKey, location, openCurrent, readConfiguration } from './command-context.ts';
import { runCli } from './command-line.ts';

const now = (): number => systemClock.now();

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
  const { startApp } = await import('../../app.ts');
  const { baseUrl, smtpPort, provided, stop } = await startApp(config, log);
  return {
    baseUrl,
    smtp: smtpPort === null ? 'off' : `${config.smtpHost}:${smtpPort}`,
    database: config.databaseUrl === null ? 'sqlite' : 'postgres',
    mailDomain: config.mailDomain,
    keepsMail: provided.keepsMail,
    stop,
  };
}

/** Works also when no master key fits. */
async function examineKeysOf(config: Config, database: Database) {
  const { examineSecrets, sealedColumnsOf } = await import('../../secrets.ts');
  const { parts } = await featuresWithoutKey(config, database);
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
    countKeptMail: countRoleMails,
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

/** Loaded with the first of these commands: no other needs to ask mail servers. */
const mailCommands = async (): Promise<MailPorts> =>
  (await import('./administration-mail.ts')).mailPorts(readConfiguration);

const ports: Ports = {
  version: RELEASE,
  service: () => {
    const config = readConfiguration();
    return { logLevel: config.logLevel, workers: config.workers, start: (log) => startService(config, log) };
  },
  migrate: () => {
    const place = location(readConfiguration());
    return migrate(place, () => claimDatabase(place));
  },
  openOperator,
  backup,
  scheduledCopies,
  restore,
  restoreMasterKey,
  doctor,
  mail: {
    records: async (addresses) => (await mailCommands()).records(addresses),
    examineDns: async () => (await mailCommands()).examineDns(),
    sendTest: async (to, onHop) => (await mailCommands()).sendTest(to, onHop),
    listKept: async () => (await mailCommands()).listKept(),
    readKept: async (id) => (await mailCommands()).readKept(id),
    deleteKept: async (id) => (await mailCommands()).deleteKept(id),
  },
  rotateSigningKey,
  rotateMasterKey,
  revokeSigningKey,
};

/** Runs one of the administrator's commands. @returns the exit code */
export const runAdministration = (args: readonly string[]): Promise<number> =>
  runCli(args, ports, { out: process.stdout, err: process.stderr });
