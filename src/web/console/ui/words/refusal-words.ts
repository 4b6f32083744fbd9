import type { SignetError, SignetErrorDetail } from '../../../../client/signet-error.ts';

/**
 * What a person reads when the service refuses something. Its own messages are for programs: they name paths, fields and
 * calls. `refusal-words.test.ts` asks for a row for each code that a call of the console can meet.
 */

const AGAIN = 'Try again in a moment.';
const RELOAD = 'Load the page again to see how it is now.';
const GONE = 'It was deleted, or the address is wrong.';
const OPERATOR = 'Only an operator of this account can do this. Log in as one.';
const OTHERS = 'This belongs to another account.';

export const REFUSAL_WORDS: Readonly<Record<string, string>> = {
  // Who asks.
  unauthorized: 'Your login has ended. Log in again.',
  account_deleting:
    'This account is going to be deleted, and can only be read until then. Settings says who can keep it.',
  account_suspended: 'This account is suspended. Its operator, or the administrator of this service, can resume it.',
  pod_suspended: 'This pod is suspended. Only its platform can resume it.',
  pod_auth_forbidden: 'Only the platform of this pod can do this.',
  insufficient_scope: 'Your login or key does not have the permission for this.',
  operator_required: OPERATOR,
  operator_email_required: 'This account has no confirmed operator yet. Name one in Settings.',
  operator_limit: 'This account has three operators already. Remove one first.',
  confirmed_address_required: 'Log in with an address that is confirmed, or with the key of the account.',
  older_factor_required: 'Your address was confirmed too late for this. Log in as a person who was confirmed earlier.',
  session_required: 'Only a person who is logged in can do this. Log in by email.',
  passkey_required: 'This takes your passkey. Log in with it, then try again.',
  passkey_pending: 'This passkey is new. It works 72 hours after it was added.',
  passkeys_needed: 'Keep two passkeys, or one and recovery codes, before you require a passkey.',
  passkeys_unavailable:
    'Passkeys need a host name, and this service runs at a number. Its administrator can change that.',
  invalid_passkey: 'The passkey was not accepted. Try again.',
  invalid_code: 'This recovery code is not known, or was used.',
  backup_key_only_activates: 'A backup key can only become the active key. Activate it first.',
  origin_refused: 'The service does not accept calls from this page. Open it at the address of the service.',

  // Links and decisions.
  invalid_token: 'This link is not valid: it was used, has expired, or was cut off. Ask for a new one.',
  already_resolved: `This was decided already. ${RELOAD}`,
  expired: 'The time to decide is over. The agent can ask again.',
  removal_disputed: 'This removal was undone twice. Now the administrator of this service decides.',
  delegation_ended: 'The delegation that this charge came by has ended or is spent. It stays undecided.',
  budget_exceeded: 'The charge is more than what is left of a spending cap.',
  single_tx_limit_exceeded: 'The charge is more than one charge may be.',
  unknown_user_code: 'Nothing waits with this code. Compare it with the code on your screen.',
  sealed_value_required: 'The agent wants this credential sealed. Load the page again, so that this browser seals it.',
  credential_value_required: 'The agent takes this credential unsealed. Load the page again.',

  // Applications and what leaves the account.
  invalid_client: 'This application is not known, or what it says about itself cannot be used.',
  invalid_scope: 'None of these permissions is available.',
  invalid_target: 'This is meant for another service.',
  may_not_delegate: 'This may not be passed on.',
  way_off: 'The account lets nothing out in this way. Settings has the rule.',
  target_not_allowed: 'The account lets nothing out to this target. Settings has the list.',

  // Sign-up and addresses.
  signup_closed: 'This service opens no accounts by itself. Ask its administrator.',
  invite_required: 'This service takes an invite, which works once. Its administrator makes them.',
  invalid_address: 'This address cannot be claimed. Use letters, digits, dots, hyphens and underscores.',
  address_reserved: 'This address is reserved. Choose another.',
  address_unavailable: 'This address is taken. Choose another.',
  address_limit: 'This account has as many addresses as its tier allows. Release one first.',
  address_forbidden: OTHERS,
  address_refused: 'The owner of this address said that this is not their agent.',
  seed_mismatch: 'This is not the seed that the account registered.',

  // Mail.
  invalid_recipient: 'A recipient is not an email address.',
  too_many_recipients: 'The mail has more recipients than this tier allows.',
  recipient_not_allowed: 'The mail policy of this account does not allow this recipient.',
  recipient_suppressed: 'Mail to this recipient came back for good, or was reported as spam. It takes no more.',
  sender_not_owned: 'Send from an address of this account.',
  sending_paused: 'Sending is paused: too much mail came back, or was reported as spam.',
  secret_in_mail: 'The mail contains a secret. Remove it.',
  public_domain: 'Everyone can have an address at this domain, so it is not remembered. Remember the address instead.',
  already_sent: 'The mail has left already. It cannot be taken back.',
  draft_changed: `The draft was sent or changed meanwhile. ${RELOAD}`,
  payload_too_large: 'This is too large.',
  metadata_too_large: 'The notes of this entry are too large.',
  body_too_large: 'This is too large. Attachments may have 25 MB in all.',
  storage_full: 'The storage of this account is full. Delete mail, drafts or old versions of secrets.',
  payment_required: 'This is used up. Wait, or move to the paid tier.',
  payment_unavailable: `The payment cannot be checked right now, and none was taken. ${AGAIN}`,

  // Vault, domains, calendar, keys.
  invalid_key: 'The name of a secret has 1 to 128 letters, digits, dots, hyphens and underscores.',
  invalid_version: 'There is no such version.',
  invalid_ciphertext: 'The secret is empty.',
  version_not_found: 'This version was deleted, or a newer one replaced it.',
  version_conflict: `This was changed meanwhile. ${RELOAD}`,
  invalid_domain: 'This domain cannot be set up on this service.',
  domain_unavailable: 'Another account has verified this domain.',
  stack_exists: 'This domain is already set up.',
  stack_limit: 'This account has as many domains as its tier allows. Delete one first.',
  calendar_limit: 'This calendar has as many events as its tier allows. Delete one first.',
  not_organizer: 'Only the organizer changes this event. Answer it, or delete your copy.',
  not_invited: 'This is no invitation, or it was cancelled.',
  backup_exists: 'This account already has a backup key. Delete it first.',
  proof_required: 'The key must prove that it is yours. Try again.',
  signing_key_exists: 'This signing key is registered already.',
  signing_key_limit: 'This account has as many signing keys as it may. Remove one first.',
  webhook_limit: 'This account has as many webhooks as it may. Delete one first.',
  pod_limit_reached: 'This platform has as many active pods as its tier allows. Suspend one first.',
  limit_reached: 'This account has as many of these as it may. Delete one first.',
  stream_limit: 'This account has as many open pages as it may. Close one first.',
  invalid_agent_id: 'This is not the id of an agent.',
  audit_unavailable: 'Trust scores are turned off on this service.',

  // The request and the service.
  invalid_request: 'One of the fields is not as it must be. Check what you typed.',
  invalid_json: 'The page sent something that the service cannot read. Load the page again.',
  invalid_cursor: 'The list has changed. Load the page again.',
  idempotency_mismatch: 'The page sent two different requests as one. Load the page again.',
  idempotency_in_progress: `The first try is still at work. ${AGAIN}`,
  idempotency_secret_spent: 'This was done before, and its secret is not shown again.',
  not_found: GONE,
  no_longer_kept: 'This is no longer kept here. Such things are kept for a time only.',
  rate_limited: 'Too many requests. Wait a moment.',
  internal: 'Something went wrong in the service. Nothing you typed is at fault.',
  storage_unavailable: `The service cannot reach its database. Nothing was changed. ${AGAIN}`,
  shutting_down: `The service is being restarted. ${AGAIN}`,
};

