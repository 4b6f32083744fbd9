import { inside, type SpecEndpoint } from './spec-endpoint.ts';

const KEY_LIMITS = ['stacks', 'addresses', 'dns_records', 'emails_per_day', 'requests_per_day'];
const API_KEY = ['api_key', 'key_prefix', 'account_id', 'tier', 'created_at', 'warning', 'limits'];
const ACCOUNT = ['id', 'key_prefix', 'name', 'tier', 'recovery_email', 'email', 'created_at'];
const KEY_ENTRY = ['prefix', 'status', 'label', 'created_at', 'activated_at'];
const LIST_VIEW = [
  'message_id',
  'from',
  'to',
  'subject',
  'snippet',
  'received_at',
  'read',
  'archived',
  'e2e_encrypted',
];
const OUTBOX = ['id', 'from', 'to', 'subject', 'status', 'queued_at', 'sent_at', 'error'];
const INBOX_ITEM = ['id', 'from', 'subject', 'preview', 'received_at', 'read'];
const EMAIL_USAGE = ['daily_used', 'daily_limit', 'daily_remaining', 'hourly_limit', 'reset_at'];

const service: SpecEndpoint[] = [
  { method: 'GET', path: '/health', auth: 'none', status: 200, reply: ['status', 'timestamp', 'version'], errors: [] },
  { method: 'GET', path: '/api', auth: 'none', status: 200, reply: [], errors: [] },
];

const accounts: SpecEndpoint[] = [
  {
    method: 'POST',
    path: '/v1/auth/keys',
    auth: 'none',
    body: ['name', 'email'],
    status: 201,
    reply: [...API_KEY, ...inside('limits', KEY_LIMITS)],
    errors: [429],
  },
  {
    method: 'POST',
    path: '/v1/keys',
    auth: 'none',
    body: ['name', 'email'],
    status: 201,
    reply: ['key', 'account_id', 'created_at', 'note'],
    errors: [429],
  },
  {
    method: 'POST',
    path: '/v1/register',
    auth: 'none',
    body: ['name', 'address', 'recovery_email', 'capabilities'],
    status: 201,
    reply: ['api_key', 'account_id', 'email', 'tier'],
    errors: ['invalid_address', 'address_unavailable', 'rate_limited'],
  },
  {
    method: 'POST',
    path: '/v1/auth/login',
    auth: 'none',
    body: ['email!'],
    status: 200,
    reply: ['sent', 'message'],
    errors: [400],
  },
  {
    method: 'GET',
    path: '/v1/auth/verify',
    auth: 'none',
    query: ['token!'],
    status: 302,
    reply: [],
    errors: ['invalid_token'],
  },
  {
    method: 'POST',
    path: '/v1/auth/keys/rotate',
    auth: 'key',
    status: 200,
    reply: ['api_key', 'key_prefix', 'account_id', 'rotated_at', 'warning'],
    errors: [401],
  },
  {
    method: 'POST',
    path: '/v1/auth/keys/generate-backup',
    auth: 'key',
    body: ['label'],
    status: 201,
    reply: ['backup_key', 'key_prefix', 'status', 'created_at', 'warning'],
    errors: [409],
  },
  {
    method: 'POST',
    path: '/v1/auth/keys/activate-backup',
    auth: 'key',
    status: 200,
    reply: ['activated_key_prefix', 'account_id', 'activated_at', 'message'],
    errors: [404],
  },
  {
    method: 'GET',
    path: '/v1/auth/keys/list',
    auth: 'key',
    status: 200,
    reply: ['account_id', 'keys', ...inside('keys[]', KEY_ENTRY)],
    errors: [],
  },
  { method: 'GET', path: '/v1/account/me', auth: 'key', status: 200, reply: ACCOUNT, errors: [401] },
  {
    method: 'POST',
    path: '/v1/account/recovery-email',
    auth: 'key',
    body: ['email!'],
    status: 200,
    reply: ['ok', 'recovery_email'],
    errors: [400],
  },
  {
    method: 'POST',
    path: '/v1/account/operator-email',
    auth: 'platform',
    body: ['email!'],
    status: 200,
    reply: ['ok', 'operator_email'],
    errors: [400, 'pod_auth_forbidden'],
  },
  {
    method: 'GET',
    path: '/v1/usage',
    auth: 'key',
    status: 200,
    reply: [
      ...['account_id', 'tier', 'period', 'requests', 'stacks', 'emails'],
      ...inside('requests', ['used', 'limit']),
      ...inside('stacks', ['used', 'limit']),
      ...inside('emails', EMAIL_USAGE),
    ],
    errors: [],
  },
  {
    method: 'GET',
    path: '/v1/billing',
    auth: 'key',
    status: 200,
    reply: [
      ...['account_id', 'tier', 'plan', 'x402'],
      ...inside('x402', ['supported', 'network', 'asset', 'email_price']),
    ],
    errors: [],
  },
];

