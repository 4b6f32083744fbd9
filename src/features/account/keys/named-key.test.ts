import assert from 'node:assert/strict';
import { it } from 'node:test';
import { WebSocket } from 'ws';
import { delegate, exchange, tokenFor } from '../../../../test/support/delegations.ts';
import { onEngines, type TestAccount, type TestApp } from '../../../../test/support/harness.ts';
import { makePod } from '../../../../test/support/pods.ts';
import { closed, opened, refusal, wsUrl } from '../../../../test/support/stream-client.ts';
import { SCOPE_NAMES } from '../../../api/scopes.ts';
import { DAY_MS } from '../../../base/period.ts';
import { expireKeyDays } from './key-use.ts';

const KEYS = '/v1/account/keys';
const ME = '/v1/account/me';

const at = (t: TestApp, ms = 0): string => new Date(t.clock.now() + ms).toISOString();
const prefixOf = (key: string): string => key.replace(/^(signet_[a-z]+_.{4}).*$/, '$1');
const opens = async (t: TestApp, key: string): Promise<number> => (await t.api(key).get(ME)).status;

async function makeKey(account: TestAccount, fields: Record<string, unknown> = {}) {
  const { status, body } = await account.api.post(KEYS, { name: 'ci', scopes: ['account:read'], ...fields });
  assert.equal(status, 201, JSON.stringify(body));
  return body as { id: string; api_key: string; key_prefix: string };
}

onEngines('any', `POST ${KEYS}`, {}, (suite) => {
  it('201 with every field; the key works within its scopes and is not stored', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const fields = { name: 'mail reader', scopes: ['mail:read', 'account:read'], expires_in_seconds: 60 };
    const { status, body } = await account.api.post(KEYS, fields);
    assert.equal(status, 201);
    assert.match(body.id, /^key_[0-9a-hjkmnp-tv-z]{26}$/);
    assert.match(body.api_key, /^signet_key_[0-9A-Za-z]{38}$/);
    assert.deepEqual(body, {
      id: body.id,
      api_key: body.api_key,
      key_prefix: prefixOf(body.api_key),
      name: 'mail reader',
      scopes: ['account:read', 'mail:read'],
      addresses: null,
      requests_share: null,
      expires_at: at(t, 60_000),
      created_at: at(t),
    });
    assert.equal((await t.api(body.api_key).get(ME)).body.key_prefix, body.key_prefix);
    const stored = JSON.stringify([
      await t.sql('select * from named_keys'),
      await t.sql('select * from named_key_secrets'),
    ]);
    assert.ok(!stored.includes(body.api_key));
  });

  it('403 insufficient_scope with the scope in the body and the challenge', async () => {
    const { t } = suite;
    const { api_key } = await makeKey(await t.createAccount());
    const { status, body, headers } = await t.api(api_key).get('/v1/vault/');
    assert.equal(status, 403);
    assert.deepEqual([body.error, body.required_scope], ['insufficient_scope', 'vault:read']);
    assert.equal(headers.get('www-authenticate'), 'Bearer error="insufficient_scope", scope="vault:read"');
  });

  it('400 invalid_request: names, scopes and lifetimes that do not fit', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const valid = { name: 'ci', scopes: ['mail:read'] };
    const bad = [
      {},
      { name: 'ci' },
      { scopes: ['mail:read'] },
      { ...valid, name: '' },
      { ...valid, name: 'a\nb' },
      { ...valid, scopes: [] },
      { ...valid, scopes: ['mail:all'] },
      { ...valid, scopes: ['mail:read', 'mail:read'] },
      { ...valid, scopes: 'mail:read' },
      { ...valid, expires_in_seconds: 0 },
      { ...valid, expires_in_seconds: 1.5 },
      { ...valid, expires_in_seconds: null },
      { ...valid, addresses: ['a@agents.localhost'] },
    ];
    for (const body of bad) assert.equal((await api.post(KEYS, body)).status, 400, JSON.stringify(body));
  });
});

