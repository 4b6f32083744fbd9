import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../../base/period.ts';
import { nextAttemptAt, retryAfterMs } from './attempt-job.ts';
import type { PostResult } from './webhook-post.ts';

const NOW = Date.UTC(2026, 0, 14, 12);
const MINUTE = 60_000;
const SCHEDULE = [5000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 10 * HOUR_MS];

const answered = (status: number, retryAfter: string | null = null): PostResult => ({
  kind: 'answered',
  status,
  retryAfter,
  snippet: '',
  durationMs: 1,
});
const waits = (result: PostResult, random: number): (number | null)[] =>
  [1, 2, 3, 4, 5, 6, 7, 8].map((attempts) => {
    const at = nextAttemptAt(attempts, result, NOW, random);
    return at === null ? null : at - NOW;
  });

describe('the schedule of attempts', () => {
  it('waits 5 s, 5 m, 30 m, 2 h, 5 h, 10 h and 10 h, and then ends', () => {
    assert.deepEqual(waits(answered(500), 0), [...SCHEDULE, null]);
    assert.deepEqual(waits({ kind: 'failed', reason: 'timeout', durationMs: 15_000 }, 0), [...SCHEDULE, null]);
  });

  it('adds a jitter of at most a fifth', () => {
    assert.deepEqual(waits(answered(500), 1), [...SCHEDULE.map((wait) => (wait * 12) / 10), null]);
    assert.deepEqual(waits(answered(500), 0.5), [...SCHEDULE.map((wait) => (wait * 11) / 10), null]);
  });

  it('delays an attempt by Retry-After of 429 and 503, for at most a day, and never makes it earlier', () => {
    for (const status of [429, 503]) {
      assert.equal(nextAttemptAt(1, answered(status, '120'), NOW, 0), NOW + 120_000);
      assert.equal(nextAttemptAt(3, answered(status, '1'), NOW, 0), NOW + 30 * MINUTE);
      assert.equal(nextAttemptAt(1, answered(status, '999999999'), NOW, 0), NOW + DAY_MS);
    }
    assert.equal(nextAttemptAt(1, answered(500, '120'), NOW, 0), NOW + 5000);
    assert.equal(nextAttemptAt(8, answered(429, '120'), NOW, 0), null);
  });

  it('reads Retry-After as seconds or a date, and ignores anything else', () => {
    assert.equal(retryAfterMs('30', NOW), 30_000);
    assert.equal(retryAfterMs('Wed, 14 Jan 2026 12:01:00 GMT', NOW), 60_000);
    assert.equal(retryAfterMs('Wed, 14 Jan 2026 11:00:00 GMT', NOW), 0);
    for (const header of [null, '', '-5', 'soon', '99999999999999999999'])
      assert.equal(retryAfterMs(header, NOW), 0, String(header));
  });
});
