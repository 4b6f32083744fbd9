import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Database } from '../../api/transaction.ts';
import { systemClock } from '../../base/clock.ts';
import { makePrivateFile, readIfThere } from '../../base/private-file.ts';
import type { Config } from '../../config/service-config.ts';
import { examineKeys } from '../../db/master-keys.ts';
import { MIGRATION_IDS } from '../../db/migrate.ts';
import { claimDatabase, migrate, openDatabase, sqlitePath } from '../../db/open.ts';
import { removeAllNumbers } from '../../features/mail/mailboxes/uids/folder-uids.ts';
import {
  BackupRefused,
  backupSqlite,
  copiesIn,
  copyName,
  exchange,
  isSameFile,
  lendMasterKey,
  pruneCopies,
  readSealedKey,
  removePartialCopies,
  stampOf,
  withDraft,
  writeSealedKey,
} from '../../features/top/admin/backup-store.ts';
import { openMasterKey, requirePassphrase, sealMasterKey } from '../../features/top/admin/sealed-master-key.ts';
import { compareSchema } from '../../features/top/admin/service-operator.ts';
import { CommandError } from '../output.ts';
import {
  closing,
  featuresOver,
  featuresWithoutKey,
  readConfiguration,
  requireFile,
  withDatabase,
} from './command-context.ts';

/** What `signet restore` did. */
export interface Restored {
  /** The database. */
  path: string;
  /** The folder of what was there before; null when there was nothing. */
  kept: string | null;
  /** The migrations that the copy lacked. */
  migrated: string[];
  /** What was verified. */
  audit: { chains: number; entries: number };
}

/** Shows a refusal of the copying code as one line. */
async function saying<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (err) {
    throw err instanceof BackupRefused ? new CommandError(1, err.message) : err;
  }
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
  return withDatabase(config, async (database) => {
    const { given } = await featuresOver(config, database);
    if (!given.current) throw new CommandError(1, 'there is no master key; start the service once first');
    return sealMasterKey(given.current, passphrase);
  });
}

/** The text of the key file that a copy holds, sealed. `shown` names the copy in refusals. */
async function masterKeyIn(copy: string, shown: string, passphrase: string): Promise<string> {
  const sealed = readSealedKey(copy);
  if (sealed === null) throw new BackupRefused(`${shown} holds no master key; use the key that you kept apart`);
  const key = await openMasterKey(sealed, passphrase);
  if (!key) throw new BackupRefused(`the passphrase does not open the master key in ${shown}`);
  return `${key.toString('base64')}\n`;
}

/** Writes the master key of a copy to the data folder. @throws CommandError */
export async function restoreMasterKey(file: string, passphraseFile: string): Promise<{ path: string }> {
  const { dataDir } = readConfiguration();
  const passphrase = await passphraseIn(passphraseFile);
  const path = join(dataDir, 'master.key');
  return saying(async () => {
    const text = await masterKeyIn(file, file, passphrase);
    await makePrivateFile(path, text);
    if ((await readIfThere(path)) === text) return { path };
    throw new BackupRefused(`${path} holds another master key; move it away first`);
  });
}

/** @throws CommandError that names the command for PostgreSQL: its tools must match the version of the server */
function sqliteConfiguration(verb: string, command: string): Config {
  const config = readConfiguration();
  if (config.databaseUrl === null) return config;
  throw new CommandError(1, `DATABASE_URL is a PostgreSQL database; ${verb} it with ${command}`);
}

/** Copies the SQLite database. @throws CommandError */
export async function backup(
  file: string,
  { force, includeKeyWith }: { force: boolean; includeKeyWith: string | null },
): Promise<{ path: string; sizeBytes: number }> {
  const config = sqliteConfiguration('copy', 'pg_dump --format=custom --no-owner --file=FILE "$DATABASE_URL"');
  return saying(async () => {
    const source = requireFile(config);
    const sealedKey = includeKeyWith === null ? null : await sealedKeyFor(config, includeKeyWith);
    return backupSqlite(source, file, { force, sealedKey });
  });
}

/** The copies of one folder. */
export type ScheduledCopies = ReturnType<typeof scheduledCopies>;

