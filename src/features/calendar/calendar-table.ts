import type { SealedColumn } from '../../base/sealing.ts';
import { column, type RecordOf } from '../../db/column-map.ts';
import { table } from '../../db/table.ts';
import type { Invitation } from './invitation-table.ts';

/** Times are milliseconds since the epoch. */
export const CALENDAR_EVENTS = table(
  'calendar_events',
  {
    id: column.text('id'),
    accountId: column.text('account_id'),
    summary: column.text('summary'),
    description: column.text('description').orNull(),
    location: column.text('location').orNull(),
    attendees: column.json<string[]>()('attendees'),
    /** The event covers whole UTC days: both times are midnights. */
    allDay: column.flag('all_day'),
    startAt: column.integer('start_at'),
    /** Exclusive. */
    endAt: column.integer('end_at'),
    /** Rises with each change (RFC 5545 3.8.7.4). */
    sequence: column.integer('sequence'),
    createdAt: column.integer('created_at'),
    updatedAt: column.integer('updated_at'),
  },
  {
    key: ['id'],
    account: ['accountId'],
    erase: 'delete',
    search: [
      {
        kind: 'event',
        by: 'accountId',
        order: 'startAt',
        texts: ['summary', 'location', 'description'],
        reads: ['id'],
        shown: ({ id, summary, startAt }) => ({ id, title: summary, at: startAt, place: ['calendar', 'event', id] }),
      },
    ],
  },
);
export type CalendarEvent = RecordOf<typeof CALENDAR_EVENTS>;

/** An event, and its invitations when it has any. */
export interface ShownEvent {
  event: CalendarEvent;
  invitation: Invitation | null;
}

export const FEED_TOKEN: SealedColumn = {
  purpose: 'feed-link',
  table: 'calendars',
  column: 'feed_token',
  id: 'account_id',
};

export const CALENDARS = table(
  'calendars',
  {
    accountId: column.text('account_id'),
    name: column.text('name').orNull(),
    /** How many events count: the account's own, and those that it accepted. */
    events: column.integer('events'),
    /** How many invitations wait. They do not count. */
    waiting: column.integer('waiting'),
    /** No event lasts longer than this, in milliseconds. */
    durationMax: column.integer('duration_max'),
    /** Rises with each change of the calendar or one of its events. */
    revision: column.integer('revision'),
    /** The number of the current feed link; 0 before the first. */
    feedGeneration: column.integer('feed_generation'),
    feedHash: column.text('feed_hash').orNull(),
    /** The token of that link, sealed, to show it again. */
    feedToken: column.sealed('feed_token').orNull(),
    /** The accounts whose operator made that link. */
    operatedBy: column.json<readonly string[]>()('operated_by'),
    updatedAt: column.integer('updated_at'),
  },
  { key: ['accountId'], account: ['accountId'], erase: 'delete' },
);
export type Calendar = RecordOf<typeof CALENDARS>;

export const KEY_FEED_TOKEN: SealedColumn = {
  purpose: 'feed-link',
  table: 'calendar_key_feeds',
  column: 'feed_token',
  id: 'key_hash',
};

/** The feed link of a named key. It works as long as that text of the key does. */
export const KEY_FEEDS = table(
  'calendar_key_feeds',
  {
    /** SHA-256 of the key. */
    keyHash: column.text('key_hash'),
    accountId: column.text('account_id'),
    feedHash: column.text('feed_hash'),
    /** The token of the link, sealed, to show it again. */
    feedToken: column.sealed('feed_token'),
  },
  { key: ['keyHash'], account: ['accountId'], erase: 'delete' },
);
