import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createAgent, type TestAgent } from '../../../test/support/agents.ts';
import { startTestApp, type TestApp } from '../../../test/support/harness.ts';

/** The official client against `/mcp`: it validates what it gets. */

/** A call of every tool that succeeds for a new agent, or the error code that it gets. */
const CALLS: Record<string, { args?: (agent: TestAgent, mail: string) => Record<string, unknown>; code?: string }> = {
  whoami: {},
  wait_for_mail: { args: () => ({ after: '2020-01-01T00:00:00Z', wait: 5 }) },
  wait_for_code: { args: () => ({ after: '2020-01-01T00:00:00Z', wait: 5 }) },
  list_mail: {},
  search_mail: { args: () => ({ q: 'code' }) },
  read_mail: { args: (_agent, id) => ({ id }) },
  send_mail: { args: ({ address }) => ({ to: address, subject: 'Hello', text: 'Your code is 123456' }) },
  reply_mail: { args: (_agent, id) => ({ id, text: 'Thanks.' }) },
  store_secret: { args: () => ({ key: 'db', ciphertext: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaG_8' }) },
  read_secret: { args: () => ({ key: 'db' }) },
  charge: { args: () => ({ amount: 5, idempotency_key: 'c1' }) },
  budget: {},
  wait_for_approval: { args: () => ({ id: 'apr_00000000000000000000000000' }), code: 'not_found' },
  ask_human: { args: () => ({ description: 'A key' }), code: 'operator_email_required' },
  wait_for_answer: { args: () => ({ device_code: 'nothing' }), code: 'not_found' },
  wait_for_event: { args: () => ({ wait: 1 }) },
  issue_token: { args: () => ({ audience: 'https://a.example', scopes: ['a.b'] }) },
  note: { args: () => ({ topic: 'plan', content: 'Ask Bo.' }) },
  read_notes: {},
  add_event: { args: () => ({ summary: 'Stand-up', start: '2026-02-01', end: '2026-02-02' }) },
  list_events: {},
  activity: {},
  find_operation: { args: () => ({ query: 'label a message' }) },
  call_operation: { args: () => ({ id: 'listVaultKeys' }) },
};

describe('the official MCP client', () => {
  let t: TestApp;
  before(async () => {
    t = await startTestApp('sqlite');
  });
  after(() => t.stop());

  for (const mode of ['auto', 'legacy'] as const) {
    it(`lists and calls every tool (${mode === 'auto' ? '2026-07-28' : 'initialize'})`, async () => {
      const agent = await createAgent(t);
      await agent.api.post('/v1/email/send', {
        from: agent.address,
        to: agent.address,
        subject: 'Code',
        text: 'Your code is 123456',
      });
      const mail = (await agent.api.get(`/v1/email/inbox?address=${agent.address}`)).body.messages[0].message_id;
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
      const requestInit = { headers: { authorization: `Bearer ${agent.key}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(`${t.baseUrl}/mcp`), { requestInit }));
      const { tools } = await client.listTools();
      assert.deepEqual(tools.map(({ name }) => name).sort(), Object.keys(CALLS).sort());
      const order = Object.keys(CALLS);
      for (const name of order) {
        const { args, code } = CALLS[name] ?? {};
        const { content, structuredContent, isError } = await client.callTool({
          name,
          arguments: args?.(agent, mail) ?? {},
        });
        const text = JSON.stringify(content);
        assert.equal(isError ?? false, code !== undefined, `${name}: ${text}`);
        if (code !== undefined) assert.ok(text.includes(code), `${name}: ${text}`);
        assert.equal(typeof structuredContent, 'object', name);
      }
      await client.close();
    });
  }
});
