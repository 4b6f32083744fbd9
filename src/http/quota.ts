import { limitReached } from '../kernel/limit-reached.ts';
import type { MeterReading } from '../kernel/meter-reading.ts';
import { secondsUntil } from '../kernel/period.ts';
import type { Principal } from '../kernel/principal.ts';

/** Counts a request against all quotas of its account. */
export type Meter = (principal: Principal, now: number) => Promise<MeterReading>;

/** Counts a request. @returns the `RateLimit` headers. @throws ApiError `rate_limited` */
export async function countRequest(meter: Meter, principal: Principal, now: number): Promise<Record<string, string>> {
  const { admitted, limit, used, remaining, resetAt, window, accountId } = await meter(principal, now);
  const reset = String(secondsUntil(resetAt, now));
  const headers = {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': reset,
  };
  if (admitted) return headers;
  const setBy = accountId === principal.quotaAccountId ? '' : ' that the platform allows this pod';
  throw limitReached(
    `requests_per_${window}`,
    { used, max: limit },
    {
      message: `The ${limit} requests of this UTC ${window}${setBy} are used up.`,
      fields: { limit, remaining: 0, window, retry_after: Number(reset) },
      headers: { ...headers, 'retry-after': reset },
    },
  );
}
