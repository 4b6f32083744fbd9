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

  it('reach nothing that is not for models, whatever a person allowed', async () => {
    const { t } = suite;
    const { operator } = await twoAgents(t);
    const { access } = await clientTokens(t, operator, { scope: SCOPE_NAMES.join(' ') });
    const client = mcpClient(t, access);
    const names = await client.names();
    const whole = await mcpClient(t, (await createAgent(t)).key).names();
    const missing = whole.filter((name) => !names.includes(name));
    assert.deepEqual(missing.sort(), ['ask_human', 'issue_token', 'wait_for_answer', 'wait_for_approval']);
    for (const name of missing) {
      const { isError, data } = await client.tool(
        name,
        name === 'issue_token' ? { audience: 'https://a.example', scopes: ['a'] } : {},
      );
      assert.deepEqual([isError, data.error], [true, 'insufficient_scope'], name);
    }
    assert.equal((await client.tool('call_operation', { id: 'listAccountKeys' })).data.error, 'not_found');
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