/** Of these, the service's own sentence often names what it is about. */
const PRECISE = new Set([
  ...['invalid_recipient', 'recipient_not_allowed', 'secret_in_mail', 'invalid_domain', 'domain_unavailable'],
  ...['passkeys_needed', 'already_resolved', 'account_deleting', 'not_found', 'budget_exceeded', 'invalid_client'],
  ...['invalid_request', 'unknown_user_code', 'pod_auth_forbidden', 'invalid_address', 'session_required'],
  ...['rate_limited', 'payment_required', 'limit_reached'],
]);

/** What only programs read: paths, calls, names of fields, code and JSON. */
const TECHNICAL =
  /\/(?:body|query|path|params|header|v1)\b|\b(?:GET|PUT|POST|PATCH|DELETE) |[a-z0-9]_[a-z0-9]|[`{}[\]^\\]|"[a-z]+"|of type|See (?:details|limit)|Retry-After|X-PAYMENT/;

const isPlain = (text: string): boolean => text !== '' && !TECHNICAL.test(text);

/** Fields by their names in requests, where the name itself is not what the pages call it. */
const FIELDS: Readonly<Record<string, string>> = {
  to: 'The recipient',
  cc: 'Cc',
  bcc: 'Bcc',
  q: 'The search',
  url: 'The address',
  start: 'The start',
  end: 'The end',
  rrule: 'The repetition',
  daily: 'The daily cap',
  weekly: 'The weekly cap',
  monthly: 'The monthly cap',
  budget_usdc: 'The budget',
  amount: 'The amount',
  email: 'The email address',
  summary: 'The title',
  send_at: 'The time to send',
  expires_at: 'The end',
};

/** The field of a fault: the last name in its path. */
function fieldOf({ path }: SignetErrorDetail): string {
  const name = path
    .split('/')
    .slice(2)
    .findLast((part) => !/^\d*$/.test(part));
  if (name === undefined) return 'A field';
  const known = FIELDS[name];
  if (known !== undefined) return known;
  return isPlain(name.replaceAll('_', ' ')) ? `The field “${name.replaceAll('_', ' ')}”` : 'A field';
}

/** What is wrong with a field, by the code of the fault. */
const FAULTS: Readonly<Record<string, string>> = {
  required: 'is missing.',
  too_long: 'is too long.',
  too_short: 'is too short.',
  too_many: 'has too many entries.',
  too_few: 'has too few entries.',
  out_of_range: 'is outside of what is allowed.',
  not_allowed: 'is not one of those to choose from.',
  invalid_text: 'contains characters that cannot be stored.',
};

/** Amounts are told apart by their fields: what else has a wrong form is named alone. */
const AMOUNTS = /(?:daily|weekly|monthly|amount|_usdc|cap)$/;

function faultMessage(detail: SignetErrorDetail): string {
  const { path, code, message = '' } = detail;
  const field = fieldOf(detail);
  if (AMOUNTS.test(path) && /^(?:wrong_type|invalid_format)$/.test(code))
    return `${field} must be an amount in USDC, such as 3.00.`;
  // A sentence about the field begins with its path or its name.
  const rule = /^\S+ ((?:must|contains|is) .*)$/.exec(message)?.[1];
  if (rule !== undefined && isPlain(rule)) return `${field} ${rule}`;
  if (rule === undefined && isPlain(message)) return message;
  return `${field} ${FAULTS[code] ?? 'is not in the form that it must have.'}`;
}

/** @returns a sentence without the names of fields, paths or calls */
export function refusalMessage({ code, message, details, requestId, status }: SignetError): string {
  const [detail] = details;
  if (detail !== undefined && code === 'invalid_request') return faultMessage(detail);
  if (PRECISE.has(code) && isPlain(message)) return message;
  const words = REFUSAL_WORDS[code];
  const report = status >= 500 && requestId !== null ? ` Number of the request: ${requestId}.` : '';
  if (words !== undefined) return `${words}${report}`;
  return isPlain(message) ? message : 'The service refused this.';
}
