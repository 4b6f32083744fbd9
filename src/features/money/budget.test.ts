import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { onEngines } from '../../../test/support/harness.ts';
import { withoutDisplays } from '../../../test/support/money.ts';
import { CAP_PERIODS, capPeriodStart, DAY_MS, nextCapPeriod } from '../../base/period.ts';

describe('periods of a cap', () => {
  const at = (text: string): number => Date.parse(text);
  const cases: [string, Record<(typeof CAP_PERIODS)[number], [string, string]>][] = [
    // A Sunday: its ISO week began in the previous year.
    [
      '2023-01-01T00:00:00Z',
      {
        daily: ['2023-01-01', '2023-01-02'],
        weekly: ['2022-12-26', '2023-01-02'],
        monthly: ['2023-01-01', '2023-02-01'],
      },
    ],
    // A leap day, in its last millisecond.
    [
      '2024-02-29T23:59:59.999Z',
      {
        daily: ['2024-02-29', '2024-03-01'],
        weekly: ['2024-02-26', '2024-03-04'],
        monthly: ['2024-02-01', '2024-03-01'],
      },
    ],
    // A Monday at midnight begins its own week; December is followed by January of the next year.
    [
      '2029-12-31T00:00:00Z',
      {
        daily: ['2029-12-31', '2030-01-01'],
        weekly: ['2029-12-31', '2030-01-07'],
        monthly: ['2029-12-01', '2030-01-01'],
      },
    ],
  ];
  for (const [now, expected] of cases) {
    it(`of ${now} are the UTC day, the ISO week from Monday and the calendar month`, () => {
      for (const period of CAP_PERIODS) {
        const [start, next] = expected[period];
        assert.equal(capPeriodStart(period, at(now)), at(`${start}T00:00:00Z`), period);
        assert.equal(nextCapPeriod(period, at(now)), at(`${next}T00:00:00Z`), period);
      }
    });
  }
});

