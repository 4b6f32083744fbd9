import type { Migration } from '../migration-sql.ts';

/** The master keys in use, and a sealed copy of each feed link, which was derived before. */
export const migration: Migration = {
  id: '0019-master-key',
  statements: [
    // A row for each key that may have sealed something. `check_value` opens with that key alone.
    `create table master_keys (
      key_id text primary key,
      check_value text not null,
      created_at integer not null) clustered`,
    'alter table calendars add column feed_token text',
  ],
};
