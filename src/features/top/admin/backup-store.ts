import { randomUUID } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, type Stats } from 'node:fs';
import { chmod, copyFile, link, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { iso } from '../../../base/clock.ts';
import { SqliteConnection } from '../../../db/sqlite.ts';

/** The copy was not made. The message tells the operator what to change. */
export class BackupRefused extends Error {}

/**
 * Copies a SQLite database to `file` from one snapshot, while others read and write it. `VACUUM INTO` reads one snapshot;
 * the backup API would start over at each write of another process, and never finish beside a busy service. The copy is
 * checked and synced before it gets its name, so that the file is always complete.
 * @param options `sealedKey` is stored in the copy, for {@link readSealedKey}
 * @throws BackupRefused
 */
export async function backupSqlite(
  source: string,
  file: string,
  options: { force: boolean; sealedKey: string | null },
): Promise<{ path: string; sizeBytes: number }> {
  const path = await refuseTarget(source, file, options.force);
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}.partial`);
  try {
    // Created empty first, so that other users can never read the copy, not even during the write.
    await (await open(draft, 'wx', 0o600)).close();
    copyInto(source, draft);
    writeSealedKey(draft, options.sealedKey);
    requireIntegrity(draft, 'the copy is damaged and was deleted. Run signet doctor');
    await syncFile(draft);
    if (!options.force) refuseExisting(path);
    await rename(draft, path);
    await syncFile(dirname(path));
    return { path, sizeBytes: (await stat(path)).size };
  } finally {
    for (const leftover of [draft, `${draft}-wal`, `${draft}-shm`, `${draft}-journal`])
      await rm(leftover, { force: true });
  }
}

function refuseExisting(path: string): void {
  if (existsSync(path)) throw new BackupRefused(`${path} is there already; name another file, or use --force`);
}

/** @returns the absolute path to write */
async function refuseTarget(source: string, file: string, force: boolean): Promise<string> {
  const wanted = resolve(file);
  const folder = await realpath(dirname(wanted)).catch(() => null);
  if (folder === null) throw new BackupRefused(`there is no folder ${dirname(wanted)}. Create it first`);
  const path = join(folder, basename(wanted));
  const database = await realpath(source);
  const target: Stats | null = await stat(path).catch(() => null);
  if (target && !target.isFile()) throw new BackupRefused(`${path} is not a file. Choose a file`);
  const original = await stat(database);
  const isDatabase = target !== null && target.ino === original.ino && target.dev === original.dev;
  if (isDatabase || [`${database}-wal`, `${database}-shm`].includes(path))
    throw new BackupRefused(`${path} belongs to the live database. Choose another file`);
  if (!force) refuseExisting(path);
  return path;
}

function copyInto(source: string, draft: string): void {
  const { db } = new SqliteConnection(source);
  try {
    db.prepare('VACUUM INTO ?').run(draft);
  } finally {
    db.close();
  }
}

/** Puts a sealed master key into a copy, in the place of one that it may hold. Null: the copy holds none afterwards. */
export function writeSealedKey(draft: string, sealedKey: string | null): void {
  const { db } = new SqliteConnection(draft);
  try {
    db.exec('drop table if exists backup_master_key');
    if (sealedKey === null) return;
    db.exec('create table backup_master_key (sealed text not null)');
    db.prepare('insert into backup_master_key (sealed) values (?)').run(sealedKey);
  } finally {
    db.close();
  }
}

/** Returns the sealed master key of a copy. Null when the copy has none. @throws BackupRefused */
export function readSealedKey(file: string): string | null {
  if (!existsSync(file)) throw new BackupRefused(`there is no file ${file}`);
  const { db } = new SqliteConnection(file, { readOnly: true });
  try {
    const row = db.prepare("select name from sqlite_master where name = 'backup_master_key'").get();
    return row ? String(db.prepare('select sealed from backup_master_key').get()?.sealed) : null;
  } catch {
    throw new BackupRefused(`${file} is not a copy of a Signet database`);
  } finally {
    db.close();
  }
}

/** @throws BackupRefused with `said` and the first fault */
function requireIntegrity(path: string, said: string): void {
  const { db } = new SqliteConnection(path);
  try {
    const findings = db
      .prepare('PRAGMA integrity_check')
      .all()
      .map((row) => String(row.integrity_check));
    if (findings.join() !== 'ok') throw new BackupRefused(`${said}: ${findings[0]}`);
  } finally {
    db.close();
  }
}

/** Writes a file or a folder to the disk. `VACUUM INTO` leaves it in the page cache. */
async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const COPY_NAME = /^signet-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.db$/;
const PARTIAL_NAME = /^\.signet-[\dTZ-]+\.db\.[\da-f-]{36}\.partial(-wal|-shm|-journal)?$/;
/** No copy writes nothing for so long. */
const PARTIAL_MAX_MS = 3_600_000;

/** The name of a copy made at a time: names sort by time. */
export const copyName = (at: number): string => `signet-${stampOf(at)}.db`;

/** A time for file names, `2026-11-22T07-50-00Z`. */
export const stampOf = (at: number): string => iso(at).slice(0, 19).replaceAll(':', '-').concat('Z');

/**
 * The copies in a folder that have names of {@link copyName} and are not later than `now`, oldest first. A later one was
 * made by a wrong clock: it must neither stop the copies nor push out those of the right time. Other files are none of ours.
 */
export function copiesIn(folder: string, now: number): { name: string; at: number }[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const [, day, hours, minutes, seconds] = COPY_NAME.exec(name) ?? [];
      const at = Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
      return at <= now ? [{ name, at }] : [];
    });
}

/** Removes what killed copies left in a folder. One that is still written changes all the time. */
export async function removePartialCopies(folder: string, now: number): Promise<void> {
  for (const name of readdirSync(folder)) {
    if (!PARTIAL_NAME.test(name)) continue;
    const path = join(folder, name);
    const changed = await stat(path).catch(() => null);
    if (changed && changed.mtimeMs < now - PARTIAL_MAX_MS) await rm(path, { force: true });
  }
}

/** Deletes the oldest copies beyond `keep`. @returns their names */
export async function pruneCopies(folder: string, { keep, now }: { keep: number; now: number }): Promise<string[]> {
  const old = copiesIn(folder, now).slice(0, -keep);
  for (const { name } of old) await rm(join(folder, name), { force: true });
  return old.map(({ name }) => name);
}

const DATABASE = 'signet.db';
/** The logs belong to one database file, and must never meet another. */
const COMPANIONS = [`${DATABASE}-wal`, `${DATABASE}-shm`, `${DATABASE}-journal`];
const KEY = 'master.key';
const DRAFT_NAME = /^\.restore-[\da-f-]{36}$/;
const SQLITE_BUSY = 5;

/** Copies for this user alone. A copy of a file takes its mode, and a copy may be read-only, or open to others. */
async function copyPrivately(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  await chmod(to, 0o600);
}

/**
 * Copies a backup into a new folder inside the data folder, checks it there, and calls `place` with that folder. The
 * backup is only read, and the folder is removed at the end. The caller has claimed the data folder.
 * @throws BackupRefused when the file is no sound copy of a Signet database
 */
export async function withDraft<T>(file: string, dataDir: string, place: (draft: string) => Promise<T>): Promise<T> {
  if (!existsSync(file)) throw new BackupRefused(`there is no file ${file}`);
  // Left by one that was killed: of this folder, which is locked, no other restore runs.
  for (const name of readdirSync(dataDir).filter((name) => DRAFT_NAME.test(name)))
    await rm(join(dataDir, name), { recursive: true, force: true });
  const draft = join(dataDir, `.restore-${randomUUID()}`);
  mkdirSync(draft, { mode: 0o700 });
  try {
    await copyPrivately(file, join(draft, DATABASE));
    // A database that was copied together with its log is complete only with it.
    if (existsSync(`${file}-wal`)) await copyPrivately(`${file}-wal`, join(draft, `${DATABASE}-wal`));
    requireSignet(file, join(draft, DATABASE));
    requireIntegrity(join(draft, DATABASE), `${file} is damaged`);
    return await place(draft);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function requireSignet(file: string, draft: string): void {
  const refusal = new BackupRefused(`${file} is not a copy of a Signet database`);
  let connection: SqliteConnection;
  try {
    connection = new SqliteConnection(draft);
  } catch {
    throw refusal;
  }
  try {
    const found = connection.db
      .prepare("select count(*) as n from sqlite_master where name in ('accounts', 'schema_migrations')")
      .get();
    if (found?.n !== 2) throw refusal;
  } catch {
    throw refusal;
  } finally {
    connection.db.close();
  }
}

/** The master key of the data folder, so that the draft can be checked as a service would start it. */
export function lendMasterKey(dataDir: string, draft: string): void {
  if (!existsSync(join(dataDir, KEY))) return;
  copyFileSync(join(dataDir, KEY), join(draft, KEY));
  chmodSync(join(draft, KEY), 0o600);
}

/**
 * Writes the logs of a database into its file, so that it is whole without them. A file that is damaged stays as it is.
 * @throws BackupRefused while another command uses it
 */
function foldLogs(dataDir: string): void {
  if (!existsSync(join(dataDir, DATABASE)) || !COMPANIONS.some((name) => existsSync(join(dataDir, name)))) return;
  let connection: SqliteConnection | undefined;
  try {
    connection = new SqliteConnection(join(dataDir, DATABASE));
    connection.db.exec('PRAGMA journal_mode = DELETE');
  } catch (err) {
    const { errcode = 0 } = err as { errcode?: number };
    // The low byte: the others say more about the same error.
    if ((errcode & 0xff) === SQLITE_BUSY)
      throw new BackupRefused('another signet command uses this database. Wait until it ends');
  } finally {
    connection?.db.close();
  }
}

/**
 * Puts the database of the draft, and a master key that it brings, in the place of those of the data folder. What was
 * there goes to a folder of its own. A crash in between leaves the whole old database or the new one, and the kept files.
 * @returns the folder of what was there; null when there was nothing
 */
export async function exchange(
  draft: string,
  dataDir: string,
  { stamp, bringsKey }: { stamp: string; bringsKey: boolean },
): Promise<string | null> {
  for (const name of COMPANIONS)
    if (existsSync(join(draft, name))) throw new Error(`${join(draft, name)} was not closed`);
  const names = [DATABASE, ...COMPANIONS, ...(bringsKey ? [KEY] : [])];
  const made = names.filter((name) => existsSync(join(draft, name)));
  for (const name of made) await syncFile(join(draft, name));
  foldLogs(dataDir);
  const present = names.filter((name) => existsSync(join(dataDir, name)));
  const kept = present.length > 0 ? makeFree(join(dataDir, `before-restore-${stamp}`)) : null;
  if (kept) {
    // Links first: whatever happens next, the whole old database is in the kept folder.
    for (const name of present) await link(join(dataDir, name), join(kept, name));
    await syncFile(kept);
  }
  for (const name of COMPANIONS) await rm(join(dataDir, name), { force: true });
  for (const name of made) await rename(join(draft, name), join(dataDir, name));
  await syncFile(dataDir);
  return kept;
}

/** Makes a folder of this name, or of the next free one: two restores may fall into one second. */
function makeFree(path: string): string {
  for (let n = 1; ; n += 1) {
    const free = n === 1 ? path : `${path}-${n}`;
    try {
      mkdirSync(free, { mode: 0o700 });
      return free;
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code !== 'EEXIST') throw err;
    }
  }
}

/** Whether two paths name one file. */
export async function isSameFile(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([a, b].map((path) => stat(path).catch(() => null)));
  return one !== null && other !== null && one?.ino === other?.ino && one?.dev === other?.dev;
}
