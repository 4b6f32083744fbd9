import { inside, type SpecEndpoint } from './spec-endpoint.ts';

const WEBHOOK = ['id', 'address', 'url', 'has_secret', 'events', 'created_at'];

/** End-to-end encryption, and webhooks. */
export const encryptionAndWebhooks: readonly SpecEndpoint[] = [
  {
    method: 'POST',
    path: '/v1/e2e/rotate-key',
    auth: 'key',
    body: ['master_seed!', 'new_public_key!'],
    status: 200,
    reply: ['ok', 'account_id', 'active_public_key', 'key_history_count', 'first_setup', 'updated_at', 'note'],
    errors: [403],
  },
  {
    method: 'POST',
    path: '/v1/email/webhooks',
    auth: 'key',
    body: ['address!', 'url!', 'secret'],
    status: 201,
    reply: WEBHOOK,
    errors: [400],
  },
  {
    method: 'GET',
    path: '/v1/email/webhooks',
    auth: 'key',
    query: ['address'],
    status: 200,
    reply: ['webhooks', 'count', ...inside('webhooks[]', WEBHOOK)],
    errors: [],
  },
  {
    method: 'DELETE',
    path: '/v1/email/webhooks/{id}',
    auth: 'key',
    status: 200,
    reply: ['deleted', 'id'],
    errors: [403, 404],
  },
];
