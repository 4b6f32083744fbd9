import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { iso, isoOrNull } from './clock.ts';
import { DEFAULT_LIMITS, mergeLimits } from './limits.ts';
import { DAY_MS, dayStart, HOUR_MS, hourStart, nextDay, nextHour, secondsUntil, utcDay } from './period.ts';
import { admitHit, type WindowRule } from './sliding-window.ts';

const moment = fc.integer({ min: 0, max: Date.UTC(2200, 0) });

describe('a period', () => {
  it('holds its moment: start <= now < next, one day or hour long, and starts at a round UTC time', () => {
    fc.assert(
      fc.property(moment, (now) => {
        assert.ok(dayStart(now) <= now && now < nextDay(now) && nextDay(now) - dayStart(now) === DAY_MS);
        assert.ok(hourStart(now) <= now && now < nextHour(now) && nextHour(now) - hourStart(now) === HOUR_MS);
        assert.equal(iso(dayStart(now)), `${utcDay(now)}T00:00:00.000Z`);
        assert.match(iso(hourStart(now)), /T\d\d:00:00\.000Z$/);
      }),
    );
  });

  it('waits whole seconds, rounded up, and never none', () => {
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

  it('a missing time stays missing on the wire', () => {
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

  /** Plays hits after the given waits; hands every verdict on. */
  function play(gaps: number[], list: WindowRule[], look: (now: number, admitted: boolean, retryAt: number) => void) {
    let hits: number[] = [];
    let now = 1000;
    for (const gap of gaps) {
      now += gap;
      const verdict = admitHit(hits, now, list);
      look(now, verdict.admitted, verdict.admitted ? now : verdict.retryAt);
      if (verdict.admitted) hits = verdict.hits;
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

  it('refuses only where a rule is used up, and says the first moment that would be admitted', () => {
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

  it('keeps no more hits than the limits can need', () => {
    fc.assert(
      fc.property(waits, rules, (gaps, list) => {
        const widest = list.reduce((a, b) => (b.windowMs > a.windowMs ? b : a));
        assert.ok(play(gaps, list, () => {}).length <= widest.limit);
      }),
    );
  });

  it('a limit of none admits nothing, and says to wait a window', () => {
    const rule = { limit: 0, windowMs: 50 };
    assert.deepEqual(admitHit([], 1000, [rule]), { admitted: false, retryAt: 1050, rule, used: 0 });
  });
});

describe('the limit table', () => {
  it('is the default where nothing is overridden, and is never changed itself', () => {
    const before = structuredClone(DEFAULT_LIMITS);
    assert.deepEqual(mergeLimits({}), before);
    mergeLimits({ free: { requests_per_day: 7 } });
    assert.deepEqual(DEFAULT_LIMITS, before);
  });

  it('takes any leaf and leaves the others', () => {
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
    it(`refuses ${JSON.stringify(overrides)}, naming the leaf`, () =>
      assert.throws(() => mergeLimits(overrides), message));
});
