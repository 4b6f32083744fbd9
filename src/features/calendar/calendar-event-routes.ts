import { type Endpoint, endpoint, reply } from '../../api/endpoint.ts';
import { cursorParam, limitParam, nextCursor, oneOf, record, text } from '../../api/fields.ts';
import type { Database } from '../../api/transaction.ts';
import { Type } from '../../base/schema.ts';
import { SEND_ERRORS } from '../mail/outbox/send-schema.ts';
import { type EventChangeRules, readShown, readShownPage, untilFresh } from './calendar-event-change.ts';
import { EventChanges, EventEntry, EventParams, eventEntry, NewEvent } from './calendar-event-schema.ts';
import { RESPONSES } from './invitation-table.ts';

const TAG = 'Calendar';

const createEvent = (changes: EventChangeRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/calendar/events',
    operation: 'createCalendarEvent',
    tag: TAG,
    summary: 'Create a calendar event',
    description:
      'Give `start` and `end` as date-times, or both as dates for an all-day event. Attendees are invited by mail, if the key has `mail:send`. An invitation that is refused does not refuse the event: see `attendee_status`.',
    auth: 'key',
    scope: 'calendar:write',
    addresses: 'none',
    effect: 'write',
    leaves: ['mail'],
    action: 'calendar.event_created',
    body: NewEvent,
    tools: [
      {
        name: 'add_event',
        group: 'calendar',
        description: 'Add an event to your calendar. Attendees are invited by mail.',
        takes: ['summary', 'start', 'end', 'description', 'location', 'attendees'],
        openWorld: true,
        gives: ['id', 'summary', 'start', 'end', 'all_day', 'attendees', 'attendee_status'],
      },
    ],
    replies: { 201: EventEntry },
    errors: ['calendar_limit'],
    handle: async ({ principal, body, now, transact }) => {
      const plan = await changes.planCreate(principal, body, now);
      return transact(async (tx, audit) => {
        audit.resourceId = plan.event.id;
        return reply(201, eventEntry(await changes.create(tx, principal, plan, now)));
      });
    },
  });

const listEvents = (database: Database) =>
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
        defaults: { limit: 10 },
        gives: [
          ...['id', 'summary', 'start', 'end', 'all_day', 'description', 'location', 'attendees', 'organizer'].map(
            (name) => `events.${name}`,
          ),
          ...['events.status', 'events.rrule', 'total', 'next_cursor'],
        ],
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
      const page = await readShownPage(database, principal.accountId, { ...query, limit });
      return reply(200, {
        events: page.rows.map(eventEntry),
        count: page.rows.length,
        total: page.total,
        limit,
        next_cursor: page.nextCursor,
      });
    },
  });

const getEvent = (database: Database) =>
  endpoint({
    method: 'GET',
    path: '/v1/calendar/events/{id}',
    operation: 'getCalendarEvent',
    tag: TAG,
    summary: 'Get a calendar event',
    description: 'With the answers of its attendees.',
    auth: 'key',
    scope: 'calendar:read',
    addresses: 'none',
    effect: 'none',
    params: EventParams,
    replies: { 200: EventEntry },
    errors: ['not_found'],
    handle: async ({ principal, params }) =>
      reply(200, eventEntry(await readShown(database, principal.accountId, params.id))),
  });

const updateEvent = (changes: EventChangeRules) =>
  endpoint({
    method: 'PATCH',
    path: '/v1/calendar/events/{id}',
    operation: 'updateCalendarEvent',
    tag: TAG,
    summary: 'Update a calendar event',
    description:
      'Absent fields stay as they are; null removes `description` or `location`. Raises `sequence` by one, and mails the change to the attendees.',
    auth: 'key',
    scope: 'calendar:write',
    addresses: 'none',
    effect: 'write',
    leaves: ['mail'],
    action: 'calendar.event_updated',
    params: EventParams,
    body: EventChanges,
    replies: { 200: EventEntry },
    errors: ['not_found', 'not_organizer'],
    handle: ({ principal, params, body, now, transact }) =>
      untilFresh(async () => {
        const plan = await changes.planUpdate(principal, params.id, body, now);
        return transact(async (tx, audit) => {
          audit.resourceId = params.id;
          return reply(200, eventEntry(await changes.update(tx, principal, plan, now)));
        });
      }),
  });

const deleteEvent = (changes: EventChangeRules) =>
  endpoint({
    method: 'DELETE',
    path: '/v1/calendar/events/{id}',
    operation: 'deleteCalendarEvent',
    tag: TAG,
    summary: 'Delete a calendar event, and cancel its invitations',
    description: 'Attendees get a cancellation by mail.',
    auth: 'key',
    scope: 'calendar:write',
    addresses: 'none',
    effect: 'write',
    leaves: ['mail'],
    action: 'calendar.event_deleted',
    params: EventParams,
    replies: { 200: record({ deleted: Type.Literal(true), id: Type.String(), event_id: Type.String() }) },
    errors: ['not_found'],
    handle: ({ principal, params: { id }, now, transact }) =>
      untilFresh(async () => {
        const plan = await changes.planRemove(principal, id, now);
        return transact(async (tx, audit) => {
          audit.resourceId = id;
          await changes.remove(tx, principal, plan, now);
          return reply(200, { deleted: true as const, id, event_id: id });
        });
      }),
  });

const respond = (changes: EventChangeRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/calendar/events/{id}/respond',
    operation: 'respondToInvitation',
    tag: TAG,
    summary: 'Answer an invitation by mail',
    description: 'Needs `mail:send` too. A change of the time makes the event `pending` again.',
    auth: 'key',
    scope: 'calendar:write',
    addresses: 'none',
    effect: 'write',
    leaves: ['mail'],
    action: 'calendar.invitation_answered',
    params: EventParams,
    body: record({ status: oneOf(RESPONSES) }),
    replies: { 200: EventEntry },
    errors: ['not_found', 'not_invited', 'calendar_limit', ...SEND_ERRORS],
    handle: ({ principal, params, body, now, transact }) =>
      untilFresh(async () => {
        const plan = await changes.planAnswer(principal, params.id, body.status, now);
        return transact(async (tx, audit) => {
          audit.resourceId = params.id;
          return reply(200, eventEntry(await changes.answer(tx, principal, plan, now)));
        });
      }),
  });

export const calendarEventRoutes = (changes: EventChangeRules, database: Database): Endpoint[] => [
  createEvent(changes),
  listEvents(database),
  getEvent(database),
  updateEvent(changes),
  deleteEvent(changes),
  respond(changes),
];
