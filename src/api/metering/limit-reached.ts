import { ApiError, type ErrorCode, type ErrorOptions } from '../errors.ts';
import { LIMIT_TABLE, type LimitName, type RefusingLimit } from '../limits.ts';

/** How much of a limit is used. For a limit on the size of a request, `used` is that size. */
export interface LimitCounts {
  used: number;
  max: number;
}

/**
 * Builds the fields of an error about a limit: `fields` and `limit: {name, used, max}`. If `fields` already has an integer
 * `limit`, that stays and the object is named `quota`.
 */
export function limitFields(
  name: LimitName,
  { used, max }: LimitCounts,
  fields: Record<string, unknown> = {},
): Record<string, unknown> {
  return { ...fields, ['limit' in fields ? 'quota' : 'limit']: { name, used, max } };
}

const GENERAL_CODES: ReadonlySet<ErrorCode> = new Set(['limit_reached']);

/**
 * Builds the error for a request over a limit, with the code of the limit table.
 * @param overrides a more precise message than the table's, further fields, headers, details
 */
export function limitReached(name: RefusingLimit, counts: LimitCounts, overrides: ErrorOptions = {}): ApiError {
  const { code = 'rate_limited', text } = LIMIT_TABLE[name] as { code?: ErrorCode; text: string };
  const general = GENERAL_CODES.has(code) ? { message: `${text} At most ${counts.max}.` } : {};
  return new ApiError(code, { ...general, ...overrides, fields: limitFields(name, counts, overrides.fields) });
}

/** The same for a limit that admits one more after some seconds, which the body and `Retry-After` tell. */
export const limitReachedUntil = (
  name: RefusingLimit,
  counts: LimitCounts,
  seconds: number,
  overrides: ErrorOptions = {},
): ApiError =>
  limitReached(name, counts, {
    ...overrides,
    fields: { ...overrides.fields, retry_after: seconds },
    headers: { ...overrides.headers, 'retry-after': String(seconds) },
  });

/** The `RateLimit` headers. `seconds`: until more is admitted. */
export const rateLimitHeaders = (limit: number, remaining: number, seconds: number): Record<string, string> => ({
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(remaining),
  'ratelimit-reset': String(seconds),
});
