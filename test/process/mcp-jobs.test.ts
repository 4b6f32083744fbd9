import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { confirmOperator, createAgent, openSession, type TestAgent } from '../support/agents.ts';
import { startTestApp, type TestApp } from '../support/harness.ts';
import { wordsOf } from '../support/mcp.ts';
import { root } from './command-line.ts';
import { JOB_NAMES, type JobName } from './job-names.ts';

/**
 * The jobs of an agent over MCP, as a host does them: it starts the bridge from its configuration file, and has nothing but
 * tools. What no model may do, a person does on the page that the service names.
 */

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever a result holds, and fails where it does not.
type Data = any;

/** What the operator does beside the agent. */
interface World {
  t: TestApp;
  agent: TestAgent;
  other: TestAgent;
  operator: TestAgent['api'];
  /** Calls a tool that must not refuse. */
  use(name: string, args?: Record<string, unknown>): Promise<Data>;
  /** Calls a tool that must refuse. @returns what it says */
  refused(name: string, args?: Record<string, unknown>): Promise<Data>;
}

/** A job that a person does: the model is told where, and changes nothing itself. */
async function byPerson({ t, use, refused }: World, query: string, operation: string, page: string): Promise<void> {
  const { for_a_person: place } = await use('find_operation', { query });
  assert.equal(place?.page, `${t.baseUrl}/dashboard#/${page}`, query);
  const said = await refused('call_operation', { id: operation, arguments: {} });
  assert.ok(said.message.includes(place.page), said.message);
}

const JOBS: Record<JobName, (world: World) => Promise<void>> = {
  identity: async ({ agent, use }) => {
    const { addresses, account_id: id } = await use('whoami');
    assert.deepEqual([addresses, id], [[agent.address], agent.accountId]);
  },
  code: async ({ t, agent, use }) => {
    await t.sendSmtp({ to: agent.address, from: 'shop@example.com', subject: 'Sign in', text: 'Your code is 481922.' });
    const found = await use('wait_for_code', { after: '2020-01-01T00:00:00Z', wait: 20 });
    assert.equal(wordsOf(found)['code.code'], '481922');
  },
  reply: async ({ agent, other, use }) => {
    await other.api.post('/v1/email/send', {
      from: other.address,
      to: agent.address,
      subject: 'Lunch',
      text: 'At 12?',
    });
    const { messages } = await use('search_mail', { q: 'subject:Lunch' });
    const [{ message_id: id }] = messages;
    assert.equal(wordsOf(await use('read_mail', { id })).text, 'At 12?');
    await use('reply_mail', { id, text: 'Yes.', idempotency_key: 'lunch' });
    const inbox = (await other.api.get(`/v1/email/inbox?address=${other.address}`)).body.messages;
    assert.equal(inbox[0].subject, 'Re: Lunch');
  },
  secret: async ({ agent, use }) => {
    const stored = await use('store_secret', { key: 'db', value: 'correct horse' });
    assert.match(stored.seed, /^Made a seed: /);
    assert.equal((await use('read_secret', { key: 'db' })).value, 'correct horse');
    assert.doesNotMatch((await agent.api.get('/v1/vault/db')).text, /correct/);
  },
  budget: async ({ use }) => {
    const { status } = await use('budget');
    const charged = await use('charge', { amount: '0.02', description: 'tokens', idempotency_key: 'b1' });
    assert.deepEqual([status, charged.status, charged.amount_usdc], ['active', 'completed', 20_000]);
  },
  token: async ({ agent, use }) => {
    const { token } = await use('issue_token', { audience: 'https://a.example', scopes: ['mail:read'] });
    assert.equal((await agent.api.post('/v1/tokens/introspect', { token })).body.active, true);
  },
  webhook: async (world) => {
    await byPerson(world, 'create a webhook', 'createEventWebhook', 'webhooks');
    assert.equal((await world.agent.api.get('/v1/webhooks')).body.webhooks.length, 0);
  },
  calendar: async ({ use }) => {
    await use('add_event', { summary: 'Stand-up', start: '2026-02-01T09:00:00Z', end: '2026-02-01T09:15:00Z' });
    assert.equal((await use('list_events')).events[0].summary, 'Stand-up');
  },
  pod: async (world) => byPerson(world, 'create a pod', 'createPod', 'pods'),
  delegation: async (world) => byPerson(world, 'delegate to another account', 'createDelegation', 'identity'),
  thief: async (world) => byPerson(world, 'my key was stolen', 'secureAccount', 'settings'),
  policy: async (world) => byPerson(world, 'update the mail policy', 'setMailPolicy', 'mail'),
  export: async (world) => byPerson(world, 'export the account', 'exportAccount', 'settings'),
  approval: async ({ agent, operator, use }) => {
    await agent.api.put('/v1/budget', { on_limit: 'approve', single_tx_limit_cents: 1 });
    const asked = await use('charge', { amount: '1.00', description: 'a server' });
    assert.equal(asked.status, 'approval_required');
    await operator.post(`/v1/approvals/${asked.approval_id}/approve`, {}, { 'signet-account': agent.accountId });
    assert.equal((await use(asked.next.tool, asked.next.arguments)).status, 'approved');
  },
};

