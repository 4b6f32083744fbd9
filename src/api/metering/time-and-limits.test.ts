import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { iso, isoOrNull } from '../../base/clock.ts';
import {
  DAY_MS,
  dayStart,
  HOUR_MS,
  hourStart,
  nextDay,
  nextHour,
  nextRateWindow,
  rateWindowStart,
  secondsUntil,
  utcDay,
} from '../../base/period.ts';
import { admitHit, type WindowRule } from '../../base/sliding-window.ts';
import { mergeLimits } from '../../config/limit-overrides.ts';
import { DEFAULT_LIMITS } from '../limits.ts';

const moment = fc.integer({ min: 0, max: Date.UTC(2200, 0) });

describe('a period', () => {
  it('contains its moment (start <= now < next), is one day or hour long, and starts at a round UTC time', () => {
    fc.assert(
      fc.property(moment, (now) => {
        assert.ok(dayStart(now) <= now && now < nextDay(now) && nextDay(now) - dayStart(now) === DAY_MS);
        assert.ok(hourStart(now) <= now && now < nextHour(now) && nextHour(now) - hourStart(now) === HOUR_MS);
        assert.equal(iso(dayStart(now)), `${utcDay(now)}T00:00:00.000Z`);
        assert.match(iso(hourStart(now)), /T\d\d:00:00\.000Z$/);
        const minute = rateWindowStart('minute', now);
        assert.equal(iso(minute), `${iso(now).slice(0, 16)}:00.000Z`);
        assert.ok(minute <= now && now < nextRateWindow('minute', now));
      }),
    );
  });

  it('waits whole seconds, rounded up, and at least one', () => {
    for (const [wait, seconds] of [
      [0, 1],
      [-5, 1],
      [1, 1],
      [1000, 1],
      [1001, 2],
      [HOUR_MS, 3600],
    ] as const)
      assert.equal(secondsUntil(10_000 + wait, 10_000), seconds);
  });

  it('is written as the platform writes it, whatever was written before', () => {
    const near = fc.array(fc.integer({ min: -1500, max: 1500 }), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(fc.integer({ min: -DAY_MS, max: Date.UTC(2200, 0) }), near, (first, steps) => {
        for (const ms of [first, ...steps.map((step) => first + step)]) {
          const written = new Date(ms).toISOString();
          assert.equal(iso(ms), written);
        }
      }),
    );
    assert.throws(() => iso(Number.NaN), RangeError);
  });

  it('a null time stays null on the wire', () => {
    assert.equal(isoOrNull(null), null);
    assert.equal(isoOrNull(0), '1970-01-01T00:00:00.000Z');
  });
});

describe('a sliding window', () => {
  const rules = fc.array(
    fc.record({ limit: fc.integer({ min: 1, max: 5 }), windowMs: fc.integer({ min: 1, max: 100 }) }),
    { minLength: 1, maxLength: 3 },
  );
  const waits = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 60 });

  /** Plays hits after the given waits; passes on every decision. */
  function play(gaps: number[], list: WindowRule[], look: (now: number, admitted: boolean, retryAt: number) => void) {
    let hits: number[] = [];
    let now = 1000;
    for (const gap of gaps) {
      now += gap;
      const decision = admitHit(hits, now, list);
      look(now, decision.admitted, decision.admitted ? now : decision.retryAt);
      if (decision.admitted) hits = decision.hits;
    }
    return hits;
  }

  it('never admits more than the limit within any window', () => {
    fc.assert(
      fc.property(waits, rules, (gaps, list) => {
        const admitted: number[] = [];
        play(gaps, list, (now, ok) => void (ok && admitted.push(now)));
        for (const { limit, windowMs } of list)
          for (const end of admitted)
            assert.ok(admitted.filter((at) => at > end - windowMs && at <= end).length <= limit);
      }),
    );
  });

  it('refuses only when a rule is used up, and returns the first time that would be admitted', () => {
    fc.assert(
      fc.property(waits, rules, (gaps, list) => {
        const admitted: number[] = [];
        play(gaps, list, (now, ok, retryAt) => {
          const fits = (at: number) =>
            list.every(({ limit, windowMs }) => admitted.filter((hit) => hit > at - windowMs).length < limit);
          assert.equal(ok, fits(now));
          if (ok) admitted.push(now);
          else assert.ok(retryAt > now && fits(retryAt) && !fits(retryAt - 1));
        });
      }),
    );
  });

  it('keeps no more hits than the limits need', () => {
    fc.assert(
      fc.property(waits, rules, (gaps, list) => {
        const widest = list.reduce((a, b) => (b.windowMs > a.windowMs ? b : a));
        assert.ok(play(gaps, list, () => {}).length <= widest.limit);
      }),
    );
  });

  it('a limit of 0 admits nothing, and returns a wait of one window', () => {
    const rule = { limit: 0, windowMs: 50 };
    assert.deepEqual(admitHit([], 1000, [rule]), { admitted: false, retryAt: 1050, rule, used: 0 });
  });
});

describe('the limit table', () => {
  it('is the default without overrides, and is never changed itself', () => {
    const before = structuredClone(DEFAULT_LIMITS);
    assert.deepEqual(mergeLimits({}), before);
    mergeLimits({ free: { requests_per_day: 7 } });
    assert.deepEqual(DEFAULT_LIMITS, before);
  });

  it('overrides any single limit and keeps the others', () => {
    const merged = mergeLimits({ free: { requests_per_day: 7, vault_keys: null }, session_ttl_seconds: 0 });
    const { free, paid, ...rest } = DEFAULT_LIMITS;
    assert.deepEqual(merged, {
      ...rest,
      free: { ...free, requests_per_day: 7, vault_keys: null },
      paid,
      session_ttl_seconds: 0,
    });
  });

  const refused: [unknown, RegExp][] = [
    [null, /the value must be a JSON object/],
    [[], /the value must be a JSON object/],
    [7, /the value must be a JSON object/],
    [{ free: 7 }, /free must be a JSON object/],
    [{ free: { requests: 7 } }, /free\.requests is not a limit/],
    [{ toString: 1 }, /toString is not a limit/],
    [JSON.parse('{"__proto__": 1}'), /__proto__ is not a limit/],
    [{ free: { requests_per_day: -1 } }, /free\.requests_per_day must be a non-negative integer/],
    [{ free: { requests_per_day: 1.5 } }, /non-negative integer/],
    [{ free: { requests_per_day: '100' } }, /non-negative integer/],
    [{ free: { requests_per_day: null } }, /non-negative integer/],
    [{ free: { vault_keys: 'many' } }, /free\.vault_keys must be a non-negative integer or null/],
    [{ session_ttl_seconds: 2 ** 53 }, /session_ttl_seconds must be a non-negative integer/],
  ];
  for (const [overrides, message] of refused)
    it(`refuses ${JSON.stringify(overrides)}, and names the limit`, () =>
      assert.throws(() => mergeLimits(overrides), message));
});
