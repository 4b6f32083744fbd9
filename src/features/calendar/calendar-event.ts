import { ApiError, invalidField } from '../../api/errors.ts';
import type { AppendEvent } from '../../api/events.ts';
import type { Limits } from '../../api/limits.ts';
import { limitReached } from '../../api/metering/limit-reached.ts';
import { decodeCursor, type Page, pageOf } from '../../api/page.ts';
import type { Principal } from '../../api/principal.ts';
import type { Database, Reader, Tx } from '../../api/transaction.ts';
import type { Gate } from '../../api/way-out.ts';
import type { WatchCache } from '../../base/cache-fill.ts';
import { hasIsoYear, iso } from '../../base/clock.ts';
import { isId, newId } from '../../base/ids.ts';
import type { Secrets } from '../../base/sealing.ts';
import type { ReadsWritten } from '../../mail/reading/mime-parser.ts';
import type { MailboxRules } from '../mail/mailboxes/mailbox.ts';
import type { OutboxRules } from '../mail/outbox/sent-mail.ts';
import {
  countEvents,
  deleteEvent,
  findEvent,
  insertEvent,
  listEvents,
  type Span,
  updateEvent,
} from './calendar-event-store.ts';
import { type CalendarChange, changeCalendar, ensureCalendar, findCalendar } from './calendar-store.ts';
import type { CalendarEvent } from './calendar-table.ts';
import { endOf, parseCalendarTime } from './calendar-time.ts';

/** What the calendar needs. Each part takes what it uses of this. */
export interface CalendarDeps {
  database: Database;
  gate: Gate;
  limits: Limits;
  secrets: Secrets;
  mailDomain: string;
  baseUrl(): string;
  watchCache: WatchCache;
  mailboxes: Pick<MailboxRules, 'defaultSender' | 'sender'>;
  outbox: OutboxRules;
  readWritten: ReadsWritten;
}

/** The fields of an event in a request. Null removes a text. */
export interface EventFields {
  summary?: string;
  start?: string;
  end?: string;
  description?: string | null;
  location?: string | null;
  attendees?: string[];
}

export interface EventPage extends Page<CalendarEvent> {
  /** Events in the window, on all pages. */
  total: number;
}

export interface EventQuery {
  /** An RFC 3339 date-time or a date, inclusive. */
  from?: string | undefined;
  /** An RFC 3339 date-time or a date, exclusive. */
  to?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

function requireTime(text: string, path: string) {
  const time = parseCalendarTime(text);
  if (time) return time;
  throw invalidField(
    path,
    'invalid_format',
    `${path} must be an RFC 3339 date-time such as 2026-01-14T09:00:00+01:00, or a date such as 2026-01-14.`,
  );
}

/** @throws ApiError `invalid_request` for an end before the start, or a date together with a time */
function requireSpan(start: string, end: string): Pick<CalendarEvent, 'startAt' | 'endAt' | 'allDay'> {
  const from = requireTime(start, '/body/start');
  const to = requireTime(end, '/body/end');
  if (from.isDate !== to.isDate)
    throw invalidField(
      '/body/end',
      'invalid_format',
      'start and end must both be dates such as 2026-01-14, or both be date-times such as 2026-01-14T09:00:00Z.',
    );
  if (to.ms < from.ms) throw invalidField('/body/end', 'out_of_range', 'end must not be before start.');
  const endAt = endOf(from, to);
  if (!hasIsoYear(endAt)) throw invalidField('/body/end', 'out_of_range', 'end must lie before the year 10000.');
  return { startAt: from.ms, endAt, allDay: from.isDate };
}

const formatTime = (ms: number, allDay: boolean): string => (allDay ? iso(ms).slice(0, 10) : iso(ms));

/** Returns the bounds of a window. An absent bound includes all earlier or later events. */
function windowOf({ from, to }: EventQuery): Pick<Span, 'from' | 'to'> {
  const span = {
    from: from === undefined ? Number.MIN_SAFE_INTEGER : requireTime(from, '/query/from').ms,
    to: to === undefined ? Number.MAX_SAFE_INTEGER : requireTime(to, '/query/to').ms,
  };
  if (span.to < span.from) throw invalidField('/query/to', 'out_of_range', 'to must not be before from.');
  return span;
}

function readCursor(cursor: string | undefined): { startAt: number; id: string } | null {
  if (cursor === undefined) return null;
  const [startAt, id] = decodeCursor(cursor, ['number', 'string']) ?? [];
  if (!Number.isSafeInteger(startAt) || !isId('evt', String(id))) throw new ApiError('invalid_cursor');
  return { startAt: startAt as number, id: id as string };
}

/** Reads an event. @throws ApiError `not_found` */
export async function readEvent(reader: Reader, accountId: string, id: string): Promise<CalendarEvent> {
  const event = await findEvent(reader, accountId, id);
  if (!event) throw new ApiError('not_found');
  return event;
}

/** Returns how many events of the account's calendar count. */
export const countEventsOf = async (reader: Reader, accountId: string): Promise<number> =>
  (await findCalendar(reader, accountId))?.events ?? 0;

/** Lists the events that overlap a window, by start. @throws ApiError `invalid_request`, `invalid_cursor` */
export async function listEventsOf(reader: Reader, accountId: string, query: EventQuery): Promise<EventPage> {
  const window = windowOf(query);
  const after = readCursor(query.cursor);
  const calendar = await findCalendar(reader, accountId);
  const isOpenStart = window.from === Number.MIN_SAFE_INTEGER;
  // An event that overlaps the window starts no earlier than the longest event before it.
  const earliest = isOpenStart ? window.from : window.from - (calendar?.durationMax ?? 0);
  const span = { ...window, earliest };
  const isWhole = query.from === undefined && query.to === undefined;
  const all = calendar === null ? 0 : calendar.events + calendar.waiting;
  const total = isWhole ? all : await countEvents(reader, accountId, span);
  const found = await listEvents(reader, accountId, span, after, query.limit + 1);
  return { ...pageOf(found, query.limit, ({ startAt, id }) => [startAt, id]), total };
}

/** Applies the fields of a request to an event. @throws ApiError `invalid_request` */
export function changedEvent(event: CalendarEvent, fields: EventFields, now: number): CalendarEvent {
  const start = fields.start ?? formatTime(event.startAt, event.allDay);
  const end = fields.end ?? formatTime(event.endAt, event.allDay);
  return {
    ...event,
    summary: fields.summary ?? event.summary,
    description: fields.description === undefined ? event.description : fields.description,
    location: fields.location === undefined ? event.location : fields.location,
    attendees: fields.attendees ?? event.attendees,
    ...requireSpan(start, end),
    sequence: event.sequence + 1,
    updatedAt: now,
  };
}

/** Makes an event of a request, without storing it. @throws ApiError `invalid_request` */
export const newEvent = (
  accountId: string,
  fields: EventFields & { summary: string; start: string; end: string },
  now: number,
): CalendarEvent => ({
  id: newId('evt', now),
  accountId,
  summary: fields.summary,
  description: fields.description ?? null,
  location: fields.location ?? null,
  attendees: fields.attendees ?? [],
  ...requireSpan(fields.start, fields.end),
  sequence: 0,
  createdAt: now,
  updatedAt: now,
});

const durationOf = ({ startAt, endAt }: CalendarEvent): number => endAt - startAt;

/** Another call changed the event after it was read. */
export class StaleEventError extends Error {}

/** Writes calendar events, each with its `calendar.updated` event. */
export class EventRules {
  readonly #appendEvent: AppendEvent<Tx>;

