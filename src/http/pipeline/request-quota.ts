import type { Endpoint } from '../../api/endpoint.ts';
import type { ApiError } from '../../api/errors.ts';
import type { CALL_BUCKETS, CallBucket, CallCount } from '../../api/metering/call-bucket.ts';
import { limitReachedUntil, rateLimitHeaders } from '../../api/metering/limit-reached.ts';
import type { MeterReading } from '../../api/metering/meter-reading.ts';
import type { Principal } from '../../api/principal.ts';
import { type Awaitable, onceThere } from '../../base/lazy.ts';
import { secondsUntil } from '../../base/period.ts';

/** Counts a request against all quotas of its account, or against one other count alone. */
export type Meter = (principal: Principal, now: number, count?: CallCount) => Awaitable<MeterReading>;

/** What the buckets hold, for the refusal of one. */
const CALLS: Readonly<Record<(typeof CALL_BUCKETS)[CallBucket], string>> = {
  inspections_per_hour: 'calls that show what can be ended',
  key_rotations_per_hour: 'key rotations',
  backup_activations_per_hour: 'activations of a backup key',
  secures_per_hour: 'calls that secure the account',
  revocations_per_hour: 'calls that take something away',
  pod_changes_per_hour: 'changes of pods',
  console_logins_per_hour: 'logins to the console',
  searches_per_hour: 'searches',
};

type Subject = (limit: number, window: string, name: MeterReading['name']) => string;

const SUBJECTS: Record<MeterReading['owner'], Subject> = {
  account: (limit, window) => `The ${limit} requests of this UTC ${window}`,
  pod: (limit, window) => `The ${limit} requests of this UTC ${window} that the platform allows this pod`,
  shared: (limit, window) =>
    `The ${limit} requests of this UTC ${window} that the named keys, access tokens and clients of the account share`,
  key: (limit, window) => `The ${limit} requests of this UTC ${window} that the share of this key allows`,
  console: (limit, window) => `The ${limit} reads of this UTC ${window} that the console sessions of the account have`,
  person: (limit, window) => `The ${limit} requests of this UTC ${window} that your address has`,
  credential: (limit, window, name) =>
    `The ${limit} ${CALLS[name as keyof typeof CALLS]} that this key or session has in this UTC ${window}`,
};

/** What decides how a call counts. */
type Counted = Partial<Pick<Endpoint, 'method' | 'bucket' | 'afterDay' | 'typed'>>;

/** Whether a call counts with the reads of a console session until its body says more. What a platform limits, it counts. */
const mayBeTyped = ({ consoleHash, rateLimits }: Principal, { typed }: Counted): boolean =>
  consoleHash !== null && rateLimits === null && typed !== undefined;

/** The counts that a call may use, in order. Undefined: the quotas of the day. */
function countsOf(principal: Principal, endpoint: Counted): readonly (CallCount | undefined)[] {
  const { method, bucket, afterDay } = endpoint;
  if ((principal.consoleHash !== null && method === 'GET') || mayBeTyped(principal, endpoint)) return ['console'];
  if (bucket === 'inspect') return ['inspect', undefined];
  return afterDay === undefined ? [bucket] : [undefined, afterDay];
}

const headersOf = ({ limit, remaining, resetAt }: MeterReading, now: number): Record<string, string> =>
  rateLimitHeaders(limit, remaining, secondsUntil(resetAt, now));

function refusalOf(reading: MeterReading, now: number): ApiError {
  const { name, limit, used, resetAt, window, owner } = reading;
  return limitReachedUntil(name, { used, max: limit }, secondsUntil(resetAt, now), {
    message: `${SUBJECTS[owner](limit, window, name)} are used up.`,
    fields: { limit, remaining: 0, window },
    headers: headersOf(reading, now),
  });
}

/**
 * Counts a request under the first of its counts that is not used up. @returns the `RateLimit` headers, and as `spent`
 * the refusal of the counts before that one. @throws ApiError `rate_limited`, with the shortest wait, when all are used up
 */
export function countRequest(
  meter: Meter,
  principal: Principal,
  now: number,
  endpoint: Counted,
): Awaitable<{ headers: Record<string, string>; spent: ApiError | null }> {
  const counts = countsOf(principal, endpoint);
  const countUnder = (at: number, refused: MeterReading | null): ReturnType<typeof countRequest> =>
    onceThere(meter(principal, now, counts[at]), (reading) => {
      if (reading.admitted) return { headers: headersOf(reading, now), spent: refused && refusalOf(refused, now) };
      const soonest = refused === null || reading.resetAt < refused.resetAt ? reading : refused;
      if (at + 1 === counts.length) throw refusalOf(soonest, now);
      return countUnder(at + 1, soonest);
    });
  return countUnder(0, null);
}

/**
 * Counts against the day what was counted as typed, and is more by its body. @returns the `RateLimit` headers
 * @throws ApiError `rate_limited`
 */
export async function countByBody(
  meter: Meter,
  principal: Principal,
  now: number,
  endpoint: Counted,
  body: unknown,
): Promise<Record<string, string>> {
  if (!mayBeTyped(principal, endpoint) || endpoint.typed?.(body)) return {};
  return (await countRequest(meter, principal, now, {})).headers;
}
