import type { Migration } from '../migration-sql.ts';

/** Calendar events, their occurrences and feeds. */
export const CALENDAR_TABLES: Migration['statements'] = [
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
    updated_at integer not null,
    feed_token text) clustered`,
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
  `create table calendar_invitations (
    event_id text primary key,
    account_id text not null references accounts (id),
    organizer text,
    invited text,
    uid text,
    rrule text,
    response text,
    attendees text not null,
    is_cancelled integer not null,
    is_verified integer not null,
    occurrences text,
    recurrence_id integer)`,
  'create index calendar_invitations_by_account on calendar_invitations (account_id, event_id)',
  'create unique index calendar_invitations_by_uid on calendar_invitations (account_id, uid)',
  `create table calendar_held_mails (
    outbox_id text primary key,
    account_id text not null references accounts (id),
    event_id text not null,
    address text not null,
    was text not null)`,
  'create index calendar_held_mails_by_event on calendar_held_mails (event_id)',
  'create index calendar_held_mails_by_account on calendar_held_mails (account_id, outbox_id)',
];
