import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** For `skip`. */
export const mayMount = process.getuid?.() === 0 ? false : 'needs root: it mounts a small disk';

/** Runs a command that must succeed. */
export function run(command: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${stderr}`);
}

/** Mounts a disk of this size in memory for the time of the work. */
export async function onSmallDisk(megabytes: number, work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'signet-disk-'));
  run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0777`, 'tmpfs', folder);
  try {
    await work(folder);
  } finally {
    spawnSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Fills what is left of a disk. @returns what empties it */
export function fill(folder: string): () => void {
  const ballast = join(folder, 'ballast');
  const { bavail, bsize } = statfsSync(folder);
  try {
    writeFileSync(ballast, Buffer.alloc(bavail * bsize));
  } catch {
    // The service took the last block. The disk is full all the same.
  }
  return () => rmSync(ballast, { force: true });
}
