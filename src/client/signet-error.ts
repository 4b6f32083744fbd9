/** What is wrong with one part of a request: a JSON pointer behind `/body`, `/query` or `/path`, a code, a sentence. */
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

/** A refusal by the service, in its one error envelope. */
export class SignetError extends Error {
  readonly status: number;
  /** Of the closed table in `GET /api`: compare this, never the message. */
  readonly code: string;
  readonly details: readonly SignetErrorDetail[];
  /** Quote it when you report a fault. */
  readonly requestId: string | null;
  /** Of `Retry-After`. */
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
}

/**
 * `unreachable`: no answer came, and whether the request was carried out is unknown. `timeout`: none came in time.
 * `unreadable`: something answered that is not this service. `opaque_redirect`: browsers do not show where a redirect
 * leads.
 */
export type SignetConnectionCode = 'unreachable' | 'timeout' | 'unreadable' | 'opaque_redirect';

/** No answer of the service was had. */
export class SignetConnectionError extends Error {
  readonly code: SignetConnectionCode;
  constructor(code: SignetConnectionCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'SignetConnectionError';
    this.code = code;
  }
}

/**
 * Why something could not be opened or is not believed.
 * - `malformed`: not of the form it must have
 * - `truncated`: too short to have been sealed
 * - `not_authentic`: another seed or key, another name, or bytes that were changed: cryptography cannot distinguish them
 * - `version_mismatch`: sealed as another version than the service says
 * - `version_unproven`: nothing says which version it was sealed as
 * - `version_rolled_back`: older than a version that was there before
 * - `weak_public_key`: a key of small order, with which every key pair shares the same secret (RFC 7748 6.1)
 * - `unknown_key`: none of the private keys fits
 * - `signature_missing`, `signature_invalid`: of a webhook or token
 * - `expired`, `not_yet_valid`: by the clock of the one who checks
 * - `wrong_issuer`, `wrong_audience`, `wrong_type`, `missing_scope`: a good token, but not for this purpose
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
