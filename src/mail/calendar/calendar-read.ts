import ICAL from 'ical.js';
import { DAY_MS } from '../../base/period.ts';
import { cleanLine, cleanText, cut } from '../mime/mime-fields.ts';
import { offsetIn, wallTimeOf } from './calendar-zone.ts';
import { CALENDAR_BYTES_MAX, type CalendarMail } from './itip-message.ts';
import { OCCURRENCES_MAX, type Occurrence } from './occurrence.ts';

const ATTENDEES_MAX = 100;
/** Each time looks for its zone among all of them. */
const ZONES_MAX = 50;
const CHARS = { summary: 500, description: 10_000, location: 500, uid: 500, rrule: 500, address: 254 } as const;
/** Years 0000 to 9999, as the calendar of the service has them. */
const TIME = { min: Date.UTC(0, 0, 1) - 1_900 * 366 * DAY_MS, max: Date.UTC(9999, 11, 31) };
const SEQUENCE_MAX = 2_147_483_647;
const METHODS = new Set(['REQUEST', 'CANCEL', 'REPLY', 'COUNTER']);
const STATES = new Map([
  ['ACCEPTED', 'accepted'],
  ['DECLINED', 'declined'],
  ['TENTATIVE', 'tentative'],
] as const);

const words = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The address of `mailto:…`, in lower case. */
function addressIn(value: unknown): string | null {
  const address = cleanLine(words(value).replace(/^mailto:/i, ''), CHARS.address + 1).toLowerCase();
  return /^[^\s@<>]+@[^\s@<>]+$/.test(address) && address.length <= CHARS.address ? address : null;
}

/** A value of a property as milliseconds. No zone at all is UTC. */
function timeOf(property: ICAL.Property, time: unknown): { ms: number; isDate: boolean } | null {
  if (!(time instanceof ICAL.Time)) return null;
  const wall = wallTimeOf(time);
  const name = words(property.getFirstParameter('tzid'));
  const isUtc = time.zone === ICAL.Timezone.utcTimezone || name === '';
  // The library would expand the rules of the zone.
  const ms = isUtc ? wall : wall - offsetIn(name, time.zone?.component, wall);
  return ms >= TIME.min && ms <= TIME.max ? { ms, isDate: time.isDate } : null;
}

function timeIn(event: ICAL.Component, name: string): { ms: number; isDate: boolean } | null {
  const property = event.getFirstProperty(name);
  return property ? timeOf(property, property.getFirstValue()) : null;
}

function spanOf(event: ICAL.Component): Pick<CalendarMail, 'startAt' | 'endAt' | 'allDay'> | null {
  const start = timeIn(event, 'dtstart');
  if (start === null) return null;
  const end = timeIn(event, 'dtend');
  const duration = event.getFirstPropertyValue('duration');
  const implied = duration instanceof ICAL.Duration ? duration.toSeconds() * 1000 : start.isDate ? DAY_MS : 0;
  const endAt = end?.ms ?? start.ms + implied;
  return endAt < start.ms || endAt > TIME.max ? null : { startAt: start.ms, endAt, allDay: start.isDate };
}

function attendeesOf(event: ICAL.Component): CalendarMail['attendees'] {
  const found = new Map<string, CalendarMail['attendees'][number]>();
  for (const property of event.getAllProperties('attendee').slice(0, ATTENDEES_MAX)) {
    const address = addressIn(property.getFirstValue());
    const status = words(property.getFirstParameter('partstat')).toUpperCase();
    if (address !== null)
      found.set(address, { address, status: STATES.get(status as 'ACCEPTED' | 'DECLINED' | 'TENTATIVE') ?? 'invited' });
  }
  return [...found.values()];
}

const textOf = (event: ICAL.Component, name: 'description' | 'location'): string | null => {
  const text = cut(cleanText(words(event.getFirstPropertyValue(name))), CHARS[name]);
  return text === '' ? null : text;
};

const summaryOf = (event: ICAL.Component): string =>
  cleanLine(words(event.getFirstPropertyValue('summary')), CHARS.summary) || 'Untitled';

/** Null for a number that is none. */
function sequenceOf(event: ICAL.Component): number | null {
  const sequence = Number(event.getFirstPropertyValue('sequence') ?? 0);
  return Number.isInteger(sequence) && sequence >= 0 && sequence <= SEQUENCE_MAX ? sequence : null;
}

/** A change "from this day on" concerns no single day. */
const isSingle = (event: ICAL.Component): boolean => event.hasProperty('recurrence-id');
const isFromHere = (event: ICAL.Component): boolean =>
  event.getFirstProperty('recurrence-id')?.getFirstParameter('range') !== undefined;

