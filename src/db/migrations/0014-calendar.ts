import type { Migration } from '../migration-sql.ts';

/** One calendar an account: its events, their number, and the feed. */
export const migration: Migration = {
  id: '0014-calendar',
  statements: [
    // `revision` rises with every change: it is the feed's entity tag. `duration_max` bounds how far before a window an
    // event that reaches into it can start; it never falls.
    `create table calendars (
      account_id text primary key,
      name text,
      events integer not null,
      duration_max integer not null,
      revision integer not null,
      feed_generation integer not null,
      feed_hash text,
      updated_at integer not null) clustered`,
    'create unique index calendars_by_feed on calendars (feed_hash) where feed_hash is not null',

    `create table calendar_events (
      id text primary key,
      account_id text not null references accounts (id),
      summary text not null,
      description text,
      location text,
      attendees text not null,
      all_day integer not null,
      start_at integer not null,
      end_at integer not null,
      sequence integer not null,
      created_at integer not null,
      updated_at integer not null)`,
    'create index calendar_events_by_start on calendar_events (account_id, start_at, id, end_at)',
  ],
};
