/** A fault in one part of a request: a JSON pointer below `/body`, `/query` or `/path`, a code and a sentence. */
export interface SignetErrorDetail {
  path: string;
  code: string;
  message?: string;
}

export interface SignetErrorOptions {
  status: number;
  code: string;
  details: readonly SignetErrorDetail[];
  requestId: string | null;
  retryAfterSeconds: number | null;
  fields: Readonly<Record<string, unknown>>;
}

/** An error reply of the service. */
export class SignetError extends Error {
  readonly status: number;
  /** A code of the closed table in `GET /api`. Compare this, never the message. */
  readonly code: string;
  readonly details: readonly SignetErrorDetail[];
  /** Include it when you report a problem. */
  readonly requestId: string | null;
  /** From `Retry-After`. */
  readonly retryAfterSeconds: number | null;
  /** The other fields of the error: `limit`, `accepts`, `remaining`, … */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(message: string, options: SignetErrorOptions) {
    super(message);
    this.name = 'SignetError';
    this.status = options.status;
    this.code = options.code;
    this.details = options.details;
    this.requestId = options.requestId;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.fields = options.fields;
  }

  /** @deprecated The earlier name of {@link fields}. */
  get facts(): Readonly<Record<string, unknown>> {
    return this.fields;
  }
}

/** The request itself is at fault: see `details` and `fields.suggestion`. */
export class InvalidRequest extends SignetError {}
/** The key is missing, unknown or has ended. */
export class Unauthorized extends SignetError {}
/** A charge over what is left of a cap. */
export class BudgetExceeded extends SignetError {}
/** This credential may not do this, or a policy does not allow it. */
export class Forbidden extends SignetError {}
/** A person must decide it. With `throwWaiting`, `fields` is the reply that says so: `approval_id`, `review_id`. */
export class ApprovalRequired extends Forbidden {}
/** There is no such thing, or it is another account's. */
export class NotFound extends SignetError {}
/** It was done, decided or changed meanwhile, or what it needs is missing. */
export class Conflict extends SignetError {}
/** Another version is the latest: `fields.latest_version`. */
export class VersionConflict extends Conflict {}
/** It ended before it was decided. */
export class Expired extends Conflict {}
/** Too many requests: wait `retryAfterSeconds`. */
export class RateLimited extends SignetError {}
/** The service cannot do it now. */
export class Unavailable extends SignetError {}

/** As many or as much as this account may have. */
export class LimitReached extends SignetError {
  /** Where the service says it. */
  get limit(): { name: string; used: number; max: number } | undefined {
    const { limit, quota } = this.fields;
    return [limit, quota].find((one) => typeof one === 'object') as { name: string; used: number; max: number };
  }
}

/** More than this tier has: pay one of `fields.accepts`, or wait. */
export class PaymentRequired extends LimitReached {}

const BY_STATUS: Readonly<Record<number, typeof SignetError>> = {
  401: Unauthorized,
  402: PaymentRequired,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  410: Expired,
  412: VersionConflict,
  429: RateLimited,
};

/** The class of a refusal, by its code and else by its status. */
export function errorClass(code: string, status: number): typeof SignetError {
  if (/^(budget|single_tx_limit)_exceeded$/.test(code)) return BudgetExceeded;
  if (/^(operator|passkey)_required$/.test(code)) return ApprovalRequired;
  if (/(_limit|^storage_full|limit_reached|too_large|^too_many_recipients)$/.test(code)) return LimitReached;
  return BY_STATUS[status] ?? (status < 500 ? InvalidRequest : Unavailable);
}

/**
 * `unreachable`: no reply came, so it is unknown whether the request was carried out. `timeout`: none came in time.
 * `unreadable`: the reply is not from this service. `opaque_redirect`: browsers do not reveal the target of a redirect.
 */
export type SignetConnectionCode = 'unreachable' | 'timeout' | 'unreadable' | 'opaque_redirect';

/** The service did not reply. */
export class SignetConnectionError extends Error {
  readonly code: SignetConnectionCode;
  constructor(code: SignetConnectionCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'SignetConnectionError';
    this.code = code;
  }
}

/**
 * Why something could not be opened or verified.
 * - `malformed`: not in the expected format
 * - `truncated`: too short to have been sealed
 * - `not_authentic`: a wrong seed, key or name, or changed bytes; cryptography cannot distinguish them
 * - `version_mismatch`: sealed as a different version than the service claims
 * - `version_unproven`: nothing proves which version it was sealed as
 * - `version_rolled_back`: older than a version seen before
 * - `weak_public_key`: a key of small order, with which every key pair shares the same secret (RFC 7748 6.1)
 * - `unknown_key`: none of the private keys fits
 * - `signature_missing`, `signature_invalid`: of a webhook or token
 * - `expired`, `not_yet_valid`: according to the local clock
 * - `wrong_issuer`, `wrong_audience`, `wrong_type`, `missing_scope`: a valid token, but not for this purpose
 * - `keys_unavailable`: the issuer's public keys could not be had
 */
export type SignetCryptoCode =
  | 'malformed'
  | 'truncated'
  | 'not_authentic'
  | 'version_mismatch'
  | 'version_unproven'
  | 'version_rolled_back'
  | 'weak_public_key'
  | 'unknown_key'
  | 'signature_missing'
  | 'signature_invalid'
  | 'expired'
  | 'not_yet_valid'
  | 'wrong_issuer'
  | 'wrong_audience'
  | 'wrong_type'
  | 'missing_scope'
  | 'keys_unavailable';

/** Something sealed or signed did not hold; nothing of its content is given out. */
export class SignetCryptoError extends Error {
  readonly code: SignetCryptoCode;
  constructor(code: SignetCryptoCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'SignetCryptoError';
    this.code = code;
  }
}
