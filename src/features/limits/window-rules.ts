import { ApiError } from '../../kernel/errors.ts';
import { secondsUntil } from '../../kernel/period.ts';
import { admitHit, type WindowRule } from '../../kernel/sliding-window.ts';
import type { Tx } from '../../kernel/transaction.ts';
import { lockHits, storeHits } from './window-store.ts';

/**
 * Counts one hit on a bucket (an action and who does it, hashed) in the transaction of what it allows.
 * @throws ApiError `rate_limited` with `Retry-After` when a rule is used up; the hit does not count then
 */
export async function takeWindow(tx: Tx, bucket: string, rules: readonly WindowRule[], now: number): Promise<void> {
  const verdict = admitHit(await lockHits(tx, bucket), now, rules);
  if (!verdict.admitted) {
    const seconds = secondsUntil(verdict.retryAt, now);
    throw new ApiError('rate_limited', {
      facts: { retry_after: seconds },
      headers: {
        'retry-after': String(seconds),
        'ratelimit-limit': String(rules[0]?.limit ?? 0),
        'ratelimit-remaining': '0',
        'ratelimit-reset': String(seconds),
      },
    });
  }
  const widest = Math.max(...rules.map((rule) => rule.windowMs));
  await storeHits(tx, bucket, verdict.hits, now + widest);
}
