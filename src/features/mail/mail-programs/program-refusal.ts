import { ApiError, type ErrorCode } from '../../../api/errors.ts';
import { ImapRefusal } from '../../../mail/imap/imap-store.ts';

/** The response code (RFC 5530, RFC 9051 7.1) of a refusal of the API. */
const CODES: Partial<Record<ErrorCode, string>> = {
  insufficient_scope: 'NOPERM',
  account_deleting: 'NOPERM',
  account_suspended: 'NOPERM',
  pod_suspended: 'NOPERM',
  unauthorized: 'NOPERM',
  address_forbidden: 'NONEXISTENT',
  not_found: 'NONEXISTENT',
  invalid_address: 'NONEXISTENT',
  storage_full: 'OVERQUOTA',
  limit_reached: 'LIMIT',
  rate_limited: 'LIMIT',
};

/** A fault of the API as mail programs are told it. Anything else is passed on as it is. */
export function imapRefusal(err: unknown): unknown {
  if (!(err instanceof ApiError)) return err;
  return new ImapRefusal(CODES[err.code] ?? (err.status >= 500 ? 'UNAVAILABLE' : 'CANNOT'), err.message);
}