onEngines('both', `POST ${KEYS}: what the database decides`, {}, (suite) => {
  it('403 limit_reached with the limit; a deleted or expired key makes room', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const made = [await makeKey(account, { expires_in_seconds: 10 })];
    while (made.length < 20) made.push(await makeKey(account));
    const refused = await account.api.post(KEYS, { name: 'one more', scopes: ['mail:read'] });
    assert.equal(refused.status, 403);
    assert.deepEqual(
      [refused.body.error, refused.body.limit],
      ['limit_reached', { name: 'named_keys', used: 20, max: 20 }],
    );
    t.clock.advance(10_000);
    await makeKey(account);
    assert.equal((await account.api.post(KEYS, { name: 'ci', scopes: ['mail:read'] })).status, 403);
    await account.api.delete(`${KEYS}/${made[1]?.id}`);
    await makeKey(account);
  });

  it('of 40 parallel calls 20 succeed', async () => {
    const { api } = await suite.t.createAccount();
    const calls = Array.from({ length: 40 }, () => api.post(KEYS, { name: 'ci', scopes: ['mail:read'] }));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [...Array(20).fill(201), ...Array(20).fill(403)]);
  });
});

onEngines('any', `GET ${KEYS}`, {}, (suite) => {
  it('200 with the primary, the backup and the named keys; no key is shown', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const { backup_key } = (await account.api.post('/v1/auth/keys/generate-backup', { label: 'safe' })).body;
    const named = await makeKey(account, { expires_in_seconds: 60 });
    const unused = { last_used_at: null, last_used_from: null, days: [] };
    const none = { addresses: null, requests_share: null, expires_at: null, ...unused };
    const shared = { ...none, created_at: at(t), status: 'active' };
    const { status, body, text } = await account.api.get(KEYS);
    assert.equal(status, 200);
    const [primary, backup] = body.keys;
    assert.deepEqual(body.keys, [
      {
        id: primary.id,
        kind: 'primary',
        name: null,
        key_prefix: prefixOf(account.key),
        scopes: SCOPE_NAMES,
        ...shared,
        last_used_at: at(t),
        last_used_from: '127.0.0.0/24',
        days: [{ day: at(t).slice(0, 10), requests: 3 }],
      },
      { id: backup.id, kind: 'backup', name: 'safe', key_prefix: prefixOf(backup_key), scopes: [], ...shared },
      {
        id: named.id,
        kind: 'named',
        name: 'ci',
        key_prefix: named.key_prefix,
        scopes: ['account:read'],
        ...shared,
        expires_at: at(t, 60_000),
      },
    ]);
    for (const key of [account.key, backup_key, named.api_key]) assert.ok(!text.includes(key));
    const ids = (keys: { id: string }[]) => keys.map(({ id }) => id);
    assert.deepEqual(ids((await account.api.get(KEYS)).body.keys), ids(body.keys), 'ids stay');
    t.clock.advance(60_000);
    assert.equal((await account.api.get(KEYS)).body.keys[2].status, 'expired');
  });

  it('shows and changes only the caller’s keys', async () => {
    const { t } = suite;
    const [ada, bob] = [await t.createAccount(), await t.createAccount()];
    const { id, api_key } = await makeKey(ada);
    assert.equal((await bob.api.get(KEYS)).body.keys.length, 1);
    assert.equal((await bob.api.delete(`${KEYS}/${id}`)).status, 404);
    assert.equal((await bob.api.post(`${KEYS}/${id}/rotate`)).status, 404);
    assert.equal(await opens(t, api_key), 200);
  });

  it('404: the id of a primary or backup key cannot be deleted or rotated here', async () => {
    const { t } = suite;
    const account = await t.createAccount({ backup: true });
    for (const { id } of (await account.api.get(KEYS)).body.keys) {
      assert.equal((await account.api.delete(`${KEYS}/${id}`)).status, 404);
      assert.equal((await account.api.post(`${KEYS}/${id}/rotate`)).status, 404);
    }
    assert.equal(await opens(t, account.key), 200);
  });
});

