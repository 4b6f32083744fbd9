import assert from 'node:assert/strict';
import { it } from 'node:test';
import { breakLedger } from '../../../test/support/broken-ledger.ts';
import { onEngines } from '../../../test/support/harness.ts';
import { withoutDisplays } from '../../../test/support/money.ts';

onEngines('any', 'POST /v1/charge', {}, (suite) => {
  it('200 completed: the charge, and what is left in each capped period', async () => {
    const { api } = await suite.t.createAccount();
    await api.put('/v1/budget', { daily: 100, monthly: 300 });
    const { status, body } = await api.post('/v1/charge?verbose=false', {
      amount: 40,
      category: 'api',
      description: 'One call',
      reference_id: 'r-1',
      metadata: { note: 'mine' },
    });
    assert.equal(status, 200);
    assert.match(body.charge_id, /^chg_[0-9a-hjkmnp-tv-z]{26}$/);
    assert.deepEqual(withoutDisplays({ ...body, charge_id: '' }), {
      status: 'completed',
      charge_id: '',
      amount_usdc: 40,
      category: 'api',
      description: 'One call',
      reference_id: 'r-1',
      remaining: { daily: 60, monthly: 260 },
    });
    const [entry] = (await api.get('/v1/budget/history?verbose=false')).body.entries;
    assert.equal(entry.id, body.charge_id);
    assert.deepEqual(entry.metadata, { note: 'mine' });
  });

  it('200: USDC with a point is the same as atomic units, and every amount has its text beside it', async () => {
    const { api } = await suite.t.createAccount();
    const set = (await api.put('/v1/budget', { caps: { daily: '5.00' }, weekly: '20.5' })).body;
    assert.deepEqual([set.caps.daily.limit_usdc, set.caps.daily.limit_usdc_display], [5_000_000, '5.00']);
    assert.deepEqual([set.budget.caps.weekly.remaining_usdc_display, 'warning' in set], ['20.50', false]);
    const { body } = await api.post('/v1/charge', { amount: '3.000001' });
    assert.deepEqual([body.amount_usdc, body.amount_usdc_display], [3_000_001, '3.000001']);
    assert.deepEqual(
      [body.remaining.daily, body.remaining_display, 'warning' in body],
      [1_999_999, { daily: '1.999999', weekly: '17.499999' }, false],
    );
    const [entry] = (await api.get('/v1/budget/history')).body.entries;
    assert.equal(entry.amount_usdc_display, '3.000001');
  });

  it('400 for any other text, and for an amount beyond the range; a cap of "0.00" is none', async () => {
    const { api } = await suite.t.createAccount();
    for (const amount of ['3', '3,00', '.5', '3.', '1e3', '-1.00', '3.0000001', '1234567890.0', ' 3.00', '0x1.0', ''])
      for (const refused of [await api.post('/v1/charge', { amount }), await api.put('/v1/budget', { daily: amount })])
        assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_request'], amount);
    for (const [path, body] of [
      ['/body/amount', { amount: '0.000000' }],
      ['/body/amount', { amount: '1000000.000001' }],
    ] as const) {
      const refused = await api.post('/v1/charge', body);
      assert.deepEqual([refused.status, refused.body.details[0]?.code], [400, 'out_of_range'], JSON.stringify(body));
      assert.equal(refused.body.details[0].path, path);
    }
    assert.equal((await api.put('/v1/budget', { caps: { daily: '1000.000001' } })).status, 400);
    assert.equal((await api.get('/v1/budget')).body.has_caps, false);
  });

  it('warns of an amount below a cent, which was probably meant as whole USDC', async () => {
    const { api } = await suite.t.createAccount();
    for (const { body } of [
      await api.post('/v1/charge', { amount: 5 }),
      await api.put('/v1/budget', { caps: { daily: 5 } }),
    ]) {
      assert.match(body.warning, /^0\.000005 USDC is less than a cent\. .*send "5\.00"\.$/);
    }
    assert.equal('warning' in (await api.post('/v1/charge?verbose=false', { amount: 1 })).body, false);
  });

  it('200: the category defaults to `platform`; without caps every charge fits', async () => {
    const { api } = await suite.t.createAccount();
    const { status, body } = await api.post('/v1/charge', { amount: 1_000_000_000_000 });
    assert.equal(status, 200);
    assert.equal(body.category, 'platform');
    assert.deepEqual(body.remaining, {});
  });

  it('402 budget_exceeded: every exceeded cap with its amounts, and nothing is recorded', async () => {
    const { api } = await suite.t.createAccount();
    await api.put('/v1/budget', { daily: 50, weekly: 60, monthly: 100 });
    await api.post('/v1/charge', { amount: 40 });
    const { status, body } = await api.post('/v1/charge', { amount: 21 });
    assert.equal(status, 402);
    const { message, docs_url: _, ...fields } = withoutDisplays(body);
    assert.equal(
      message,
      '0.000021 USDC does not fit the daily cap of 0.00005 USDC: 0.00001 USDC is left until 2026-01-15T00:00:00.000Z.',
    );
    assert.deepEqual(fields, {
      error: 'budget_exceeded',
      code: 'budget_exceeded',
      amount_usdc: 21,
      exceeded: [
        {
          period: 'daily',
          spent_usdc: 40,
          limit_usdc: 50,
          remaining_usdc: 10,
          resets_at: '2026-01-15T00:00:00.000Z',
          limit_set_by: 'account',
        },
        {
          period: 'weekly',
          spent_usdc: 40,
          limit_usdc: 60,
          remaining_usdc: 20,
          resets_at: '2026-01-19T00:00:00.000Z',
          limit_set_by: 'account',
        },
      ],
    });
    assert.equal((await api.get('/v1/budget/history')).body.summary.total_usdc, 40);
    // A charge that equals what is left fits.
    assert.equal((await api.post('/v1/charge', { amount: 10 })).status, 200);
  });

  it('402 single_tx_limit_exceeded is checked before the caps; 202 with on_limit approve', async () => {
    const { api } = await suite.t.createAccount();
    await api.put('/v1/budget', { daily: 5, single_tx_limit_cents: 10 });
    const refused = await api.post('/v1/charge', { amount: 11 });
    assert.equal(refused.status, 402);
    assert.equal(refused.body.error, 'single_tx_limit_exceeded');
    assert.equal(refused.body.single_tx_limit_usdc, 10);
    assert.ok(!('exceeded' in refused.body));
    await api.put('/v1/budget', { daily: null, on_limit: 'approve' });
    const asked = await api.post('/v1/charge', { amount: 11 });
    assert.equal(asked.status, 202);
    assert.deepEqual([asked.body.reason, asked.body.single_tx_limit_usdc], ['single_tx_limit_exceeded', 10]);
  });

  it('202 approval_required: an approval exists, and nothing is recorded', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    await api.put('/v1/budget', { daily: 5, on_limit: 'approve' });
    const { status, body } = await api.post('/v1/charge?verbose=false', { amount: 6, metadata: { a: 1 } });
    assert.equal(status, 202);
    assert.match(body.approval_id, /^apr_/);
    assert.deepEqual(withoutDisplays(body), {
      status: 'approval_required',
      approval_id: body.approval_id,
      reason: 'budget_exceeded',
      amount_usdc: 6,
      exceeded: [
        {
          period: 'daily',
          spent_usdc: 0,
          limit_usdc: 5,
          remaining_usdc: 5,
          resets_at: '2026-01-15T00:00:00.000Z',
          limit_set_by: 'account',
        },
      ],
      expires_at: '2026-01-15T12:00:00.000Z',
      check_url: `${t.baseUrl}/v1/approvals/${body.approval_id}`,
      asked: { whom: 'account', by: ['event'] },
    });
    assert.equal((await fetch(body.check_url)).status, 401);
    assert.equal((await api.get('/v1/budget/history')).body.summary.count, 0);
  });

  for (const [name, body, path] of [
    ['no amount', {}, '/body/amount'],
    ['an amount of 0', { amount: 0 }, '/body/amount'],
    ['a negative amount', { amount: -5 }, '/body/amount'],
    ['half a unit', { amount: 0.5 }, '/body/amount'],
    ['an amount as text', { amount: '5' }, '/body/amount'],
    ['an empty category', { amount: 1, category: '' }, '/body/category'],
    ['metadata that is no object', { amount: 1, metadata: 'x' }, '/body/metadata'],
    ['metadata over 4 KB', { amount: 1, metadata: { x: 'y'.repeat(4096) } }, '/body/metadata'],
  ] as const) {
    it(`400 invalid_request: ${name}`, async () => {
      const { api } = await suite.t.createAccount();
      const refused = await api.post('/v1/charge', body);
      assert.equal(refused.status, 400);
      assert.equal(refused.body.error, 'invalid_request');
      assert.equal(refused.body.details[0].path, path);
    });
  }

  it('400: a category after the thousandth; known categories still work', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    await api.post('/v1/charge', { amount: 1, category: 'known' });
    await t.sql('update budgets set categories = 1000 where account_id = ?', accountId);
    const refused = await api.post('/v1/charge', { amount: 1, category: 'new' });
    assert.deepEqual([refused.status, refused.body.details[0].code], [400, 'too_many']);
    assert.equal((await api.post('/v1/charge', { amount: 1, category: 'known' })).status, 200);
  });
});