onEngines('any', 'GET and PUT /v1/budget', {}, (suite) => {
  it('200: a new account has no caps and is active', async () => {
    const { api, accountId } = await suite.t.createAccount();
    const { body } = await api.get('/v1/budget?verbose=false');
    assert.deepEqual(withoutDisplays(body), {
      agent_id: accountId,
      currency: 'USDC',
      atomic_unit: '0.000001 USDC',
      caps: { daily: null, weekly: null, monthly: null },
      has_caps: false,
      status: 'active',
      settings: { on_limit: 'reject', single_tx_limit_cents: null, authority: 'account' },
      spending_caps: null,
    });
  });

  it('200: `budget` of PUT is the whole budget, as GET returns it', async () => {
    const { api } = await suite.t.createAccount();
    await api.put('/v1/budget', { daily: 10, weekly: 20 });
    await api.post('/v1/charge', { amount: 4 });
    const set = await api.put('/v1/budget', { on_limit: 'approve' });
    assert.deepEqual([set.status, set.body.caps], [200, {}]);
    assert.deepEqual(set.body.budget, (await api.get('/v1/budget')).body);
    assert.equal(set.body.budget.caps.daily.remaining_usdc, 6);
    assert.equal(set.body.budget.settings.on_limit, 'approve');
    const terse = await api.put('/v1/budget?verbose=false', { monthly: 30 });
    assert.deepEqual(terse.body.budget, (await api.get('/v1/budget?verbose=false')).body);
  });

  it('200: nested and flat caps mean the same; the reply has the named periods, with null for a removed cap', async () => {
    const { api } = await suite.t.createAccount();
    const set = await api.put('/v1/budget', { caps: { daily: 10 }, monthly: 30 });
    assert.deepEqual(Object.keys(set.body.caps).sort(), ['daily', 'monthly']);
    assert.deepEqual(withoutDisplays(set.body.caps.daily), {
      limit_usdc: 10,
      spent_usdc: 0,
      remaining_usdc: 10,
      resets_at: '2026-01-15T00:00:00.000Z',
    });
    const removed = await api.put('/v1/budget', { daily: null });
    assert.deepEqual(removed.body.caps, { daily: null });
    const { caps, has_caps: hasCaps } = (await api.get('/v1/budget')).body;
    assert.equal(caps.daily, null);
    assert.equal(caps.monthly.limit_usdc, 30);
    assert.equal(hasCaps, true);
  });

  it('400: caps out of order, including the stored caps, name the cap and change nothing', async () => {
    const { api } = await suite.t.createAccount();
    assert.equal((await api.put('/v1/budget', { weekly: 100 })).status, 200);
    for (const [body, path] of [
      [{ daily: 101 }, '/body/caps/daily'],
      [{ monthly: 99 }, '/body/caps/weekly'],
      [{ weekly: null, daily: 50, monthly: 49 }, '/body/caps/daily'],
    ] as const) {
      const refused = await api.put('/v1/budget', { ...body, on_limit: 'approve' });
      assert.equal(refused.status, 400);
      assert.equal(refused.body.error, 'invalid_request');
      assert.deepEqual([refused.body.details[0].path, refused.body.details[0].code], [path, 'out_of_order']);
    }
    const { caps, settings } = (await api.get('/v1/budget')).body;
    assert.deepEqual([caps.daily, caps.weekly.limit_usdc, caps.monthly], [null, 100, null]);
    assert.equal(settings.on_limit, 'reject');
    // Equal caps are in order, and so are the caps that a removal leaves.
    assert.equal((await api.put('/v1/budget', { daily: 100, monthly: 100 })).status, 200);
    assert.equal((await api.put('/v1/budget', { weekly: null, daily: 100 })).status, 200);
  });

  for (const [name, body] of [
    ['an empty body', {}],
    ['empty caps', { caps: {} }],
    ['a cap of 0', { daily: 0 }],
    ['a cap above a billion', { daily: 1_000_000_001 }],
    ['half a unit', { daily: 1.5 }],
    ['a cap as text', { daily: '5' }],
    ['two values for one cap', { daily: 5, caps: { daily: 6 } }],
    ['another on_limit', { on_limit: 'ask' }],
    ['another field', { yearly: 5 }],
  ] as const) {
    it(`400 invalid_request: ${name}`, async () => {
      const { api } = await suite.t.createAccount();
      const refused = await api.put('/v1/budget', body);
      assert.equal(refused.status, 400);
      assert.equal(refused.body.error, 'invalid_request');
      assert.ok(refused.body.details[0].message);
    });
  }

  it('limit_reached when any cap is used up, and active again in the next period', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    await api.put('/v1/budget', { daily: 10, weekly: 100 });
    await api.post('/v1/charge', { amount: 10 });
    assert.equal((await api.get('/v1/budget')).body.status, 'limit_reached');
    const { events } = (await api.get('/v1/events')).body;
    assert.deepEqual(
      events.map(({ type }: { type: string }) => type),
      ['charge.completed', 'budget.limit_reached'],
    );
    t.clock.advance(DAY_MS);
    const next = (await api.get('/v1/budget')).body;
    assert.deepEqual([next.status, next.caps.daily.spent_usdc, next.caps.weekly.spent_usdc], ['active', 0, 10]);
    // A cap lowered to the amount spent is used up too.
    const lowered = await api.put('/v1/budget', { daily: null, weekly: 10 });
    assert.equal(lowered.body.caps.weekly.remaining_usdc, 0);
    assert.equal((await api.get('/v1/budget')).body.status, 'limit_reached');
  });
});

onEngines('both', 'GET and PUT /v1/budget: what the database decides', {}, (suite) => {
  it('a clock that steps back grants nothing twice, and loses no spend when it returns', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    await api.put('/v1/budget', { daily: 10 });
    const spend = async () => (await api.post('/v1/charge', { amount: 6 })).status;
    assert.equal(await spend(), 200);
    t.clock.advance(DAY_MS);
    assert.equal(await spend(), 200);
    t.clock.advance(-DAY_MS);
    assert.equal(await spend(), 402);
    t.clock.advance(-DAY_MS);
    assert.equal(await spend(), 200);
    t.clock.advance(2 * DAY_MS);
    assert.equal(await spend(), 402);
    t.clock.advance(4000 * DAY_MS);
    assert.equal(await spend(), 200);
    t.clock.advance(-4000 * DAY_MS);
    assert.equal(await spend(), 402);
  });
});

