import assert from 'node:assert/strict';
import { it } from 'node:test';
import { WebSocket } from 'ws';
import { confirmOperator } from '../../../../test/support/agents.ts';
import { onEngines } from '../../../../test/support/harness.ts';
import { withoutDisplays } from '../../../../test/support/money.ts';
import {
  actingFor,
  followLink,
  loginLinks,
  newPerson,
  plainSession,
  removeOperator,
  twoAgents,
} from '../../../../test/support/operators.ts';
import { saidIn } from '../../../../test/support/refusal.ts';
import { frames, opened, wsUrl } from '../../../../test/support/stream-client.ts';
import { newId } from '../../../base/ids.ts';
import { HOUR_MS } from '../../../base/period.ts';

const ME = '/v1/account/me';
const AGENTS = '/v1/operator/agents';
const SESSIONS = '/v1/account/sessions';

interface Entry {
  id: string;
  address: string;
  operator: boolean;
  current: boolean;
}

onEngines('any', 'Signet-Account', {}, (suite) => {
  it('selects one of the agents of the address on each call; without it, the session acts for the account of its link', async () => {
    const { agents, operator } = await twoAgents(suite.t);
    assert.equal((await operator.get(ME)).body.id, agents[0].accountId);
    for (const agent of [agents[1], agents[0], agents[1]])
      assert.equal((await operator.get(ME, actingFor(agent))).body.id, agent.accountId);
    const put = await operator.put('/v1/budget', { authority: 'operator' }, actingFor(agents[1]));
    assert.equal(put.status, 200);
    assert.equal((await agents[1].api.get('/v1/budget')).body.settings.authority, 'operator');
    assert.equal((await agents[0].api.get('/v1/budget')).body.settings.authority, 'account');
  });

  it('the agent of its link is going to be deleted: the operator still suspends his others, and manages his passkeys', async () => {
    const { agents, operator } = await twoAgents(suite.t);
    assert.equal((await agents[0].api.delete('/v1/account')).status, 202);
    const suspended = await operator.post(`${AGENTS}/${agents[1].accountId}/suspend`);
    assert.equal(suspended.status, 200, suspended.text);
    assert.equal((await operator.patch('/v1/operator/settings', { require_passkey: false })).status, 200);
    const refused = await operator.put('/v1/budget', { daily: 1 });
    assert.deepEqual([refused.status, refused.body.error], [403, 'account_deleting']);
  });

  it('404, like an unknown account, for the accounts of others, and changes nothing there', async () => {
    const { t } = suite;
    const { agents, email, operator } = await twoAgents(t);
    const stranger = await t.createAccount();
    const named = await t.createAccount();
    await named.api.post('/v1/account/operator-email', { email });
    const unknown = await operator.get(ME, { 'signet-account': newId('acc', t.clock.now()) });
    assert.deepEqual([unknown.status, unknown.body.error], [404, 'not_found']);
    const plain = await plainSession(t, agents[0]);
    const backup = t.api((await agents[0].api.post('/v1/auth/keys/generate-backup')).body.backup_key);
    for (const caller of [operator, plain, agents[0].api, backup]) {
      for (const other of [
        stranger.accountId,
        'acc_x',
        'not an id',
        `${agents[0].accountId}, ${agents[1].accountId}`,
      ]) {
        const header = { 'signet-account': other };
        for (const refused of [await caller.get(ME, header), await caller.put('/v1/budget', {}, header)])
          assert.deepEqual([refused.status, saidIn(refused)], [404, saidIn(unknown)], other);
      }
    }
    // Named as operator, but not confirmed by him.
    assert.equal((await operator.get(ME, actingFor(named))).text, unknown.text);
    // A link of one account opens no other, whatever else its address is an operator of.
    assert.equal((await plain.get(ME, actingFor(agents[1]))).text, unknown.text);
    const { entries } = (await stranger.api.get('/v1/audit')).body;
    assert.deepEqual(
      entries.map(({ action }: { action: string }) => action),
      ['account.created'],
    );
  });

  it('has no effect where it names the own account of a key or a session, and opens nothing without a credential', async () => {
    const { t } = suite;
    const { agents, operator } = await twoAgents(t);
    for (const caller of [operator, await plainSession(t, agents[0]), agents[0].api]) {
      const { status, body } = await caller.get(ME, actingFor(agents[0]));
      assert.deepEqual([status, body.id], [200, agents[0].accountId]);
    }
    for (const token of [undefined, `session_${'a'.repeat(32)}`])
      assert.equal((await t.api(token).get(ME, actingFor(agents[0]))).status, 401);
  });

  it('a removed operator has no access with his next request, and keeps his other agents', async () => {
    const { t } = suite;
    const { agents, email, operator, token } = await twoAgents(t);
    for (const agent of agents) assert.equal((await operator.get(ME, actingFor(agent))).status, 200);
    const headers = { authorization: `Bearer ${token}`, ...actingFor(agents[1]) };
    const stream = await fetch(`${t.baseUrl}/v1/events/stream`, { headers });
    assert.equal(stream.status, 200);
    const links = await loginLinks(t, email);
    await removeOperator(t, agents[1], email);
    assert.equal((await operator.get(ME, actingFor(agents[1]))).status, 404);
    assert.match(await stream.text(), /retry: 2000\n\n$/, 'his stream has ended');
    assert.equal((await operator.get(ME)).body.id, agents[0].accountId);
    assert.deepEqual((await operator.get(AGENTS)).body.agents.length, 1);
    // Of the links that were mailed before, the one of this account is gone.
    const replies = await Promise.all(links.map((link) => t.api().get(`/v1/auth/verify?token=${link}`)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [302, 400]);
    await removeOperator(t, agents[0], email);
    assert.equal((await operator.get(ME)).status, 401);
    assert.equal((await operator.get(ME, actingFor(agents[0]))).status, 404);
    assert.deepEqual((await operator.get(AGENTS)).body.agents, []);
  });

  it('idempotency keys, tickets and WebSockets belong to the account that was selected', async () => {
    const { t } = suite;
    const { agents, operator } = await twoAgents(t);
    const addresses: string[] = [];
    for (const agent of agents) {
      const address = newPerson(t).split('@')[0];
      const headers = { 'idempotency-key': 'one', ...actingFor(agent) };
      const claimed = await operator.post('/v1/email/claim', { address }, headers);
      assert.equal(claimed.status, 201);
      addresses.push(claimed.body.address);
    }
    const { ticket } = (await operator.post('/v1/ws/tickets', {}, actingFor(agents[1]))).body;
    const socket = new WebSocket(wsUrl(t, `?ticket=${ticket}`));
    const seen = frames(socket, 1);
    await opened(socket);
    for (const [i, { api }] of agents.entries())
      await api.post('/v1/email/send', { from: addresses[i], to: [addresses[i]], subject: `for ${i}`, text: 'Hi.' });
    assert.equal((await seen)[0]?.data.subject, 'for 1');
    socket.close();
  });
});

const pick = (row: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));