function occurrenceOf(event: ICAL.Component, isCancel: boolean): Occurrence | null {
  const recurrence = timeIn(event, 'recurrence-id');
  const span = spanOf(event) ?? (recurrence && { startAt: recurrence.ms, endAt: recurrence.ms });
  const sequence = sequenceOf(event);
  if (recurrence === null || span === null || sequence === null) return null;
  const isCancelled = isCancel || words(event.getFirstPropertyValue('status')).toUpperCase() === 'CANCELLED';
  const { startAt, endAt } = span;
  const texts = { summary: summaryOf(event), location: textOf(event, 'location') };
  return { recurrenceId: recurrence.ms, sequence, isCancelled, ...texts, startAt, endAt };
}

/** The days that a series leaves out (RFC 5545 3.8.5.1), as cancelled ones. */
function leftOut(event: ICAL.Component, { startAt, endAt }: Pick<CalendarMail, 'startAt' | 'endAt'>): Occurrence[] {
  const texts = { summary: summaryOf(event), location: textOf(event, 'location') };
  const sequence = sequenceOf(event) ?? 0;
  return event
    .getAllProperties('exdate')
    .slice(0, OCCURRENCES_MAX)
    .flatMap((property) => property.getValues().map((value) => ({ property, value })))
    .slice(0, OCCURRENCES_MAX)
    .map(({ property, value }) => timeOf(property, value))
    .filter((time) => time !== null)
    .map(({ ms }) => ({
      recurrenceId: ms,
      sequence,
      isCancelled: true,
      ...texts,
      startAt: ms,
      endAt: ms + endAt - startAt,
    }));
}

/** A cancellation need not say when the day would have been. */
const spanOfOccurrence = (occurrence: Occurrence | undefined): ReturnType<typeof spanOf> =>
  occurrence ? { startAt: occurrence.startAt, endAt: occurrence.endAt, allDay: false } : null;

/** Each day once; what stands later in the calendar is what counts. */
function occurrencesOf(whole: ICAL.Component | undefined, singles: readonly ICAL.Component[], isCancel: boolean) {
  const span = whole && spanOf(whole);
  const found = [
    ...(whole && span ? leftOut(whole, span) : []),
    ...singles.map((each) => occurrenceOf(each, isCancel)).filter((each) => each !== null),
  ];
  return [...new Map(found.map((each) => [each.recurrenceId, each])).values()].slice(0, OCCURRENCES_MAX);
}

/**
 * Reads the event of an iTIP message. Runs in a worker: a crafted calendar may take long. Null for what is none, for
 * other methods, for an answer to a single day (RECURRENCE-ID), and for a change from one day on.
 */
export function readCalendar(bytes: Uint8Array): CalendarMail | null {
  if (bytes.length > CALENDAR_BYTES_MAX) return null;
  const calendar = new ICAL.Component(ICAL.parse(new TextDecoder().decode(bytes)));
  const method = words(calendar.getFirstPropertyValue('method')).toUpperCase();
  if (calendar.name !== 'vcalendar' || !METHODS.has(method)) return null;
  if (calendar.getAllSubcomponents('vtimezone').length > ZONES_MAX) return null;
  const events = calendar.getAllSubcomponents('vevent');
  const whole = events.find((each) => !isSingle(each));
  const uidOf = (each: ICAL.Component) => cleanLine(words(each.getFirstPropertyValue('uid')), CHARS.uid + 1);
  const singles = events.filter((each) => isSingle(each) && !isFromHere(each)).slice(0, OCCURRENCES_MAX);
  const event = whole ?? singles[0];
  if (!event || (!whole && (method === 'REPLY' || method === 'COUNTER'))) return null;
  const uid = uidOf(event);
  const sequence = sequenceOf(event);
  const occurrences = occurrencesOf(
    whole,
    singles.filter((each) => uidOf(each) === uid),
    method === 'CANCEL',
  );
  const span = spanOf(event) ?? (whole ? null : spanOfOccurrence(occurrences[0]));
  if (uid === '' || uid.length > CHARS.uid || span === null || sequence === null) return null;
  const rrule = event.getFirstPropertyValue('rrule')?.toString() ?? null;
  return {
    method: method as CalendarMail['method'],
    uid,
    sequence,
    organizer: addressIn(event.getFirstPropertyValue('organizer')),
    attendees: attendeesOf(event),
    summary: summaryOf(event),
    description: textOf(event, 'description'),
    location: textOf(event, 'location'),
    ...span,
    rrule: rrule === null || rrule.length > CHARS.rrule ? null : cleanLine(rrule, CHARS.rrule),
    isWhole: whole !== undefined,
    occurrences,
  };
}
