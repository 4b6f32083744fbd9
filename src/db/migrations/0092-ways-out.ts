import type { Migration } from '../migration-sql.ts';

/** Policies for ways out, and whose operator made what leaves later. */
export const migration: Migration = {
  id: '0092-ways-out',
  statements: [
    `create table way_policies (
      account_id text not null,
      way text not null,
      is_platform integer not null,
      rule text not null,
      allow text not null,
      updated_at integer not null,
      primary key (account_id, way, is_platform)) clustered`,
    "alter table webhooks add column operated_by text not null default '[]'",
    "alter table delegations add column operated_by text not null default '[]'",
    "alter table outbox add column actors text not null default '[]'",
    "alter table calendars add column operated_by text not null default '[]'",
  ],
};
