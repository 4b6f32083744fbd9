import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onEngines, type TestApp, tokenIn } from '../../../../test/support/harness.ts';
import { mintKey } from '../../../base/secret.ts';

const ROTATE = '/v1/auth/keys/rotate';
const GENERATE = '/v1/auth/keys/generate-backup';
const ACTIVATE = '/v1/auth/keys/activate-backup';
const LIST = '/v1/auth/keys/list';

const prefixOf = (key: string): string => key.replace(/^(signet_[a-z]+_.{4}).*$/, '$1');
const opens = async (t: TestApp, key: string): Promise<number> => (await t.api(key).get('/v1/account/me')).status;

/** Credentials that must be refused. */
const NO_KEY: readonly [string, string | undefined][] = [
  ['no key', undefined],
  ['a well-formed key that was never issued', mintKey('platform')],
  ['a key with a wrong checksum', `signet_live_${'A'.repeat(38)}`],
  ['a session that was never issued', `session_${'A'.repeat(32)}`],
  ['text that is not a key', 'hello'],
];

onEngines('any', 'the key endpoints without a valid key', {}, (suite) => {
  for (const [what, key] of NO_KEY) {
    it(`401 unauthorized with a challenge: ${what}`, async () => {
      const { t } = suite;
      const calls = [ROTATE, GENERATE, ACTIVATE].map((path) => t.api(key).post(path));
      for (const { status, body, headers } of await Promise.all([...calls, t.api(key).get(LIST)])) {
        assert.equal(status, 401);
        assert.equal(body.error, 'unauthorized');
        assert.match(headers.get('www-authenticate') ?? '', /^Bearer/);
      }
    });
  }
});

onEngines('any', `POST ${ROTATE}`, {}, (suite) => {
  it('200 with every field; the new key opens the same account and the old key is refused', async () => {
    const { t } = suite;
    const { key, accountId, api } = await t.createAccount();
    const { status, body, headers } = await api.post(ROTATE);
    assert.equal(status, 200);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.match(body.api_key, /^signet_live_[0-9A-Za-z]{38}$/);
    assert.equal(typeof body.warning, 'string');
    assert.deepEqual(body, {
      api_key: body.api_key,
      key_prefix: prefixOf(body.api_key),
      account_id: accountId,
      rotated_at: new Date(t.clock.now()).toISOString(),
      standing: [],
      warning: body.warning,
    });
    assert.equal((await t.api(body.api_key).get('/v1/account/me')).body.id, accountId);
    assert.equal(await opens(t, key), 401);
  });

  it('verbose=false removes only the warning', async () => {
    const { api } = await suite.t.createAccount();
    const { body } = await api.post(`${ROTATE}?verbose=false`);
    assert.deepEqual(Object.keys(body).sort(), ['account_id', 'api_key', 'key_prefix', 'rotated_at', 'standing']);
  });

  it('a session can rotate: the old key is revoked and the session stays open', async () => {
    const { t } = suite;
    const { key, accountId } = await t.createAccount({ email: 'rotate@example.com' });
    await t.api().post('/v1/auth/login', { email: 'rotate@example.com' });
    const token = tokenIn((await t.outboxMails()).findLast((mail) => mail.includes('/login#')) ?? '');
    const { headers } = await t.api().get(`/v1/auth/verify?token=${token}`);
    const session = headers.get('location')?.split('#session=')[1] ?? '';
    const { status, body } = await t.api(session).post(ROTATE);
    assert.equal(status, 200);
    assert.equal(await opens(t, key), 401);
    assert.equal((await t.api(body.api_key).get('/v1/account/me')).body.id, accountId);
    assert.equal(await opens(t, session), 200);
    assert.equal((await t.api(session).post(ROTATE)).status, 200);
    assert.equal(await opens(t, body.api_key), 401);
  });

  it('keeps the backup key', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    const { backup_key } = (await api.post(GENERATE)).body;
    await api.post(ROTATE);
    assert.equal((await t.api(backup_key).post(ACTIVATE)).body.account_id, accountId);
  });
});

