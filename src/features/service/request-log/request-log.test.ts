import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onEngines } from '../../../../test/support/harness.ts';
import { twoAgents } from '../../../../test/support/operators.ts';
import { operated } from '../../../../test/support/passkeys.ts';
import type { Principal } from '../../../api/principal.ts';
import { RequestLog } from './logged-calls.ts';

interface Logged {
  request_id: string;
  at: string;
  method: string;
  path: string;
  status: number;
  ms: number;
  credential: string;
  actor: string;
}

onEngines('any', 'GET /v1/requests', {}, (suite) => {
  it('lists the calls of the account newest first, by pattern, with no word of what was sent', async () => {
    const { t } = suite;
    const { key, api, accountId } = await t.createAccount();
    const other = await t.createAccount();
    await other.api.get('/v1/account/me');
    const made = await api.post('/v1/account/keys', { name: 'reader', scopes: ['mail:read'] });
    const named = t.api(made.body.api_key);
    assert.equal((await named.get('/v1/budget?secret=hunter2')).status, 403);
    assert.equal((await api.get('/v1/pods/pod_hunter2?x=hunter2')).status, 404);
    assert.equal((await api.post('/v1/email/claim', { address: 'HUNTER2 !' })).status, 400);
    const { status, body, text } = await api.get('/v1/requests');
    assert.equal(status, 200);
    assert.doesNotMatch(text, /hunter2/i);
    const calls = (body.requests as Logged[]).map((one) => [one.method, one.path, one.status, one.credential]);
    assert.deepEqual(calls, [
      ['POST', '/v1/email/claim', 400, 'primary_key'],
      ['GET', '/v1/pods/{pod_id}', 404, 'primary_key'],
      ['GET', '/v1/budget', 403, 'named_key'],
      ['POST', '/v1/account/keys', 201, 'primary_key'],
    ]);
    const [claim] = body.requests as [Logged];
    assert.deepEqual([claim.at, key.startsWith(claim.actor)], [new Date(t.clock.now()).toISOString(), true]);
    assert.match(claim.request_id, /^req_/);
    assert.doesNotMatch(text, new RegExp(other.accountId));
    assert.doesNotMatch(text, new RegExp(accountId));
  });

  it('does not tell one agent what its operator does about himself and his other agents', async () => {
    const { agents, operator } = await twoAgents(suite.t);
    const [first, second] = agents;
    assert.equal((await operator.get('/v1/operator/agents')).status, 200);
    assert.equal((await operator.post(`/v1/operator/agents/${second.accountId}/suspend`)).status, 200);
    assert.equal((await operator.get('/v1/account/me')).status, 200);
    const { requests } = (await first.api.get('/v1/requests')).body;
    const paths = (requests as Logged[]).filter(({ credential }) => credential === 'session').map(({ path }) => path);
    assert.deepEqual(paths, ['/v1/account/me']);
  });

  it('lists by key, path, status and time, and without what a person’s console read: no key hides', async () => {
    const { t } = suite;
    const { account, session: person } = await operated(t);
    const { api } = account;
    const made = (await api.post('/v1/account/keys', { name: 'reader', scopes: ['mail:read'] })).body;
    assert.equal((await t.api(made.api_key).get('/v1/budget')).status, 403);
    const session = t.api((await api.post('/v1/auth/session')).body.session);
    assert.equal((await session.get('/v1/account/me')).status, 200);
    const listed = async (query: string) => {
      const { body, text } = await api.get(`/v1/requests?${query}`);
      return (body.requests as Logged[] | undefined)?.map(({ path, status }) => `${status} ${path}`) ?? text;
    };
    const isListed = async (query: string, what: string) => (await listed(query)).includes(what);
    assert.deepEqual(await listed(`key=${made.id}`), ['403 /v1/budget']);
    assert.deepEqual(await listed('key=named_key&status=4xx'), ['403 /v1/budget']);
    assert.deepEqual(await listed('path=/v1/auth&status=201'), ['201 /v1/auth/session']);
    assert.deepEqual(await listed(`from=${new Date(t.clock.now() + 1).toISOString()}`), []);
    const read = '200 /v1/account/me';
    assert.ok(await isListed('console=false', read));
    assert.equal((await person.get('/v1/budget')).status, 200);
    const seen = '200 /v1/budget';
    assert.deepEqual([await isListed('', seen), await isListed('console=false', seen)], [true, false]);
    assert.equal((await api.get('/v1/requests?status=teapot')).status, 400);
  });

  it('GET /v1/requests/{id}: one call; what is forgotten, another account’s and none are no longer kept', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const id = (await api.get('/v1/account/me')).headers.get('x-request-id');
    const { body } = await api.get(`/v1/requests/${id}`);
    assert.deepEqual([body.request_id, body.path, body.status], [id, '/v1/account/me', 200]);
    const stranger = await t.createAccount();
    const others = await stranger.api.get(`/v1/requests/${id}`);
    const none = await stranger.api.get('/v1/requests/req_00000000000000000000000000');
    assert.deepEqual([others.status, others.body.error, others.text], [404, 'no_longer_kept', none.text]);
    assert.equal((await api.get('/v1/requests/req_x')).body.error, 'not_found');
  });

  it('needs the scope audit:read', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const keyWith = async (scope: string) =>
      t.api((await api.post('/v1/account/keys', { name: scope, scopes: [scope] })).body.api_key);
    assert.equal((await (await keyWith('mail:read')).get('/v1/requests')).body.required_scope, 'audit:read');
    assert.equal((await (await keyWith('audit:read')).get('/v1/requests')).status, 200);
    assert.equal((await t.api().get('/v1/requests')).status, 401);
  });

  it('pages without a gap, and refuses a cursor of another kind', async () => {
    const { api } = await suite.t.createAccount();
    for (let i = 0; i < 5; i++) await api.get('/v1/account/me');
    const ids: string[] = [];
    let cursor: string | null = '';
    do {
      const { body } = await api.get(`/v1/requests?limit=2${cursor ? `&cursor=${cursor}` : ''}`);
      ids.push(...body.requests.map((one: Logged) => one.request_id));
      cursor = body.next_cursor;
    } while (cursor !== null);
    assert.deepEqual([ids.length, new Set(ids).size], [5, 5]);
    assert.equal((await api.get('/v1/requests?cursor=WyJ4Il0')).body.error, 'invalid_cursor');
  });
});

it('keeps the last 500 calls of an account and 20,000 in all; the account that was quiet longest is forgotten', () => {
  const log = new RequestLog();
  const call = { requestId: 'req_1', at: 0, method: 'GET', route: '/v1/pods/:pod_id', status: 200, ms: 1 };
  const by = (accountId: string) =>
    ({
      accountId,
      actor: 'session',
      credential: 'session',
      auditActor: { kind: 'person', address: 'a@example.org', role: 'email' },
    }) as Principal;
  const all = { from: 0, to: 1, key: null, path: null, status: null, console: true };
  const kept = (accountId: string): number => log.list(accountId, all, Number.MAX_SAFE_INTEGER, 1000).calls.length;
  for (let i = 0; i < 510; i++) log.note(by('acc_0'), call);
  assert.equal(kept('acc_0'), 500);
  for (let account = 1; account < 40; account++) for (let i = 0; i < 500; i++) log.note(by(`acc_${account}`), call);
  assert.equal(kept('acc_0'), 500);
  log.note(by('acc_0'), call);
  log.note(by('acc_new'), call);
  assert.deepEqual([kept('acc_0'), kept('acc_1'), kept('acc_2'), kept('acc_new')], [500, 0, 500, 1]);
});
