import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, setTier } from '../../../../test/support/agents.ts';
import { nextDay, onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { makePod } from '../../../../test/support/pods.ts';
import { HOUR_MS } from '../../../base/period.ts';
import { purgeLimits } from '../../service/limits/email-quota.ts';

const USAGE = '/v1/usage';
const NEXT_MIDNIGHT = '2026-01-15T00:00:00.000Z';

/** An agent at the start of an hour, and a function that sends one mail. */
async function sender(t: TestApp) {
  t.clock.advance(HOUR_MS - (t.clock.now() % HOUR_MS));
  const agent = await createAgent(t);
  const { api, address: from } = agent;
  const send = () => api.post('/v1/email/send', { from, to: from, subject: 'One', text: 'More' });
  return { ...agent, send };
}

onEngines('any', `GET ${USAGE}`, { defaultLimits: true }, (suite) => {
  it('200 with every field; a new account has used one request, this one', async () => {
    const { api, accountId } = await suite.t.createAccount();
    const { status, body } = await api.get(USAGE);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      account_id: accountId,
      tier: 'free',
      period: '2026-01-14',
      requests: { used: 1, limit: 100 },
      stacks: { used: 0, limit: 1 },
      pods: { used: 0, limit: 10 },
      addresses: { used: 0, limit: 10 },
      vault_keys: { used: 0, limit: 10 },
      calendar_events: { used: 0, limit: 100 },
      storage: { used: 0, limit: 1_073_741_824 },
      budget: {
        daily_spent_usdc: 0,
        weekly_spent_usdc: 0,
        monthly_spent_usdc: 0,
        status: 'active',
        daily_spent_usdc_display: '0.00',
        weekly_spent_usdc_display: '0.00',
        monthly_spent_usdc_display: '0.00',
      },
      emails: {
        daily_used: 0,
        daily_limit: 10,
        daily_remaining: 10,
        hourly_limit: 10,
        hourly_remaining: 10,
        reset_at: NEXT_MIDNIGHT,
      },
    });
  });

  it('counts n requests and m mails exactly, of this account alone', async () => {
    const { t } = suite;
    const { api, send } = await sender(t);
    const idle = await t.createAccount();
    for (let i = 0; i < 4; i++) assert.equal((await send()).status, 201);
    for (let i = 0; i < 7; i++) await api.get('/v1/account/me');
    const { requests, emails } = (await api.get(USAGE)).body;
    assert.equal(requests.used, 1 + 4 + 7 + 1);
    assert.deepEqual([emails.daily_used, emails.daily_remaining, emails.hourly_remaining], [4, 6, 6]);
    const other = (await idle.api.get(USAGE)).body;
    assert.deepEqual([other.requests.used, other.emails.daily_used], [1, 0]);
  });

  it('each counter follows creations and deletions', async () => {
    const { api } = await suite.t.createAccount();
    const done = async () => {
      const {
        stacks,
        pods,
        addresses,
        vault_keys: keys,
        calendar_events: events,
        budget,
      } = (await api.get(USAGE)).body;
      const used = [stacks, pods, addresses, keys, events].map((counter: { used: number }) => counter.used);
      return [...used, budget.daily_spent_usdc, budget.status];
    };
    const event = { summary: 'One', start: '2026-01-20', end: '2026-01-20' };
    const stack = (await api.post('/v1/stack', { domain: `usage-${suite.t.engine}.example` })).body;
    assert.deepEqual(await done(), [1, 0, 0, 0, 0, 0, 'active']);
    const pod = (await api.post('/v1/pods', {})).body;
    assert.deepEqual(await done(), [1, 1, 0, 0, 0, 0, 'active']);
    await api.post('/v1/email/claim', { address: `usage-${suite.t.engine}` });
    await api.put('/v1/vault/one', { ciphertext: 'AAAA' });
    const made = (await api.post('/v1/calendar/events', event)).body;
    await api.put('/v1/budget', { daily: 7 });
    await api.post('/v1/charge', { amount: 7 });
    assert.deepEqual(await done(), [1, 1, 1, 1, 1, 7, 'limit_reached']);
    await api.delete(`/v1/stack/${stack.id}`);
    await api.delete(`/v1/pods/${pod.pod_id}`);
    await api.delete('/v1/vault/one');
    await api.delete(`/v1/calendar/events/${made.id}`);
    assert.deepEqual(await done(), [0, 0, 1, 0, 0, 7, 'limit_reached']);
  });

  it('the hourly count resets with the hour; the daily count and the requests reset with the UTC day', async () => {
    const { t } = suite;
    const { api, send } = await sender(t);
    for (let i = 0; i < 3; i++) await send();
    t.clock.advance(HOUR_MS);
    const { emails } = (await api.get(USAGE)).body;
    assert.deepEqual([emails.daily_used, emails.hourly_remaining], [3, 10]);
    nextDay(t.clock);
    const { period, requests, emails: tomorrow } = (await api.get(USAGE)).body;
    assert.deepEqual([period, requests.used, tomorrow.daily_used], ['2026-01-15', 1, 0]);
    assert.equal(tomorrow.reset_at, '2026-01-16T00:00:00.000Z');
  });

  it('a refused mail is not counted', async () => {
    const { t } = suite;
    const { api, send } = await sender(t);
    for (let i = 0; i < 12; i++) assert.equal((await send()).status, i < 10 ? 201 : 402);
    assert.equal((await api.post('/v1/email/send', { from: 'x', to: 'y' })).status, 400);
    const { emails } = (await api.get(USAGE)).body;
    assert.deepEqual([emails.daily_used, emails.daily_remaining, emails.hourly_remaining], [10, 0, 0]);
  });
});