describe('the jobs of an agent over MCP', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signet-jobs-'));
  let world: World;
  let client: Client;
  let spent = { calls: 0, bytes: 0 };

  /** The block of docs/cli.md, with the paths of this machine. */
  const hostConfig = (t: TestApp, key: string): Data => {
    const text = readFileSync(join(root, 'docs/cli.md'), 'utf8');
    const [, block = ''] = /```json\n(\{\n {2}"mcpServers"[\s\S]*?)```/.exec(text) ?? [];
    const local = block.replace('/path/to/signet', root.replace(/\/$/, '')).replace('http://127.0.0.1:8787', t.baseUrl);
    const { signet } = JSON.parse(local).mcpServers;
    return { ...signet, env: { ...signet.env, SIGNET_KEY: key, XDG_CONFIG_HOME: folder } };
  };

  before(async () => {
    const t = await startTestApp('sqlite');
    const [agent, other] = [await createAgent(t), await createAgent(t)];
    await confirmOperator(t, agent, 'boss@example.org');
    const operator = await openSession(t, 'boss@example.org');
    client = new Client({ name: 'host', version: '1' });
    // A host passes on what the file says, and little of its own environment.
    await client.connect(new StdioClientTransport({ ...hostConfig(t, agent.key), stderr: 'ignore' }));
    const call = async (name: string, args: Record<string, unknown>) => {
      const result = (await client.callTool({ name, arguments: args })) as Data;
      spent = { calls: spent.calls + 1, bytes: spent.bytes + Buffer.byteLength(JSON.stringify(result)) };
      return { isError: result.isError === true, data: JSON.parse(result.content[0].text) };
    };
    const must =
      (isRefused: boolean) =>
      async (name: string, args: Record<string, unknown> = {}) => {
        const { isError, data } = await call(name, args);
        assert.equal(isError, isRefused, `${name}: ${JSON.stringify(data)}`);
        return data;
      };
    world = { t, agent, other, operator, use: must(false), refused: must(true) };
  });
  after(async () => {
    await client?.close();
    await world?.t.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it(`does the ${JOB_NAMES.length} jobs, and no call of them is wrong`, async (test) => {
    const listed = Buffer.byteLength(JSON.stringify(await client.listTools()));
    test.diagnostic(`before the first call: ${listed} bytes of tools`);
    let sum = { calls: 0, bytes: 0 };
    for (const name of JOB_NAMES) {
      spent = { calls: 0, bytes: 0 };
      await JOBS[name](world);
      test.diagnostic(`${name}: ${spent.calls} calls, ${spent.bytes} bytes`);
      sum = { calls: sum.calls + spent.calls, bytes: sum.bytes + spent.bytes };
    }
    test.diagnostic(`all: ${sum.calls} calls, ${sum.bytes} bytes`);
    assert.ok(listed <= 24 * 1024 + 200, `${listed} bytes of tools`);
    assert.ok(sum.bytes <= 60 * 1024, `${sum.bytes} bytes`);
  });
});
