import assert from 'node:assert/strict';
import {
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  execFile,
  execFileSync,
  fork,
  spawn,
} from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../src/config/service-config.ts';
import { openDatabase } from '../../src/db/open.ts';
import { verifyChain } from '../../src/features/record/audit/audit-log.ts';
import { type Api, runSql } from '../support/harness.ts';
import type { Service } from './service.ts';

export type Env = Record<string, string>;

export interface Run {
  code: number;
  stdout: string;
  stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the output holds, and fails where it does not.
  json(): any;
}

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A command for `command-host.ts`. */
export interface HostedCommand {
  args: string[];
  env: Env;
  isTerminal: boolean;
  stdin?: string;
}

export interface HostedRun {
  code: number;
  stdout: string;
  stderr: string;
}

let host: ChildProcess | undefined;
let waiting: Promise<unknown> = Promise.resolve();

function startHost(): ChildProcess {
  const child = fork(new URL('./command-host.ts', import.meta.url), { cwd: root });
  // It lives as long as the tests, and keeps nobody waiting.
  child.unref();
  child.channel?.unref();
  process.on('exit', () => child.kill('SIGKILL'));
  return child;
}

function runHosted(command: HostedCommand): Promise<HostedRun> {
  host ??= startHost();
  const child = host;
  child.channel?.ref();
  return new Promise<HostedRun>((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`the host of commands ended: ${code}`));
    child.once('exit', onExit);
    child.once('message', (run) => {
      child.off('exit', onExit);
      child.channel?.unref();
      resolve(run as HostedRun);
    });
    child.send(command);
  });
}

function runAlone({ args, env }: HostedCommand): Promise<HostedRun> {
  return new Promise((resolve, reject) => {
    execFile('sh', ['bin/signet', ...args], { cwd: root, env, timeout: 120_000 }, (err, stdout, stderr) => {
      if (err && typeof err.code !== 'number') reject(err);
      else resolve({ code: Number(err?.code ?? 0), stdout, stderr });
    });
  });
}

const seen = new Set<string>();

/** True once for each command. */
function isFirst([word = '', more = '']: readonly string[]): boolean {
  const name = `${word} ${/^[a-z-]+$/.test(more) ? more : ''}`;
  return !seen.has(name) && seen.add(name) !== undefined;
}

/**
 * Runs `signet …` until it ends, as an operator would: the first time in a process of its own. Later the same command
 * runs in a process that has the service loaded already.
 */
export async function signet(env: Env, ...args: string[]): Promise<Run> {
  const { PATH = '', HOME = '' } = process.env;
  const command = { args, env: { PATH, HOME, ...env }, isTerminal: false };
  const needsProcess = args[0] === 'serve' || isFirst(args);
  const run = needsProcess ? runAlone(command) : waiting.then(() => runHosted(command));
  if (!needsProcess) waiting = run.catch(() => {});
  const { code, stdout, stderr } = await run;
  return { code, stdout, stderr, json: () => JSON.parse(stdout) };
}

/** Runs a command in a process beside others. */
export async function signetAlone(env: Env, ...args: string[]): Promise<Run> {
  const { PATH = '', HOME = '' } = process.env;
  const run = await runAlone({ args, env: { PATH, HOME, ...env }, isTerminal: false });
  return { ...run, json: () => JSON.parse(run.stdout) };
}

/** Runs a command, an agent's too, after those before it in a process that has the code loaded already. */
export async function hosted(env: Env, args: readonly string[], stdin = ''): Promise<Run> {
  const { PATH = '', HOME = '' } = process.env;
  const run = waiting.then(() => runHosted({ args: [...args], env: { PATH, HOME, ...env }, isTerminal: false, stdin }));
  waiting = run.catch(() => {});
  const { code, stdout, stderr } = await run;
  return { code, stdout, stderr, json: () => JSON.parse(stdout) };
}

/** A command that runs, in a process of its own. */
export interface Running {
  child: ChildProcessWithoutNullStreams;
  /** What stderr says once it fits: the first group. Rejects if the command ends before. */
  said(pattern: RegExp): Promise<string>;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }>;
}

/** Starts `signet …`, for commands that wait. */
export function startSignet(env: Env, ...args: string[]): Running {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('sh', ['bin/signet', ...args], { cwd: root, env: { PATH, HOME, ...env } });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => {
    written.stdout += text;
  });
  child.stderr.on('data', (text) => {
    written.stderr += text;
  });
  const ended: Running['ended'] = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, ...written }));
  });
  const said = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(written.stderr)?.[1];
        if (found !== undefined) resolve(found);
      };
      look();
      child.stderr.on('data', look);
      ended.then(({ stderr }) => reject(new Error(`it ended: ${stderr}`)), reject);
    });
  return { child, said, ended };
}

/** What a command writes to a pipe, byte by byte. */
export function bytesFrom(env: Env, ...args: string[]): Buffer {
  const { PATH = '', HOME = '' } = process.env;
  return execFileSync('sh', ['bin/signet', ...args], { cwd: root, env: { PATH, HOME, ...env } });
}

/** What a command writes to a terminal. */
export async function shownOnTerminal(env: Env, ...args: string[]): Promise<string> {
  const run = waiting.then(() => runHosted({ args, env, isTerminal: true }));
  waiting = run.catch(() => {});
  return (await run).stdout;
}

export async function succeeds(env: Env, ...args: string[]): Promise<Run> {
  const run = await signet(env, ...args);
  assert.equal(run.code, 0, `${args.join(' ')}: ${run.stdout}${run.stderr}`);
  assert.equal(run.stderr, '');
  return run;
}

/** Checks for the exit code, no output on stdout, and one line on stderr. */
export async function refuses(env: Env, code: 1 | 2, said: RegExp, ...args: string[]): Promise<void> {
  const run = await signet(env, ...args);
  assert.equal(run.code, code, `${args.join(' ')}: ${run.stdout}${run.stderr}`);
  assert.equal(run.stdout, '');
  assert.match(run.stderr, /^signet: [^\n]+\n$/);
  assert.match(run.stderr, said);
}

export async function createAccount(service: Service, name = 'Ada'): Promise<{ id: string; key: string; api: Api }> {
  const { status, body, text } = await service.api().post('/v1/auth/keys', { name });
  assert.equal(status, 201, text);
  return { id: body.account_id, key: body.api_key, api: service.api(body.api_key) };
}

/** Checks the account's audit chain. @returns its entries by the administrator */
export async function operatorEntries(env: Env, id: string): Promise<string[]> {
  const config = readConfig(env);
  const database = openDatabase(config);
  try {
    assert.equal((await verifyChain(database, id)).fault, null);
  } finally {
    await database.close();
  }
  const rows = await runSql(config, 'select entry from audit_entries where account_id = ? order by seq', [id]);
  const entries = rows.map(({ entry }) => JSON.parse(String(entry)) as { actor: { kind: string }; action: string });
  return entries.filter(({ actor }) => actor.kind === 'administrator').map(({ action }) => action);
}