  constructor(appendEvent: AppendEvent<Tx>) {
    this.#appendEvent = appendEvent;
  }

  /** Adds an event of the account's own. @throws ApiError `calendar_limit` */
  async create(tx: Tx, principal: Principal, event: CalendarEvent, now: number): Promise<void> {
    await ensureCalendar(tx, event.accountId, now);
    await this.#count(tx, principal, { added: 1, duration: durationOf(event), now });
    await insertEvent(tx, event);
    await this.announce(tx, event, 'created', now);
  }

  /** Adds an invitation. It waits, and does not count. The caller has locked the calendar. */
  async receive(tx: Tx, event: CalendarEvent, now: number): Promise<void> {
    await changeCalendar(tx, event.accountId, { waiting: 1, duration: durationOf(event), now });
    await insertEvent(tx, event);
    await this.announce(tx, event, 'created', now);
  }

  /** Counts an invitation that waited, because its account accepts it. @throws ApiError `calendar_limit` */
  accept(tx: Tx, principal: Principal, now: number): Promise<void> {
    return this.#count(tx, principal, { added: 1, waiting: -1, now });
  }

  async #count(tx: Tx, { accountId, limits }: Principal, change: CalendarChange): Promise<void> {
    const max = limits.calendar_events;
    if (await changeCalendar(tx, accountId, { ...change, limit: max - 1 })) return;
    const used = await countEventsOf(tx, accountId);
    throw limitReached('calendar_events', { used, max }, { fields: { limit: max } });
  }

  /** Locks the calendar, so that concurrent changes of its events wait for each other. */
  async touch(tx: Tx, accountId: string, now: number, duration = 0): Promise<void> {
    await changeCalendar(tx, accountId, { duration, now });
  }

  /**
   * Stores a changed event. `event` is what was read before.
   * @throws ApiError `not_found`; {@link StaleEventError} when the event was changed meanwhile
   */
  async update(tx: Tx, event: CalendarEvent, now: number): Promise<void> {
    const { accountId, id } = event;
    await this.touch(tx, accountId, now);
    const known = await readEvent(tx, accountId, id);
    if (known.sequence !== event.sequence - 1) throw new StaleEventError('the event was changed meanwhile');
    await this.replace(tx, known, event, now);
  }

  /** Stores a changed event. The caller has locked the calendar. */
  async replace(tx: Tx, known: CalendarEvent, event: CalendarEvent, now: number): Promise<void> {
    if (durationOf(event) > durationOf(known)) await this.touch(tx, event.accountId, now, durationOf(event));
    await updateEvent(tx, event);
    await this.announce(tx, event, 'updated', now);
  }

  /** @param isWaiting whether it is an invitation that waits. @throws ApiError `not_found` */
  async remove(tx: Tx, accountId: string, id: string, isWaiting: boolean, now: number): Promise<void> {
    await changeCalendar(tx, accountId, { [isWaiting ? 'waiting' : 'added']: -1, now });
    const event = await readEvent(tx, accountId, id);
    await deleteEvent(tx, accountId, id);
    await this.announce(tx, event, 'deleted', now);
  }

  /** Appends `calendar.updated`. */
  announce(tx: Tx, event: CalendarEvent, action: 'created' | 'updated' | 'deleted', now: number): Promise<void> {
    const { id, accountId, summary, startAt, endAt } = event;
    const data = { event_id: id, action, summary, start: iso(startAt), end: iso(endAt) };
    return this.#appendEvent(tx, { accountId, type: 'calendar.updated', data, now });
  }
}
