import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openSession } from '../../../../test/support/agents.ts';
import { onEngines } from '../../../../test/support/harness.ts';
import { operatorSession } from '../../../../test/support/pods.ts';
import { HOUR_MS } from '../../../base/period.ts';

const SESSIONS = '/v1/account/sessions';
const ME = '/v1/account/me';

interface Entry {
  id: string;
  operator: boolean;
  address: string;
  current: boolean;
}

onEngines('any', 'GET and DELETE /v1/account/sessions', {}, (suite) => {
  it('the owner finds a thief’s session and ends it: its token is 401 at once, the others keep working', async () => {
    const { t } = suite;
    const email = 'found@example.org';
    const { api } = await t.createAccount({ email });
    const [stolen, own] = [await openSession(t, email), await openSession(t, email)];
    const entry = (await own.get(SESSIONS)).body.sessions.find(({ current }: Entry) => !current);
    const ended = await own.delete(`${SESSIONS}/${entry.id}`);
    assert.deepEqual([ended.status, ended.body], [200, { ok: true, ended_at: new Date(t.clock.now()).toISOString() }]);
    assert.deepEqual(
      [(await stolen.get(ME)).status, (await own.get(ME)).status, (await api.get(ME)).status],
      [401, 200, 200],
    );
    assert.equal((await own.delete(`${SESSIONS}/${entry.id}`)).status, 404);
  });

  it('another account’s session is 404 and stays open, and is in no list', async () => {
    const { t } = suite;
    const email = 'mine@example.org';
    await t.createAccount({ email });
    const session = await openSession(t, email);
    const [{ id }] = (await session.get(SESSIONS)).body.sessions;
    const stranger = await t.createAccount();
    assert.deepEqual((await stranger.api.get(SESSIONS)).body.sessions, []);
    assert.equal((await stranger.api.delete(`${SESSIONS}/${id}`)).status, 404);
    assert.equal((await session.get(ME)).status, 200);
  });

  it('under `authority: operator` only an operator session ends an operator session', async () => {
    const { t } = suite;
    const account = await t.createAccount({ email: 'agent@example.org' });
    const operator = await operatorSession(t, account, `${t.engine}-boss@example.org`);
    assert.equal((await operator.put('/v1/budget', { authority: 'operator' })).status, 200);
    const entry = (await operator.get(SESSIONS)).body.sessions.find((each: Entry) => each.operator);
    for (const caller of [account.api, await openSession(t, 'agent@example.org')]) {
      const refused = await caller.delete(`${SESSIONS}/${entry.id}`);
      assert.deepEqual([refused.status, refused.body.error], [403, 'operator_required']);
    }
    assert.equal((await operator.delete(`${SESSIONS}/${entry.id}`)).status, 200);
    assert.equal((await operator.get(ME)).status, 401);
  });

  it('under `authority: account` the key ends the session of an operator that a thief named', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const thief = await operatorSession(t, account, `${t.engine}-thief@example.org`);
    const [{ id, operator }] = (await account.api.get(SESSIONS)).body.sessions;
    assert.equal(operator, true);
    assert.equal((await account.api.delete(`${SESSIONS}/${id}`)).status, 200);
    assert.equal((await thief.get(ME)).status, 401);
  });
});

onEngines('both', 'GET and DELETE /v1/account/sessions', {}, (suite) => {
  it('list the open sessions with every field, newest first, page by page, without their tokens', async () => {
    const { t } = suite;
    const email = 'list@example.org';
    const { api } = await t.createAccount({ email });
    const opened = t.clock.now();
    const first = await openSession(t, email);
    t.clock.advance(1000);
    await openSession(t, email);
    const { status, body, text } = await first.get(SESSIONS);
    assert.equal(status, 200);
    const id = body.sessions[1].id;
    assert.match(id, /^ses_[0-9a-hjkmnp-tv-z]{26}$/);
    const times = {
      created_at: new Date(opened).toISOString(),
      expires_at: new Date(opened + 24 * HOUR_MS).toISOString(),
    };
    assert.deepEqual(body.sessions[1], { id, operator: false, address: email, ...times, current: true });
    assert.deepEqual([body.sessions[0].current, body.sessions.length, body.next_cursor], [false, 2, null]);
    assert.doesNotMatch(text, /session_/);
    const page = (await api.get(`${SESSIONS}?limit=1`)).body;
    const rest = (await api.get(`${SESSIONS}?limit=1&cursor=${page.next_cursor}`)).body;
    assert.deepEqual([...page.sessions, ...rest.sessions], (await api.get(SESSIONS)).body.sessions);
    assert.equal((await api.get(`${SESSIONS}?cursor=x`)).body.error, 'invalid_cursor');
    t.clock.advance(24 * HOUR_MS - 1000);
    assert.equal((await api.get(SESSIONS)).body.sessions.length, 1, 'an expired session is not open');
  });
});
