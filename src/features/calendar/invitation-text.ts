import ical, { ICalAttendeeRole, ICalAttendeeStatus, ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import type { CalendarEvent } from './calendar-table.ts';
import { printable } from './feed-text.ts';
import type { AttendeeState, Response } from './invitation-table.ts';

/** The methods of RFC 5546 that the service sends. */
export type InvitationMethod = 'REQUEST' | 'CANCEL' | 'REPLY';

const PARTSTATS: Partial<Record<AttendeeState, ICalAttendeeStatus>> = {
  accepted: ICalAttendeeStatus.ACCEPTED,
  declined: ICalAttendeeStatus.DECLINED,
  tentative: ICalAttendeeStatus.TENTATIVE,
};

export interface InvitationText {
  method: InvitationMethod;
  uid: string;
  event: CalendarEvent;
  organizer: string;
  attendees: readonly { address: string; status: AttendeeState | Response }[];
  /** When the mail is written; milliseconds. */
  now: number;
}

/** Writes an iTIP message (RFC 5546) as iCalendar text. */
export function invitationText({ method, uid, event, organizer, attendees, now }: InvitationText): string {
  const calendar = ical({ prodId: '//Signet//Signet//EN', method: ICalCalendarMethod[method] });
  const { description, location } = event;
  calendar.createEvent({
    id: uid,
    start: new Date(event.startAt),
    end: new Date(event.endAt),
    allDay: event.allDay,
    summary: printable(event.summary),
    ...(description === null ? {} : { description: printable(description) }),
    ...(location === null ? {} : { location: printable(location) }),
    sequence: event.sequence,
    stamp: new Date(now),
    organizer: { name: organizer, email: organizer },
    status: method === 'CANCEL' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    attendees: attendees.map(({ address, status }) => ({
      email: address,
      name: address,
      role: ICalAttendeeRole.REQ,
      status: PARTSTATS[status] ?? ICalAttendeeStatus.NEEDSACTION,
      rsvp: method === 'REQUEST',
    })),
  });
  return `${calendar.toString().trimEnd()}\r\n`;
}

const VERBS: Record<InvitationMethod, string> = { REQUEST: 'Invitation', CANCEL: 'Cancelled', REPLY: 'Answer' };
const ANSWERS: Record<Response, string> = { accepted: 'Accepted', declined: 'Declined', tentative: 'Tentative' };

/** One line for the subject of the mail. */
export const subjectOf = (
  { summary, sequence }: CalendarEvent,
  method: InvitationMethod,
  response: Response | null,
): string => {
  const verb = method === 'REQUEST' && sequence > 0 ? 'Updated invitation' : VERBS[method];
  return `${response === null ? verb : ANSWERS[response]}: ${printable(summary)}`.replace(/\s+/g, ' ').slice(0, 500);
};

/** The same in words, for mail programs that show no calendars. */
export function wordsOf(event: CalendarEvent, organizer: string): string {
  const time = (ms: number) => (event.allDay ? new Date(ms).toISOString().slice(0, 10) : new Date(ms).toUTCString());
  const lines = [
    printable(event.summary),
    '',
    event.allDay ? `From ${time(event.startAt)} until before ${time(event.endAt)}` : time(event.startAt),
    ...(event.allDay ? [] : [`until ${time(event.endAt)}`]),
    ...(event.location === null ? [] : [`Where: ${printable(event.location)}`]),
    `Organizer: ${organizer}`,
    ...(event.description === null ? [] : ['', printable(event.description)]),
  ];
  return `${lines.join('\n')}\n`;
}
