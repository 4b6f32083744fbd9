import assert from 'node:assert/strict';
import { it } from 'node:test';
import { confirmOperator, createAgent } from '../../../test/support/agents.ts';
import { onEngines } from '../../../test/support/harness.ts';
import { mcpClient } from '../../../test/support/mcp.ts';
import { followLink, loginLinks } from '../../../test/support/operators.ts';
import { untilRequestsWait } from '../../../test/support/stream-client.ts';

const OPENS_PAGES = { capabilities: { elicitation: { url: {} } } };

onEngines('any', 'tools that ask a person', {}, (suite) => {
  let people = 0;
  /** An agent that asks its operator about every charge. */
  async function asking() {
    const { t } = suite;
    const agent = await createAgent(t);
    const email = `operator-${people++}@${t.engine}.example.org`;
    await confirmOperator(t, agent, email);
    await agent.api.put('/v1/budget', { on_limit: 'approve', single_tx_limit_cents: 1 });
    const [link = ''] = await loginLinks(t, email);
    const session = await followLink(t, link);
    return { ...agent, session, operator: t.api(session) };
  }

  it('a charge over the limit names the tool that waits, and that tool returns with the decision', async () => {
    const { t } = suite;
    const { key, operator } = await asking();
    const me = mcpClient(t, key);
    const { data } = await me.tool('charge', { amount: 5, idempotency_key: 'c1' });
    assert.equal(data.status, 'approval_required');
    assert.deepEqual(data.next, { tool: 'wait_for_approval', arguments: { id: data.approval_id } });
    assert.equal((await me.tool('wait_for_approval', { ...data.next.arguments, wait: 1 })).data.status, 'pending');
    const decided = me.tool('wait_for_approval', { ...data.next.arguments, wait: 50 });
    await untilRequestsWait(t);
    assert.equal((await operator.post(`/v1/approvals/${data.approval_id}/approve`, {})).status, 200);
    assert.equal((await decided).data.status, 'approved');
  });

  it('a charge that is only tried asks no person, and names no tool that waits', async () => {
    const { key, api } = await asking();
    const me = mcpClient(suite.t, key, OPENS_PAGES);
    const { data } = await me.tool('charge', { amount: 5, dry_run: true });
    assert.deepEqual([data.dry_run, data.status, data.next], [true, 'approval_required', undefined]);
    assert.equal((await api.get('/v1/approvals')).body.count, 0);
  });

  it('where the client opens pages, it is asked to, and the repeated call returns the decision without a second charge', async () => {
    const { t } = suite;
    const { key, api, operator } = await asking();
    const me = mcpClient(t, key, OPENS_PAGES);
    const { result } = await me.tool('charge', { amount: 5 });
    assert.equal(result.resultType, 'input_required');
    const { mode, url, message } = result.inputRequests.open_page.params;
    assert.deepEqual([mode, url], ['url', `${t.baseUrl}/dashboard`]);
    assert.match(message, /0\.000005 USDC/);
    const { requestState } = result;
    const declined = { requestState, inputResponses: { open_page: { action: 'decline' } } };
    assert.equal((await me.tool('charge', { amount: 5 }, declined)).data.status, 'pending');
    const again = me.tool(
      'charge',
      { amount: 5 },
      { requestState, inputResponses: { open_page: { action: 'accept' } } },
    );
    await untilRequestsWait(t);
    const { approvals } = (await api.get('/v1/approvals')).body;
    assert.equal(approvals.length, 1);
    await operator.post(`/v1/approvals/${approvals[0].id}/reject`, {});
    assert.equal((await again).data.status, 'rejected');
    const stranger = mcpClient(t, (await createAgent(t)).key, OPENS_PAGES);
    const stolen = await stranger.tool('charge', { amount: 5 }, { requestState });
    assert.deepEqual([stolen.isError, stolen.data.error], [true, 'not_found']);
  });

  it('ask_human shows the code and the page, and wait_for_answer brings the value once', async () => {
    const { t } = suite;
    const { key, session } = await asking();
    const me = mcpClient(t, key);
    const { data } = await me.tool('ask_human', { description: 'A test key', idempotency_key: 'a1' });
    assert.equal(data.verification_url, `${t.baseUrl}/credentials`);
    assert.equal(data.next.tool, 'wait_for_answer');
    const answer = me.tool('wait_for_answer', { ...data.next.arguments, wait: 50 });
    await untilRequestsWait(t);
    const decision = { session, user_code: data.user_code, decision: 'approve', credential_value: 'sk_test_1' };
    const approved = await t.api().post('/v1/credentials/approve', decision);
    assert.equal(approved.status, 200, approved.text);
    assert.deepEqual([(await answer).data.status, (await answer).data.credential_value], ['approved', 'sk_test_1']);
    assert.equal((await me.tool('wait_for_answer', data.next.arguments)).data.status, 'expired');
    const asked = await mcpClient(t, key, OPENS_PAGES).tool('ask_human', { description: 'Another' });
    const { url, message } = asked.result.inputRequests.open_page.params;
    assert.equal(url, `${t.baseUrl}/credentials`);
    assert.match(message, /[A-Z]{4}-[A-Z]{4}/);
  });
});
