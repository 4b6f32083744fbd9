import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { toolSample, toolsOf } from '../../../test/contract/tool-sample.ts';
import { createAgent } from '../../../test/support/agents.ts';
import { startTestApp, type TestApp } from '../../../test/support/harness.ts';
import { OPERATION_TOOLS } from './toolbox.ts';

/** The official client against `/mcp`: it validates what it gets, also against the output schemas. */

/** Calls of the tools that stand for no endpoint. */
const OPERATIONS: Record<string, object> = {
  find_operation: { query: 'label a message' },
  call_operation: { id: 'listVaultKeys' },
};

describe('the official MCP client', () => {
  let t: TestApp;
  before(async () => {
    t = await startTestApp('sqlite');
  });
  after(() => t.stop());

  for (const mode of ['auto', 'legacy'] as const) {
    it(`lists and calls every tool (${mode === 'auto' ? '2026-07-28' : 'initialize'})`, async () => {
      const connect = async (key: string): Promise<Client> => {
        const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
        const requestInit = { headers: { authorization: `Bearer ${key}` } };
        await client.connect(new StreamableHTTPClientTransport(new URL(`${t.baseUrl}/mcp`), { requestInit }));
        return client;
      };
      const { key } = await createAgent(t);
      const client = await connect(key);
      const offered = toolsOf(t).filter(({ tool }) => tool.group !== 'start');
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name).sort(),
        [...offered.map(({ tool }) => tool.name), ...OPERATION_TOOLS.map(({ definition }) => definition.name)].sort(),
      );
      for (const { endpoint, tool } of offered) {
        const sample = await toolSample(t, endpoint, tool);
        // Waiting takes a second.
        if ('wait' in sample.args) continue;
        const own = await connect(sample.key as string);
        // Without it the client knows no output schemas.
        await own.listTools();
        const result = await own.callTool({ name: tool.name, arguments: sample.args });
        assert.equal(result.isError ?? false, false, `${tool.name}: ${JSON.stringify(result.content)}`);
        assert.equal('structuredContent' in result, tool.structured ?? false, tool.name);
        await own.close();
      }
      for (const [name, args] of Object.entries(OPERATIONS)) {
        const result = await client.callTool({ name, arguments: { ...args } });
        assert.equal(result.isError ?? false, false, `${name}: ${JSON.stringify(result.content)}`);
      }
      await client.close();
    });
  }
});
