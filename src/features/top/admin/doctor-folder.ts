import { accessSync, constants, existsSync, lstatSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type Check, fail, listed, ok, warn } from './doctor-check.ts';

interface FolderDeps {
  dataDir: string;
}

const MIB = 1024 ** 2;
const FREE_WARN = 1024 * MIB;
const FREE_FAIL = 100 * MIB;

export function checkDataDir({ dataDir }: FolderDeps): Check[] {
  const name = 'data folder';
  if (!existsSync(dataDir))
    return [warn(name, `${dataDir} does not exist yet`, 'signet serve creates it. DATA_DIR sets another folder')];
  const { mode, uid } = statSync(dataDir);
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [
      fail(name, `${dataDir} cannot be written`, `Give it to the user that runs the service: chown -R … ${dataDir}`),
    ];
  }
  const me = userInfo();
  if (uid !== me.uid)
    return [warn(name, `${dataDir} belongs to user ${uid}, and this is ${me.uid}`, 'Run signet as that user')];
  if ((mode & 0o077) !== 0)
    return [warn(name, `${dataDir} is open to other users`, `It holds mail and keys: chmod 700 ${dataDir}`)];
  return [ok(name, `${dataDir} is writable, and its owner's alone`)];
}

/** Checks the files of the data folder: an existing file keeps the mode that it was created with. */
export function checkFiles({ dataDir }: FolderDeps): Check[] {
  if (!existsSync(dataDir)) return [];
  const name = 'data files';
  const open = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .filter((file) => isOpen(join(dataDir, file)))
    .sort();
  if (open.length === 0) return [ok(name, 'only their owner can read them')];
  const remedy = `They hold mail and keys: chmod -R go-rwx ${dataDir}`;
  return [warn(name, `the modes of ${listed(open)} let other users in`, remedy)];
}

/** Whether other users may read or write it. A file that is gone meanwhile is not open. */
function isOpen(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && !stats.isSymbolicLink() && (stats.mode & 0o077) !== 0;
}

export function checkDisk({ dataDir }: FolderDeps): Check[] {
  if (!existsSync(dataDir)) return [];
  const { bavail, bsize } = statfsSync(dataDir);
  const free = bavail * bsize;
  const message = `${Math.floor(free / MIB)} MiB free in ${dataDir}`;
  if (free < FREE_FAIL) return [fail('disk', message, 'Make room: writes fail when it is full')];
  return [free < FREE_WARN ? warn('disk', message, 'Make room soon') : ok('disk', message)];
}

/** Mail for the people who run the service that was kept and not forwarded; older versions kept it in files. */
export function checkKeptMail(
  { dataDir, postmasterMail }: FolderDeps & { postmasterMail: string | null },
  kept: number,
): Check {
  const name = 'postmaster mail';
  const dir = join(dataDir, 'postmaster');
  const files = existsSync(dir) ? readdirSync(dir).filter((file) => file.endsWith('.eml')).length : 0;
  if (files > 0) return warn(name, `${files} mails to postmaster or abuse are in ${dir}`, 'Read and delete them');
  if (kept > 0) return warn(name, `${kept} mails to postmaster or abuse wait`, 'Read them: signet postmaster list');
  if (postmasterMail !== null) return ok(name, `goes to ${postmasterMail}`);
  return warn(name, 'mail to postmaster and abuse will be kept', 'Set POSTMASTER_MAIL to forward it');
}
