import { Type } from 'typebox';
import { iso } from '../../kernel/clock.ts';
import { type Endpoint, endpoint, reply } from '../../kernel/endpoint.ts';
import {
  cursorParam,
  limitParam,
  line,
  named,
  nextCursor,
  nullable,
  record,
  text,
  timestamp,
} from '../../kernel/fields.ts';
import type { Database } from '../../kernel/transaction.ts';
import type { CalendarEvent } from './calendar-data.ts';
import { type EventRules, listEventsOf, readEvent } from './event-rules.ts';

export interface EventRouteDeps {
  rules: EventRules;
  database: Database;
}

const TAG = 'Calendar';

const time = (what: string, examples: string[]) =>
  text(40, {
    description: `${what} An RFC 3339 date-time with any offset, or a date for an all-day event.`,
    examples,
  });

const fields = {
  summary: line(500, { minLength: 1, examples: ['Stand-up'] }),
  start: time('When it starts.', ['2026-01-14T09:00:00+01:00']),
  end: time('When it ends, not before `start`. As a date, the day after the last.', ['2026-01-14T09:15:00+01:00']),
};
const description = nullable(text(10_000));
const location = nullable(text(500));
const attendees = Type.Array(text(254, { format: 'email' }), { maxItems: 100 });

const EventEntry = named(
  'CalendarEvent',
  record({
    id: Type.String(),
    event_id: Type.String({ description: 'The same as `id`.' }),
    summary: Type.String(),
    start: timestamp(),
    end: timestamp({ description: 'Exclusive.' }),
    all_day: Type.Boolean({ description: 'True for an event of whole days: `start` and `end` are midnights in UTC.' }),
    description: nullable(Type.String()),
    location: nullable(Type.String()),
    attendees: Type.Array(Type.String()),
    sequence: Type.Integer({ description: 'Rises by one with each change (RFC 5545 3.8.7.4).' }),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
);

const eventEntry = (event: CalendarEvent) => ({
  id: event.id,
  event_id: event.id,
  summary: event.summary,
  start: iso(event.startAt),
  end: iso(event.endAt),
  all_day: event.allDay,
  description: event.description,
  location: event.location,
  attendees: event.attendees,
  sequence: event.sequence,
  created_at: iso(event.createdAt),
  updated_at: iso(event.updatedAt),
});

const createEvent = ({ rules }: EventRouteDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/calendar/events',
    operation: 'createCalendarEvent',
    tag: TAG,
    summary: 'Create a calendar event',
    description: 'Give `start` and `end` as date-times, or both as dates for an all-day event.',
    auth: 'key',
    scope: 'calendar:write',
    addresses: 'none',
    effect: 'write',
    action: 'calendar.event_created',
    body: record({
      ...fields,
      description: Type.Optional(description),
      location: Type.Optional(location),
      attendees: Type.Optional(attendees),
    }),
    tools: [
      {
        name: 'add_event',
        group: 'calendar',
        description: 'Add an event to your calendar.',
        takes: ['summary', 'start', 'end', 'description', 'location', 'attendees'],
        gives: ['id', 'summary', 'start', 'end', 'all_day', 'attendees', 'attendee_status'],
      },
    ],
    replies: { 201: EventEntry },
    errors: ['calendar_limit'],
    handle: async ({ principal, body, now, transact }) =>
      transact(async (tx, audit) => {
        const event = await rules.create(tx, principal, body, now);
        audit.resourceId = event.id;
        return reply(201, eventEntry(event));
      }),
  });

const listEvents = ({ database }: EventRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/calendar/events',
    operation: 'listCalendarEvents',
    tag: TAG,
    summary: 'List calendar events by start time',
    description:
      'With `from` or `to`, returns every event that overlaps that window, including events that began before it.',
    auth: 'key',
    scope: 'calendar:read',
    addresses: 'none',
    effect: 'none',
    query: record({
      from: Type.Optional(text(40, { description: 'An RFC 3339 date-time or a date; inclusive.' })),
      to: Type.Optional(text(40, { description: 'An RFC 3339 date-time or a date; exclusive.' })),
      limit: limitParam(50, 200),
      cursor: cursorParam(),
    }),
    tools: [
      {
        name: 'list_events',
        group: 'calendar',
        description: 'List calendar events by start time.',
        takes: ['from', 'to', 'limit', 'cursor'],
        defaults: { limit: 20 },
        gives: ['events', 'total', 'next_cursor'],
        words: ['description', 'location'],
      },
    ],
    replies: {
      200: record({
        events: Type.Array(EventEntry),
        count: Type.Integer({ description: 'Events on this page.' }),
        total: Type.Integer({ description: 'Events in the window, on all pages.' }),
        limit: Type.Integer(),
        next_cursor: nextCursor(),
      }),
    },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query }) => {
      const limit = query.limit as number;
      const page = await listEventsOf(database, principal.accountId, { ...query, limit });
      return reply(200, {
        events: page.rows.map(eventEntry),
        count: page.rows.length,
        total: page.total,
        limit,
        next_cursor: page.nextCursor,
      });
    },
  });

