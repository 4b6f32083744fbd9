/** One rule of a sliding-window limit: at most `limit` hits within any `windowMs`. */
export interface WindowRule {
  limit: number;
  windowMs: number;
}

export type WindowVerdict = { admitted: true; hits: number[] } | { admitted: false; retryAt: number };

/**
 * Decides whether one more hit fits every rule. A sliding log, not fixed buckets: "5 an hour" holds for every hour,
 * not only for those that start on the clock. The log never grows past the largest limit.
 * @param hits earlier admitted hits, milliseconds, oldest first
 */
export function admitHit(hits: readonly number[], now: number, rules: readonly WindowRule[]): WindowVerdict {
  const horizon = now - Math.max(...rules.map((rule) => rule.windowMs));
  const live = hits.filter((at) => at > horizon);
  let retryAt = 0;
  for (const rule of rules) {
    const inside = live.filter((at) => at > now - rule.windowMs);
    if (inside.length < rule.limit) continue;
    // With a limit of 0 nothing ever leaves the window in a way that helps; tell the caller one window.
    const leaving = inside[inside.length - rule.limit] ?? now;
    retryAt = Math.max(retryAt, leaving + rule.windowMs);
  }
  return retryAt > 0 ? { admitted: false, retryAt } : { admitted: true, hits: [...live, now] };
}