onEngines('any', 'GET /v1/operator/agents', {}, (suite) => {
  it('shows nothing of others: another operator and a session of the agent get empty lists, a key 403', async () => {
    const { t } = suite;
    const { agents } = await twoAgents(t);
    const empty = { agents: [], waiting: [], next_cursor: null };
    assert.deepEqual((await (await plainSession(t, agents[0])).get(AGENTS)).body, empty);
    const other = await twoAgents(t);
    const ids = (await other.operator.get(AGENTS)).body.agents.map((each: { account_id: string }) => each.account_id);
    assert.deepEqual(ids, [other.agents[1].accountId, other.agents[0].accountId]);
    const refused = await agents[0].api.get(AGENTS);
    assert.deepEqual([refused.status, refused.body.error], [403, 'session_required']);
    assert.equal((await t.api().get(AGENTS)).status, 401);
  });
});

onEngines('both', 'GET /v1/operator/agents', {}, (suite) => {
  it('lists the agents of the address, newest first, page by page, with every field, and what waits for it', async () => {
    const { t } = suite;
    const { agents, email, operator } = await twoAgents(t);
    await agents[1].api.put('/v1/budget', { caps: { daily: 10 }, on_limit: 'approve', authority: 'operator' });
    await agents[1].api.post('/v1/charge', { amount: 7 });
    const asked = await agents[1].api.post('/v1/charge', { amount: 4 });
    assert.equal(asked.status, 202);
    const { address } = (await agents[1].api.post('/v1/email/claim', { address: newPerson(t).split('@')[0] })).body;
    const waits = await t.createAccount({ name: 'later' });
    const namedAt = t.clock.now();
    await waits.api.post('/v1/account/operator-email', { email });
    await t.createAccount();
    const { status, body } = await operator.get(AGENTS);
    assert.equal(status, 200);
    const active = { parent_account_id: null, status: 'active', suspended_by: [], open_reviews: 0, open_items: 0 };
    const expected = [
      {
        account_id: agents[1].accountId,
        name: null,
        ...active,
        authority: 'operator',
        spent_today_usdc: 7,
        open_approvals: 1,
        addresses: [address],
      },
      {
        account_id: agents[0].accountId,
        name: 'one',
        ...active,
        authority: 'account',
        spent_today_usdc: 0,
        open_approvals: 0,
        addresses: [],
      },
    ];
    // operator-home.test.ts tests the other fields.
    const fields = Object.keys(expected[0] as object);
    const shown = (rows: object[]) => withoutDisplays(rows).map((row: object) => pick(row, fields));
    assert.deepEqual(shown(body.agents), expected);
    assert.equal(body.next_cursor, null);
    const [{ id, ...role }, ...more] = body.waiting;
    assert.match(id, /^per_/);
    const named_at = new Date(namedAt).toISOString();
    assert.deepEqual(role, {
      account_id: waits.accountId,
      name: 'later',
      role: 'operator',
      named_at,
      removable_days: 0,
    });
    assert.deepEqual(more, []);
    const first = (await operator.get(`${AGENTS}?limit=1`)).body;
    const rest = (await operator.get(`${AGENTS}?limit=1&cursor=${first.next_cursor}`)).body;
    assert.deepEqual(shown([...first.agents, ...rest.agents]), expected);
    assert.equal((await operator.get(`${AGENTS}?cursor=x`)).body.error, 'invalid_cursor');
  });
});

