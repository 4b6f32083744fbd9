import { inside, type SpecEndpoint } from './spec-endpoint.ts';

const LISTED = ['key', 'version', 'metadata', 'created_at', 'updated_at'];
const ENTRY = ['key', 'ciphertext', 'value', 'metadata', 'version', 'latest_version', 'created_at', 'updated_at'];
const RECOVERED_ENTRY = ['account_id', 'key', 'ciphertext', 'metadata', 'version', 'created_at'];

export const vault: readonly SpecEndpoint[] = [
  {
    method: 'GET',
    path: '/v1/vault/',
    auth: 'key',
    status: 200,
    reply: ['keys', 'count', 'limit', 'tier', ...inside('keys[]', LISTED)],
    errors: [],
  },
  ...[201, 200].map(
    (status): SpecEndpoint => ({
      method: 'PUT',
      path: '/v1/vault/{key}',
      auth: 'key',
      body: ['ciphertext!', 'metadata'],
      status,
      reply: ['key', 'stored', 'version', 'created_at', 'updated_at'],
      errors: ['invalid_ciphertext', 'payload_too_large', 'metadata_too_large', 'payment_required'],
    }),
  ),
  {
    method: 'GET',
    path: '/v1/vault/{key}',
    auth: 'key',
    query: ['version'],
    status: 200,
    reply: ENTRY,
    errors: ['not_found', 'version_not_found', 'invalid_version'],
  },
  {
    method: 'DELETE',
    path: '/v1/vault/{key}',
    auth: 'key',
    query: ['version'],
    status: 200,
    reply: ['key', 'deleted', 'versions_removed'],
    errors: ['not_found', 'version_not_found', 'invalid_version'],
  },
  {
    method: 'POST',
    path: '/v1/vault/recovery-email',
    auth: 'key',
    body: ['email!', 'encrypted_seed!'],
    status: 200,
    reply: ['ok', 'email', 'stored_at', 'registered'],
    errors: [400],
  },
  {
    method: 'POST',
    path: '/v1/vault/store',
    auth: 'none',
    body: ['encrypted_seed!', 'recovery_email!'],
    status: 200,
    reply: ['vault_id', 'stored_at', 'message'],
    errors: [400, 'rate_limited'],
  },
  {
    method: 'POST',
    path: '/v1/vault/recover',
    auth: 'none',
    body: ['email!'],
    status: 200,
    reply: ['sent', 'message'],
    errors: ['rate_limited'],
  },
  {
    method: 'GET',
    path: '/v1/vault/recover/verify',
    auth: 'none',
    query: ['token!'],
    status: 200,
    reply: [
      'recovered',
      'note',
      'entries',
      'legacy_entries',
      'account_entries',
      ...inside('entries[]', RECOVERED_ENTRY),
      ...inside('legacy_entries[]', ['vault_id', 'encrypted_seed', 'created_at']),
      ...inside('account_entries[]', ['account_id', 'encrypted_seed']),
    ],
    errors: ['invalid_token'],
  },
];
