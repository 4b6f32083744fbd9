import { ApiError } from '../kernel/errors.ts';
import { secondsUntil } from '../kernel/period.ts';
import type { Principal } from '../kernel/principal.ts';

/** The state of an account's request quota after one more request. */
export interface MeterReading {
  admitted: boolean;
  limit: number;
  remaining: number;
  /** Milliseconds since the epoch. */
  resetAt: number;
}

/** Counts a request against its account's day. */
export type Meter = (principal: Principal, now: number) => Promise<MeterReading>;

/** Counts a request. @returns the headers that tell of the quota. @throws ApiError `rate_limited` */
export async function countRequest(meter: Meter, principal: Principal, now: number): Promise<Record<string, string>> {
  const { admitted, limit, remaining, resetAt } = await meter(principal, now);
  const reset = String(secondsUntil(resetAt, now));
  const headers = {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': reset,
  };
  if (admitted) return headers;
  throw new ApiError('rate_limited', {
    message: `The ${limit} requests of this UTC day are used up.`,
    facts: { limit, remaining: 0, retry_after: Number(reset) },
    headers: { ...headers, 'retry-after': reset },
  });
}
