import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { type Api, onEngines, type TestApp } from '../support/harness.ts';

/**
 * Sends random commands to the service and to a short model, which stores every charge and computes all sums anew each
 * time. `SIGNET_MODEL_SEED` repeats a run, `SIGNET_MODEL_RUNS` makes it longer.
 */

const DAY = 86_400_000;
type Period = 'daily' | 'weekly' | 'monthly';
const PERIODS: readonly Period[] = ['daily', 'weekly', 'monthly'];

type Command =
  | { do: 'charge'; amount: number; category: string }
  | { do: 'caps'; caps: { [K in Period]?: number | null } }
  | { do: 'settings'; on_limit: 'reject' | 'approve'; single_tx_limit_cents: number | null }
  | { do: 'approve' | 'reject'; which: number }
  | { do: 'step'; ms: number }
  | { do: 'boundary'; of: 'day' | 'week' | 'month' | 'year'; past: number };

interface ModelApproval {
  id: string;
  amount: number;
  category: string;
  status: string;
  expiresAt: number;
}

/** The first moment of the period, computed from the calendar. */
function beginOf(period: Period, ms: number): number {
  const at = new Date(ms);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  if (period === 'monthly') return Date.UTC(year, month, 1);
  if (period === 'daily') return Date.UTC(year, month, day);
  return Date.UTC(year, month, day - ((at.getUTCDay() + 6) % 7));
}

class Model {
  readonly charges: { at: number; amount: number; category: string }[] = [];
  readonly approvals: ModelApproval[] = [];
  caps: Record<Period, number | null> = { daily: null, weekly: null, monthly: null };
  onLimit: 'reject' | 'approve' = 'reject';
  single: number | null = null;

  spent(period: Period, now: number): number {
    const begin = beginOf(period, now);
    return this.charges.filter(({ at }) => beginOf(period, at) === begin).reduce((sum, { amount }) => sum + amount, 0);
  }

  exceeds(amount: number, now: number): string | null {
    if (this.single !== null && amount > this.single) return 'single_tx_limit_exceeded';
    const over = PERIODS.some((period) => this.spent(period, now) + amount > (this.caps[period] ?? Infinity));
    return over ? 'budget_exceeded' : null;
  }

  expire(now: number): void {
    for (const approval of this.approvals)
      if (approval.status === 'pending' && approval.expiresAt <= now) approval.status = 'expired';
  }
}

const amount = fc.integer({ min: 1, max: 60 });
const cap = fc.option(fc.integer({ min: 1, max: 120 }), { nil: null });
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('charge'), amount, category: fc.constantFrom('a', 'b') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('caps'),
      caps: fc.record({ daily: cap, weekly: cap, monthly: cap }, { requiredKeys: ['daily'] }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('settings'),
      on_limit: fc.constantFrom('reject', 'approve', 'approve'),
      single_tx_limit_cents: fc.option(fc.integer({ min: 20, max: 60 }), { nil: null }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('approve', 'reject'), which: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('step'), ms: fc.integer({ min: -2 * DAY, max: 3 * DAY }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('boundary'),
      of: fc.constantFrom('day', 'week', 'month', 'year'),
      past: fc.constantFrom(-1, 0, 1),
    }),
  },
) as fc.Arbitrary<Command>;

/** Includes an ISO week in two years, a leap day, and a year without one. */
const start = fc.constantFrom(
  Date.UTC(2026, 11, 30, 22),
  Date.UTC(2028, 1, 28, 23, 59),
  Date.UTC(2027, 1, 28, 12),
  Date.UTC(2032, 11, 26, 1),
);

function nextBoundary(of: 'day' | 'week' | 'month' | 'year', now: number): number {
  const at = new Date(now);
  if (of === 'year') return Date.UTC(at.getUTCFullYear() + 1, 0, 1);
  if (of === 'month') return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
  return of === 'day' ? beginOf('daily', now) + DAY : beginOf('weekly', now) + 7 * DAY;
}

async function charge(
  model: Model,
  api: Api,
  now: number,
  { amount: wanted, category }: { amount: number; category: string },
) {
  const { status, body } = await api.post('/v1/charge', { amount: wanted, category });
  const excess = model.exceeds(wanted, now);
  if (excess === null) {
    assert.equal(status, 200);
    model.charges.push({ at: now, amount: wanted, category });
  } else if (model.onLimit === 'reject') assert.deepEqual([status, body.error], [402, excess]);
  else {
    assert.deepEqual([status, body.reason], [202, excess]);
    const expiresAt = now + DAY;
    model.approvals.push({ id: body.approval_id, amount: wanted, category, status: 'pending', expiresAt });
  }
}

async function setCaps(model: Model, api: Api, caps: { [K in Period]?: number | null }): Promise<void> {
  const next = { ...model.caps, ...caps };
  const present = PERIODS.map((period) => next[period]).filter((value) => value !== null);
  const isOrdered = present.every((value, i) => i === 0 || (present[i - 1] as number) <= value);
  assert.equal((await api.put('/v1/budget', { caps })).status, isOrdered ? 200 : 400);
  if (isOrdered) model.caps = next;
}

