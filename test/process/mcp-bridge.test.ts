import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Env, root, succeeds } from './command-line.ts';
import { ROOMY_LIMITS, type Service, startService } from './service.ts';

interface Called {
  content: { text?: string }[];
  isError?: boolean;
}

describe('signet mcp', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signet-bridge-'));
  let service: Service;
  let env: Env;
  before(async () => {
    service = await startService({ DATA_DIR: join(folder, 'data'), LIMITS: ROOMY_LIMITS });
    env = { XDG_CONFIG_HOME: join(folder, 'config'), SIGNET_URL: service.baseUrl };
    await succeeds(env, 'register', '--name', 'ada');
  });
  after(async () => {
    await service?.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });

  const processEnv = (): Env => ({ PATH: process.env.PATH ?? '', HOME: folder, ...env });

  for (const mode of ['auto', 'legacy'] as const) {
    it(`gives the official client every tool, and seals on this machine (${mode})`, async () => {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
      const [command, args] = ['sh', ['bin/signet', 'mcp']];
      await client.connect(new StdioClientTransport({ command, args, cwd: root, env: processEnv(), stderr: 'ignore' }));
      try {
        const { tools } = await client.listTools();
        const store = tools.find(({ name }) => name === 'store_secret');
        assert.deepEqual(Object.keys(store?.inputSchema.properties ?? {}), ['key', 'value', 'idempotency_key']);
        assert.ok(tools.length >= 20, `${tools.length} tools`);
        const call = async (name: string, given: Record<string, unknown> = {}) => {
          const { content, isError } = (await client.callTool({ name, arguments: given })) as Called;
          return { isError, text: content[0]?.text ?? '', data: () => JSON.parse(content[0]?.text ?? '') };
        };
        const key = `db-${mode}`;
        const first = await call('store_secret', { key, value: 'correct horse' });
        // The first of all makes the seed, and says so.
        assert.equal(/Made a seed: \S*seed-acc_/.test(first.text), mode === 'auto', first.text);
        assert.deepEqual((await call('read_secret', { key })).data(), { key, value: 'correct horse' });
        const once = { key: `once-${mode}`, value: 'x', idempotency_key: `o-${mode}` };
        const twice = await Promise.all([call('store_secret', once), call('store_secret', once)]);
        const versions = twice.map(({ data }) => data().version);
        assert.deepEqual(versions, [1, 1]);
        assert.equal((await call('store_secret', { ...once, value: 'y' })).isError, true);
        // JSON may hold line separators, which end no message.
        const separated = { key: `separated-${mode}`, value: 'a\u2028b\u2029c' };
        await call('store_secret', separated);
        assert.deepEqual((await call('read_secret', { key: separated.key })).data(), separated);
        const stored = await succeeds(env, 'call', 'getVaultEntry', '--key', key);
        assert.doesNotMatch(stored.stdout, /correct/);
        assert.equal((await succeeds(env, 'secret', 'get', key)).stdout, 'correct horse\n');
        assert.deepEqual((await call('whoami')).data().addresses, ['ada@agents.localhost']);
        const missing = await call('read_secret', { key: 'none' });
        assert.equal(missing.isError, true);
      } finally {
        await client.close();
      }
    });
  }

  /** What the bridge answers to messages, by their ids. */
  async function said(input: string, more: Env = {}, ...args: string[]) {
    const child = spawn('sh', ['bin/signet', 'mcp', ...args], { cwd: root, env: { ...processEnv(), ...more } });
    const [out, err] = [text(child.stdout), text(child.stderr)];
    child.stdin.end(input);
    const code = await new Promise((resolve) => child.on('close', resolve));
    const lines = (await out).split('\n').filter((line) => line !== '');
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever an answer holds, and fails where it does not.
    return { code, err: await err, answers: lines.map((line) => JSON.parse(line) as any) };
  }
  const calling = (id: number, name: string, args: object): string =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })}\n`;
  const textOf = ({ result }: { result: Called }): string => result.content[0]?.text ?? '';

  it('answers each message with its id, also when the service refuses or the message is broken', async () => {
    const input = `"${'x'.repeat(17 * 1024 * 1024)}"\nnot json\n{"jsonrpc":"2.0","id":7,"method":"tools/list"}\n`;
    const { answers } = await said(input + calling(8, 'whoami', {}), { SIGNET_KEY: 'signet_live_wrong' });
    assert.deepEqual(answers.map(({ id }) => id).sort(), [7, 8, null, null]);
    for (const { id, error, result } of answers)
      if (id === 8) assert.match(textOf({ result }), /unauthorized: .*run signet login, or set SIGNET_KEY/);
      else assert.equal(typeof error?.code, 'number');
    assert.match(answers.find(({ id }) => id === 7).error.message, /signet login/);
  });

  it('says to the model what is wrong and what to do: no service, no seed; and starts for no unknown group', async () => {
    const away = await said(calling(1, 'whoami', {}), {
      SIGNET_URL: 'http://127.0.0.1:1',
      SIGNET_KEY: 'signet_live_x',
    });
    assert.equal(away.answers[0].result.isError, true);
    assert.match(textOf(away.answers[0]), /cannot be reached.*check SIGNET_URL/);
    // The vault of ada has entries, and this machine has no seed of it.
    const { key } = JSON.parse(readFileSync(join(folder, 'config', 'signet', 'login.json'), 'utf8'));
    const elsewhere = { XDG_CONFIG_HOME: join(folder, 'elsewhere'), SIGNET_KEY: key };
    const calls = calling(1, 'read_secret', { key: 'db-auto' }) + calling(2, 'store_secret', { key: 'x', value: 'y' });
    for (const answer of (await said(calls, elsewhere)).answers) {
      assert.equal(answer.result.isError, true);
      assert.match(textOf(answer), /no seed for this vault: set SIGNET_SEED, or copy it to/);
    }
    const bogus = await said(calling(1, 'whoami', {}), {}, '--group', 'bogus');
    assert.deepEqual([bogus.code, bogus.answers], [2, []]);
    assert.match(bogus.err, /Allowed choices are mail, vault, money, calendar, identity, events/);
    const mail = await said('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n', {}, '--group', 'mail');
    assert.ok(mail.answers[0].result.tools.length > 3);
  });
});
