import { randomUUID } from 'node:crypto';
import { existsSync, type Stats } from 'node:fs';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { SqliteConnection } from '../../db/sqlite.ts';

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
    verify(draft);
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

/** The copy was once restored from a copy with a key, which may be another one. */
function writeSealedKey(draft: string, sealedKey: string | null): void {
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

function verify(draft: string): void {
  const { db } = new SqliteConnection(draft);
  try {
    const findings = db
      .prepare('PRAGMA integrity_check')
      .all()
      .map((row) => String(row.integrity_check));
    if (findings.join() !== 'ok')
      throw new BackupRefused(`the copy is damaged and was deleted: ${findings[0]}. Run signet doctor`);
  } finally {
    db.close();
  }
}

/** Writes a file to the disk. `VACUUM INTO` leaves it in the page cache. */
async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