const EventParams = record({ id: text(64) });

const getEvent = ({ database }: EventRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/calendar/events/{id}',
    operation: 'getCalendarEvent',
    tag: TAG,
    summary: 'Get a calendar event',
    auth: 'key',
    scope: 'calendar:read',
    addresses: 'none',
    effect: 'none',
    params: EventParams,
    replies: { 200: EventEntry },
    errors: ['not_found'],
    handle: async ({ principal, params }) =>
      reply(200, eventEntry(await readEvent(database, principal.accountId, params.id))),
  });

const updateEvent = ({ rules }: EventRouteDeps) =>
  endpoint({
    method: 'PATCH',
    path: '/v1/calendar/events/{id}',
    operation: 'updateCalendarEvent',
    tag: TAG,
    summary: 'Update a calendar event',
    description: 'Absent fields stay as they are; null removes `description` or `location`. Raises `sequence` by one.',
    auth: 'key',
    scope: 'calendar:write',
    addresses: 'none',
    effect: 'write',
    action: 'calendar.event_updated',
    params: EventParams,
    body: record(
      {
        summary: Type.Optional(fields.summary),
        start: Type.Optional(fields.start),
        end: Type.Optional(fields.end),
        description: Type.Optional(description),
        location: Type.Optional(location),
        attendees: Type.Optional(attendees),
      },
      { minProperties: 1 },
    ),
    replies: { 200: EventEntry },
    errors: ['not_found'],
    handle: async ({ principal, params, body, now, transact }) =>
      transact(async (tx, audit) => {
        audit.resourceId = params.id;
        return reply(200, eventEntry(await rules.update(tx, principal.accountId, params.id, body, now)));
      }),
  });

const deleteEvent = ({ rules }: EventRouteDeps) =>
  endpoint({
    method: 'DELETE',
    path: '/v1/calendar/events/{id}',
    operation: 'deleteCalendarEvent',
    tag: TAG,
    summary: 'Delete a calendar event',
    auth: 'key',
    scope: 'calendar:write',
    addresses: 'none',
    effect: 'write',
    action: 'calendar.event_deleted',
    params: EventParams,
    replies: { 200: record({ deleted: Type.Literal(true), id: Type.String(), event_id: Type.String() }) },
    errors: ['not_found'],
    handle: async ({ principal, params: { id }, now, transact }) =>
      transact(async (tx, audit) => {
        audit.resourceId = id;
        await rules.remove(tx, principal.accountId, id, now);
        return reply(200, { deleted: true as const, id, event_id: id });
      }),
  });

export const calendarEventRoutes = (deps: EventRouteDeps): Endpoint[] => [
  createEvent(deps),
  listEvents(deps),
  getEvent(deps),
  updateEvent(deps),
  deleteEvent(deps),
];