onEngines('both', 'GET /v1/usage/days', {}, (suite) => {
  it('has the requests and emails of 30 days, and forgets older ones alone', async () => {
    const { t } = suite;
    const { api, send } = await sender(t);
    await send();
    const started = t.clock.now();
    const first = new Date(started).toISOString().slice(0, 10);
    for (let day = 0; day < 29; day++) nextDay(t.clock);
    await api.get('/v1/account/me');
    // As the service does each second and every ten minutes.
    await t.app.provided.meter.flush();
    await t.app.database.transaction((tx) => purgeLimits(tx, t.clock.now()));
    const { days } = (await api.get('/v1/usage/days')).body;
    assert.equal(days.length, 30);
    assert.deepEqual([days[0].day, days[0].emails, days[0].requests > 0], [first, 1, true]);
    assert.deepEqual(days[1], { day: days[1].day, requests: 0, emails: 0 });
    assert.deepEqual([days[29].requests, days[29].emails], [2, 0]);
    nextDay(t.clock);
    await t.app.database.transaction((tx) => purgeLimits(tx, t.clock.now()));
    const kept = await t.sql('select metric from quota_counters where period_start <= ?', started);
    assert.deepEqual(kept, []);
  });

  it('what is not shown by day is forgotten after two days', async () => {
    const { t } = suite;
    const { accountId, api, send } = await sender(t);
    await send();
    await api.get('/v1/account/me');
    await t.app.provided.meter.flush();
    await t.sql(
      `insert into quota_counters (account_id, metric, period_start, used) values (?, 'requests_per_person_per_day', ?, 1)`,
      ...[accountId, t.clock.now()],
    );
    for (let day = 0; day < 3; day++) nextDay(t.clock);
    await t.app.database.transaction((tx) => purgeLimits(tx, t.clock.now()));
    const kept = await t.sql('select metric from quota_counters where account_id = ? order by metric', accountId);
    assert.deepEqual(
      kept.map(({ metric }) => metric),
      ['emails_per_day', 'requests_per_day'],
    );
  });
});

onEngines('any', 'GET /v1/pods/{pod_id}/usage', {}, (suite) => {
  it('shows its platform what a pod used, and nobody else', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    const pod = await makePod(t, platform, {}, { rate_limits: { requests_per_day: 50 } });
    const plain = await makePod(t, platform, {});
    await pod.api.put('/v1/vault/one', { ciphertext: 'AAAA' });
    await pod.api.post('/v1/charge', { amount: 7 });
    const { status, body } = await platform.api.get(`/v1/pods/${pod.podId}/usage`);
    assert.equal(status, 200);
    assert.deepEqual(
      [body.requests, body.vault_keys.used, body.budget.monthly_spent_usdc],
      [{ used: 2, limit: 50 }, 1, 7],
    );
    assert.equal((await platform.api.get(`/v1/pods/${plain.podId}/usage`)).body.requests, null);
    const other = await t.createAccount();
    const missing = await other.api.get('/v1/pods/pod_00000000000000000000000000/usage');
    const foreign = await other.api.get(`/v1/pods/${pod.podId}/usage`);
    assert.deepEqual([foreign.status, foreign.text], [404, missing.text]);
  });
});

onEngines('any', 'GET /v1/usage and GET /v1/billing of a paid account', {}, (suite) => {
  it('show the limits and the plan of its tier', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    await setTier(t, accountId, 'paid');
    const { tier, stacks, emails } = (await api.get(USAGE)).body;
    assert.deepEqual([tier, stacks.limit, emails.daily_limit, emails.hourly_limit], ['paid', 100, 1000, 200]);
    const billing = (await api.get('/v1/billing')).body;
    assert.deepEqual([billing.tier, billing.plan], ['paid', 'paid']);
  });
});

onEngines('any', 'GET /v1/billing', {}, (suite) => {
  it('200 with every field; verbose=false removes the note alone', async () => {
    const { api, accountId } = await suite.t.createAccount();
    const { status, body } = await api.get('/v1/billing');
    const { note, ...fields } = body;
    assert.equal(status, 200);
    assert.equal(typeof note, 'string');
    assert.deepEqual(fields, {
      account_id: accountId,
      tier: 'free',
      plan: 'free',
      x402: { supported: true, settlement: 'off', network: 'base', asset: 'USDC', email_price: '0.01' },
    });
    assert.deepEqual((await api.get('/v1/billing?verbose=false')).body, fields);
  });

  it('401 unauthorized without a key, for both', async () => {
    for (const path of [USAGE, '/v1/billing']) assert.equal((await suite.t.api().get(path)).status, 401);
  });
});
