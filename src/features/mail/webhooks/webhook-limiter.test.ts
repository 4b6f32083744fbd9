import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Permit, WebhookLimiter } from './webhook-limiter.ts';

const granted = (permit: Permit) => {
  assert.ok(permit.granted);
  return permit;
};
const waitOf = (permit: Permit): number => {
  assert.ok(!permit.granted);
  return permit.waitMs;
};

describe('the limiter of attempts per receiver', () => {
  it('allows four at a time and defers each of the others to a later time', () => {
    const limiter = new WebhookLimiter();
    const first = [1, 2, 3, 4].map(() => granted(limiter.acquire('a', 1000)));
    const later = [1, 2, 3].map(() => waitOf(limiter.acquire('a', 1000)));
    assert.ok(
      later.every((waitMs, i) => waitMs > (later[i - 1] ?? 0)),
      String(later),
    );
    granted(limiter.acquire('b', 1000));
    first[0]?.done({ durationMs: 20, hung: false });
    granted(limiter.acquire('a', 1000));
  });

  it('allows one at a time for a receiver that did not answer, until it does', () => {
    const limiter = new WebhookLimiter();
    granted(limiter.acquire('a', 0)).done({ durationMs: 15_000, hung: true });
    const probe = granted(limiter.acquire('a', 0));
    assert.ok(waitOf(limiter.acquire('a', 0)) >= 15_000);
    probe.done({ durationMs: 20, hung: false });
    granted(limiter.acquire('a', 0));
    granted(limiter.acquire('a', 0));
  });
});
