import type { CallBucket } from '../kernel/call-bucket.ts';
import { limitReached } from '../kernel/limit-reached.ts';
import type { MeterReading } from '../kernel/meter-reading.ts';
import { secondsUntil } from '../kernel/period.ts';
import type { Principal } from '../kernel/principal.ts';

/** Counts a request against all quotas of its account, or against a bucket of its credential alone. */
export type Meter = (principal: Principal, now: number, bucket?: CallBucket) => Promise<MeterReading>;

const SUBJECTS: Record<MeterReading['owner'], (limit: number, window: string) => string> = {
  account: (limit, window) => `The ${limit} requests of this UTC ${window}`,
  pod: (limit, window) => `The ${limit} requests of this UTC ${window} that the platform allows this pod`,
  person: (limit, window) => `The ${limit} requests of this UTC ${window} that your address has`,
  credential: (limit, window) => `The ${limit} calls of this kind that this credential has in this UTC ${window}`,
};

/** Counts a request. @returns the `RateLimit` headers. @throws ApiError `rate_limited` */
export async function countRequest(
  meter: Meter,
  principal: Principal,
  now: number,
  bucket?: CallBucket,
): Promise<Record<string, string>> {
  const { admitted, name, limit, used, remaining, resetAt, window, owner } = await meter(principal, now, bucket);
  const reset = String(secondsUntil(resetAt, now));
  const headers = {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': reset,
  };
  if (admitted) return headers;
  throw limitReached(
    name,
    { used, max: limit },
    {
      message: `${SUBJECTS[owner](limit, window)} are used up.`,
      fields: { limit, remaining: 0, window, retry_after: Number(reset) },
      headers: { ...headers, 'retry-after': reset },
    },
  );
}
