import type { Migration } from '../migration-sql.ts';

/** The feed links of named keys: each belongs to one text of a key, and ends with it. */
export const migration: Migration = {
  id: '0097-feeds-of-named-keys',
  statements: [
    `create table calendar_key_feeds (
      key_hash text primary key,
      account_id text not null references accounts (id),
      feed_hash text not null,
      feed_token text not null) clustered`,
    'create unique index calendar_key_feeds_by_token on calendar_key_feeds (feed_hash)',
    'create index calendar_key_feeds_by_account on calendar_key_feeds (account_id)',
  ],
};