/** The copies of a folder, for a command that makes them on a schedule. Null: `DATA_DIR/backups`. @throws CommandError */
export function scheduledCopies(folder: string | null, includeKeyWith: string | null) {
  const { dataDir } = sqliteConfiguration('copy', 'pg_dump --format=custom --no-owner --file=FILE "$DATABASE_URL"');
  const path = folder === null ? join(dataDir, 'backups') : resolve(folder);
  // A folder that was named must be there: a disk that is not mounted must not look like an empty one.
  if (folder === null && !existsSync(path)) mkdirSync(path, { mode: 0o700 });
  return {
    folder: path,
    /** Milliseconds; null without a copy. One from the future, made by a wrong clock, does not count. */
    newestAt: () => copiesIn(path, systemClock.now()).at(-1)?.at ?? null,
    make: async () => {
      const now = systemClock.now();
      // First, because they may be what fills the disk.
      await removePartialCopies(path, now);
      return backup(join(path, copyName(now)), { force: false, includeKeyWith });
    },
    /** Deletes the oldest copies beyond `keep`, and no copy from the future. @returns their names */
    prune: (keep: number) => pruneCopies(path, { keep, now: systemClock.now() }),
  };
}

/** The check that a service would make at its start. @throws BackupRefused */
async function requireKey(config: Config, database: Database, holdsKey: boolean): Promise<void> {
  const { masterKeysOf } = await import('../../secrets.ts');
  const { problem } = await examineKeys(database, await masterKeysOf(config, { seals: false }));
  if (problem === null) return;
  throw new BackupRefused(`${problem}${holdsKey ? '. The copy holds its key: add --key-with PASSPHRASE-FILE' : ''}`);
}

/** @throws BackupRefused for the first chain with a fault */
async function requireChains(config: Config, database: Database): Promise<{ chains: number; entries: number }> {
  const { operator } = (await featuresWithoutKey(config, database)).provided;
  const sum = { chains: 0, entries: 0 };
  for await (const { accountId, entries, fault } of operator.verifyAudit(null)) {
    if (fault)
      throw new BackupRefused(`the audit log of ${accountId} in this copy is ${fault.problem} at entry ${fault.seq}`);
    sum.chains += 1;
    sum.entries += entries;
  }
  return sum;
}

/** Brings the draft to this version's schema, and checks it. @throws BackupRefused */
async function examineDraft(config: Config, holdsKey: boolean): Promise<Pick<Restored, 'migrated' | 'audit'>> {
  const location = { databaseUrl: null, dataDir: config.dataDir };
  const { unknown } = await closing(openDatabase(location), (database) => compareSchema(database, MIGRATION_IDS));
  if (unknown.length > 0)
    throw new BackupRefused(`a newer version of signet made this copy (${unknown.join(', ')}); use that version`);
  const migrated = await migrate(location);
  return closing(openDatabase(location), async (database) => {
    await requireKey(config, database, holdsKey);
    // What arrived since the copy had UIDs that the restored folders would give again (RFC 9051 2.3.1.1).
    await database.transaction(removeAllNumbers);
    return { migrated, audit: await requireChains(config, database) };
  });
}

/**
 * Puts a copy of a SQLite database into a data folder that no service uses. Everything is checked before anything in the
 * folder changes, and what was there is kept. @throws CommandError
 */
export async function restore(
  file: string,
  { to, keyWith }: { to: string | null; keyWith: string | null },
): Promise<Restored> {
  const command = `psql "$DATABASE_URL" --command='drop schema if exists public cascade; create schema public' && pg_restore --no-owner --exit-on-error --single-transaction --dbname="$DATABASE_URL" FILE`;
  const config = sqliteConfiguration('restore', command);
  const dataDir = to === null ? config.dataDir : resolve(to);
  // A folder without a name is where the shell happened to be.
  if (to === null && !existsSync(dataDir))
    throw new CommandError(1, `there is no folder ${dataDir}; to restore into a new one, name it: --to ${dataDir}`);
  const passphrase = keyWith === null ? null : await passphraseIn(keyWith);
  return saying(async () => {
    if (!existsSync(file)) throw new BackupRefused(`there is no file ${file}`);
    const path = sqlitePath(dataDir);
    if (await isSameFile(file, path)) throw new BackupRefused(`${path} is the database itself. Choose a copy`);
    const release = claimDatabase({ databaseUrl: null, dataDir });
    try {
      return await withDraft(resolve(file), dataDir, async (draft) => {
        const holdsKey = readSealedKey(sqlitePath(draft)) !== null;
        if (passphrase === null) lendMasterKey(dataDir, draft);
        else await makePrivateFile(join(draft, 'master.key'), await masterKeyIn(sqlitePath(draft), file, passphrase));
        writeSealedKey(sqlitePath(draft), null);
        const examined = await examineDraft({ ...config, dataDir: draft }, holdsKey && passphrase === null);
        const stamp = stampOf(systemClock.now());
        const kept = await exchange(draft, dataDir, { stamp, bringsKey: passphrase !== null });
        return { path, kept, ...examined };
      });
    } finally {
      release();
    }
  });
}
