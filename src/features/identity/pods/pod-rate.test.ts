import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventually } from '../../../../test/support/eventually.ts';
import { nextDay, onEngines } from '../../../../test/support/harness.ts';
import { makePod } from '../../../../test/support/pods.ts';

const ME = '/v1/account/me';
const limitHeaders = ({ headers }: { headers: Headers }) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`)));

onEngines('any', 'the rate limits of a pod', {}, (suite) => {
  it('429 rate_limited by the minute, the hour and the day, with the headers of the tightest limit; the platform is not affected', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const rates = { requests_per_minute: 2, requests_per_hour: 3, requests_per_day: 4 };
    const pod = await makePod(t, platform, null, { rate_limits: rates });
    assert.deepEqual(limitHeaders(await pod.api.get(ME)), [2, 1, 60]);
    t.clock.advance(10_000);
    assert.deepEqual(limitHeaders(await pod.api.get(ME)), [2, 0, 50]);
    const refused = await pod.api.get(ME);
    assert.deepEqual([refused.status, refused.body.error, refused.body.window], [429, 'rate_limited', 'minute']);
    assert.equal(refused.headers.get('retry-after'), '50');
    assert.equal(refused.body.retry_after, 50);
    t.clock.advance(50_000);
    assert.deepEqual(limitHeaders(await pod.api.get(ME)), [3, 0, 3540]);
    assert.deepEqual([(await pod.api.get(ME)).body.window, limitHeaders(await pod.api.get(ME))[2]], ['hour', 3540]);
    t.clock.advance(3_540_000);
    assert.equal((await pod.api.get(ME)).status, 200);
    const spent = await pod.api.get(ME);
    assert.deepEqual([spent.status, spent.body.window, spent.body.retry_after], [429, 'day', 11 * 3600]);
    assert.equal((await platform.api.get(ME)).status, 200);
    nextDay(t.clock);
    assert.equal((await pod.api.get(ME)).status, 200);
  });

  it('a request that a pod’s limit refuses does not count against the quota shared with the platform', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const pod = await makePod(t, platform, null, { rate_limits: { requests_per_minute: 1 } });
    const used = async () => (await platform.api.get('/v1/usage')).body.requests.used;
    await pod.api.get(ME);
    const before = await used();
    for (let i = 0; i < 3; i++) assert.equal((await pod.api.get(ME)).status, 429);
    assert.equal(await used(), before + 1);
  });
});

onEngines('both', 'the rate limits of a pod', {}, (suite) => {
  it('a change or removal takes effect with the next request', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const pod = await makePod(t, platform, null, { rate_limits: { requests_per_minute: 1 } });
    assert.deepEqual([(await pod.api.get(ME)).status, (await pod.api.get(ME)).status], [200, 429]);
    const path = `/v1/pods/${pod.podId}`;
    const set = async (limits: object | null, status: number) => {
      await platform.api.patch(path, { rate_limits: limits });
      // On PostgreSQL every instance learns of the change through the database, this one included.
      await eventually(async () => (await pod.api.get(ME)).status === status);
    };
    await set(null, 200);
    await set({ requests_per_hour: 1 }, 429);
  });

  it('concurrent requests: exactly as many are admitted as the limit allows', async () => {
    const { t } = suite;
    const pod = await makePod(t, await t.createAccount(), null, { rate_limits: { requests_per_minute: 5 } });
    const replies = await Promise.all(Array.from({ length: 20 }, () => pod.api.get(ME)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 5);
  });
});

const TIGHT = { free: { requests_per_day: 14, emails_per_day: 3, emails_per_hour: 3 } };

onEngines('any', 'the quotas of a platform and its pods', { limits: TIGHT }, (suite) => {
  it('402: together they send no more mails than the platform’s limit', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const statuses: number[] = [];
    for (const [i, { api }] of [platform, await makePod(t, platform), await makePod(t, platform)].entries()) {
      const { address } = (await api.post('/v1/email/claim', { address: `quota-${t.engine}-${i}` })).body;
      const mail = { from: address, to: address, subject: 'One', text: 'More' };
      for (let n = 0; n < 2; n++) statuses.push((await api.post('/v1/email/send', mail)).status);
    }
    assert.deepEqual(statuses, [201, 201, 201, 402, 402, 402]);
  });
});

onEngines('both', 'the quotas of a platform and its pods', { limits: TIGHT }, (suite) => {
  it('429: together they make no more requests a day than the platform’s limit', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const callers = [platform, await makePod(t, platform), await makePod(t, platform)];
    const replies = await Promise.all(Array.from({ length: 30 }, (_, i) => callers[i % 3]?.api.get(ME)));
    assert.equal(replies.filter((reply) => reply?.status === 200).length, 14 - 2);
    for (const { api } of callers) {
      const { status, body } = await api.get(ME);
      assert.deepEqual([status, body.window, body.limit], [429, 'day', 14]);
    }
  });
});