onEngines('any', 'M7: an agent that wants to keep its operator out', {}, (suite) => {
  it('rotates in a loop: the operator’s session and his mailed link go on working', async () => {
    const { t } = suite;
    const { agents, email, operator } = await twoAgents(t);
    let { key } = agents[0];
    const plain = await plainSession(t, agents[0]);
    const [link] = await loginLinks(t, email);
    for (let i = 0; i < 10; i++) {
      key = (await t.api(key).post('/v1/auth/keys/rotate')).body.api_key;
      assert.equal((await operator.get(ME)).status, 200);
    }
    const fresh = t.api(await followLink(t, link as string));
    await t.api(key).post('/v1/auth/keys/rotate');
    assert.equal((await fresh.get(ME)).body.id, agents[0].accountId);
    assert.equal((await fresh.get(ME, actingFor(agents[1]))).body.id, agents[1].accountId);
    assert.equal((await plain.get(ME)).status, 401, 'a session that is no operator’s has ended');
  });

  it('under `authority: operator` neither its key nor a session of its own ends the operator’s, whatever link opened it', async () => {
    const { t } = suite;
    const { agents, operator } = await twoAgents(t);
    for (const agent of agents) {
      const plain = await plainSession(t, agent);
      assert.equal((await operator.put('/v1/budget', { authority: 'operator' }, actingFor(agent))).status, 200);
      const { sessions } = (await agent.api.get(SESSIONS)).body;
      const entry = sessions.find((each: Entry) => each.operator);
      for (const caller of [agent.api, plain]) {
        const refused = await caller.delete(`${SESSIONS}/${entry.id}`);
        assert.deepEqual([refused.status, refused.body.error], [403, 'operator_required']);
      }
    }
    assert.equal((await operator.get(ME)).status, 200);
  });
});