const email: SpecEndpoint[] = [
  {
    method: 'POST',
    path: '/v1/email/claim',
    auth: 'key',
    body: ['address!', 'public_key'],
    status: 201,
    reply: ['address', 'claimed', 'already_owned', 'account_id', 'e2e_enabled'],
    errors: [400, 403, 409],
  },
  {
    method: 'GET',
    path: '/v1/email/addresses',
    auth: 'key',
    status: 200,
    reply: ['addresses', 'count'],
    errors: [],
  },
  {
    method: 'GET',
    path: '/v1/email/inbox',
    auth: 'key',
    query: ['address!', 'limit'],
    limit: [20, 100],
    status: 200,
    reply: ['messages', 'has_more', 'count', 'address', ...inside('messages[]', LIST_VIEW)],
    errors: [403],
  },
  {
    method: 'GET',
    path: '/v1/email/messages/{id}',
    auth: 'key',
    query: ['address!'],
    status: 200,
    reply: [...LIST_VIEW, 'body', 'ephemeral_public_key', 'auth.method'],
    errors: [403, 404],
  },
  {
    method: 'DELETE',
    path: '/v1/email/messages/{id}',
    auth: 'key',
    query: ['address!'],
    status: 200,
    reply: ['deleted', 'message_id'],
    errors: [403, 404],
  },
  {
    method: 'PATCH',
    path: '/v1/email/messages/{id}',
    auth: 'key',
    query: ['address!'],
    body: ['read', 'archived'],
    status: 200,
    reply: ['updated', 'message_id', 'read', 'archived'],
    errors: [],
  },
  {
    method: 'GET',
    path: '/v1/email/outbox',
    auth: 'key',
    query: ['limit'],
    limit: [20, 100],
    status: 200,
    reply: ['messages', 'count', ...inside('messages[]', OUTBOX)],
    errors: [],
  },
  {
    method: 'POST',
    path: '/v1/email/send',
    auth: 'key',
    body: ['from!', 'to!', 'subject!', 'text', 'html', 'in_reply_to'],
    status: 201,
    reply: [
      ...['id', 'provider_id', 'status', 'from', 'to', 'sent_at', 'provider', 'internal_recipients', 'rate_limit'],
      ...inside('internal_recipients[]', ['address', 'delivered', 'error']),
      ...inside('rate_limit', ['daily_remaining', 'hourly_remaining']),
    ],
    errors: [400, 'payment_required', 403],
  },
];

const inbox: SpecEndpoint[] = [
  {
    method: 'POST',
    path: '/v1/inbox',
    auth: 'key',
    body: ['name'],
    status: 201,
    reply: ['address', 'created', 'already_owned', 'account_id'],
    errors: [409],
  },
  {
    method: 'GET',
    path: '/v1/inbox/{address}',
    auth: 'key',
    query: ['limit', 'unread'],
    limit: [20],
    status: 200,
    reply: ['messages', 'total', 'address', ...inside('messages[]', INBOX_ITEM)],
    errors: [],
  },
  {
    method: 'GET',
    path: '/v1/inbox/{address}/messages/{id}',
    auth: 'key',
    status: 200,
    reply: ['id', 'from', 'to', 'subject', 'body', 'received_at', 'auth.method'],
    errors: [],
  },
  {
    method: 'POST',
    path: '/v1/inbox/{address}/send',
    auth: 'key',
    body: ['to!', 'subject!', 'body', 'html'],
    status: 200,
    reply: ['sent', 'id', 'from', 'to', 'subject'],
    errors: [],
  },
];

/** Not in the tables of the specification: reading the event log. */
const events: SpecEndpoint[] = [
  {
    method: 'GET',
    path: '/v1/events',
    auth: 'key',
    query: ['after', 'limit'],
    status: 200,
    reply: ['events', 'next_cursor', ...inside('events[]', ['id', 'type', 'created_at', 'data'])],
    errors: [],
  },
];

export const accessAndMail: readonly SpecEndpoint[] = [...service, ...accounts, ...email, ...inbox, ...events];
