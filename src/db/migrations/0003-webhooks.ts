import type { Migration } from '../migration-sql.ts';

/** Webhooks and the log of what was delivered to them. */
export const migration: Migration = {
  id: '0003-webhooks',
  statements: [
    `create table webhooks (
      id text primary key,
      account_id text not null references accounts (id),
      address text not null references addresses (address),
      url text not null,
      secret text,
      events text not null,
      status text not null,
      disabled_reason text,
      failing_since integer,
      created_at integer not null)`,
    'create index webhooks_by_account on webhooks (account_id, id)',
    'create index webhooks_by_address on webhooks (address, status)',

    'create table webhook_counts (account_id text primary key, used integer not null) clustered',

    // No reference to webhooks: a mail that arrives while its webhook is being deleted must not be refused for it.
    `create table webhook_deliveries (
      id text primary key,
      webhook_id text not null,
      type text not null,
      event_id text not null,
      message_id text,
      body text not null,
      status text not null,
      run integer not null,
      attempts integer not null,
      created_at integer not null,
      last_attempt_at integer,
      next_attempt_at integer,
      delivered_at integer,
      response_status integer,
      response_snippet text,
      error text,
      duration_ms integer)`,
    'create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, id)',
    'create index webhook_deliveries_by_age on webhook_deliveries (created_at)',
  ],
};