onEngines('any', `POST ${GENERATE}`, {}, (suite) => {
  it('201 with every field; the list shows the given label', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const { status, body } = await api.post(GENERATE, { label: 'in the safe' });
    assert.equal(status, 201);
    assert.match(body.backup_key, /^signet_bak_[0-9A-Za-z]{38}$/);
    assert.equal(typeof body.warning, 'string');
    assert.deepEqual(body, {
      backup_key: body.backup_key,
      key_prefix: prefixOf(body.backup_key),
      status: 'backup',
      created_at: new Date(t.clock.now()).toISOString(),
      warning: body.warning,
    });
    assert.equal(
      (await api.get(LIST)).body.keys.find((entry: { status: string }) => entry.status === 'backup').label,
      'in the safe',
    );
  });

  it('the label defaults to "backup"', async () => {
    const { api } = await suite.t.createAccount();
    await api.post(GENERATE);
    const backup = (await api.get(LIST)).body.keys.find((entry: { status: string }) => entry.status === 'backup');
    assert.equal(backup.label, 'backup');
  });

  it('verbose=false removes only the warning', async () => {
    const { api } = await suite.t.createAccount();
    const { body } = await api.post(`${GENERATE}?verbose=false`);
    assert.deepEqual(Object.keys(body).sort(), ['backup_key', 'created_at', 'key_prefix', 'status']);
  });

  it('409 backup_exists: a second backup key; the first keeps working', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const { backup_key } = (await api.post(GENERATE)).body;
    const refused = await api.post(GENERATE);
    assert.equal(refused.status, 409);
    assert.equal(refused.body.error, 'backup_exists');
    assert.equal((await t.api(backup_key).post(ACTIVATE)).status, 200);
  });

  it('400 invalid_request: a label that is too long, has a line break, or is not text', async () => {
    const { api } = await suite.t.createAccount();
    for (const label of ['x'.repeat(101), 'a\nb', 7, null]) {
      const refused = await api.post(GENERATE, { label });
      assert.equal(refused.status, 400);
      assert.equal(refused.body.details[0].path, '/body/label');
    }
    assert.equal((await api.post(GENERATE)).status, 201, 'a refusal creates no backup key');
  });
});

onEngines('any', `POST ${ACTIVATE}`, {}, (suite) => {
  it('200 with every field when called with the backup key', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    const { backup_key } = (await api.post(GENERATE)).body;
    const { status, body } = await t.api(backup_key).post(ACTIVATE);
    assert.equal(status, 200);
    assert.equal(typeof body.message, 'string');
    assert.deepEqual(body, {
      activated_key_prefix: prefixOf(backup_key),
      account_id: accountId,
      activated_at: new Date(t.clock.now()).toISOString(),
      message: body.message,
    });
  });

  it('200 when called with the primary, which is revoked; verbose=false removes only the message', async () => {
    const { t } = suite;
    const { key, api } = await t.createAccount();
    const { backup_key } = (await api.post(GENERATE)).body;
    const { status, body } = await api.post(`${ACTIVATE}?verbose=false`);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).sort(), ['account_id', 'activated_at', 'activated_key_prefix']);
    assert.deepEqual([await opens(t, key), await opens(t, backup_key)], [401, 200]);
  });

  it('404 not_found: no backup key; the primary keeps working', async () => {
    const { t } = suite;
    const { key, api } = await t.createAccount();
    const refused = await api.post(ACTIVATE);
    assert.deepEqual([refused.status, refused.body.error], [404, 'not_found']);
    assert.equal(await opens(t, key), 200);
  });

  it('an activated backup key can rotate, and the account can create a new backup key', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    const { backup_key } = (await api.post(GENERATE)).body;
    await t.api(backup_key).post(ACTIVATE);
    const rotated = await t.api(backup_key).post(ROTATE);
    assert.equal(rotated.status, 200);
    assert.match(rotated.body.api_key, /^signet_live_/);
    assert.equal(await opens(t, backup_key), 401);
    const next = t.api(rotated.body.api_key);
    assert.equal((await next.get('/v1/account/me')).body.id, accountId);
    assert.equal((await next.post(GENERATE)).status, 201);
  });
});