onEngines('both', 'POST /v1/charge: what the database decides', {}, (suite) => {
  it('400: a sum that would no longer be exact', async () => {
    const { t } = suite;
    const { api, accountId } = await t.createAccount();
    await api.post('/v1/charge', { amount: 1 });
    await t.sql('update budgets set total_usdc = ? where account_id = ?', Number.MAX_SAFE_INTEGER - 5, accountId);
    assert.equal((await api.post('/v1/charge', { amount: 6 })).body.details[0].code, 'out_of_range');
    assert.equal((await api.post('/v1/charge', { amount: 5 })).status, 200);
  });

  it('50 concurrent calls with one Idempotency-Key: one effect, identical replies; another body is 409', async () => {
    const { api } = await suite.t.createAccount();
    await api.put('/v1/budget', { daily: 1000 });
    const once = { 'idempotency-key': 'the-one' };
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => api.post('/v1/charge', { amount: 7, category: 'x' }, once)),
    );
    assert.ok(replies.every(({ status }) => status === 200));
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    assert.equal(replies.filter(({ headers }) => headers.get('idempotency-replayed') === 'true').length, 49);
    assert.deepEqual((await api.get('/v1/budget/history')).body.summary.total_usdc, 7);
    assert.equal((await api.post('/v1/charge', { amount: 8 }, once)).body.error, 'idempotency_mismatch');
  });

  it('a refused charge does not use up its Idempotency-Key: it can be retried when there is room', async () => {
    const { api } = await suite.t.createAccount();
    await api.put('/v1/budget', { daily: 5 });
    const key = { 'idempotency-key': 'later' };
    assert.equal((await api.post('/v1/charge', { amount: 6 }, key)).status, 402);
    await api.put('/v1/budget', { daily: 6 });
    assert.equal((await api.post('/v1/charge', { amount: 6 }, key)).status, 200);
    assert.equal((await api.post('/v1/charge', { amount: 6 }, key)).headers.get('idempotency-replayed'), 'true');
  });

  it('concurrent charges: each is refused or recorded, and every recorded charge is in the audit log', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const { api, accountId } = account;
    await api.put('/v1/budget', { daily: 20, single_tx_limit_cents: 5 });
    const amounts = [5, 6, 5, 5, 9, 5, 5];
    const replies = await Promise.all(amounts.map((amount) => api.post('/v1/charge', { amount })));
    const codes = replies.map(({ status, body }) => body.error ?? status);
    assert.deepEqual(codes.filter((code) => code === 200).length, 4, codes.join());
    assert.equal(codes.filter((code) => code === 'single_tx_limit_exceeded').length, 2);
    assert.equal(codes.filter((code) => code === 'budget_exceeded').length, 1);
    const audited = await t.sql(
      `select seq from audit_entries where account_id = ? and action = 'charge.made'`,
      accountId,
    );
    assert.equal(audited.length, 4);
  });

  it('the refusal of one charge in a batch does not affect the others', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    await api.put('/v1/budget', { daily: 1000 });
    const restore = await breakLedger(t);
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        api.post('/v1/charge', { amount: 1, category: i === 5 ? 'cursed' : 'fine' }),
      ),
    );
    await restore();
    assert.deepEqual(
      replies.map(({ status }) => status),
      Array.from({ length: 12 }, (_, i) => (i === 5 ? 503 : 200)),
    );
    const { summary } = (await api.get('/v1/budget/history')).body;
    assert.deepEqual(withoutDisplays(summary), { count: 11, total_usdc: 11, by_category: { fine: 11 } });
    assert.equal((await api.get('/v1/events')).body.events.length, 11);
  });
});
