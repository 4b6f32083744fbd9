import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Env, root, succeeds } from './command-line.ts';
import { ROOMY_LIMITS, type Service, startService } from './service.ts';

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
        const call = async (name: string, given: Record<string, unknown> = {}) =>
          client.callTool({ name, arguments: given });
        const key = `db-${mode}`;
        await call('store_secret', { key, value: 'correct horse' });
        const read = await call('read_secret', { key });
        assert.deepEqual(read.structuredContent, { key, value: 'correct horse' });
        const once = { key: `once-${mode}`, value: 'x', idempotency_key: `o-${mode}` };
        const twice = await Promise.all([call('store_secret', once), call('store_secret', once)]);
        const versions = twice.map(({ structuredContent }) => (structuredContent as { version: number }).version);
        assert.deepEqual(versions, [1, 1]);
        assert.equal((await call('store_secret', { ...once, value: 'y' })).isError, true);
        // JSON may hold line separators, which end no message.
        const separated = { key: `separated-${mode}`, value: 'a\u2028b\u2029c' };
        await call('store_secret', separated);
        assert.deepEqual((await call('read_secret', { key: separated.key })).structuredContent, separated);
        const stored = await succeeds(env, 'call', 'getVaultEntry', '--key', key);
        assert.doesNotMatch(stored.stdout, /correct/);
        assert.equal((await succeeds(env, 'secret', 'get', key)).stdout, 'correct horse\n');
        const who = (await call('whoami')).structuredContent as { addresses: string[] };
        assert.deepEqual(who.addresses, ['ada@agents.localhost']);
        const missing = await call('read_secret', { key: 'none' });
        assert.equal(missing.isError, true);
      } finally {
        await client.close();
      }
    });
  }

  it('answers each message with its id, also when the service refuses or the message is broken', async () => {
    const child = spawn('sh', ['bin/signet', 'mcp'], {
      cwd: root,
      env: { ...processEnv(), SIGNET_KEY: 'signet_live_wrong' },
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk;
    });
    child.stdin.write(`"${'x'.repeat(17 * 1024 * 1024)}"\n`);
    child.stdin.end('not json\n{"jsonrpc":"2.0","id":7,"method":"tools/list"}\n');
    await new Promise((resolve) => child.on('close', resolve));
    const answers = said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number | null; error?: { code: number } });
    assert.deepEqual(answers.map(({ id }) => id).sort(), [7, null, null]);
    assert.ok(answers.every(({ error }) => typeof error?.code === 'number'));
  });
});
