import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { confirmOperator, openSession } from '../../../../test/support/agents.ts';
import {
  type Api,
  createApi,
  freshDatabase,
  nextDay,
  onEngines,
  type TestAccount,
  type TestApp,
} from '../../../../test/support/harness.ts';
import { allow, askFor, registerClient } from '../../../../test/support/oauth-client.ts';
import { makePod } from '../../../../test/support/pods.ts';
import { type App, startApp } from '../../../app.ts';
import { HOUR_MS } from '../../../base/period.ts';
import { readConfig } from '../../../config/service-config.ts';

const ME = '/v1/account/me';
const OPEN = '/v1/auth/session';
const LIMITS = {
  limits: { free: { requests_per_day: 40 }, console_requests_per_day: 60, console_logins_per_hour: 1000 },
};
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

async function consoleOf(t: Pick<TestApp, 'api'>, { api }: { api: Api }) {
  const { status, body, text } = await api.post(OPEN);
  assert.equal(status, 201, text);
  return { token: body.session as string, api: t.api(body.session), expiresAt: body.expires_at as string };
}

const usedOf = async ({ api }: { api: Api }) => (await api.get('/v1/usage')).body.requests.used as number;

onEngines('both', 'D: a console that a key opens', LIMITS, (suite) => {
  it('D: reads as often as consoles may without a request of the account, over all its sessions; then 429 until the next day', async () => {
    const { t } = suite;
    nextDay(t.clock);
    const account = await t.createAccount();
    const sessions = await Promise.all(times(5, () => consoleOf(t, account)));
    const before = await usedOf(account);
    const replies = await Promise.all(times(90, (i) => (sessions[i % 5] as { api: Api }).api.get(ME)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 60);
    const refused = await (sessions[0] as { api: Api }).api.get('/v1/account/keys');
    assert.deepEqual(
      [refused.status, refused.body.quota],
      [429, { name: 'console_requests_per_day', used: 60, max: 60 }],
    );
    assert.equal(await usedOf(account), before + 1);
    const stranger = await t.createAccount();
    assert.equal((await (await consoleOf(t, stranger)).api.get(ME)).status, 200);
    nextDay(t.clock);
    assert.equal((await (await consoleOf(t, account)).api.get(ME)).headers.get('ratelimit-remaining'), '59');
  });

  it('D: its other calls count as its key’s; it opens and reads when the agent has spent the day', async () => {
    const { t } = suite;
    nextDay(t.clock);
    const account = await t.createAccount();
    const { api } = await consoleOf(t, account);
    await account.api.post('/v1/email/claim', { address: 'typist' });
    assert.equal((await api.put('/v1/vault/note', { ciphertext: 'x' })).headers.get('ratelimit-remaining'), '38');
    for (let i = 0; i < 38; i++) assert.equal((await account.api.get(ME)).status, 200);
    assert.equal((await account.api.get(ME)).status, 429);
    assert.equal((await api.put('/v1/vault/note', { ciphertext: 'x' })).status, 429);
    const later = await consoleOf(t, account);
    for (const path of [ME, '/v1/email/addresses', '/v1/audit', '/v1/account/keys'])
      assert.equal((await later.api.get(path)).status, 200, path);
    const saved = await later.api.post('/v1/email/drafts', { text: 'What a person', autosaved: true });
    assert.equal(saved.status, 201, 'what is typed is saved without a request of the agent');
    const typed = await later.api.patch(`/v1/email/drafts/${saved.body.draft_id}`, { text: 'What a person types' });
    assert.deepEqual([typed.status, typed.body.autosaved], [200, true]);
    const scheduled = { to: 'bob@example.com', send_at: new Date(t.clock.now() + 60_000).toISOString() };
    for (const call of [
      later.api.patch(`/v1/email/drafts/${saved.body.draft_id}`, scheduled),
      later.api.post('/v1/email/drafts', { text: 'x', ...scheduled }),
    ])
      assert.equal((await call).body.error, 'rate_limited', 'a mail that leaves is a call of the agent');
    const ended = await later.api.delete('/v1/webhooks/whk_none');
    assert.deepEqual([ended.status, ended.body.error], [404, 'not_found'], 'it takes away as its key does');
  });

  it('D: is its key to everybody who asks: in the audit, in who ended the account, and in what waits', async () => {
    const { t } = suite;
    nextDay(t.clock);
    const account = await t.createAccount();
    const { api, expiresAt } = await consoleOf(t, account);
    assert.equal(Date.parse(expiresAt), t.clock.now() + 12 * HOUR_MS);
    const [own, shown] = [(await account.api.get(ME)).body, (await api.get(ME)).body];
    delete own.left;
    delete shown.left;
    assert.deepEqual(shown, own);
    await api.put('/v1/budget', { caps: { daily: 5 }, on_limit: 'approve' });
    const { approval_id: id } = (await api.post('/v1/charge', { amount: 10 })).body;
    assert.equal((await api.post(`/v1/approvals/${id}/approve`)).status, 200);
    const { entries } = (await account.api.get('/v1/audit')).body as {
      entries: { action: string; actor: { prefix?: string } }[];
    };
    const actors = entries.filter(({ action }) => action !== 'account.created').map(({ actor }) => actor.prefix);
    assert.deepEqual(new Set(actors), new Set([own.key_prefix]));
    assert.equal((await api.delete('/v1/account')).status, 202);
    assert.equal((await account.api.get(ME)).body.deletion.by, 'key');
    assert.equal((await consoleOf(t, account)).token.startsWith('session_'), true, 'an account that goes is looked at');
  });

  it('D: is nobody: no person’s page, consent or credential opens, and under an operator’s authority it decides nothing', async () => {
    const { t } = suite;
    nextDay(t.clock);
    const account = await t.createAccount();
    const { api, token } = await consoleOf(t, account);
    for (const path of ['/v1/operator/agents', '/v1/passkeys', '/v1/operator/settings']) {
      const { status, body } = await api.get(path);
      assert.deepEqual([status, body.error], [403, (await account.api.get(path)).body.error], path);
    }
    const asking = askFor(await registerClient(t));
    await assert.rejects(allow(api, asking));
    await account.api.post('/v1/credentials/request', { description: 'A card' });
    const request = { session: token, user_code: 'AAAA-AAAA', decision: 'deny' };
    assert.notEqual((await t.api().post('/v1/credentials/decide', request)).status, 200);
    await confirmOperator(t, account, `boss-${account.accountId}@example.org`.toLowerCase(), 'operator');
    assert.equal((await api.put('/v1/budget', { caps: { daily: 5 } })).status, 200);
    const refused = await api.put('/v1/budget', { caps: { daily: 500 } });
    assert.deepEqual([refused.status, refused.body.error], [403, 'operator_required']);
    const other = await t.createAccount();
    assert.equal((await api.get(ME, { 'signet-account': other.accountId })).status, 404);
  });
});

onEngines('both', 'D: console sessions of an account', LIMITS, (suite) => {
  it('D: five at most, the oldest ends, however many are opened at once; each is listed, and ends alone', async () => {
    const { t } = suite;
    nextDay(t.clock);
    const account = await t.createAccount();
    const first = await consoleOf(t, account);
    t.clock.advance(1000);
    const opened = await Promise.all(times(20, () => consoleOf(t, account)));
    const open = await Promise.all(opened.map(async ({ api }) => (await api.get(ME)).status === 200));
    assert.equal(open.filter(Boolean).length, 5);
    assert.equal((await first.api.get(ME)).status, 401);
    const live = opened.filter((_, i) => open[i]) as [(typeof opened)[0], (typeof opened)[0]];
    const { sessions } = (await live[0].api.get('/v1/account/sessions')).body;
    const shown = sessions.map(({ address, operator }: Record<string, unknown>) => [address, operator]);
    assert.deepEqual(
      shown,
      times(5, () => [null, false]),
    );
    const { id } = sessions.find(({ current }: { current: boolean }) => current);
    assert.equal((await live[1].api.post('/v1/auth/logout')).status, 200);
    assert.equal((await live[1].api.get(ME)).status, 401);
    assert.equal((await account.api.delete(`/v1/account/sessions/${id}`)).status, 200);
    assert.equal((await live[0].api.get(ME)).status, 401);
    assert.equal((await account.api.get(ME)).status, 200);
  });

  it('D: a stream that a session opened, by itself or by a ticket, ends with the session', async () => {
    const { t } = suite;
    nextDay(t.clock);
    const account = await t.createAccount();
    const { api, token } = await consoleOf(t, account);
    const stream = await fetch(`${t.baseUrl}/v1/events/stream`, { headers: { authorization: `Bearer ${token}` } });
    assert.equal(stream.status, 200);
    const { ticket } = (await api.post('/v1/ws/tickets')).body;
    assert.equal((await api.post('/v1/auth/logout')).status, 200);
    await stream.text();
    const socket = new WebSocket(`${t.baseUrl.replace('http', 'ws')}/v1/ws?ticket=${ticket}`);
    const [request, response] = await once(socket, 'unexpected-response');
    assert.equal(response.statusCode, 401);
    socket.on('error', () => {});
    request.destroy();
  });

  const endings: [string, (t: TestApp, account: TestAccount, by: Api) => Promise<unknown>][] = [
    ['rotated by the key', (_t, { api }) => api.post('/v1/auth/keys/rotate')],
    ['rotated by the session', (_t, _account, by) => by.post('/v1/auth/keys/rotate')],
    ['replaced by its backup', (_t, { api }) => api.post('/v1/auth/keys/activate-backup')],
    ['replaced by secure', (_t, { api }) => api.post('/v1/account/secure')],
  ];
  for (const [how, end] of endings)
    it(`D: ends with its key, ${how}`, async () => {
      const { t } = suite;
      nextDay(t.clock);
      const account = await t.createAccount({ backup: true });
      const { api } = await consoleOf(t, account);
      assert.equal((await api.get(ME)).status, 200);
      await end(t, account, api);
      assert.equal((await api.get(ME)).status, 401);
      assert.equal((await api.put('/v1/vault/note', { ciphertext: 'x' })).status, 401);
    });

  it('D: ends when a platform replaces the key of its pod; a pod’s session is a pod’s', async () => {
    const { t } = suite;
    nextDay(t.clock);
    const platform = await t.createAccount();
    const pod = await makePod(t, platform);
    const { api } = await consoleOf(t, pod);
    assert.equal((await api.post('/v1/pods', {})).body.error, 'pod_auth_forbidden');
    assert.equal((await platform.api.post(`/v1/pods/${pod.podId}/keys`)).status, 201);
    assert.equal((await api.get(ME)).status, 401);
  });

  it('D: ends after 12 hours, and nothing but a primary or pod key itself opens one', async () => {
    const { t } = suite;
    nextDay(t.clock);
    const account = await t.createAccount({ backup: true });
    const { api } = await consoleOf(t, account);
    const named = await account.api.post('/v1/account/keys', { name: 'x', scopes: ['account:read', 'account:manage'] });
    const email = `ada-${account.accountId}@example.com`.toLowerCase();
    await account.api.post('/v1/account/recovery-email', { email });
    const person = await openSession(t, email);
    for (const other of [t.api(named.body.api_key), person, api]) {
      const { status, body } = await other.post(OPEN);
      assert.deepEqual([status, body.error], [403, 'insufficient_scope']);
    }
    assert.equal((await t.api().post(OPEN)).status, 401);
    t.clock.advance(12 * HOUR_MS - 1);
    assert.equal((await api.get(ME)).status, 200);
    t.clock.advance(1);
    assert.equal((await api.get(ME)).status, 401);
  });
});

describe('D: console sessions over two instances on one database', () => {
  it('D: end on each with the next call: the session by itself, and with its key', async () => {
    const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    const database = await freshDatabase('postgres');
    const config = readConfig({
      PORT: '0',
      SMTP_PORT: 'off',
      IMAP_PORT: 'off',
      SUBMISSION_PORT: 'off',
      LOG_LEVEL: 'silent',
      ...database.env,
    });
    const instances = await Promise.all([startApp(config, silent), startApp(config, silent)]);
    const at = (i: number, key?: string) => createApi((instances[i] as App).baseUrl, key);
    try {
      const { api_key: key } = (await at(0).post('/v1/auth/keys')).body;
      const open = async () => (await at(0, key).post(OPEN)).body.session as string;
      const [one, two] = [await open(), await open()];
      for (const i of [0, 1])
        for (const token of [one, two]) {
          const { status, headers } = await at(i, token).get(ME);
          assert.deepEqual([status, headers.get('ratelimit-limit')], [200, '1000']);
        }
      assert.equal((await at(0, one).post('/v1/auth/logout')).status, 200);
      assert.equal((await at(1, one).get(ME)).status, 401);
      assert.equal((await at(1, two).get(ME)).status, 200);
      assert.equal((await at(0, key).post('/v1/auth/keys/rotate')).status, 200);
      assert.equal((await at(1, two).get(ME)).status, 401);
    } finally {
      await Promise.all(instances.map((app) => app.stop()));
      await database.drop();
    }
  });
});
