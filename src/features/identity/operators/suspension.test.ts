import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { it } from 'node:test';
import { confirmOperator, suspend, unsuspend } from '../../../../test/support/agents.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { type Api, onEngines, type TestAccount, type TestApp } from '../../../../test/support/harness.ts';
import {
  actingFor,
  followLink,
  loginLinks,
  newPerson,
  plainSession,
  removeOperator,
  twoAgents,
} from '../../../../test/support/operators.ts';
import { makePod } from '../../../../test/support/pods.ts';
import { saidIn } from '../../../../test/support/refusal.ts';

const ME = '/v1/account/me';
const AGENTS = '/v1/operator/agents';

const change = (operator: Api, { accountId }: Pick<TestAccount, 'accountId'>, verb: 'suspend' | 'resume') =>
  operator.post(`${AGENTS}/${accountId}/${verb}`);

const refusalOf = async (call: ReturnType<Api['get']>) => {
  const { status, body } = await call;
  return [status, body.error];
};

const SUSPENDED = [403, 'account_suspended'];

/** Logs an operator in. */
const logIn = async (t: TestApp, email: string): Promise<Api> =>
  t.api(await followLink(t, (await loginLinks(t, email))[0] as string));

/** What each operator sees of the status of an account. */
const statusOf = async (operator: Api, { accountId }: TestAccount) => {
  const { agents } = (await operator.get(AGENTS)).body;
  const { status, suspended_by } = agents.find((each: { account_id: string }) => each.account_id === accountId);
  return { status, suspended_by };
};

