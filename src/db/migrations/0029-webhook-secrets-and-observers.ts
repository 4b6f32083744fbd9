import type { Migration } from '../migration-sql.ts';

/** The secret before the last rotation of a webhook, and who reported on which agent. */
export const migration: Migration = {
  id: '0029-webhook-secrets-and-observers',
  statements: [
    // It signs beside the new one until `previous_until`.
    'alter table webhooks add column previous_secret text',
    'alter table webhooks add column previous_until integer',
    'create index webhooks_by_previous on webhooks (previous_until) where previous_until is not null',
    `create table observers (
      account_id text not null,
      observer_id text not null,
      primary key (account_id, observer_id)) clustered`,
    'create index observers_by_observer on observers (observer_id)',
  ],
};
