import assert from 'node:assert/strict';
import { it } from 'node:test';
import { WebSocket } from 'ws';
import { openSession } from '../../../../test/support/agents.ts';
import { sessionOf } from '../../../../test/support/confirmed.ts';
import { type Api, onEngines, type TestAccount, type TestApp, tokenIn } from '../../../../test/support/harness.ts';
import { makePod } from '../../../../test/support/pods.ts';
import { freshEmail, linkTo, verify } from '../../../../test/support/recovery.ts';
import { publishKey, RFC_8037_KEY } from '../../../../test/support/signing-keys.ts';
import { bearer, closed, opened, refusal, wsUrl } from '../../../../test/support/stream-client.ts';
import { DAY_MS, HOUR_MS } from '../../../base/period.ts';

const SECURE = '/v1/account/secure';
const HOOKS = '/v1/email/webhooks';
const KEYS = '/v1/agents/signing-keys';
const VAULT = '/v1/vault/recovery-email';
const TOKEN = { audience: 'https://api.example', scopes: ['read'] };
const PUBLIC_KEY = 'CFo0W1tm4w0oiJfRYHJOkNCdbAmdhhTzAcsK1SN_wnE';

let names = 0;
const fresh = (stem: string): string => `${stem}-${process.pid}-${names++}`;

async function settled(t: TestApp): Promise<TestAccount> {
  const account = await t.createAccount();
  t.clock.advance(HOUR_MS);
  return account;
}

async function hook(api: Api, fields: object = {}): Promise<{ id: string; address: string }> {
  const { address } = (await api.post('/v1/email/claim', { address: fresh('hook') })).body;
  const made = await api.post(HOOKS, { address, url: 'http://127.0.0.1:9/hook', secret: 'the first', ...fields });
  assert.equal(made.status, 201, made.text);
  return { id: made.body.id, address };
}

const isActive = async (t: TestApp, token: string): Promise<boolean> =>
  (await t.api().post('/v1/tokens/introspect', { token })).body.active;

async function secure(api: Api, body: object = {}) {
  const reply = await api.post(SECURE, body);
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}

