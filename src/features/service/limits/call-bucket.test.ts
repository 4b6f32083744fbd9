import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openSession } from '../../../../test/support/agents.ts';
import { IS_FULL_RUN } from '../../../../test/support/full-run.ts';
import { createApi, freshDatabase, onEngines, type TestAccount } from '../../../../test/support/harness.ts';
import { makePod } from '../../../../test/support/pods.ts';
import { startApp } from '../../../app.ts';
import { HOUR_MS } from '../../../base/period.ts';
import { readConfig } from '../../../config/service-config.ts';

const ME = '/v1/account/me';
const ROTATE = '/v1/auth/keys/rotate';
const TOKEN = { audience: 'https://api.example.com', scopes: ['a'] };
const LIMITS = { free: { requests_per_day: 30 }, requests_per_person_per_day: 30 };
const TIGHT = {
  ...LIMITS,
  key_rotations_per_hour: 5,
  backup_activations_per_hour: 5,
  revocations_per_hour: 60,
  inspections_per_hour: 120,
  pod_changes_per_hour: 60,
};

const rateOf = (headers: Headers) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`)));

/** Spends the day's quota of an account, as a thief with its key does. */
async function spend({ api }: Pick<TestAccount, 'api'>): Promise<void> {
  for (let i = 0; i < 40; i++) if ((await api.get(ME)).status === 429) return;
  assert.fail('the quota is not spent');
}

/** Spends what a credential has beside the day. */
async function spendBuckets(api: TestAccount['api']): Promise<void> {
  for (let i = 0; i < 120; i++) await api.get('/v1/account/sessions');
  for (let i = 0; i < 60; i++) await api.delete('/v1/account/sessions/ses_none');
  assert.equal((await api.get('/v1/account/sessions')).status, 429);
  assert.equal((await api.delete('/v1/account/sessions/ses_none')).status, 429);
}

onEngines('any', 'H2: a thief who spends the quota of the day', { limits: TIGHT }, (suite) => {
  it('with the stolen key cannot stop the owner from listing and ending keys and tokens, changing addresses, and rotating', async () => {
    const { t } = suite;
    const owner = await t.createAccount();
    const { jti } = (await owner.api.post('/v1/tokens/issue', TOKEN)).body;
    await owner.api.post('/v1/account/keys', { name: 'planted', scopes: ['mail:read'] });
    await spend(owner);
    const [, planted] = (await owner.api.get('/v1/account/keys')).body.keys;
    assert.equal((await owner.api.delete(`/v1/account/keys/${planted.id}`)).status, 200);
    const listed = await owner.api.get('/v1/tokens?status=active');
    assert.deepEqual([listed.status, listed.body.tokens[0].jti], [200, jti]);
    assert.equal((await owner.api.post('/v1/tokens/revoke', { token: jti })).body.revoked, true);
    assert.equal((await owner.api.post('/v1/account/recovery-email', { email: 'owner@example.com' })).status, 200);
    const rotated = await owner.api.post(ROTATE);
    assert.equal(rotated.status, 200);
    assert.equal((await owner.api.get(ME)).status, 401, 'the thief is out');
    assert.equal((await t.api(rotated.body.api_key).post(ROTATE)).status, 200);
  });

  it('at midnight UTC, before the owner’s first request of the day, gains nothing', async () => {
    const { t } = suite;
    const owner = await t.createAccount();
    const backup = (await owner.api.post('/v1/auth/keys/generate-backup')).body.backup_key;
    t.clock.advance(24 * HOUR_MS - (t.clock.now() % (24 * HOUR_MS)));
    await spend(owner);
    assert.equal((await t.api(backup).post('/v1/auth/keys/activate-backup')).status, 200);
    assert.equal((await owner.api.get(ME)).status, 401);
    assert.equal((await t.api(backup).get(ME)).status, 429, 'the quota itself stays spent');
    assert.equal((await t.api(backup).post(ROTATE)).status, 200);
  });

  it('with a pod’s key cannot stop the platform from suspending the pod and replacing its key', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const pod = await makePod(t, platform);
    await spend(pod);
    assert.equal((await platform.api.get(ME)).status, 429);
    await spendBuckets(pod.api);
    const path = `/v1/pods/${pod.podId}`;
    assert.equal((await platform.api.patch(path, { name: 'Watched' })).status, 200);
    assert.equal((await platform.api.delete(path)).status, 200);
    assert.equal((await pod.api.get(ME)).body.error, 'pod_suspended');
    assert.equal((await platform.api.patch(path, { status: 'active' })).status, 200);
    assert.equal((await platform.api.post(`${path}/keys`)).status, 201);
    assert.equal((await pod.api.get(ME)).status, 401);
    assert.equal((await platform.api.get('/v1/tokens')).status, 200);
  });

  it('with a stolen session cannot stop the owner from ending it with the key, or from rotating with a session of his own', async () => {
    const { t } = suite;
    const email = 'owner@example.org';
    const owner = await t.createAccount({ email });
    const [stolen, own] = [await openSession(t, email), await openSession(t, email)];
    await spend({ api: stolen });
    await spendBuckets(stolen);
    const { sessions } = (await own.get('/v1/account/sessions')).body;
    const foreign = sessions.find(({ current }: { current: boolean }) => !current);
    assert.equal((await owner.api.delete(`/v1/account/sessions/${foreign.id}`)).status, 200);
    assert.equal((await stolen.get('/v1/account/sessions')).status, 401);
    assert.equal((await own.post(ROTATE)).status, 200);
    assert.equal((await own.post('/v1/auth/logout')).status, 200);
  });
});

const OPTIONS = { limits: TIGHT };

onEngines('any', 'the bucket of key rotations', OPTIONS, (suite) => {
  it('a line of keys has 60 rotations an hour, counted down in the headers; the next is 429 and changes nothing', async () => {
    const { t } = suite;
    const { key } = await t.createAccount();
    let newest = key;
    for (let left = 59; left >= 0; left--) {
      const { status, headers, body } = await t.api(newest).post(ROTATE);
      assert.deepEqual([status, ...rateOf(headers).slice(0, 2)], [200, 60, left]);
      newest = body.api_key;
    }
    const refused = await t.api(newest).post(ROTATE);
    assert.deepEqual([refused.status, refused.body.error], [429, 'rate_limited']);
    assert.deepEqual(refused.body.quota, { name: 'revocations_per_hour', used: 60, max: 60 });
    const wait = rateOf(refused.headers)[2] as number;
    assert.ok(wait > 0 && wait <= 3600);
    assert.deepEqual(
      [refused.headers.get('retry-after'), refused.body.retry_after, refused.body.window],
      [String(wait), wait, 'hour'],
    );
    assert.equal((await t.api(newest).get(ME)).headers.get('ratelimit-remaining'), '29', 'rotations are not requests');
    t.clock.advance(wait * 1000);
    assert.equal((await t.api(newest).post(ROTATE)).status, 200);
  });

  it('the backup key and a session have rotations of their own when those of the primary are used up', async () => {
    const { t } = suite;
    const email = 'spent@example.org';
    const owner = await t.createAccount({ email });
    const backup = (await owner.api.post('/v1/auth/keys/generate-backup')).body.backup_key;
    let newest = owner.key;
    for (let i = 0; i < 60; i++) newest = (await t.api(newest).post(ROTATE)).body.api_key;
    assert.equal((await t.api(newest).post(ROTATE)).status, 429);
    const session = await openSession(t, email);
    assert.equal((await session.post(ROTATE)).status, 200);
    assert.equal((await t.api(newest).get(ME)).status, 401, 'the thief’s last key is out');
    assert.equal((await t.api(backup).post('/v1/auth/keys/activate-backup')).status, 200);
    assert.equal((await t.api(backup).post(ROTATE)).status, 200);
  });

  it('refused rotations do not count, so that a thief cannot use them up without rotating', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    for (let i = 0; i < 8; i++) {
      assert.equal((await api.post(ROTATE, '{"broken')).status, 400);
      const { status, headers } = await api.post(ROTATE, undefined, { 'idempotency-key': '' });
      assert.deepEqual([status, headers.get('ratelimit-remaining')], [400, '60']);
    }
    assert.equal((await api.post(ROTATE)).headers.get('ratelimit-remaining'), '59');
  });

  it('the sessions of an address share their rotations, so that a mailbox opens no new bucket with each login', async () => {
    const { t } = suite;
    const email = 'mailbox@example.org';
    await t.createAccount({ email });
    const first = await openSession(t, email);
    for (let i = 0; i < 3; i++) assert.equal((await first.post(ROTATE)).status, 200);
    const second = await openSession(t, email);
    for (const status of [200, 200, 429]) assert.equal((await second.post(ROTATE)).status, status);
  });
});

onEngines('both', 'the bucket of key rotations: what the database decides', OPTIONS, (suite) => {
  it('of 20 parallel rotations by a session at most five succeed', async () => {
    const { t } = suite;
    await t.createAccount({ email: 'loop@example.org' });
    const session = await openSession(t, 'loop@example.org');
    const replies = await Promise.all(Array.from({ length: 20 }, () => session.post(ROTATE)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 5);
    assert.equal(replies.filter(({ status }) => status === 429).length, 15);
  });
});

onEngines('any', 'the other buckets', { limits: TIGHT }, (suite) => {
  it('a backup key is tried five times an hour', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    for (let i = 0; i < 5; i++) assert.equal((await api.post('/v1/auth/keys/activate-backup')).status, 404);
    const { status, body } = await api.post('/v1/auth/keys/activate-backup');
    assert.deepEqual([status, body.quota], [429, { name: 'backup_activations_per_hour', used: 5, max: 5 }]);
  });

  it('revoking and managing pods have 60 calls an hour each, for each credential, and no other call counts in them', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const pod = await makePod(t, platform);
    const path = `/v1/pods/${pod.podId}`;
    assert.deepEqual(
      rateOf((await platform.api.post('/v1/tokens/revoke', { token: 'none' })).headers).slice(0, 2),
      [60, 59],
    );
    await platform.api.get(ME);
    for (let left = 59; left >= 0; left--)
      assert.deepEqual(rateOf((await platform.api.patch(path, {})).headers).slice(0, 2), [60, left]);
    const refused = await platform.api.patch(path, {});
    assert.deepEqual([refused.status, refused.body.quota], [429, { name: 'pod_changes_per_hour', used: 60, max: 60 }]);
    assert.deepEqual(
      rateOf((await platform.api.post('/v1/tokens/revoke', { token: 'none' })).headers).slice(0, 2),
      [60, 58],
    );
    const rotated = t.api((await platform.api.post(ROTATE)).body.api_key);
    assert.equal((await rotated.delete(path)).status, 200, 'a new key has a bucket of its own');
  });
});

describe('the buckets', () => {
  for (const engine of IS_FULL_RUN ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const))
    it(`survive a restart [${engine}]`, async () => {
      const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
      const options = { clock: { now: () => Date.UTC(2026, 0, 14, 12) } };
      const database = await freshDatabase(engine);
      const config = readConfig({
        PORT: '0',
        SMTP_PORT: 'off',
        IMAP_PORT: 'off',
        SUBMISSION_PORT: 'off',
        LOG_LEVEL: 'silent',
        ...database.env,
      });
      let app = await startApp(config, silent, options);
      try {
        let key = (await createApi(app.baseUrl).post('/v1/auth/keys')).body.api_key;
        for (let i = 0; i < 60; i++) key = (await createApi(app.baseUrl, key).post(ROTATE)).body.api_key;
        await app.stop();
        app = await startApp(config, silent, options);
        assert.equal((await createApi(app.baseUrl, key).post(ROTATE)).status, 429);
      } finally {
        await app.stop();
        await database.drop();
      }
    });
});
