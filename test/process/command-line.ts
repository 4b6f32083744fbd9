import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
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