onEngines('any', 'M10: what a thief planted, after secure', {}, (suite) => {
  it('named keys, tokens, tickets and streams have ended', async () => {
    const { t } = suite;
    const owner = await settled(t);
    const thief = t.api(owner.key);
    const named = (await thief.post('/v1/account/keys', { name: 'x', scopes: ['mail:read', 'identity:issue'] })).body;
    const { token } = (await thief.post('/v1/tokens/issue', TOKEN)).body;
    const byNamed = (await t.api(named.api_key).post('/v1/tokens/issue', TOKEN)).body.token;
    const ticket = (await thief.post('/v1/ws/tickets')).body.ticket;
    const socket = new WebSocket(wsUrl(t), bearer(owner.key));
    await opened(socket);
    const heard: unknown[] = [];
    socket.on('message', (data) => heard.push(data));
    const code = closed(socket);
    assert.deepEqual([await isActive(t, token), await isActive(t, byNamed)], [true, true]);

    const { api_key, ended } = await secure(owner.api);
    assert.deepEqual([ended.keys, ended.tokens, ended.streams], [1, 2, 1]);
    assert.deepEqual([await isActive(t, token), await isActive(t, byNamed)], [false, false]);
    assert.equal((await t.api(named.api_key).get('/v1/email/addresses')).status, 401);
    assert.equal(await code, 4401);
    assert.deepEqual(heard, []);
    assert.equal((await refusal(new WebSocket(wsUrl(t, `?ticket=${ticket}`)))).status, 401);
    const fine = (await t.api(api_key).post('/v1/tokens/issue', TOKEN)).body.token;
    assert.equal(await isActive(t, fine), true);
  });

  it('login links that wait are dead', async () => {
    const { t } = suite;
    const owner = await settled(t);
    const { address } = await sessionOf(t, owner);
    const before = new Set(await t.outboxMails());
    await t.api().post('/v1/auth/login', { email: address });
    const mail = (await t.outboxMails()).find((text) => !before.has(text) && text.includes(`To: ${address}`)) ?? '';
    const token = tokenIn(mail);
    const { ended } = await secure(owner.api);
    assert.deepEqual([ended.links, ended.sessions], [1, 1]);
    assert.equal((await t.api().get(`/v1/auth/verify?token=${token}`)).status, 400);
    await openSession(t, address);
  });

  it('pods of 30 days are paused, and older ones go on', async () => {
    const { t } = suite;
    const owner = await settled(t);
    const old = await makePod(t, owner);
    t.clock.advance(31 * DAY_MS);
    const recent = await makePod(t, owner);
    const { api_key, recent_changes } = await secure(owner.api);
    assert.deepEqual(
      [(await old.api.get('/v1/account/me')).status, (await recent.api.get('/v1/account/me')).body.error],
      [200, 'pod_suspended'],
    );
    const paused = recent_changes.filter(({ what }: { what: string }) => what === 'pod_paused');
    assert.deepEqual(
      paused.map(({ detail }: { detail: string }) => detail),
      [recent.podId],
    );
    assert.equal((await t.api(api_key).patch(`/v1/pods/${recent.podId}`, { status: 'active' })).status, 200);
    assert.equal((await recent.api.get('/v1/account/me')).status, 200);
  });

  it('the feed link is another, and none is made for an account without one', async () => {
    const { t } = suite;
    const owner = await settled(t);
    const { cal_token } = (await t.api(owner.key).get('/v1/calendar/feed')).body;
    const read = async (token: string) => (await t.api().get(`/v1/calendar/feed.ics?cal_token=${token}`)).status;
    assert.equal(await read(cal_token), 200);
    const { api_key } = await secure(owner.api);
    const next = (await t.api(api_key).get('/v1/calendar/feed')).body.cal_token;
    assert.deepEqual([await read(cal_token), await read(next)], [404, 200]);
    const other = await settled(t);
    await secure(other.api);
    assert.deepEqual(await t.sql('select * from calendars where account_id = ?', other.accountId), []);
  });

  it('young signing and mail keys and a young vault address are taken back, unless revert is false', async () => {
    const { t } = suite;
    for (const revert of [true, false]) {
      const owner = await settled(t);
      const email = freshEmail();
      const { address } = await hook(owner.api);
      const thief = t.api(owner.key);
      const { keyid } = (await publishKey(thief, RFC_8037_KEY)).body;
      await thief.post('/v1/e2e/rotate-key', { master_seed: 'thief', new_public_key: PUBLIC_KEY });
      await thief.post(VAULT, { email, encrypted_seed: 'dGhpZWY' });
      const { api_key, recent_changes } = await secure(owner.api, { revert });
      const api = t.api(api_key);
      assert.equal((await api.get(KEYS)).body.count, revert ? 0 : 1);
      const [row] = await t.sql('select public_key from addresses where address = ?', address);
      assert.equal(row?.public_key, revert ? null : PUBLIC_KEY);
      const seeds = await t.sql('select email from vault_recoveries where account_id = ?', owner.accountId);
      assert.deepEqual(
        seeds.map((seed) => seed.email),
        revert ? [] : [email],
      );
      const whats = recent_changes.map(({ what, detail }: { what: string; detail: string }) => `${what} ${detail}`);
      for (const line of [`signing_key_removed ${keyid}`, `e2e_key_removed ${PUBLIC_KEY}`])
        assert.equal(whats.includes(line), revert, line);
      assert.equal(whats.includes(`vault_recovery_email_removed ${email}`), revert);
    }
  });

  it('what is old stays', async () => {
    const { t } = suite;
    const owner = await t.createAccount();
    const email = freshEmail();
    await publishKey(owner.api, RFC_8037_KEY);
    await owner.api.post('/v1/e2e/rotate-key', { master_seed: 'mine', new_public_key: PUBLIC_KEY });
    await owner.api.post(VAULT, { email, encrypted_seed: 'bWluZQ' });
    t.clock.advance(HOUR_MS);
    const { api_key } = await secure(owner.api);
    assert.equal((await t.api(api_key).get(KEYS)).body.count, 1);
    const { body } = await t.api(api_key).post('/v1/email/claim', { address: fresh('sealed') });
    assert.equal(body.e2e_enabled, true);
    assert.equal((await verify(t, await linkTo(t, email))).body.account_entries.length, 1);
  });
});

