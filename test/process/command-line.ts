import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runAdministration } from '../../src/administration.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/db/open.ts';
import { verifyChain } from '../../src/features/audit/audit-rules.ts';
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

/** Runs an administrator's command in this process, which saves the second that a new process takes to load the code. */
export async function signetHere(env: Env, ...args: string[]): Promise<Run> {
  const { PATH = '', HOME = '' } = process.env;
  const [own, umask] = [process.env, process.umask(0o077)];
  const said = { stdout: '', stderr: '' };
  const into = (name: keyof typeof said) => ({
    write: (text: string) => {
      said[name] += text;
    },
  });
  process.env = { PATH, HOME, ...env };
  try {
    const code = await runAdministration(args, { out: into('stdout'), err: into('stderr') });
    return { code, ...said, json: () => JSON.parse(said.stdout) };
  } finally {
    process.env = own;
    process.umask(umask);
  }
}

/** Runs `signet …` until it ends, as an operator would. */
export function signet(env: Env, ...args: string[]): Promise<Run> {
  const { PATH = '', HOME = '' } = process.env;
  const options = { cwd: root, env: { PATH, HOME, ...env }, timeout: 30_000 };
  return new Promise((resolve, reject) => {
    execFile('sh', ['bin/signet', ...args], options, (err, stdout, stderr) => {
      if (err && typeof err.code !== 'number') reject(err);
      else resolve({ code: Number(err?.code ?? 0), stdout, stderr, json: () => JSON.parse(stdout) });
    });
  });
}

export const succeeds = (env: Env, ...args: string[]): Promise<Run> => succeeded(signet(env, ...args), args);

export const succeedsHere = (env: Env, ...args: string[]): Promise<Run> => succeeded(signetHere(env, ...args), args);

async function succeeded(running: Promise<Run>, args: string[]): Promise<Run> {
  const run = await running;
  assert.equal(run.code, 0, `${args.join(' ')}: ${run.stdout}${run.stderr}`);
  assert.equal(run.stderr, '');
  return run;
}

/** Checks for the exit code, no output on stdout, and one line on stderr. */
export const refuses = (env: Env, code: 1 | 2, said: RegExp, ...args: string[]): Promise<void> =>
  refused(signet(env, ...args), code, said, args);

export const refusesHere = (env: Env, code: 1 | 2, said: RegExp, ...args: string[]): Promise<void> =>
  refused(signetHere(env, ...args), code, said, args);

async function refused(running: Promise<Run>, code: 1 | 2, said: RegExp, args: string[]): Promise<void> {
  const run = await running;
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

/** Checks the account's audit chain. @returns its entries by the operator */
export async function operatorEntries(env: Env, id: string): Promise<string[]> {
  const config = readConfig(env);
  const database = openDatabase(config);
  try {
    assert.equal((await verifyChain(database, id)).fault, null);
  } finally {
    await database.close();
  }
  const rows = await runSql(config, 'select entry from audit_entries where account_id = ? order by seq', [id]);
  const entries = rows.map(({ entry }) => JSON.parse(String(entry)) as { actor: string; action: string });
  return entries.filter(({ actor }) => actor === 'operator').map(({ action }) => action);
}
