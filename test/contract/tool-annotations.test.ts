import assert from 'node:assert/strict';
import { it } from 'node:test';
import { confirmOperator, createAgent } from '../support/agents.ts';
import { onEngines, type TestApp } from '../support/harness.ts';
import { mcpClient } from '../support/mcp.ts';
import { followLink, loginLinks } from '../support/operators.ts';
import { changes, type Snapshot, settle, withSnapshots } from './contract-snapshot.ts';
import { type ToolSample, toolSample, toolsOf } from './tool-sample.ts';

/** What the service notes of any call, reads too: the audit log, what was used when, and jobs. */
const OF_EVERY_CALL =
  /^(audit_|quota_|settings$|timers|jobs$|service_instances$|suspicious_reads$|idempotency|accounts: gained|api_keys)/;

const effectsOf = (before: Snapshot, after: Snapshot): string[] =>
  changes(before, after).filter((change) => !OF_EVERY_CALL.test(change));

/** Rows that are gone or were written over. What only counts up takes nothing away. */
const lostRows = (before: Snapshot, after: Snapshot): string[] =>
  Object.keys(before).filter(
    (name) => !OF_EVERY_CALL.test(name) && (after[name]?.length ?? 0) < (before[name]?.length ?? 0),
  );

/** A credential that the operator gave, which waits to be fetched. */
async function answered(t: TestApp): Promise<ToolSample> {
  const agent = await createAgent(t);
  const email = 'giver@example.org';
  await confirmOperator(t, agent, email);
  const asked = (await agent.api.post('/v1/credentials/request', { description: 'A key' })).body;
  const [link = ''] = await loginLinks(t, email);
  const session = await followLink(t, link);
  const decision = { session, user_code: asked.user_code, decision: 'approve', credential_value: 'sk_test_1' };
  assert.equal((await t.api().post('/v1/credentials/approve', decision)).status, 200);
  return { key: agent.key, args: { device_code: asked.device_code, wait: 1 } };
}

/** An approval that is overdue: reading ends it. */
async function overdue(t: TestApp): Promise<ToolSample> {
  const [found] = toolsOf(t).filter(({ tool }) => tool.name === 'wait_for_approval');
  assert.ok(found);
  return { key: (await toolSample(t, found.endpoint, found.tool)).key, args: {} };
}

/** Tools that change something in some states alone. */
const STATES: Record<string, (t: TestApp) => Promise<ToolSample>> = { wait_for_answer: answered, what_waits: overdue };

/** A result is sent once, as text. A short one without words of others is data too, if its tool has a schema. */
function requireOnce(name: string, result: Called, hasSchema: boolean): void {
  const [first, ...others] = result.content.filter(({ type }) => type === 'text');
  assert.deepEqual(others, [], name);
  assert.equal('structuredContent' in result, hasSchema, name);
  if (!hasSchema) return;
  assert.deepEqual(result.structuredContent, JSON.parse(first?.text ?? ''), name);
  assert.ok(Buffer.byteLength(first?.text ?? '') <= 2048, name);
  assert.doesNotMatch(first?.text ?? '', /untrusted/, name);
}

interface Called {
  content: { type: string; text?: string }[];
  structuredContent?: unknown;
}

onEngines('any', 'tools', {}, (suite) => {
  it('answer once, as text, and say in their annotations what a call changes in the database, what a second one does, and what reaches others', async () => {
    const { t } = suite;
    await withSnapshots(t, async (take) => {
      for (const { endpoint, tool } of toolsOf(t)) {
        const { key, args } = await (STATES[tool.name]?.(t) ?? toolSample(t, endpoint, tool));
        const path = tool.group === 'start' ? '/mcp/x/start' : '/mcp';
        const me = mcpClient(t, key, { path });
        const { tools } = (await me.request('tools/list')).body.result;
        const { annotations, outputSchema } = tools.find(({ name }: { name: string }) => name === tool.name);
        await settle(t);
        const before = await take();
        const { isError, result, data } = await me.tool(tool.name, args);
        assert.equal(isError, false, `${tool.name}: ${JSON.stringify(data)}`);
        requireOnce(tool.name, result, outputSchema !== undefined);
        const after = await take();
        await settle(t);
        const settled = await take();
        const done = effectsOf(before, settled);
        assert.equal(
          annotations.readOnlyHint,
          done.length === 0,
          `${tool.name}: ${done.join('; ') || 'changes nothing'}`,
        );
        if (lostRows(before, after).length > 0)
          assert.equal(annotations.destructiveHint, true, `${tool.name}: ${lostRows(before, after).join(', ')}`);
        if (annotations.readOnlyHint) assert.equal(annotations.destructiveHint, false, tool.name);
        if (annotations.idempotentHint) {
          await me.tool(tool.name, args);
          await settle(t);
          assert.deepEqual(effectsOf(settled, await take()), [], `${tool.name}, again`);
        }
        assert.ok(annotations.openWorldHint || !endpoint.leaves?.includes('mail'), `${tool.name} sends mail`);
      }
    });
  });
});
