import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { bytesText, CommandError, failureOf, type Output, say } from '../output.ts';
import { backup, type Restored, restore, type ScheduledCopies, scheduledCopies } from './backups.ts';
import type { AdminRun } from './command-context.ts';

interface BackupOptions {
  force?: boolean;
  includeKeyWith?: string;
  /** Milliseconds. */
  every?: number;
  keep?: number;
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const KEEP = 24;
/** A copy that failed is tried again after this, or after the interval if that is shorter. */
const RETRY_MS = 300_000;
/** How often the clock and the folder are looked at again: a clock that was wrong at the start may be set back. */
const LOOK_MS = 60_000;

function durationMs(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,4})([smhd])$/.exec(text) ?? [];
  const ms = Number(number) * (UNITS[unit] ?? 0);
  if (ms === 0) throw new InvalidArgumentError('It must be a number with s, m, h or d, such as 1h.');
  return ms;
}

function count(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) < 1) throw new InvalidArgumentError('It must be a number of at least 1.');
  return Number(text);
}

const keyText = (isIncluded: boolean): string =>
  isIncluded
    ? 'The master key is in it, sealed: a restore needs the passphrase.'
    : 'The master key is not in it, and a restore needs it: keep MASTER_KEY or DATA_DIR/master.key in another place.';

async function copyOnce(output: Output, file: string, options: BackupOptions): Promise<void> {
  const { force = false, includeKeyWith = null } = options;
  const { path, sizeBytes } = await backup(file, { force, includeKeyWith });
  const isIncluded = includeKeyWith !== null;
  say(
    output,
    { path, size_bytes: sizeBytes, integrity: 'ok', master_key: isIncluded ? 'included' : 'not included' },
    `${path}: ${bytesText(sizeBytes)}, integrity checked\n${keyText(isIncluded)}`,
  );
}

/** Aborted by the first SIGTERM or SIGINT. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}

/** Makes a copy at each interval, counted from the newest one, until it is stopped. A failure is told and tried again. */
async function copyForever(
  copies: ScheduledCopies,
  { everyMs, keep }: { everyMs: number; keep: number },
  { output, warn }: AdminRun,
): Promise<void> {
  const stop = stopSignal();
  const tell = (value: object, text: string): void =>
    output().write(output().json ? `${JSON.stringify(value)}\n` : `${text}\n`);
  tell({ folder: copies.folder, every_seconds: everyMs / 1000, keep }, `copies go to ${copies.folder}`);
  /** @returns how long to wait, milliseconds */
  const turn = async (): Promise<number> => {
    const newest = copies.newestAt();
    const leftMs = newest === null ? 0 : newest + everyMs - systemClock.now();
    if (leftMs > 0) return Math.min(leftMs, LOOK_MS);
    const { path, sizeBytes } = await copies.make();
    const deleted = await copies.prune(keep);
    const rest = deleted.length === 0 ? '' : `; deleted ${deleted.join(', ')}`;
    tell({ path, size_bytes: sizeBytes, integrity: 'ok', deleted }, `${path}: ${bytesText(sizeBytes)}${rest}`);
    return Math.min(everyMs, UNITS.s as number);
  };
  while (!stop.aborted) {
    const waitMs = await turn().catch((err) => {
      warn(`no copy was made: ${failureOf(err).line}`);
      return Math.min(everyMs, RETRY_MS);
    });
    await sleep(waitMs, undefined, { signal: stop }).catch(() => {});
  }
}

function restoredText({ path, kept, migrated, audit }: Restored): string {
  const lines = [
    `${path} is restored: integrity checked, ${audit.entries} audit entries in ${audit.chains} chains valid`,
  ];
  if (migrated.length > 0) lines.push(`updated the schema: ${migrated.at(0)} to ${migrated.at(-1)}`);
  if (kept !== null) lines.push(`what was there before is in ${kept}`);
  return lines.join('\n');
}

/** Adds `backup` and `restore` to the program. */
export function addBackupCommands(program: Command, run: AdminRun): void {
  program
    .command('backup [file]')
    .description('copy the SQLite database, even while the service runs')
    .option('--force', 'replace an existing file')
    .option('--include-key-with <passphrase-file>', 'add the master key, sealed with the passphrase in this file')
    .option('--every <interval>', 'stay, and copy into a folder (DATA_DIR/backups) each 30m, 1h, 1d, …', durationMs)
    .option('--keep <number>', `with --every: how many copies stay (default ${KEEP})`, count)
    .action(async (file: string | undefined, options: BackupOptions) => {
      const { every: everyMs, keep = KEEP, includeKeyWith = null } = options;
      if (everyMs !== undefined && options.force) throw new CommandError(2, '--force does not go with --every');
      if (everyMs !== undefined)
        return copyForever(scheduledCopies(file ?? null, includeKeyWith), { everyMs, keep }, run);
      if (options.keep !== undefined) throw new CommandError(2, '--keep goes with --every, such as --every 1h');
      if (file === undefined) throw new CommandError(2, 'name the file of the copy, or use --every');
      return copyOnce(run.output(), file, options);
    });

  program
    .command('restore <file>')
    .description('put a copy of the SQLite database in the place of the present one')
    .option('--to <folder>', 'the data folder (default DATA_DIR)')
    .option('--key-with <passphrase-file>', 'also restore the master key that the copy holds')
    .action(async (file: string, { to, keyWith }: { to?: string; keyWith?: string }) => {
      const restored = await restore(file, { to: to ?? null, keyWith: keyWith ?? null });
      const { path, kept, migrated, audit } = restored;
      say(run.output(), { ok: true, path, kept, migrated, integrity: 'ok', audit }, restoredText(restored));
    });
}
