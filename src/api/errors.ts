/**
 * The closed table of error codes. Each code has one status and one public message. OpenAPI is generated from this table.
 * Codes of the specification appear here unchanged (spec, Errors).
 */
export const ERRORS = {
  invalid_json: { status: 400, message: 'The request body is not valid JSON.' },
  invalid_request: { status: 400, message: 'The request is not valid for this endpoint. See details.' },
  invalid_address: {
    status: 400,
    message: 'The service cannot provide this address. Check the local part (a-z, 0-9, ".", "_", "-") and the domain.',
  },
  invalid_domain: { status: 400, message: 'This domain cannot be set up on this service.' },
  invalid_recipient: { status: 400, message: 'A recipient is not a valid email address. See details.' },
  sealed_value_required: {
    status: 400,
    message: 'The agent gave a public key. Seal the value to that key and send it as sealed_value.',
  },
  credential_value_required: {
    status: 400,
    message: 'The agent gave no public key. Send the value as credential_value.',
  },
  dry_run_unavailable: { status: 400, message: 'This call cannot be tried. Nothing was done. Leave dry_run out.' },
  invalid_cursor: { status: 400, message: 'The cursor is not valid for this list. Start again without a cursor.' },
  invalid_agent_id: { status: 400, message: 'An agent id is "acc_" followed by letters and digits.' },
  invalid_scopes: { status: 400, message: 'Scopes are 1 to 20 names that match ^[a-z][a-z0-9._:-]{0,127}$.' },
  invalid_scope: { status: 400, message: 'None of these scopes is available.' },
  unsupported_response_type: { status: 400, message: 'response_type must be code.' },
  invalid_target: { status: 400, message: 'The audience must be this service.' },
  invalid_grant: { status: 400, message: 'The code or token is unknown, expired, used or meant for another client.' },
  invalid_client: { status: 400, message: 'The client is unknown, or its metadata cannot be used.' },
  invalid_redirect_uri: {
    status: 400,
    message: 'A redirect URI must be https, or http on localhost or a loopback address, without a fragment.',
  },
  invalid_client_metadata: { status: 400, message: 'The client metadata cannot be registered.' },
  unsupported_grant_type: { status: 400, message: 'The token endpoint does not support this grant type.' },
  authorization_pending: { status: 400, message: 'The person has not decided yet. Ask again after the interval.' },
  slow_down: { status: 400, message: 'Ask less often: the interval is 5 seconds longer from now on.' },
  access_denied: { status: 400, message: 'The person denied the request.' },
  expired_token: { status: 400, message: 'The device code has expired. Begin again.' },
  ttl_out_of_range: { status: 400, message: 'ttl must be 60 to 86400 seconds.' },
  scope_ceiling_exceeded: { status: 400, message: 'This account cannot request one of these scopes.' },
  invalid_token: { status: 400, message: 'The link is invalid, expired or already used. Request a new one.' },
  invalid_passkey: { status: 400, message: 'The passkey was not accepted. Get new options and try again.' },
  invalid_code: { status: 400, message: 'The recovery code is unknown or was used.' },
  invalid_key: {
    status: 400,
    message: 'A vault key is 1 to 128 characters of A-Z, a-z, 0-9, "_", "-" and ".", but not "." or "..".',
  },
  invalid_version: { status: 400, message: 'version must be a positive integer, such as ?version=3.' },
  invalid_ciphertext: { status: 400, message: 'ciphertext is required and must be a non-empty string.' },
  payload_too_large: { status: 400, message: 'The data is larger than the limit. See limit_bytes, in bytes.' },
  metadata_too_large: { status: 400, message: 'metadata is larger than the limit. See limit_bytes, in bytes.' },
  too_many_recipients: { status: 400, message: 'The email has more recipients than this tier allows. See limit.' },
  public_domain: { status: 400, message: 'Everyone can have an address at this domain, so it cannot be remembered.' },
  address_refused: { status: 400, message: 'The owner of this address said that this is not their agent.' },
  unauthorized: { status: 401, message: 'Send a valid key: Authorization: Bearer signet_live_…' },
  storage_full: {
    status: 402,
    message: 'The storage of this account is full. Delete mail, drafts or vault versions. A paid account has more.',
  },
  payment_required: {
    status: 402,
    message: 'The limit is used up. Pay one of `accepts` and repeat the request with X-PAYMENT, or wait.',
  },
  budget_exceeded: { status: 402, message: 'The charge exceeds what is left of a spending cap.' },
  single_tx_limit_exceeded: { status: 402, message: 'The charge exceeds the limit for a single transaction.' },
  stack_limit: {
    status: 402,
    message: 'This account has as many domains as its tier allows. Delete one, or move to the paid tier.',
  },
  payment_invalid: { status: 402, message: 'The payment was refused. `reason` says why. No payment was taken.' },
  calendar_limit: {
    status: 402,
    message: 'This calendar has as many events as its tier allows. Delete one, or move to the paid tier.',
  },
  account_suspended: {
    status: 403,
    message: 'This account is suspended. Its operator, or the administrator of this service, can resume it.',
  },
  pod_suspended: { status: 403, message: 'This pod is suspended. Only its platform can reactivate it.' },
  account_deleting: {
    status: 403,
    message:
      'This account will be deleted and only reads until then. `deletion` in GET /v1/account/me says who asked, which decides who can cancel it.',
  },
  pod_auth_forbidden: { status: 403, message: 'A pod key cannot be used here. Use the platform key.' },
  pod_limit_reached: {
    status: 403,
    message: 'This platform has as many active pods as its tier allows. Suspend one, or move to the paid tier.',
  },
  origin_refused: { status: 403, message: 'This page or host name may not call this service.' },
  insufficient_scope: { status: 403, message: 'This credential may not do this. See required_scope.' },
  may_not_delegate: { status: 403, message: 'This delegation may not be passed on.' },
  older_factor_required: {
    status: 403,
    message: 'Only a session of this address, or of an address confirmed earlier, can do this.',
  },
  confirmed_address_required: {
    status: 403,
    message: 'Only a key, or a session of a confirmed address, can do this.',
  },
  operator_required: {
    status: 403,
    message:
      'Only an operator session can do this. Ask an operator of this account: GET /v1/account/me lists them in people.',
  },
  way_off: { status: 403, message: 'The policy for ways out has turned this way off.' },
  target_not_allowed: { status: 403, message: 'The policy for ways out does not list this target.' },
  passkey_required: { status: 403, message: 'A mailed link cannot do this. Log in with your passkey, then try again.' },
  passkey_pending: { status: 403, message: 'This passkey is not active yet. See active_at.' },
  backup_key_only_activates: {
    status: 403,
    message:
      'A backup key can only activate itself (POST /v1/auth/keys/activate-backup) or secure the account (POST /v1/account/secure).',
  },
  session_required: {
    status: 403,
    message: 'Only a session can log out. To replace a key, call POST /v1/auth/keys/rotate.',
  },
  signup_closed: { status: 403, message: 'This service creates no accounts by request. Ask its administrator.' },
  invite_required: {
    status: 403,
    message: 'Send an unused invite as `invite`. The administrator of this service creates invites.',
  },
  address_reserved: { status: 403, message: 'This address is reserved. Choose another.' },
  limit_reached: { status: 403, message: 'This account has reached a limit. See limit.' },
  address_limit: { status: 403, message: 'This account has as many addresses as its tier allows.' },
  address_forbidden: { status: 403, message: 'This address belongs to another account.' },
  sender_not_owned: { status: 403, message: 'The sender must be an address of this account.' },
  sending_paused: {
    status: 403,
    message: 'Too much mail of this account came back or was reported as spam. It sends again at resumes_at.',
  },
  recipient_not_allowed: { status: 403, message: 'The mail policy of this account does not allow this recipient.' },
  secret_in_mail: { status: 403, message: 'The email contains a secret. Remove it.' },
  webhook_forbidden: { status: 403, message: 'This webhook belongs to another account.' },
  own_finding: {
    status: 403,
    message: 'A program cannot judge a finding from its own account, its platform or its pods.',
  },
  audience_mismatch: { status: 403, message: 'This finding is addressed to a different audience than this program.' },
  program_limit: { status: 403, message: 'This account has reached its limit of programs. End one first.' },
  signing_key_limit: { status: 403, message: 'This account has reached its limit of signing keys. Delete one first.' },
  webhook_limit: {
    status: 403,
    message: 'This account has reached its limit of webhooks. Delete one first.',
  },
  seed_mismatch: { status: 403, message: 'This is not the master seed that the account registered.' },
  not_found: { status: 404, message: 'Not found. Check the path and the ids in it.' },
  no_longer_kept: { status: 404, message: 'This is no longer kept here. Such things are kept for a time only.' },
  unknown_user_code: {
    status: 404,
    message: 'You have no open request with this code. Check it against the code that your agent shows.',
  },
  version_not_found: {
    status: 404,
    message: 'This version does not exist. It may have been deleted, or removed by a newer version.',
  },
  method_not_allowed: { status: 405, message: 'This endpoint does not support this method. See the Allow header.' },
  address_unavailable: { status: 409, message: 'The address is already taken.' },
  not_organizer: { status: 409, message: 'Only the organizer changes this event. Answer it, or delete your copy.' },
  not_invited: { status: 409, message: 'This event is no invitation, or it was cancelled.' },
  recipient_suppressed: {
    status: 409,
    message: 'Mail to these recipients came back for good, or they reported it as spam. See recipients.',
  },
  signing_key_exists: { status: 409, message: 'This account has already registered this key.' },
  proof_required: {
    status: 409,
    message: 'Sign `challenge` with the private key and send the signature as proof.',
  },
  already_resolved: { status: 409, message: 'This request has already been decided.' },
  already_sent: { status: 409, message: 'The mail was already sent. See `email_id`.' },
  draft_changed: { status: 409, message: 'The draft was changed meanwhile. Read it again.' },
  delegation_ended: {
    status: 409,
    message: 'The delegation that this charge came by has ended or is spent. The approval stays pending.',
  },
  domain_unavailable: { status: 409, message: 'Another account has verified this domain.' },
  stack_exists: { status: 409, message: 'This account has already set up this domain.' },
  operator_email_required: {
    status: 409,
    message: 'This account has no confirmed operator. Name one with POST /v1/account/operator-email.',
  },
  operator_limit: { status: 409, message: 'This account has three operators. One of them must go first.' },
  passkeys_unavailable: {
    status: 409,
    message: 'Passkeys need a host name. Set BASE_URL to one, such as https://signet.example.com.',
  },
  passkeys_needed: {
    status: 409,
    message: 'To require a passkey, keep two passkeys, or one passkey and recovery codes.',
  },
  outcome_exists: { status: 409, message: 'This program has already judged this finding.' },
  removal_disputed: {
    status: 409,
    message: 'This removal was undone twice. Now the administrator of this service decides.',
  },
  backup_exists: {
    status: 409,
    message: 'This account already has a backup key. To remove it, call DELETE /v1/auth/keys/backup.',
  },
  idempotency_mismatch: {
    status: 409,
    message: 'This Idempotency-Key was used for a different request. Use a new key.',
  },
  idempotency_in_progress: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still running. Try again shortly.',
  },
  idempotency_secret_spent: {
    status: 409,
    message: 'The first request with this Idempotency-Key succeeded. Its reply contained a secret and was not stored.',
  },
  not_sealed: {
    status: 409,
    message:
      'A model may store only sealed values: base64url or hex of at least 28 bytes. Seal it with a Signet client first.',
  },
  expired: { status: 410, message: 'The request expired before it was decided. Make a new one.' },
  version_conflict: {
    status: 412,
    message: 'The entry is not at the version that this request expects. Read it, see latest_version, and try again.',
  },
  body_too_large: { status: 413, message: 'The request body is too large for this endpoint.' },
  unsupported_media_type: {
    status: 415,
    message: 'Send the body as JSON, and add the header Content-Type: application/json.',
  },
  upgrade_required: { status: 426, message: 'This path is a WebSocket. Send an Upgrade request (RFC 6455).' },
  rate_limited: { status: 429, message: 'Too many requests. Wait for the number of seconds in Retry-After.' },
  credential_limit: {
    status: 429,
    message: 'This account has reached its limit of open credential requests. Wait until one is decided or expires.',
  },
  stream_limit: { status: 429, message: 'This account has reached its limit of open streams. Close one first.' },
  internal: { status: 500, message: 'Something went wrong on our side. Include the request id when you report it.' },
  payment_unavailable: {
    status: 503,
    message:
      'The payment cannot be verified right now. No payment was taken. Repeat the request with the same payment.',
  },
  signing_unavailable: { status: 503, message: 'Token signing is turned off on this service.' },
  audit_unavailable: { status: 503, message: 'Trust scoring is turned off on this service.' },
  storage_unavailable: {
    status: 503,
    message: 'The database is not available right now. Nothing was changed. Try again.',
  },
  shutting_down: { status: 503, message: 'This instance is stopping. Try again.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** One fault in a request: its place (a JSON pointer below `body`, `query` or `path`), a code and a sentence. */
export interface ErrorDetail {
  path: string;
  code: string;
  message: string;
  /** What the caller probably meant. */
  suggestion?: string;
  /** The words to choose from, where they are too many for a sentence. */
  allowed?: readonly unknown[];
}

export interface ErrorOptions {
  /** A more precise public sentence than the table's. */
  message?: string;
  details?: ErrorDetail[];
  /** Machine-readable fields, sent beside `error` in the body. */
  fields?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** The same as HTML, for a browser that opened the path. */
  page?: string;
  /** For the log. Never sent. */
  cause?: unknown;
}

/** A refusal with a code of the table. Its message is public; put internal details into `cause`. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ErrorDetail[] | undefined;
  readonly fields: Record<string, unknown>;
  readonly headers: Record<string, string>;
  readonly page: string | undefined;

  constructor(code: ErrorCode, options: ErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = ERRORS[code].status;
    this.details = options.details;
    this.fields = options.fields ?? {};
    this.headers = options.headers ?? {};
    this.page = options.page;
  }
}

/**
 * A refusal in the words of another protocol than HTTP. Thrown in a transaction, it rolls it back and is passed on as it is: what
 * it calls its code is none of the database.
 */
export abstract class Refusal extends Error {}

/** 400 `invalid_request` about one field of the body. */
export const invalidField = (path: string, code: string, message: string): ApiError =>
  new ApiError('invalid_request', { message, details: [{ path, code, message }] });
