import type { Migration } from '../migration-sql.ts';

/** The named keys that people let the command line have, and its logins that wait with a code (RFC 8628). */
export const migration: Migration = {
  id: '0102-command-line-logins',
  statements: [
    'alter table grants add column key_id text',
    `create table device_logins (
      device_hash text primary key,
      user_code_hash text not null,
      scopes text not null,
      interval_seconds integer not null,
      polled_at integer,
      denied_at integer,
      created_at integer not null,
      expires_at integer not null) clustered`,
    'create unique index device_logins_by_user_code on device_logins (user_code_hash)',
    'create index device_logins_by_expiry on device_logins (expires_at)',
  ],
};