onEngines('any', 'an operator suspends an agent', {}, (suite) => {
  it('200: its keys and its own sessions are refused at once, its stream ends; the operator still gets in, and resumes it', async () => {
    const { t } = suite;
    const { agents, operator } = await twoAgents(t);
    const [agent, other] = agents;
    const plain = await plainSession(t, agent);
    const named = await agent.api.post('/v1/account/keys', { name: 'ci', scopes: ['account:read', 'events:read'] });
    const callers = [agent.api, plain, t.api(named.body.api_key)];
    for (const caller of callers) assert.equal((await caller.get(ME)).status, 200);
    const headers = { authorization: `Bearer ${named.body.api_key}` };
    const stream = await fetch(`${t.baseUrl}/v1/events/stream?type=email.received`, { headers });
    const { status, body } = await change(operator, agent, 'suspend');
    const id = { account_id: agent.accountId };
    assert.deepEqual([status, body], [200, { ...id, status: 'suspended', suspended_by: ['operator'] }]);
    for (const caller of callers) assert.deepEqual(await refusalOf(caller.get(ME)), SUSPENDED);
    assert.match(await stream.text(), /retry: 2000\n\n$/);
    assert.equal((await other.api.get(ME)).status, 200);
    assert.equal((await operator.get(ME, actingFor(agent))).status, 200);
    const resumed = await change(operator, agent, 'resume');
    assert.deepEqual([resumed.status, resumed.body], [200, { ...id, status: 'active', suspended_by: [] }]);
    for (const caller of callers) assert.equal((await caller.get(ME)).status, 200);
    const { events } = (await agent.api.get('/v1/events')).body;
    const told = events.filter(({ type }: { type: string }) => /^account\.(suspended|resumed)$/.test(type));
    assert.deepEqual(
      told.map(({ type }: { type: string }) => type),
      ['account.suspended', 'account.resumed'],
    );
    const actions = (await agent.api.get('/v1/audit')).body.entries.map((each: { action: string }) => each.action);
    assert.ok(actions.includes('account.suspended') && actions.includes('account.resumed'), String(actions));
  });

  it('what takes access away still works: rotating, activating the backup, ending sessions, keys and webhooks', async () => {
    const { t } = suite;
    const { agents, operator } = await twoAgents(t);
    const [agent] = agents;
    const { address } = (await agent.api.post('/v1/email/claim', { address: newPerson(t).split('@')[0] })).body;
    const hook = await agent.api.post('/v1/email/webhooks', { address, url: 'https://agent.example/hook' });
    const named = await agent.api.post('/v1/account/keys', { name: 'ci', scopes: ['account:read'] });
    const backup = t.api((await agent.api.post('/v1/auth/keys/generate-backup')).body.backup_key);
    const plain = await plainSession(t, agent);
    await change(operator, agent, 'suspend');
    const { sessions } = (await agent.api.get('/v1/account/sessions')).body;
    const own = sessions.find((each: { operator: boolean }) => !each.operator);
    assert.equal((await agent.api.delete(`/v1/account/sessions/${own.id}`)).status, 200);
    assert.equal((await plain.get(ME)).status, 401);
    assert.equal((await agent.api.delete(`/v1/account/keys/${named.body.id}`)).status, 200);
    assert.equal((await agent.api.delete(`/v1/email/webhooks/${hook.body.id}`)).status, 200);
    const rotated = await agent.api.post('/v1/auth/keys/rotate');
    assert.equal(rotated.status, 200);
    assert.deepEqual(await refusalOf(t.api(rotated.body.api_key).get(ME)), SUSPENDED, 'a new key opens nothing more');
    assert.equal((await backup.post('/v1/auth/keys/activate-backup')).status, 200);
    assert.deepEqual(await refusalOf(backup.get(ME)), SUSPENDED);
    for (const path of ['/v1/account/keys', '/v1/auth/keys/generate-backup'])
      assert.deepEqual(await refusalOf(backup.post(path, { name: 'x', scopes: [] })), SUSPENDED, path);
    for (const path of ['/v1/account/recovery-email', '/v1/account/operator-email']) {
      assert.deepEqual(await refusalOf(backup.post(path, { email: newPerson(t) })), SUSPENDED, path);
      assert.equal((await backup.post(path, { email: null })).status, 200, path);
    }
  });

  it('two operators with the same Idempotency-Key both suspend: the suspension outlasts the first who is removed', async () => {
    const { t } = suite;
    const { agents, email, operator } = await twoAgents(t);
    const [agent] = agents;
    const second = newPerson(t);
    await confirmOperator(t, agent, second);
    const path = `${AGENTS}/${agent.accountId}/suspend`;
    const headers = { 'idempotency-key': `suspend-${agent.accountId}` };
    const other = await logIn(t, second);
    for (const caller of [operator, other]) assert.equal((await caller.post(path, undefined, headers)).status, 200);
    await removeOperator(t, agent, email);
    assert.deepEqual(await refusalOf(agent.api.get(ME)), SUSPENDED);
  });

  it('the administrator’s suspension is another flag: no operator lifts it, and lifting one leaves the other', async () => {
    const { t } = suite;
    const { agents, operator } = await twoAgents(t);
    const [agent] = agents;
    await change(operator, agent, 'suspend');
    await suspend(t, agent.accountId);
    assert.deepEqual(await statusOf(operator, agent), {
      status: 'suspended',
      suspended_by: ['operator', 'administrator'],
    });
    assert.deepEqual(await refusalOf(operator.get(ME)), SUSPENDED, 'it closes the account for its operator too');
    assert.deepEqual(await refusalOf(agent.api.post('/v1/auth/keys/rotate')), SUSPENDED);
    const { status, body } = await change(operator, agent, 'resume');
    assert.deepEqual([status, body.status, body.suspended_by], [200, 'suspended', ['administrator']]);
    assert.deepEqual(await refusalOf(agent.api.get(ME)), SUSPENDED);
    await change(operator, agent, 'suspend');
    await unsuspend(t, agent.accountId);
    assert.deepEqual(await statusOf(operator, agent), { status: 'suspended', suspended_by: ['operator'] });
    assert.deepEqual(await refusalOf(agent.api.get(ME)), SUSPENDED);
    await change(operator, agent, 'resume');
    assert.equal((await agent.api.get(ME)).status, 200);
  });

  it('any one of the operators resumes; with a removed operator his suspension ends, and another’s stays', async () => {
    const { t } = suite;
    const { agents, email, operator } = await twoAgents(t);
    const [agent] = agents;
    const second = newPerson(t);
    await confirmOperator(t, agent, second);
    const colleague = await logIn(t, second);
    await change(operator, agent, 'suspend');
    assert.equal((await change(colleague, agent, 'resume')).body.status, 'active');
    await change(operator, agent, 'suspend');
    await change(colleague, agent, 'suspend');
    await removeOperator(t, agent, second);
    assert.deepEqual(await refusalOf(agent.api.get(ME)), SUSPENDED);
    assert.equal((await change(colleague, agent, 'resume')).status, 404);
    await removeOperator(t, agent, email);
    assert.equal((await agent.api.get(ME)).status, 200);
  });

  it('404 for the agents of others, like one that does not exist; 403 for a key, and for a session of no operator link', async () => {
    const { t } = suite;
    const { agents, email, operator } = await twoAgents(t);
    const stranger = await t.createAccount();
    const missing = await operator.post(`${AGENTS}/acc_${'0'.repeat(26)}/suspend`);
    assert.equal(missing.status, 404);
    for (const verb of ['suspend', 'resume'] as const) {
      assert.equal(saidIn(await change(operator, stranger, verb)), saidIn(missing));
      assert.equal(saidIn(await change(await plainSession(t, agents[0]), agents[0], verb)), saidIn(missing));
      assert.deepEqual(await refusalOf(change(agents[0].api, agents[0], verb)), [403, 'session_required']);
      assert.equal((await change(t.api(), agents[0], verb)).status, 401);
    }
    const own = await t.createAccount({ email });
    const links = await loginLinks(t, email);
    const sessions = await Promise.all(links.map(async (link) => t.api(await followLink(t, link))));
    let plain = 0;
    for (const session of sessions) {
      if ((await session.get(ME)).body.id !== own.accountId) continue;
      plain += 1;
      assert.deepEqual(await refusalOf(change(session, agents[0], 'suspend')), [403, 'operator_required']);
    }
    assert.equal(plain, 1);
    assert.equal((await stranger.api.get(ME)).status, 200);
    assert.equal((await agents[0].api.get(ME)).status, 200);
  });

  it('a suspended agent has inactive tokens and refuses mail; a platform’s pods are refused with it', async () => {
    const { t } = suite;
    const { agents, operator } = await twoAgents(t);
    const [agent] = agents;
    const pod = await makePod(t, agent);
    const { address } = (await agent.api.post('/v1/email/claim', { address: newPerson(t).split('@')[0] })).body;
    const { token } = (await agent.api.post('/v1/tokens/issue', { audience: 'https://api.example', scopes: ['read'] }))
      .body;
    const isActive = async () => (await t.api().post('/v1/tokens/introspect', { token })).body.active;
    assert.deepEqual([await isActive(), (await pod.api.get(ME)).status], [true, 200]);
    await t.sendSmtp({ to: address, subject: 'Hi' });
    await change(operator, agent, 'suspend');
    assert.equal(await isActive(), false);
    assert.deepEqual(await refusalOf(pod.api.get(ME)), [403, 'pod_suspended']);
    await assert.rejects(t.sendSmtp({ to: address, subject: 'Hi' }), /55\d/);
    await change(operator, agent, 'resume');
    assert.deepEqual([await isActive(), (await pod.api.get(ME)).status], [true, 200]);
    await agent.api.delete(`/v1/pods/${pod.podId}`);
    assert.deepEqual(
      await refusalOf(pod.api.post('/v1/auth/keys/rotate')),
      [403, 'pod_suspended'],
      'a paused pod is closed',
    );
  });

  it('a request whose body arrives after the suspension has no effect', async () => {
    const { t } = suite;
    const { agents, operator } = await twoAgents(t);
    const [agent] = agents;
    const used = async (): Promise<number> => (await agent.api.get('/v1/usage')).body.requests.used;
    let before = await used();
    const socket = connect(Number(new URL(t.baseUrl).port), '127.0.0.1');
    await once(socket, 'connect');
    const head = `POST /v1/auth/keys/generate-backup HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${agent.key}\r\n`;
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{`);
    // A request that counts is authenticated; if it were not before the suspension, the test would prove nothing.
    await eventually(async () => (await used()) > ++before);
    await change(operator, agent, 'suspend');
    socket.write('}');
    const [reply] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    assert.match(String(reply), /^HTTP\/1\.1 403/);
    const { keys } = (await operator.get('/v1/auth/keys/list', actingFor(agent))).body;
    assert.ok(keys.every(({ status }: { status: string }) => status !== 'backup'));
  });
});
