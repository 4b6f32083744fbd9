import type { Migration } from '../migration-sql.ts';

/** The calls of each key by day, each attempt of a webhook's deliveries, and how many of them arrived by day. */
export const migration: Migration = {
  id: '0107-uses-and-attempts',
  statements: [
    `create table key_days (
      account_id text not null,
      key_id text not null,
      day_start integer not null,
      requests integer not null,
      last_used_at integer not null,
      network text,
      primary key (account_id, key_id, day_start)) clustered`,
    'create index key_days_by_age on key_days (day_start)',
    "alter table webhook_deliveries add column attempt_log text not null default '[]'",
    `create table webhook_days (
      webhook_id text not null,
      day_start integer not null,
      delivered integer not null,
      failed integer not null,
      primary key (webhook_id, day_start)) clustered`,
    'create index webhook_days_by_age on webhook_days (day_start)',
  ],
};
