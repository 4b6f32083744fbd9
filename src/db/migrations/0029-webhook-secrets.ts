import type { Migration } from '../migration-sql.ts';

/** The secret before the last rotation of a webhook, which signs beside the new one until `previous_until`. */
export const migration: Migration = {
  id: '0029-webhook-secrets',
  statements: [
    'alter table webhooks add column previous_secret text',
    'alter table webhooks add column previous_until integer',
    'create index webhooks_by_previous on webhooks (previous_until) where previous_until is not null',
  ],
};
