/**
 * The closed table of error codes. A code has one status and one public sentence; OpenAPI is generated from it.
 * Where the specification names a code it stands here unchanged (spec, Errors).
 */
export const ERRORS = {
  invalid_json: { status: 400, message: 'The request body is not valid JSON.' },
  invalid_request: { status: 400, message: 'The request does not fit this endpoint; see details.' },
  invalid_address: { status: 400, message: 'The address is not one this service can give out.' },
  invalid_domain: { status: 400, message: 'The domain is not one that can be set up here.' },
  invalid_recipient: { status: 400, message: 'A recipient is not a valid e-mail address.' },
  sealed_value_required: {
    status: 400,
    message:
      'The agent gave a public key: seal the value to it and send sealed_value, so that the service never sees it.',
  },
  credential_value_required: {
    status: 400,
    message: 'The agent gave no public key: send credential_value, which is sealed for it on arrival.',
  },
  invalid_cursor: { status: 400, message: 'The cursor is not one this list handed out.' },
  invalid_agent_id: { status: 400, message: 'An agent id is acc_ followed by letters and digits.' },
  invalid_scopes: { status: 400, message: 'Scopes are 1 to 20 names of the form ^[a-z][a-z0-9._:-]{0,127}$.' },
  ttl_out_of_range: { status: 400, message: 'ttl must be 60 to 86400 seconds.' },
  scope_ceiling_exceeded: { status: 400, message: 'A scope is beyond what this account may ask for.' },
  invalid_token: { status: 400, message: 'The link is invalid, expired or already used. Ask for a new one.' },
  invalid_key: {
    status: 400,
    message: 'A vault key is 1 to 128 characters of A-Z, a-z, 0-9, "_", "-" and "."; "." and ".." alone are none.',
  },
  invalid_version: { status: 400, message: 'version must be a positive integer, such as ?version=3.' },
  invalid_ciphertext: { status: 400, message: 'ciphertext is required, and must be a string that is not empty.' },
  payload_too_large: { status: 400, message: 'What was sent to be kept is larger than the limit; see limit_bytes.' },
  metadata_too_large: { status: 400, message: 'metadata is larger than the limit; see limit_bytes.' },
  too_many_recipients: { status: 400, message: 'Too many recipients for this tier.' },
  unauthorized: { status: 401, message: 'Send a valid key: Authorization: Bearer signet_live_…' },
  payment_required: {
    status: 402,
    message: 'The limit is used up. Pay one of `accepts` and repeat the request with X-PAYMENT, or wait.',
  },
  budget_exceeded: { status: 402, message: 'The charge does not fit what is left of a spending cap.' },
  single_tx_limit_exceeded: { status: 402, message: 'The charge is above the limit of a single transaction.' },
  stack_limit: {
    status: 402,
    message: 'This account has as many domains as its tier allows; delete one, or move to the paid tier.',
  },
  payment_invalid: { status: 402, message: 'The payment buys nothing; `reason` says why. Nothing was taken.' },
  calendar_limit: {
    status: 402,
    message: 'This calendar holds as many events as its tier allows; delete one, or move to the paid tier.',
  },
  account_suspended: { status: 403, message: 'This account is suspended.' },
  pod_suspended: { status: 403, message: 'This pod is suspended.' },
  pod_auth_forbidden: { status: 403, message: 'A pod key cannot be used here; use the platform key.' },
  pod_limit_reached: {
    status: 403,
    message: 'This platform has as many active pods as its tier allows; suspend one, or move to the paid tier.',
  },
  operator_required: { status: 403, message: 'Only a session of the operator may do this.' },
  backup_key_only_activates: { status: 403, message: 'A backup key only opens POST /v1/auth/keys/activate-backup.' },
  session_required: {
    status: 403,
    message: 'Only a session can be ended here; a key is replaced by POST /v1/auth/keys/rotate.',
  },
  address_reserved: { status: 403, message: 'This address is reserved.' },
  limit_reached: { status: 403, message: 'This account has as many of these as it may; see `limit`.' },
  address_limit: { status: 403, message: 'This account has as many addresses as its tier allows.' },
  address_forbidden: { status: 403, message: 'This address belongs to another account.' },
  sender_not_owned: { status: 403, message: 'The sender must be an address this account owns.' },
  webhook_forbidden: { status: 403, message: 'This webhook belongs to another account.' },
  own_finding: {
    status: 403,
    message: 'A program cannot judge a finding of its own account, its platform or its pods.',
  },
  audience_mismatch: { status: 403, message: 'This finding is not for the audience of this program.' },
  program_limit: { status: 403, message: 'This account has as many programs as it may; end one first.' },
  signing_key_limit: { status: 403, message: 'This account has as many signing keys as it may; delete one first.' },
  webhook_limit: {
    status: 403,
    message: 'This account has as many webhooks as it may; delete one it no longer needs.',
  },
  seed_mismatch: { status: 403, message: 'The master seed is not the one this account registered.' },
  not_found: { status: 404, message: 'There is nothing here.' },
  unknown_user_code: {
    status: 404,
    message: 'No request that you may decide has this code. Compare it with the one your agent shows.',
  },
  version_not_found: { status: 404, message: 'This version never was, was deleted, or was pruned by a newer one.' },
  method_not_allowed: { status: 405, message: 'This endpoint does not support that method; see the Allow header.' },
  address_unavailable: { status: 409, message: 'The address is already taken.' },
  signing_key_exists: { status: 409, message: 'This account has registered that key already.' },
  already_resolved: { status: 409, message: 'This request is decided already.' },
  domain_unavailable: { status: 409, message: 'Another account has verified this domain.' },
  stack_exists: { status: 409, message: 'This account has set up this domain already.' },
  operator_email_required: {
    status: 409,
    message: 'Name an operator first: POST /v1/account/operator-email.',
  },
  outcome_exists: { status: 409, message: 'This program has judged this finding already.' },
  backup_exists: { status: 409, message: 'A backup key exists already; activate it or keep it.' },
  idempotency_mismatch: { status: 409, message: 'This Idempotency-Key was used with another request.' },
  idempotency_in_progress: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still running. Try again shortly.',
  },
  idempotency_secret_spent: {
    status: 409,
    message: 'The first request with this Idempotency-Key succeeded. Its reply held a secret and was not kept.',
  },
  expired: { status: 410, message: 'It expired before it was decided; ask again.' },
  version_conflict: {
    status: 412,
    message: 'The entry is not at the version this request expects; see latest_version, read it, and try again.',
  },
  body_too_large: { status: 413, message: 'The request body is too large for this endpoint.' },
  unsupported_media_type: { status: 415, message: 'Send the body as application/json.' },
  upgrade_required: { status: 426, message: 'This path speaks WebSocket; send an Upgrade request (RFC 6455).' },
  rate_limited: { status: 429, message: 'Too many requests. Wait as long as Retry-After says.' },
  credential_limit: {
    status: 429,
    message: 'This account has as many open credential requests as it may. Wait until one is decided or expires.',
  },
  stream_limit: { status: 429, message: 'This account has as many streams open as it may; close one first.' },
  internal: { status: 500, message: 'Something went wrong on our side. Quote the request id when you report it.' },
  payment_unavailable: {
    status: 503,
    message: 'The payment cannot be checked right now; nothing was taken. Repeat the request with the same payment.',
  },
  signing_unavailable: { status: 503, message: 'Signing is switched off on this service.' },
  audit_unavailable: { status: 503, message: 'Trust scoring is switched off on this service.' },
  storage_unavailable: {
    status: 503,
    message: 'The database cannot take this right now; nothing was changed. Try again.',
  },
  shutting_down: { status: 503, message: 'This instance is stopping. Try again.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** What is wrong with one part of a request: where (JSON pointer behind `body`, `query`, `path`), a code, a sentence. */
export interface ErrorDetail {
  path: string;
  code: string;
  message: string;
}

export interface ErrorOptions {
  /** A more precise public sentence than the table's. */
  message?: string;
  details?: ErrorDetail[];
  /** Machine-actionable facts put beside `error` in the body. */
  facts?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** Kept for the log, never sent. */
  cause?: unknown;
}

/** A refusal with a code of the table. Its message is public; whatever must stay inside goes into `cause`. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ErrorDetail[] | undefined;
  readonly facts: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, options: ErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = ERRORS[code].status;
    this.details = options.details;
    this.facts = options.facts ?? {};
    this.headers = options.headers ?? {};
  }
}

/** 400 `invalid_request` about one field of the body. */
export const invalidField = (path: string, code: string, message: string): ApiError =>
  new ApiError('invalid_request', { message, details: [{ path, code, message }] });