onEngines('both', `POST ${ACTIVATE}: what the database decides`, {}, (suite) => {
  it('50 parallel activations: one succeeds, and only the backup key works', async () => {
    const { t } = suite;
    const { key, api } = await t.createAccount();
    const { backup_key } = (await api.post(GENERATE)).body;
    const replies = await Promise.all(Array.from({ length: 50 }, () => t.api(backup_key).post(ACTIVATE)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    assert.ok(replies.every(({ status }) => status === 200 || status === 404));
    assert.deepEqual([await opens(t, key), await opens(t, backup_key)], [401, 200]);
  });

  it('a rotation in parallel with an activation leaves exactly one working key', async () => {
    const { t } = suite;
    const { key, api } = await t.createAccount();
    const { backup_key } = (await api.post(GENERATE)).body;
    const [rotated] = await Promise.all([api.post(ROTATE), t.api(backup_key).post(ACTIVATE)]);
    const keys = [key, backup_key, ...(rotated.status === 200 ? [rotated.body.api_key] : [])];
    const statuses = await Promise.all(keys.map((each) => opens(t, each)));
    assert.equal(statuses.filter((status) => status === 200).length, 1, String(statuses));
  });
});

onEngines('any', `GET ${LIST}`, {}, (suite) => {
  it('200 with every field of each key, newest first, without the keys themselves', async () => {
    const { t } = suite;
    const { key, api, accountId } = await t.createAccount();
    const created_at = new Date(t.clock.now()).toISOString();
    t.clock.advance(1000);
    const later = new Date(t.clock.now()).toISOString();
    const { backup_key } = (await api.post(GENERATE)).body;
    const { status, body, text } = await api.get(LIST);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      account_id: accountId,
      keys: [
        { prefix: prefixOf(backup_key), status: 'backup', label: 'backup', created_at: later, activated_at: null },
        { prefix: prefixOf(key), status: 'active', label: null, created_at, activated_at: created_at },
      ],
    });
    assert.ok(!text.includes(key) && !text.includes(backup_key));
  });

  it('shows the time of an activation, and the primary as revoked', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const { backup_key } = (await api.post(GENERATE)).body;
    t.clock.advance(5000);
    await api.post(ACTIVATE);
    const { keys } = (await t.api(backup_key).get(LIST)).body;
    const active = keys.find((entry: { status: string }) => entry.status === 'active');
    assert.deepEqual(
      [active.prefix, active.activated_at],
      [prefixOf(backup_key), new Date(t.clock.now()).toISOString()],
    );
    assert.deepEqual(keys.map((entry: { status: string }) => entry.status).sort(), ['active', 'revoked']);
  });

  it('shows only the caller’s keys', async () => {
    const { t } = suite;
    const [ada, bob] = [await t.createAccount(), await t.createAccount()];
    const prefixes = async ({ api }: typeof ada) =>
      (await api.get(LIST)).body.keys.map((key: { prefix: string }) => key.prefix);
    assert.deepEqual(await prefixes(ada), [prefixOf(ada.key)]);
    assert.deepEqual(await prefixes(bob), [prefixOf(bob.key)]);
  });
});

onEngines('both', `GET ${LIST}: what the database decides`, {}, (suite) => {
  it('orders keys of the same millisecond: active, backup, revoked', async () => {
    const { t } = suite;
    for (let round = 0; round < 4; round++) {
      let { api } = await t.createAccount({ backup: true });
      for (let n = 0; n < 2; n++) api = t.api((await api.post(ROTATE)).body.api_key);
      const list = (await api.get(LIST)).text;
      assert.deepEqual(
        JSON.parse(list).keys.map((entry: { status: string }) => entry.status),
        ['active', 'backup', 'revoked', 'revoked'],
      );
      assert.equal((await api.get(LIST)).text, list);
    }
  });
});
