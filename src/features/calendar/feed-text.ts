import { Readable } from 'node:stream';
import ical, { foldLines, ICalEvent, ICalEventStatus } from 'ical-generator';
import { LRUCache } from 'lru-cache';
import type { Reader } from '../../api/transaction.ts';
import type { WatchCache } from '../../base/cache-fill.ts';
import type { Occurrence } from '../../mail/calendar/occurrence.ts';
import { listEvents } from './calendar-event-store.ts';
import type { Calendar, CalendarEvent, ShownEvent } from './calendar-table.ts';
import { withInvitations } from './invitation-store.ts';

/** The name that programs show for a calendar without one. */
export const DEFAULT_NAME = 'Calendar';

/** How often programs are asked to fetch the feed again. */
const REFRESH_SECONDS = 900;
/** Events written without a pause: some milliseconds of work, and at most 8 MB. */
const EVENTS_PER_SLICE = 100;
const CACHE_CHARS = 32_000_000;
/** A longer text is streamed and never held in memory: the largest calendars have hundreds of megabytes. */
const CACHED_TEXT_CHARS = 4_000_000;
const BEGINNING = Number.MIN_SAFE_INTEGER;
const ALL = { earliest: BEGINNING, from: BEGINNING, to: Number.MAX_SAFE_INTEGER };

/** Removes control characters other than line breaks and tabs, which calendar programs cannot read (RFC 5545 3.3.11). */
export const printable = (text: string): string =>
  text.replace(/\p{Cc}/gu, (char) => (/[\n\r\t]/.test(char) ? char : ''));

const optional = (text: string | null, name: string) => (text === null ? {} : { [name]: printable(text) });

/** The addresses that a feed is limited to; null for all. */
type Addresses = readonly string[] | null;

/** Whether a limited feed shows an event: it came to one of the addresses, one of them invites to it, or it has none. */
function concerns({ invitation }: ShownEvent, addresses: Addresses): boolean {
  const own = invitation?.invited ?? invitation?.organizer ?? null;
  return addresses === null || own === null || addresses.includes(own);
}

/** Writes calendars as iCalendar text (RFC 5545). */
export class FeedText {
  readonly #database: Reader;
  readonly #mailDomain: string;
  /** Texts by account and revision; null for one that is too long to be kept. */
  readonly #cache: LRUCache<string, { text: string | null }>;
  readonly #writing = new Map<string, Promise<string | null>>();

  constructor(database: Reader, mailDomain: string, watchCache: WatchCache) {
    this.#database = database;
    this.#mailDomain = mailDomain;
    const sizeCalculation = ({ text }: { text: string | null }): number => Math.max(1, text?.length ?? 0);
    this.#cache = watchCache('calendar_feeds', new LRUCache({ maxSize: CACHE_CHARS, sizeCalculation }));
  }

  /**
   * Returns the text of a calendar, as a stream when it is too long for memory.
   * @param key names calendar, revision and addresses
   */
  async read(calendar: Calendar, key: string, addresses: Addresses): Promise<string | Readable> {
    const { text } = this.#cache.get(key) ?? { text: await this.#writeOnce(calendar, key, addresses) };
    this.#cache.set(key, { text });
    return text ?? Readable.from(this.#slices(calendar, addresses));
  }

  /** Shares one write among concurrent readers, because the link is public. */
  #writeOnce(calendar: Calendar, key: string, addresses: Addresses): Promise<string | null> {
    const known = this.#writing.get(key);
    if (known) return known;
    const text = this.#write(calendar, addresses).finally(() => this.#writing.delete(key));
    this.#writing.set(key, text);
    return text;
  }

  /** Returns the whole text, or null when it is too long to be kept. */
  async #write(calendar: Calendar, addresses: Addresses): Promise<string | null> {
    const parts: string[] = [];
    let chars = 0;
    for await (const slice of this.#slices(calendar, addresses)) {
      chars += slice.length;
      if (chars > CACHED_TEXT_CHARS) return null;
      parts.push(slice);
    }
    return parts.join('');
  }

  /** Yields the text in slices, so that a large calendar does not block other requests. */
  async *#slices({ accountId, name }: Calendar, addresses: Addresses): AsyncGenerator<string> {
    const calendar = ical({ name: name ?? DEFAULT_NAME, prodId: '//Signet//Signet//EN', ttl: REFRESH_SECONDS });
    const [head, tail] = calendar.toString().split(/(?=END:VCALENDAR)/) as [string, string];
    yield head;
    let after: CalendarEvent | null = null;
    for (;;) {
      const events: CalendarEvent[] = await listEvents(this.#database, accountId, ALL, after, EVENTS_PER_SLICE);
      const shown = await withInvitations(this.#database, accountId, events);
      yield shown
        .filter((each) => concerns(each, addresses))
        .map((each) => this.#eventText(calendar, each))
        .join('');
      after = events.at(-1) ?? null;
      if (events.length === EVENTS_PER_SLICE) continue;
      yield tail;
      return;
    }
  }

  /** Returns one VEVENT. Its UID never changes, so that programs see a change and not another event. */
  #eventText(calendar: ReturnType<typeof ical>, { event, invitation }: ShownEvent): string {
    if (invitation?.invited && (invitation.isCancelled || invitation.response === 'declined')) return '';
    const isOpen = invitation?.invited && invitation.response !== 'accepted';
    const changed = new Date(event.updatedAt);
    const entry = new ICalEvent(
      {
        id: `${event.id}@${this.#mailDomain}`,
        start: new Date(event.startAt),
        end: new Date(event.endAt),
        allDay: event.allDay,
        summary: printable(event.summary),
        ...optional(event.description, 'description'),
        ...optional(event.location, 'location'),
        attendees: event.attendees.map((email) => ({ email, name: email })),
        ...(isOpen ? { status: ICalEventStatus.TENTATIVE } : {}),
        ...(invitation?.rrule ? { repeating: `RRULE:${invitation.rrule}` } : {}),
        sequence: event.sequence,
        stamp: changed,
        created: new Date(event.createdAt),
        lastModified: changed,
      },
      calendar,
    );
    const days = (invitation?.rrule ? invitation.occurrences : null) ?? [];
    // The library folds the lines of whole calendars only.
    return foldLines([entry.toString(), ...days.map((day) => this.#dayText(calendar, event, day))].join(''));
  }

  /** Returns the VEVENT of one day that is not as the rule of its series says. */
  #dayText(calendar: ReturnType<typeof ical>, event: CalendarEvent, day: Occurrence): string {
    const entry = new ICalEvent(
      {
        id: `${event.id}@${this.#mailDomain}`,
        recurrenceId: new Date(day.recurrenceId),
        start: new Date(day.startAt),
        end: new Date(day.endAt),
        allDay: event.allDay,
        summary: printable(day.summary),
        ...optional(day.location, 'location'),
        status: day.isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
        sequence: day.sequence,
        stamp: new Date(event.updatedAt),
      },
      calendar,
    );
    // Of a series of whole days, it is a date (RFC 5545 3.8.4.4). The library writes a time.
    const text = entry.toString();
    return event.allDay ? text.replace(/^RECURRENCE-ID:(\d{8})T\d{6}Z?/m, 'RECURRENCE-ID;VALUE=DATE:$1') : text;
  }
}
