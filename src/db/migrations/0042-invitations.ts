import type { Migration } from '../migration-sql.ts';

/** Invitations by mail: those that an event was sent with, and those that came in. */
export const migration: Migration = {
  id: '0042-invitations',
  statements: [
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
      is_verified integer not null)`,
    'create index calendar_invitations_by_account on calendar_invitations (account_id, event_id)',
    'create unique index calendar_invitations_by_uid on calendar_invitations (account_id, uid)',
  ],
};
