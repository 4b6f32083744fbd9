import type { Migration } from '../migration-sql.ts';

/**
 * Received invitations that their account has not accepted no longer count as its events. Of one that was accepted before
 * its time changed, nothing tells: it waits too.
 */
export const migration: Migration = {
  id: '0088-waiting-invitations',
  statements: [
    'alter table calendar_invitations add column is_waiting integer not null default 0',
    'alter table calendar_invitations add column proposal text',
    'alter table calendars add column waiting integer not null default 0',
    'update calendar_invitations set is_waiting = 1 where invited is not null and response is null',
    'create index calendar_invitations_waiting on calendar_invitations (account_id, event_id) where is_waiting = 1',
    `update calendars set waiting = (select count(*) from calendar_invitations
      where calendar_invitations.account_id = calendars.account_id and is_waiting = 1)`,
    'update calendars set events = events - waiting where waiting > 0',
  ],
};
