import { line, named, nullable, oneOf, record, sameAs, text, timestamp } from '../../api/fields.ts';
import { iso } from '../../base/clock.ts';
import { Type } from '../../base/schema.ts';
import type { ShownEvent } from './calendar-table.ts';
import { ATTENDEE_STATES, type Invitation, type Proposal, RESPONSES } from './invitation-table.ts';

const time = (what: string, examples: string[]) =>
  text(40, {
    description: `${what} An RFC 3339 date-time with any offset, or a date for an all-day event.`,
    examples,
  });

const given = {
  summary: line(500, { minLength: 1, examples: ['Stand-up'] }),
  start: time('When it starts.', ['2026-01-14T09:00:00+01:00']),
  end: time('When it ends, not before `start`. As a date, the day after the last.', ['2026-01-14T09:15:00+01:00']),
};

const others = {
  description: Type.Optional(nullable(text(10_000))),
  location: Type.Optional(nullable(text(500))),
  attendees: Type.Optional(Type.Array(text(254, { format: 'email' }), { maxItems: 100 })),
  organizer: Type.Optional(
    text(254, { description: 'The address of yours that invites the attendees; your only one by default.' }),
  ),
};

export const NewEvent = record({ ...given, ...others });
export const EventChanges = record(
  {
    summary: Type.Optional(given.summary),
    start: Type.Optional(given.start),
    end: Type.Optional(given.end),
    ...others,
  },
  { minProperties: 1 },
);
export const EventParams = record({ id: text(64) });

/** An event of an earlier version, or one whose attendees could not be invited. */
const neverInvited = (address: string) => ({ address, status: 'not_invited' as const });

function statusOf(invitation: Invitation | null) {
  if (!invitation?.invited) return 'confirmed' as const;
  return invitation.isCancelled ? ('cancelled' as const) : (invitation.response ?? ('pending' as const));
}

const changed = {
  cancelled: Type.Boolean(),
  start: timestamp(),
  end: timestamp(),
  summary: Type.String(),
  location: nullable(Type.String()),
};

export const EventEntry = named(
  'CalendarEvent',
  record({
    id: Type.String(),
    event_id: sameAs('id'),
    summary: Type.String(),
    start: timestamp(),
    end: timestamp({ description: 'Exclusive.' }),
    all_day: Type.Boolean({ description: 'True for an event of whole days: `start` and `end` are midnights in UTC.' }),
    description: nullable(Type.String()),
    location: nullable(Type.String()),
    attendees: Type.Array(Type.String()),
    attendee_status: Type.Array(
      record({
        address: Type.String(),
        status: oneOf(ATTENDEE_STATES),
        reason: Type.Optional(Type.String({ description: 'The error that refused the mail.' })),
        proposal: Type.Optional(record({ start: timestamp(), end: timestamp() })),
      }),
    ),
    organizer: nullable(Type.String({ description: 'Who invites.' })),
    status: oneOf(['confirmed', 'pending', ...RESPONSES, 'cancelled'], {
      description: '`confirmed` for your own event; else your answer, or `cancelled` by the organizer.',
    }),
    rrule: nullable(Type.String({ description: 'How the event of an invitation repeats (RFC 5545).' })),
    occurrences: Type.Optional(
      Type.Array(
        record({
          recurrence_id: timestamp({ description: 'When it starts by the `rrule`.' }),
          ...changed,
        }),
        { description: 'Single days of the series that the organizer changed.' },
      ),
    ),
    proposal: Type.Optional(
      record(
        {
          recurrence_id: nullable(timestamp({ description: 'The day of a series that it would change.' })),
          sequence: Type.Integer(),
          ...changed,
        },
        { description: 'A change that came by mail, without proof that the organizer wrote it. It is not applied.' },
      ),
    ),
    sequence: Type.Integer({ description: 'Rises by one with each change (RFC 5545 3.8.7.4).' }),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
);

const changedOf = ({ isCancelled, startAt, endAt, summary, location }: Omit<Proposal, 'recurrenceId'>) => ({
  cancelled: isCancelled,
  start: iso(startAt),
  end: iso(endAt),
  summary,
  location,
});

function occurrencesOf(invitation: Invitation | null) {
  if (!invitation?.occurrences?.length) return {};
  const occurrences = invitation.occurrences.map((day) => ({
    recurrence_id: iso(day.recurrenceId),
    ...changedOf(day),
  }));
  return { occurrences };
}

function proposalOf(invitation: Invitation | null) {
  if (!invitation?.proposal) return {};
  const { recurrenceId, ...change } = invitation.proposal;
  const recurrence_id = recurrenceId === null ? null : iso(recurrenceId);
  return { proposal: { recurrence_id, sequence: change.sequence, ...changedOf(change) } };
}

export const eventEntry = ({ event, invitation }: ShownEvent) => ({
  id: event.id,
  event_id: event.id,
  summary: event.summary,
  start: iso(event.startAt),
  end: iso(event.endAt),
  all_day: event.allDay,
  description: event.description,
  location: event.location,
  attendees: event.attendees,
  attendee_status: invitation?.attendees ?? event.attendees.map(neverInvited),
  organizer: invitation?.organizer ?? null,
  status: statusOf(invitation),
  rrule: invitation?.rrule ?? null,
  ...occurrencesOf(invitation),
  ...proposalOf(invitation),
  sequence: event.sequence,
  created_at: iso(event.createdAt),
  updated_at: iso(event.updatedAt),
});