onEngines('both', `GET ${KEYS}: what the database decides`, {}, (suite) => {
  it('shows the last use of a key at once, and saves it', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const { api_key } = await makeKey(account);
    t.clock.advance(5000);
    const usedAt = at(t);
    await t.api(api_key).get(ME);
    const lastUse = async () => (await account.api.get(KEYS)).body.keys.at(-1).last_used_at;
    assert.equal(await lastUse(), usedAt);
    await t.app.provided.credentials.keyUses.save();
    assert.equal(await lastUse(), usedAt);
    const rows = await t.sql('select last_used_at from named_keys where account_id = ?', account.accountId);
    assert.equal(Number(rows[0]?.last_used_at), Date.parse(usedAt));
  });

  it('counts the calls of each key by day, refused ones too, and says from which network; all that is kept for 30 days', async () => {
    const { t } = suite;
    const { keyUses } = t.app.provided.credentials;
    const account = await t.createAccount();
    const { id, api_key } = await makeKey(account);
    const named = t.api(api_key);
    const of = async (api = account.api) => {
      const key = (await api.get(KEYS)).body.keys.find((one: { id: string }) => one.id === id);
      return [key.last_used_at, key.last_used_from, key.days.map(({ requests }: { requests: number }) => requests)];
    };
    assert.equal((await named.get('/v1/audit')).status, 403);
    assert.equal((await named.get(ME)).status, 200);
    assert.deepEqual(await of(), [at(t), '127.0.0.0/24', [2]]);
    await keyUses.save();
    await named.get(ME);
    assert.deepEqual(await of(), [at(t), '127.0.0.0/24', [3]], 'saved and unsaved together');
    t.clock.advance(DAY_MS);
    const usedAt = at(t);
    await named.get(ME);
    assert.deepEqual(await of(), [usedAt, '127.0.0.0/24', [3, 1]], 'two days in one minute');
    await keyUses.save();
    await keyUses.save();
    assert.deepEqual(await of(), [usedAt, '127.0.0.0/24', [3, 1]]);
    assert.deepEqual((await of(named)).slice(1), ['127.0.0.0/24', [3, 2]], 'a named key sees its own network');
    const other = t.api((await makeKey(account)).api_key);
    assert.deepEqual((await of(other))[1], null, 'and not that of another');
    await keyUses.save();
    assert.deepEqual(
      await t.sql("select key_id from key_days where network not like '%/24'"),
      [],
      'no address is kept',
    );
    t.clock.advance(30 * DAY_MS);
    assert.deepEqual((await of()).slice(1), [null, []]);
    assert.equal((await of())[0], usedAt, 'when a named key was used is known longer');
    await t.app.database.transaction((tx) => expireKeyDays(tx, t.clock.now()));
    assert.deepEqual(await t.sql('select day_start from key_days where key_id = ?', id), []);
  });
});

