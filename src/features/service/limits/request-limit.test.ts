import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTier } from '../../../../test/support/agents.ts';
import {
  createApi,
  type Engine,
  freshDatabase,
  nextDay,
  onEngines,
  type TestApp,
} from '../../../../test/support/harness.ts';
import { startApp } from '../../../app.ts';
import { HOUR_MS } from '../../../base/period.ts';
import { readConfig } from '../../../config/service-config.ts';

const ME = '/v1/account/me';
const NOON = Date.UTC(2026, 0, 14, 12);
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

/** The three headers of a counted reply. */
const rateOf = (headers: Headers) => ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`));

/** A stranger's five accounts an hour are not what is tested here. */
async function newAccount(t: TestApp) {
  t.clock.advance(HOUR_MS);
  return t.createAccount();
}

const OPTIONS = { defaultLimits: true };

onEngines('any', 'the requests of a UTC day, on a fresh installation', OPTIONS, (suite) => {
  it('a free account: 100 are answered, counting down; the 101st is 429 rate_limited; the count resets the next UTC day', async () => {
    const { t } = suite;
    const { api } = await newAccount(t);
    const reset = String(11 * 3600);
    for (let i = 1; i <= 100; i++) {
      const { status, headers } = await api.get(ME);
      assert.deepEqual([status, ...rateOf(headers)], [200, '100', String(100 - i), reset]);
      assert.equal(headers.get('retry-after'), null);
    }
    const refused = await api.get(ME);
    assert.deepEqual([refused.status, refused.body.error], [429, 'rate_limited']);
    assert.deepEqual(rateOf(refused.headers), ['100', '0', reset]);
    assert.equal(refused.headers.get('retry-after'), reset);
    assert.deepEqual([refused.body.limit, refused.body.remaining, refused.body.retry_after], [100, 0, 11 * 3600]);
    t.clock.advance(11 * HOUR_MS - 1);
    assert.equal((await api.get(ME)).headers.get('retry-after'), '1');
    t.clock.advance(1);
    assert.equal((await api.get(ME)).headers.get('ratelimit-remaining'), '99');
  });

  it('counts per account: two keys of one account share the count, another account has its own; a rotation does not count', async () => {
    const { t } = suite;
    const [ada, bob] = [await newAccount(t), await newAccount(t)];
    assert.equal((await ada.api.get(ME)).headers.get('ratelimit-remaining'), '99');
    const rotated = t.api((await ada.api.post('/v1/auth/keys/rotate')).body.api_key);
    assert.equal((await rotated.get(ME)).headers.get('ratelimit-remaining'), '98');
    assert.equal((await bob.api.get(ME)).headers.get('ratelimit-remaining'), '99');
  });

  it('counts requests refused for other reasons, and a rate-limited request changes nothing', async () => {
    const { t } = suite;
    nextDay(t.clock);
    const { api } = await newAccount(t);
    for (const { status } of await Promise.all(times(100, () => api.post('/v1/email/claim', {}))))
      assert.equal(status, 400);
    assert.equal((await api.post('/v1/email/claim', { address: `late-${t.engine}` })).status, 429);
    nextDay(t.clock);
    assert.deepEqual((await api.get('/v1/email/addresses')).body.addresses, []);
  });

  it('/health and /api are not counted, with a key and past the limit', async () => {
    const { t } = suite;
    nextDay(t.clock);
    const { api } = await newAccount(t);
    for (const path of times(20, (i) => (i % 2 ? '/health' : '/api'))) {
      const { status, headers } = await api.get(path);
      assert.deepEqual([status, headers.get('ratelimit-limit')], [200, null]);
    }
    assert.equal((await api.get(ME)).headers.get('ratelimit-remaining'), '99');
    await Promise.all(times(100, () => api.get(ME)));
    assert.equal((await api.get(ME)).status, 429);
    assert.equal((await api.get('/health')).status, 200);
    assert.equal((await api.get('/api')).status, 200);
  });

  it('a request with a wrong key is not counted', async () => {
    const { t } = suite;
    const { api, key } = await newAccount(t);
    for (let i = 0; i < 5; i++) assert.equal((await t.api(`${key}x`).get(ME)).status, 401);
    assert.equal((await api.get(ME)).headers.get('ratelimit-remaining'), '99');
  });
});

onEngines('both', 'the requests of a UTC day, on a fresh installation: what the database decides', OPTIONS, (suite) => {
  it('150 concurrent requests: exactly 100 are answered', async () => {
    const { t } = suite;
    const { api } = await newAccount(t);
    const replies = await Promise.all(times(150, () => api.get(ME)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 100);
    assert.equal(replies.filter(({ status }) => status === 429).length, 50);
  });
});

onEngines('any', 'the requests of a UTC day, where the tier is paid', { defaultLimits: true }, (suite) => {
  it('allows 10,000', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    await setTier(t, accountId, 'paid');
    assert.equal((await api.get(ME)).headers.get('ratelimit-limit'), '10000');
  });
});

describe('the count of requests', () => {
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const options = { clock: { now: () => NOON } };

  for (const engine of ['sqlite', 'postgres'] as Engine[]) {
    it(`survives a restart [${engine}]`, async () => {
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
        const key = (await createApi(app.baseUrl).post('/v1/auth/keys')).body.api_key;
        for (let i = 0; i < 60; i++) assert.equal((await createApi(app.baseUrl, key).get(ME)).status, 200);
        await app.stop();
        app = await startApp(config, silent, options);
        const api = createApi(app.baseUrl, key);
        assert.equal((await api.get(ME)).headers.get('ratelimit-remaining'), '39');
        for (let i = 0; i < 39; i++) assert.equal((await api.get(ME)).status, 200);
        assert.equal((await api.get(ME)).status, 429);
      } finally {
        await app.stop();
        await database.drop();
      }
    });
  }
});
