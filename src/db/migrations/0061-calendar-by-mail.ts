import type { Migration } from '../migration-sql.ts';

/** Single days of a series, and the invitations that wait for a review. */
export const migration: Migration = {
  id: '0061-calendar-by-mail',
  statements: [
    'alter table calendar_invitations add column occurrences text',
    `create table calendar_held_mails (
      outbox_id text primary key,
      account_id text not null references accounts (id),
      event_id text not null,
      address text not null,
      was text not null)`,
    'create index calendar_held_mails_by_event on calendar_held_mails (event_id)',
    'create index calendar_held_mails_by_account on calendar_held_mails (account_id, outbox_id)',
  ],
};