onEngines('any', 'the end of a named key', {}, (suite) => {
  it('deleted and expired keys are 401 from the next request', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const [gone, short] = [await makeKey(account), await makeKey(account, { expires_in_seconds: 1 })];
    assert.deepEqual([await opens(t, gone.api_key), await opens(t, short.api_key)], [200, 200]);
    const { status, body } = await account.api.delete(`${KEYS}/${gone.id}`);
    assert.deepEqual([status, body], [200, { ok: true }]);
    assert.equal(await opens(t, gone.api_key), 401);
    assert.equal((await account.api.delete(`${KEYS}/${gone.id}`)).status, 404);
    t.clock.advance(1000);
    assert.equal(await opens(t, short.api_key), 401);
    assert.equal((await account.api.post(`${KEYS}/${short.id}/rotate`)).status, 404, 'a rotation revives nothing');
  });

  it('rotate without grace ends the former text at once; scopes and end stay', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const first = await makeKey(account, { expires_in_seconds: 60 });
    const { status, body } = await account.api.post(`${KEYS}/${first.id}/rotate`);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      api_key: body.api_key,
      key_prefix: prefixOf(body.api_key),
      previous_valid_until: at(t),
    });
    assert.deepEqual([await opens(t, first.api_key), await opens(t, body.api_key)], [401, 200]);
    assert.equal((await t.api(body.api_key).get('/v1/audit')).status, 403);
    t.clock.advance(60_000);
    assert.equal(await opens(t, body.api_key), 401);
  });

  it('rotate with grace keeps one former text until its end, which is never after the key’s', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const first = await makeKey(account, { expires_in_seconds: 100 });
    const path = `${KEYS}/${first.id}/rotate`;
    assert.equal((await account.api.post(path, { grace_seconds: 86_401 })).status, 400);
    const second = (await account.api.post(path, { grace_seconds: 30 })).body;
    assert.equal(second.previous_valid_until, at(t, 30_000));
    assert.deepEqual([await opens(t, first.api_key), await opens(t, second.api_key)], [200, 200]);
    const third = (await account.api.post(path, { grace_seconds: 86_400 })).body;
    assert.equal(third.previous_valid_until, at(t, 100_000));
    assert.deepEqual([await opens(t, first.api_key), await opens(t, second.api_key)], [401, 200]);
    const fourth = (await account.api.post(path, { grace_seconds: 30 })).body;
    t.clock.advance(29_999);
    assert.equal(await opens(t, third.api_key), 200);
    t.clock.advance(1);
    assert.deepEqual([await opens(t, third.api_key), await opens(t, fourth.api_key)], [401, 200]);
  });

  it('deleting a key closes its socket with 4401 before the next event; a ticket of it is 401', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const { id, api_key } = await makeKey(account, { scopes: ['events:read'] });
    const { ticket } = (await t.api(api_key).post('/v1/ws/tickets')).body;
    const socket = new WebSocket(wsUrl(t, `?token=${api_key}`));
    await opened(socket);
    const code = closed(socket);
    await account.api.delete(`${KEYS}/${id}`);
    assert.equal(await code, 4401);
    assert.equal((await refusal(new WebSocket(wsUrl(t, `?ticket=${ticket}`)))).status, 401);
  });

  it('with a scope less or an earlier end, its calls, its socket and what it delegated end at once; more holds at once too', async () => {
    const { t } = suite;
    const [account, helper] = [await t.createAccount(), await t.createAccount()];
    const scopes = ['events:read', 'identity:issue', 'account:read'];
    const { id, api_key } = await makeKey(account, { scopes });
    const key = t.api(api_key);
    const socket = new WebSocket(wsUrl(t, `?token=${api_key}`));
    await opened(socket);
    const code = closed(socket);
    const first = await delegate(t, key, helper, { scopes: ['account:read'] });
    const { access_token: token } = await tokenFor(t, helper.key, first.id);
    const change = (body: object) => account.api.patch(`${KEYS}/${id}`, body);
    assert.equal((await change({ name: 'renamed', scopes })).status, 200);
    assert.equal((await t.api(token).get(ME)).status, 200, 'a name and the same scopes end nothing');
    const less = await change({ scopes: ['identity:issue', 'account:read'] });
    assert.deepEqual(less.body, {
      id,
      name: 'renamed',
      scopes: ['account:read', 'identity:issue'],
      requests_share: null,
      expires_at: null,
    });
    assert.equal(await code, 4401);
    assert.equal((await key.get('/v1/events')).body.required_scope, 'events:read');
    assert.equal((await t.api(token).get(ME)).status, 401);
    assert.equal((await exchange(t, helper.key, first.id)).status, 400);
    const second = await delegate(t, key, helper, { scopes: ['account:read'] });
    assert.equal((await change({ scopes, expires_in_seconds: 60 })).body.expires_at, at(t, 60_000));
    assert.equal((await exchange(t, helper.key, second.id)).status, 400, 'what it delegated would outlive it');
    assert.equal((await key.get('/v1/events')).status, 200);
    assert.equal((await change({ expires_in_seconds: null })).body.expires_at, null);
    assert.equal((await change({ expires_in_seconds: 60 })).status, 200);
    t.clock.advance(60_000);
    assert.equal((await key.get(ME)).status, 401);
    assert.equal((await change({ expires_in_seconds: null })).status, 404, 'a key that has ended stays ended');
    for (const body of [{ scopes: [] }, { scopes: ['mail:all'] }, { expires_in_seconds: 0 }, { addresses: null }])
      assert.equal((await change(body)).status, 400, JSON.stringify(body));
  });

  it('403 for a WebSocket without events:read', async () => {
    const { t } = suite;
    const { api_key } = await makeKey(await t.createAccount());
    const refused = await refusal(new WebSocket(wsUrl(t, `?token=${api_key}`)));
    assert.deepEqual([refused.status, JSON.parse(refused.body).required_scope], [403, 'events:read']);
  });

  it('replacing the key of a pod ends its named keys', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const pod = await makePod(t, platform);
    const { api_key } = await makeKey(pod);
    assert.equal(await opens(t, api_key), 200);
    await platform.api.post(`/v1/pods/${pod.podId}/keys`);
    assert.equal(await opens(t, api_key), 401);
  });
});
