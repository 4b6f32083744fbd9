import { limitReached } from '../../kernel/limit-reached.ts';
import type { RefusingLimit } from '../../kernel/limits.ts';
import { secondsUntil } from '../../kernel/period.ts';
import { admitHit, type WindowRule } from '../../kernel/sliding-window.ts';
import type { Tx } from '../../kernel/transaction.ts';
import { lockHits, storeHits } from './window-store.ts';

/** A rule with the name of its limit, for the refusal. */
export interface NamedRule extends WindowRule {
  name: RefusingLimit;
}

/**
 * Counts one hit on a bucket, such as the hash of an action and a client, in the transaction of that action.
 * @throws ApiError `rate_limited` with `Retry-After` when a rule is used up. The hit does not count then
 */
export async function takeWindow(tx: Tx, bucket: string, rules: readonly NamedRule[], now: number): Promise<void> {
  const decision = admitHit(await lockHits(tx, bucket), now, rules);
  if (!decision.admitted) {
    const seconds = secondsUntil(decision.retryAt, now);
    const { rule, used } = decision;
    throw limitReached(
      rule.name,
      { used, max: rule.limit },
      {
        fields: { retry_after: seconds },
        headers: {
          'retry-after': String(seconds),
          'ratelimit-limit': String(rules[0]?.limit ?? 0),
          'ratelimit-remaining': '0',
          'ratelimit-reset': String(seconds),
        },
      },
    );
  }
  const widest = Math.max(...rules.map((rule) => rule.windowMs));
  await storeHits(tx, bucket, decision.hits, now + widest);
}
