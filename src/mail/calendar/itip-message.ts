import type { Occurrence } from './occurrence.ts';

/** What an iTIP message (RFC 5546) says, as far as it matters here. Its length is limited; nothing of it is proven. */
export interface CalendarMail {
  method: 'REQUEST' | 'CANCEL' | 'REPLY' | 'COUNTER';
  uid: string;
  sequence: number;
  /** An address in lower case; null when it has none. */
  organizer: string | null;
  attendees: { address: string; status: 'invited' | 'accepted' | 'declined' | 'tentative' }[];
  summary: string;
  description: string | null;
  location: string | null;
  /** Milliseconds. */
  startAt: number;
  /** Exclusive. */
  endAt: number;
  allDay: boolean;
  /** RFC 5545 3.3.10. It is kept and never expanded. */
  rrule: string | null;
  /** False: it is about single days of a series only, and the fields are those of the first of them. */
  isWhole: boolean;
  /** The days of a series that are not as its rule says. */
  occurrences: Occurrence[];
}

/** A larger part is not read. */
export const CALENDAR_BYTES_MAX = 131_072;
