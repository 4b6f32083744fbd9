import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent } from '../../../test/support/agents.ts';
import { onEngines } from '../../../test/support/harness.ts';
import { mcpClient } from '../../../test/support/mcp.ts';
import { clientTokens } from '../../../test/support/oauth-client.ts';
import { twoAgents } from '../../../test/support/operators.ts';
import { SCOPE_NAMES } from '../../api/scopes.ts';

onEngines('any', 'clients of people at /mcp', {}, (suite) => {
  it('use the tools of their scopes, and no endpoint besides', async () => {
    const { t } = suite;
    const { operator } = await twoAgents(t);
    const { access } = await clientTokens(t, operator, { scope: 'trust:read trust:write' });
    const client = mcpClient(t, access);
    assert.deepEqual((await client.names()).sort(), ['call_operation', 'find_operation', 'note', 'read_notes']);
    assert.equal((await client.tool('note', { topic: 'a', content: 'b' })).isError, false);
    assert.equal((await client.tool('read_notes')).data.observations.length, 1);
    const topics = await client.tool('call_operation', { id: 'listObservationTopics' });
    assert.equal(topics.isError, false, topics.answer.text);
    const stepUp = await client.tool('send_mail', { to: 'a@example.com', subject: 'x', text: 'x' });
    assert.match(stepUp.answer.headers.get('www-authenticate') ?? '', /insufficient_scope", scope="mail:send"/);
    for (const headers of [{}, { 'signet-inner-call': '' }, { 'signet-inner-call': 'x' }])
      assert.equal((await t.api(access).get('/v1/observations', headers)).status, 403);
  });

  it('have every tool of their scopes, and reach nothing that is not for models, whatever a person allowed', async () => {
    const { t } = suite;
    const { operator } = await twoAgents(t);
    const { access } = await clientTokens(t, operator, { scope: SCOPE_NAMES.join(' ') });
    const client = mcpClient(t, access);
    const names = await client.names();
    const key = mcpClient(t, (await createAgent(t)).key);
    const outliving = t.app.endpoints.filter(({ outlives }) => outlives).flatMap(({ tools = [] }) => tools);
    assert.ok(outliving.length > 0);
    // It has every tool of its scopes, but those whose effect would outlast its token.
    const allowed = (await key.names()).filter((name) => outliving.every((tool) => tool.name !== name));
    assert.deepEqual(names, allowed);
    for (const { name } of outliving) {
      const { isError, data } = await client.tool(name, { audience: 'https://a.example', scopes: ['a'] });
      assert.deepEqual([isError, data.error], [true, 'insufficient_scope'], name);
    }
    assert.equal((await client.tool('call_operation', { id: 'listAccountKeys' })).data.error, 'not_found');
  });

  it('wait for the approval of a charge that they made', async () => {
    const { t } = suite;
    const { agents, operator } = await twoAgents(t);
    const [agent] = agents;
    await agent.api.put('/v1/budget', { on_limit: 'approve', single_tx_limit_cents: 1 });
    const { access } = await clientTokens(t, operator, { scope: 'money:read money:spend' });
    const client = mcpClient(t, access);
    const { data } = await client.tool('charge', { amount: 5 });
    assert.deepEqual(data.next, { tool: 'wait_for_approval', arguments: { id: data.approval_id } });
    assert.equal((await client.tool('wait_for_approval', { ...data.next.arguments, wait: 1 })).data.status, 'pending');
  });

  it('end with their grant, at once', async () => {
    const { t } = suite;
    const { operator } = await twoAgents(t);
    const { access } = await clientTokens(t, operator, { scope: 'trust:write account:read' });
    const client = mcpClient(t, access);
    const { data } = await client.tool('whoami');
    const acting = { 'signet-account': data.account_id };
    const [grant] = (await operator.get('/v1/account/grants', acting)).body.grants;
    assert.equal((await operator.delete(`/v1/account/grants/${grant.id}`, acting)).status, 200);
    const { answer } = await client.tool('note', { topic: 'a', content: 'b' });
    assert.equal(answer.status, 401);
    assert.deepEqual(await t.sql('select id from observations where account_id = ?', data.account_id), []);
  });
});
