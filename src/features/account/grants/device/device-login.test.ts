import assert from 'node:assert/strict';
import { it } from 'node:test';
import { confirmOperator } from '../../../../../test/support/agents.ts';
import {
  COMMAND_LINE,
  pollDevice,
  startDevice,
  waitingDevice,
} from '../../../../../test/support/command-line-login.ts';
import { itInAll } from '../../../../../test/support/full-run.ts';
import { type Api, onEngines } from '../../../../../test/support/harness.ts';
import { registerClient } from '../../../../../test/support/oauth-client.ts';
import { newPerson, plainSession, twoAgents } from '../../../../../test/support/operators.ts';
import { HOUR_MS } from '../../../../base/period.ts';

const ME = '/v1/account/me';
const GRANTS = '/v1/account/grants';
/** A code of the right shape that no login has: minted ones are random. */
const WRONG = ['BBBB-BBBB', 'CCCC-CCCC', 'DDDD-DDDD', 'FFFF-FFFF', 'GGGG-GGGG'];

const decide = (session: Api, user_code: string, fields: object = {}, headers: Record<string, string> = {}) =>
  session.post('/oauth/device', { user_code, ...fields }, headers);
const allowed = { decision: 'allow' };

onEngines('any', 'a login with a device code', { env: { TRUST_PROXY: '1' } }, (suite) => {
  it('waits for the decision, and gets a named key when a person has typed its code and allowed it', async () => {
    const { t } = suite;
    const { operator, agents } = await twoAgents(t);
    const { status, body: started, headers } = await startDevice(t);
    assert.equal(status, 200);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.match(started.user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    assert.deepEqual(
      [started.verification_uri, started.expires_in, started.interval, started.verification_uri_complete],
      [`${t.baseUrl}/device`, 600, 5, undefined],
    );
    assert.equal((await pollDevice(t, started.device_code)).body.error, 'authorization_pending');
    const typed = started.user_code.toLowerCase().replace('-', ' ');
    const shown = await decide(operator, typed);
    assert.deepEqual(
      [shown.body.client_name, shown.body.scopes],
      ['Signet command line', ['account:read', 'mail:read', 'mail:codes']],
    );
    t.clock.advance(5000);
    assert.equal(
      (await pollDevice(t, started.device_code)).body.error,
      'authorization_pending',
      'looking allows nothing',
    );
    const account_id = agents[1].accountId;
    const given = await decide(operator, typed, { ...allowed, account_id });
    assert.deepEqual(
      [given.status, given.body.scopes],
      [200, ['account:read', 'mail:read']],
      'codes of mail are named, or not given',
    );
    const { status: got, body } = await pollDevice(t, started.device_code);
    assert.deepEqual([got, body.scope, body.expires_in], [200, 'account:read mail:read', 90 * 86_400]);
    assert.equal((await t.api(body.access_token).get(ME)).body.id, account_id);
    const { entries } = (await agents[1].api.get('/v1/audit?limit=10')).body;
    const consent = entries.find(({ action }: { action: string }) => action === 'grant.created');
    assert.equal(consent.actor.kind, 'person');
    const stored = JSON.stringify([
      await t.sql('select * from grant_tokens'),
      await t.sql('select * from device_logins'),
    ]);
    assert.ok(!stored.includes(started.device_code) && !stored.includes(started.user_code));
    // A second use of the code ends what the first one gave: there is a copy of it.
    assert.equal((await pollDevice(t, started.device_code)).body.error, 'invalid_grant');
    assert.equal((await t.api(body.access_token).get(ME)).status, 401);
    assert.equal((await decide(operator, started.user_code)).body.error, 'unknown_user_code');
    assert.deepEqual((await agents[1].api.get(GRANTS)).body.grants, []);
  });

  it('A8 a decision without scopes leaves money:approve out; one that names it gives it', async () => {
    const { t } = suite;
    const { operator } = await twoAgents(t);
    const key = async (fields: object): Promise<string> => {
      const { body } = await startDevice(t, { scope: 'account:read money:approve' });
      assert.equal((await decide(operator, body.user_code, { ...allowed, ...fields })).status, 200);
      return (await pollDevice(t, body.device_code)).body.scope;
    };
    assert.equal(await key({}), 'account:read');
    assert.equal(await key({ scopes: ['account:read', 'money:approve'] }), 'account:read money:approve');
  });

  it('a live login ends whole with its grant, its key or its client; its code gives nothing after that', async () => {
    const { t } = suite;
    const { operator, agents } = await twoAgents(t);
    const [{ api }] = agents;
    const named = async () =>
      (await api.get('/v1/account/keys')).body.keys.filter(({ kind }: { kind: string }) => kind === 'named');
    const ends: ((key: string) => Promise<unknown>)[] = [
      async () => api.delete(`${GRANTS}/${(await api.get(GRANTS)).body.grants[0].id}`),
      async () => api.delete(`/v1/account/keys/${(await named())[0].id}`),
      (token) => t.api().post('/oauth/revoke', { token, client_id: COMMAND_LINE }),
    ];
    for (const end of ends) {
      const { device_code, user_code } = await waitingDevice(t);
      assert.equal((await decide(operator, user_code, allowed)).status, 200);
      const { access_token: key } = (await pollDevice(t, device_code)).body;
      assert.equal((await t.api(key).get(ME)).status, 200);
      await end(key);
      assert.equal((await t.api(key).get(ME)).status, 401);
      assert.deepEqual([(await api.get(GRANTS)).body.grants, await named()], [[], []]);
      assert.equal((await pollDevice(t, device_code)).body.error, 'invalid_grant');
      assert.deepEqual(await named(), []);
    }
  });

  it('slow_down: a poll before its interval lengthens it by 5 seconds', async () => {
    const { t } = suite;
    const { device_code: code } = await waitingDevice(t);
    const poll = async (afterMs: number): Promise<string> => {
      t.clock.advance(afterMs);
      return (await pollDevice(t, code)).body.error;
    };
    assert.equal(await poll(0), 'authorization_pending');
    assert.equal(await poll(4999), 'slow_down');
    assert.equal(await poll(9999), 'slow_down');
    assert.equal(await poll(15_000), 'authorization_pending');
  });

  it('a denied login learns so, and its code is unknown from then on', async () => {
    const { t } = suite;
    const { operator } = await twoAgents(t);
    const { device_code, user_code } = await waitingDevice(t);
    assert.equal((await decide(operator, user_code, { decision: 'deny' })).status, 200);
    assert.equal((await pollDevice(t, device_code)).body.error, 'access_denied');
    assert.equal((await decide(operator, user_code, allowed)).body.error, 'unknown_user_code');
    t.clock.advance(HOUR_MS);
  });

  it('ends after ten minutes; one that was allowed in its last second still gets its key', async () => {
    const { t } = suite;
    const { operator } = await twoAgents(t);
    const [late, last] = [await waitingDevice(t), await waitingDevice(t)];
    t.clock.advance(599_000);
    assert.equal((await decide(operator, last.user_code, allowed)).status, 200);
    t.clock.advance(1000);
    assert.equal((await decide(operator, late.user_code, allowed)).body.error, 'unknown_user_code');
    assert.equal((await pollDevice(t, late.device_code)).body.error, 'expired_token');
    assert.equal((await pollDevice(t, last.device_code)).status, 200);
    assert.equal((await pollDevice(t, `${late.device_code}x`)).body.error, 'invalid_grant');
    t.clock.advance(HOUR_MS);
  });

  it('is for this client and this service alone', async () => {
    const { t } = suite;
    const other = await registerClient(t);
    const refused: [Record<string, string>, string][] = [
      [{ client_id: other }, 'invalid_client'],
      [{ client_id: '' }, 'invalid_client'],
      [{ resource: `${t.baseUrl}/mcp` }, 'invalid_target'],
      [{ resource: '' }, 'invalid_target'],
      [{ scope: 'mail:read nonsense' }, 'invalid_scope'],
      [{ scope: 'account:read account:manage' }, 'invalid_scope'],
    ];
    for (const [fields, error] of refused) {
      const { status, body } = await startDevice(t, fields);
      assert.deepEqual(
        [status, body.error, typeof body.error_description],
        [400, error, 'string'],
        JSON.stringify(fields),
      );
    }
    const { operator } = await twoAgents(t);
    const { device_code, user_code } = await waitingDevice(t);
    await decide(operator, user_code, allowed);
    assert.equal((await pollDevice(t, device_code, { client_id: other })).body.error, 'invalid_client');
    assert.equal((await pollDevice(t, device_code, { resource: `${t.baseUrl}/mcp` })).body.error, 'invalid_target');
    assert.equal((await pollDevice(t, device_code)).status, 200);
  });

  it('is decided by an operator under authority operator, and never by a key', async () => {
    const { t } = suite;
    const agent = await t.createAccount();
    const own = await plainSession(t, agent);
    const { user_code } = await waitingDevice(t);
    assert.equal((await decide(agent.api, user_code, allowed)).body.error, 'session_required');
    assert.equal((await decide(t.api(), user_code, allowed)).status, 401);
    await confirmOperator(t, agent, newPerson(t), 'operator');
    assert.equal((await decide(own, user_code, allowed)).body.error, 'operator_required');
    const stranger = await plainSession(t, await t.createAccount());
    const { accountId: account_id } = agent;
    assert.equal((await decide(stranger, user_code, { ...allowed, account_id })).status, 404);
    const refused = await decide(stranger, user_code, { ...allowed, scopes: ['vault:read'] });
    assert.equal(refused.body.error, 'invalid_scope');
    // What was refused has not used the code up.
    assert.equal((await decide(stranger, user_code, allowed)).status, 200);
  });

  it('the metadata name the endpoint and the grant type', async () => {
    const { t } = suite;
    const { body } = await t.api().get('/.well-known/oauth-authorization-server');
    assert.equal(body.device_authorization_endpoint, `${t.baseUrl}/oauth/device_authorization`);
    assert.ok(body.grant_types_supported.includes('urn:ietf:params:oauth:grant-type:device_code'));
    assert.match((await t.api().get('/device')).text, /consent\.js/);
  });

  itInAll('429: one network begins few logins an hour', async () => {
    const { t } = suite;
    const from = { 'x-forwarded-for': '192.0.2.77' };
    const replies = await Promise.all(Array.from({ length: 61 }, () => startDevice(t, {}, from)));
    assert.deepEqual(
      replies
        .map(({ status }) => status)
        .sort()
        .slice(-2),
      [200, 429],
    );
  });
});

onEngines('both', 'a login with a device code: what the database decides', { env: { TRUST_PROXY: '1' } }, (suite) => {
  it('after five wrong codes of a network, also at once, no code is looked at, the right one neither; others go on', async () => {
    const { t } = suite;
    const { operator } = await twoAgents(t);
    const { user_code } = await waitingDevice(t);
    const from = (network: string) => ({ 'x-forwarded-for': network });
    const guesses = [...WRONG, 'HHHH-HHHH', 'JJJJ-JJJJ'].map((code) => decide(operator, code, {}, from('192.0.2.9')));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status).sort();
    assert.deepEqual(statuses, [404, 404, 404, 404, 404, 429, 429]);
    const right = await decide(operator, user_code, allowed, from('192.0.2.9'));
    assert.deepEqual([right.status, right.body.limit.name], [429, 'device_wrong_codes_per_ip_per_hour']);
    assert.equal((await decide(operator, 'not a code', {}, from('192.0.2.9'))).status, 400);
    // Right codes count nothing.
    for (let n = 0; n < 6; n++) assert.equal((await decide(operator, user_code, {}, from('192.0.2.10'))).status, 200);
    t.clock.advance(HOUR_MS);
    const { user_code: next } = await waitingDevice(t);
    assert.equal((await decide(operator, next, allowed, from('192.0.2.9'))).status, 200);
  });

  it('of parallel decisions one counts, and of parallel polls one gets the key', async () => {
    const { t } = suite;
    const [one, two] = [await twoAgents(t), await twoAgents(t)];
    const { device_code, user_code } = await waitingDevice(t);
    const decisions = await Promise.all([
      decide(one.operator, user_code, allowed),
      decide(two.operator, user_code, allowed),
      decide(one.operator, user_code, { decision: 'deny' }),
    ]);
    assert.deepEqual(decisions.map(({ status }) => status).sort(), [200, 404, 404]);
    const winner = decisions.findIndex(({ status }) => status === 200);
    const polls = await Promise.all([1, 2, 3].map(() => pollDevice(t, device_code)));
    const won = polls.filter(({ status }) => status === 200);
    assert.equal(won.length, winner === 2 ? 0 : 1);
    // Two of them came again, so the key has ended.
    for (const { body } of won) assert.equal((await t.api(body.access_token).get(ME)).status, 401);
  });
});