onEngines('both', 'M10: what a thief planted, after secure', {}, (suite) => {
  it('webhooks of 30 days are paused, and every secret is new', async () => {
    const { t } = suite;
    const owner = await settled(t);
    const old = await hook(owner.api);
    t.clock.advance(31 * DAY_MS);
    const recent = await hook(owner.api);
    const bare = await hook(owner.api, { secret: undefined });
    const { api_key, webhooks } = await secure(owner.api);
    const byId = new Map(webhooks.map((entry: { id: string }) => [entry.id, entry]));
    const shown = (id: string) => byId.get(id) as { url: string; paused: boolean; secret: string | null };
    assert.deepEqual([shown(old.id).paused, shown(recent.id).paused, shown(bare.id).paused], [false, true, true]);
    for (const id of [old.id, recent.id]) assert.match(shown(id).secret ?? '', /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.equal(shown(bare.id).secret, null);
    assert.equal(shown(old.id).url, 'http://127.0.0.1:9/hook');
    const list = (await t.api(api_key).get(HOOKS)).body.webhooks;
    const reasons = new Map(
      list.map((entry: { id: string; disabled_reason: string }) => [entry.id, entry.disabled_reason]),
    );
    assert.deepEqual([reasons.get(old.id), reasons.get(recent.id)], [null, 'secured']);
    await t.sendSmtp({ to: recent.address, subject: 'for nobody', text: 'x' });
    assert.deepEqual(await t.sql('select id from webhook_deliveries where webhook_id = ?', recent.id), []);
  });

  it('an old pod is paused, too, when its key or its recovery address is new', async () => {
    const { t } = suite;
    const owner = await settled(t);
    const [rekeyed, renamed, untouched] = [await makePod(t, owner), await makePod(t, owner), await makePod(t, owner)];
    t.clock.advance(31 * DAY_MS);
    const stolen = (await owner.api.post(`/v1/pods/${rekeyed.podId}/keys`)).body.api_key;
    assert.equal((await owner.api.patch(`/v1/pods/${renamed.podId}`, { recovery_email: freshEmail() })).status, 200);
    assert.equal((await owner.api.patch(`/v1/pods/${untouched.podId}`, { name: 'Same' })).status, 200);
    await secure(owner.api);
    for (const key of [stolen, renamed.key])
      assert.equal((await t.api(key).get('/v1/account/me')).body.error, 'pod_suspended');
    assert.equal((await untouched.api.get('/v1/account/me')).status, 200);
  });
});

onEngines('any', 'H3: a pod whose key its platform replaces', {}, (suite) => {
  it('has nothing left of its former holder, however old', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const pod = await makePod(t, platform);
    const email = freshEmail();
    const { backup_key } = (await pod.api.post('/v1/auth/keys/generate-backup')).body;
    const named = (await pod.api.post('/v1/account/keys', { name: 'x', scopes: ['mail:read'] })).body.api_key;
    const held = await hook(pod.api);
    await publishKey(pod.api, RFC_8037_KEY);
    await pod.api.post('/v1/e2e/rotate-key', { master_seed: 'mine', new_public_key: PUBLIC_KEY });
    await pod.api.post(VAULT, { email, encrypted_seed: 'bWluZQ' });
    t.clock.advance(40 * DAY_MS);
    const { api: session, address } = await sessionOf(t, pod, 30 * DAY_MS);
    const { token } = (await pod.api.post('/v1/tokens/issue', TOKEN)).body;
    const { cal_token } = (await pod.api.get('/v1/calendar/feed')).body;

    const replaced = await platform.api.post(`/v1/pods/${pod.podId}/keys`);
    assert.equal(replaced.status, 201, replaced.text);
    for (const key of [pod.key, backup_key, named])
      assert.equal((await t.api(key).post('/v1/account/secure')).status, 401, key);
    assert.equal((await session.get('/v1/account/me')).status, 401);
    const mails = new Set(await t.outboxMails());
    await t.api().post('/v1/auth/login', { email: address });
    const later = (await t.outboxMails()).filter((mail) => !mails.has(mail));
    assert.ok(
      later.every((mail) => !mail.includes('/login#token')),
      'his mailbox opens nothing any more',
    );
    assert.equal(await isActive(t, token), false);
    assert.equal((await t.api().get(`/v1/calendar/feed.ics?cal_token=${cal_token}`)).status, 404);
    const api = t.api(replaced.body.api_key);
    assert.equal((await api.get(KEYS)).body.count, 0);
    assert.equal((await api.get(HOOKS)).body.webhooks[0].disabled_reason, 'secured');
    const [row] = await t.sql('select public_key from addresses where address = ?', held.address);
    assert.equal(row?.public_key, null);
    assert.deepEqual(await t.sql('select * from vault_recoveries where account_id = ?', pod.accountId), []);
    assert.equal((await api.post('/v1/auth/keys/generate-backup')).status, 201);
  });
});
