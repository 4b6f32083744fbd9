/** One rule of a sliding-window limit: at most `limit` hits within any `windowMs`. */
export interface WindowRule {
  limit: number;
  windowMs: number;
}

/** Whether a hit is admitted. A refusal names the rule that refuses longest, and how many hits are within its window. */
export type WindowDecision<R> =
  | { admitted: true; hits: number[] }
  | { admitted: false; retryAt: number; rule: R; used: number };

/**
 * Decides whether one more hit fits every rule. A sliding log, not fixed buckets: "5 an hour" applies to any 60 minutes,
 * not only to clock hours. The log never grows beyond the largest limit.
 * @param hits earlier admitted hits, milliseconds, oldest first
 */
export function admitHit<R extends WindowRule>(
  hits: readonly number[],
  now: number,
  rules: readonly R[],
): WindowDecision<R> {
  const horizon = now - Math.max(...rules.map((rule) => rule.windowMs));
  const live = hits.filter((at) => at > horizon);
  let refusal: { admitted: false; retryAt: number; rule: R; used: number } | undefined;
  for (const rule of rules) {
    const inside = live.filter((at) => at > now - rule.windowMs);
    if (inside.length < rule.limit) continue;
    // With a limit of 0 waiting never helps. The caller gets the length of one window.
    const leaving = inside[inside.length - rule.limit] ?? now;
    const retryAt = leaving + rule.windowMs;
    if (retryAt > (refusal?.retryAt ?? 0)) refusal = { admitted: false, retryAt, rule, used: inside.length };
  }
  return refusal ?? { admitted: true, hits: [...live, now] };
}