async function resolve(model: Model, api: Api, now: number, verb: 'approve' | 'reject', which: number): Promise<void> {
  const approval = model.approvals[which];
  if (!approval) return;
  const { status, body } = await api.post(`/v1/approvals/${approval.id}/${verb}`);
  const before = approval.status;
  if (before !== 'pending') {
    assert.deepEqual([status, body.error], before === 'expired' ? [410, 'expired'] : [409, 'already_resolved']);
    return;
  }
  assert.equal(status, 200, JSON.stringify(body));
  approval.status = verb === 'approve' ? 'approved' : 'rejected';
  if (verb === 'approve') model.charges.push({ at: now, amount: approval.amount, category: approval.category });
}

async function apply(command: Command, model: Model, t: TestApp, api: Api): Promise<void> {
  const now = t.clock.now();
  switch (command.do) {
    case 'charge':
      return charge(model, api, now, command);
    case 'caps':
      return setCaps(model, api, command.caps);
    case 'settings': {
      const { do: _, ...settings } = command;
      assert.equal((await api.put('/v1/budget', settings)).status, 200);
      model.onLimit = settings.on_limit;
      model.single = settings.single_tx_limit_cents;
      return;
    }
    case 'step':
    case 'boundary': {
      t.clock.advance(command.do === 'step' ? command.ms : nextBoundary(command.of, now) - now + command.past);
      // A read marks what is overdue, so that it stays overdue after the clock steps back.
      const { approvals } = (await api.get('/v1/approvals?status=all')).body;
      model.expire(t.clock.now());
      const shown = approvals.map(({ id, status }: ModelApproval) => [id, status]).sort();
      assert.deepEqual(shown, model.approvals.map(({ id, status }) => [id, status]).sort());
      return;
    }
    default:
      return resolve(model, api, now, command.do, command.which);
  }
}

/** Compares everything that can be read with the model. */
async function compare(model: Model, t: TestApp, api: Api, accountId: string): Promise<void> {
  const now = t.clock.now();
  const { caps, status } = (await api.get('/v1/budget')).body;
  let isReached = false;
  for (const period of PERIODS) {
    const limit = model.caps[period];
    const spent = model.spent(period, now);
    if (limit !== null) {
      const remaining = Math.max(0, limit - spent);
      isReached ||= remaining === 0;
      const { limit_usdc: l, spent_usdc: s, remaining_usdc: r } = caps[period];
      assert.deepEqual([l, s, r], [limit, spent, remaining], period);
    } else assert.equal(caps[period], null);
  }
  assert.equal(status, isReached ? 'limit_reached' : 'active');
  const { summary, entries } = (await api.get('/v1/budget/history?limit=200')).body;
  const total = model.charges.reduce((sum, one) => sum + one.amount, 0);
  assert.deepEqual([summary.count, summary.total_usdc], [model.charges.length, total]);
  const byCategory: Record<string, number> = {};
  for (const { category, amount: one } of model.charges) byCategory[category] = (byCategory[category] ?? 0) + one;
  assert.deepEqual(summary.by_category, byCategory);
  const times = entries.map(({ timestamp }: { timestamp: string }) => Date.parse(timestamp));
  assert.deepEqual(
    times,
    model.charges.map(({ at }) => at).toSorted((a, b) => b - a),
  );
  const [row] = await t.sql('select sum(amount_usdc) as total from ledger where account_id = ?', accountId);
  assert.equal(Number(row?.total ?? 0), total);
}

onEngines('both', 'budgets against a plain model', {}, (suite) => {
  it('agrees after any commands at any time, across days, ISO weeks, months, years and leap days, also if the clock steps back', async (context) => {
    const { t } = suite;
    const seed = Number(process.env.SIGNET_MODEL_SEED ?? Math.trunc(Math.random() * 2 ** 31));
    context.diagnostic(`seed ${seed}; SIGNET_MODEL_SEED repeats it`);
    const property = fc.asyncProperty(
      start,
      fc.array(command, { minLength: 5, maxLength: 40 }),
      async (at, commands) => {
        t.clock.advance(at - t.clock.now());
        const { api, accountId } = await t.createAccount();
        const model = new Model();
        await api.put('/v1/budget', { daily: 50, weekly: 100, monthly: 200, on_limit: 'approve' });
        Object.assign(model, { caps: { daily: 50, weekly: 100, monthly: 200 }, onLimit: 'approve' });
        for (const one of commands) await apply(one, model, t, api);
        await compare(model, t, api, accountId);
      },
    );
    await fc.assert(property, { seed, numRuns: Number(process.env.SIGNET_MODEL_RUNS ?? 30), endOnFailure: false });
    assert.deepEqual(t.faults, []);
  });
});