onEngines('any', 'GET /v1/budget/history', {}, (suite) => {
  it('before takes any RFC 3339 time and returns only older entries', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    await api.post('/v1/charge', { amount: 1 });
    const at = t.clock.now();
    const count = async (before: string): Promise<number> =>
      (await api.get(`/v1/budget/history?before=${encodeURIComponent(before)}`)).body.entries.length;
    assert.equal(await count(new Date(at).toISOString()), 0);
    assert.equal(await count(new Date(at + 1).toISOString()), 1);
    assert.equal(await count(`${new Date(at + 3_600_000).toISOString().slice(0, 19)}+00:00`), 1);
    assert.equal(await count(`${new Date(at + 1000).toISOString().slice(0, 19)}+01:00`), 0);
  });

  it('400: a limit above 200, an invalid time, a cursor of another list', async () => {
    const { api } = await suite.t.createAccount();
    for (const query of ['limit=201', 'limit=0', 'before=yesterday'])
      assert.equal((await api.get(`/v1/budget/history?${query}`)).body.error, 'invalid_request', query);
    for (const cursor of ['x', Buffer.from('["apr_1"]').toString('base64url')])
      assert.equal((await api.get(`/v1/budget/history?cursor=${cursor}`)).body.error, 'invalid_cursor');
  });
});

onEngines('both', 'GET /v1/budget/history: what the database decides', {}, (suite) => {
  async function walk(get: (query: string) => Promise<{ body: unknown }>, follow: 'cursor' | 'before', query = '') {
    const ids: string[] = [];
    for (let next = ''; ; ) {
      const { entries, pagination } = (await get(`?limit=7${query}${next}`)).body as {
        entries: { id: string }[];
        pagination: { has_more: boolean; next_before: string; next_cursor: string };
      };
      ids.push(...entries.map(({ id }) => id));
      if (!pagination.has_more) return ids;
      const { next_cursor: cursor, next_before: before } = pagination;
      next = follow === 'cursor' ? `&cursor=${cursor}` : `&before=${encodeURIComponent(before)}`;
    }
  }

  it('by cursor and by next_before: every charge once, newest first, even when all share a millisecond', async () => {
    const { api } = await suite.t.createAccount();
    const made: string[] = [];
    for (let i = 0; i < 30; i++)
      made.push((await api.post('/v1/charge', { amount: i + 1, category: i % 3 ? 'a' : 'b' })).body.charge_id);
    const get = (query: string) => api.get(`/v1/budget/history${query}`);
    assert.deepEqual(await walk(get, 'cursor'), made.toReversed());
    assert.deepEqual(await walk(get, 'before'), made.toReversed());
    assert.deepEqual(await walk(get, 'before', '&category=b'), made.filter((_, i) => i % 3 === 0).toReversed());
  });

  it('the summary covers the whole filtered history on every page; new entries shift no page', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    for (const [amount, category] of [
      [1, 'a'],
      [2, 'b'],
      [4, 'a'],
    ])
      await api.post('/v1/charge', { amount, category });
    const first = (await api.get('/v1/budget/history?limit=1')).body;
    assert.deepEqual(withoutDisplays(first.summary), { count: 3, total_usdc: 7, by_category: { a: 5, b: 2 } });
    t.clock.advance(1);
    await api.post('/v1/charge', { amount: 8, category: 'c' });
    const second = (await api.get(`/v1/budget/history?limit=1&cursor=${first.pagination.next_cursor}`)).body;
    assert.equal(second.entries[0].amount_usdc, 2);
    assert.equal(second.summary.count, 4);
    const filtered = (await api.get('/v1/budget/history?category=a&limit=1')).body;
    assert.deepEqual(withoutDisplays(filtered.summary), { count: 2, total_usdc: 5, by_category: { a: 5 } });
    assert.deepEqual(withoutDisplays((await api.get('/v1/budget/history?category=none')).body.summary), {
      count: 0,
      total_usdc: 0,
      by_category: {},
    });
  });
});