onEngines('any', 'operator sessions in GET and DELETE /v1/account/sessions', {}, (suite) => {
  it('an agent’s key ends it for this agent alone, and it does not come back', async () => {
    const { t } = suite;
    const { agents, operator } = await twoAgents(t);
    await operator.get(ME, actingFor(agents[1]));
    const [{ id }] = (await agents[1].api.get(SESSIONS)).body.sessions;
    assert.equal((await agents[1].api.delete(`${SESSIONS}/${id}`)).status, 200);
    for (let i = 0; i < 2; i++) assert.equal((await operator.get(ME, actingFor(agents[1]))).status, 404);
    assert.deepEqual((await agents[1].api.get(SESSIONS)).body.sessions, []);
    assert.equal((await agents[1].api.delete(`${SESSIONS}/${id}`)).status, 404);
    assert.equal((await operator.get(ME)).status, 200);
    assert.equal((await agents[0].api.delete(`${SESSIONS}/${id}`)).status, 200);
    assert.equal((await operator.get(ME)).status, 401);
    assert.equal((await operator.get(AGENTS)).status, 200, 'the person is still logged in');
  });

  it('its own person ends it for every agent, by id or by logging out', async () => {
    const { t } = suite;
    for (const isById of [true, false]) {
      const { agents, email, operator, token } = await twoAgents(t);
      const headers = { authorization: `Bearer ${token}`, ...actingFor(agents[1]) };
      const stream = await fetch(`${t.baseUrl}/v1/events/stream`, { headers });
      const [{ id }] = (await operator.get(SESSIONS)).body.sessions;
      const other = t.api(await followLink(t, (await loginLinks(t, email))[0] as string));
      const ended = isById ? other.delete(`${SESSIONS}/${id}`) : operator.post('/v1/auth/logout');
      assert.equal((await ended).status, 200);
      for (const agent of agents) assert.equal((await operator.get(ME, actingFor(agent))).status, 401);
      assert.equal((await operator.get(AGENTS)).status, 401);
      assert.match(await stream.text(), /retry: 2000\n\n$/);
      assert.equal((await other.get(ME)).status, 200);
    }
  });
});

onEngines('both', 'operator sessions in GET and DELETE /v1/account/sessions', {}, (suite) => {
  it('an account lists those of its operators that were opened for it or selected it, each once', async () => {
    const { t } = suite;
    const { agents, email, operator } = await twoAgents(t);
    const untouched = await t.createAccount();
    await confirmOperator(t, untouched, email);
    const sessionsOf = async (i: number): Promise<Entry[]> => (await agents[i]?.api.get(SESSIONS))?.body.sessions;
    assert.deepEqual([(await sessionsOf(0)).length, (await sessionsOf(1)).length], [1, 0]);
    for (let i = 0; i < 3; i++) await operator.get(ME, actingFor(agents[1]));
    assert.deepEqual(await sessionsOf(1), await sessionsOf(0));
    const [{ current, address }] = (await operator.get(SESSIONS, actingFor(agents[1]))).body.sessions;
    assert.deepEqual([current, address], [true, email]);
    const own = await plainSession(t, agents[1]);
    assert.deepEqual(
      (await own.get(`${SESSIONS}?limit=1`)).body.sessions.map((each: Entry) => each.operator),
      [false],
    );
    assert.deepEqual((await untouched.api.get(SESSIONS)).body.sessions, [], 'it did not select this account');
    await removeOperator(t, agents[1], email);
    assert.equal((await sessionsOf(1)).length, 1, 'a former operator’s session is not shown');
    t.clock.advance(24 * HOUR_MS);
    assert.deepEqual(await sessionsOf(0), []);
  });
});
