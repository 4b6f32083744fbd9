import { hasIsoYear, iso } from '../../kernel/clock.ts';
import { ApiError, invalidField } from '../../kernel/errors.ts';
import type { AppendEvent } from '../../kernel/events.ts';
import { isId, newId } from '../../kernel/ids.ts';
import { limitReached } from '../../kernel/limit-reached.ts';
import type { Limits } from '../../kernel/limits.ts';
import { decodeCursor, pageOf } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { changeCalendar, ensureCalendar, findCalendar } from './calendar-store.ts';
import {
  type CalendarEvent,
  countEvents,
  deleteEvent,
  findEvent,
  insertEvent,
  listEvents,
  type Span,
  updateEvent,
} from './event-store.ts';
import { endOf, parseCalendarTime } from './time-rules.ts';

export type { CalendarEvent };

/** What a request says of an event; null takes a text away. */
export interface EventFields {
  summary?: string;
  start?: string;
  end?: string;
  description?: string | null;
  location?: string | null;
  attendees?: string[];
}

export interface EventPage {
  events: CalendarEvent[];
  /** In the window, on all pages. */
  total: number;
  nextCursor: string | null;
}

export interface EventRules {
  /** @throws ApiError `invalid_request`, `calendar_limit` */
  create(
    tx: Tx,
    principal: Principal,
    fields: EventFields & { summary: string; start: string; end: string },
    now: number,
  ): Promise<CalendarEvent>;
  /** @throws ApiError `not_found`, `invalid_request` */
  update(tx: Tx, accountId: string, id: string, fields: EventFields, now: number): Promise<CalendarEvent>;
  /** @throws ApiError `not_found` */
  remove(tx: Tx, accountId: string, id: string, now: number): Promise<void>;
  /** @throws ApiError `not_found` */
  read(reader: Reader, accountId: string, id: string): Promise<CalendarEvent>;
  /** Events that reach into the window, by start. @throws ApiError `invalid_request`, `invalid_cursor` */
  list(
    reader: Reader,
    accountId: string,
    query: { from?: string | undefined; to?: string | undefined; cursor?: string | undefined; limit: number },
  ): Promise<EventPage>;
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

/** @throws ApiError `invalid_request` for an end before the start, or a date beside a time */
function requireSpan(start: string, end: string): Pick<CalendarEvent, 'startAt' | 'endAt' | 'allDay'> {
  const from = requireTime(start, '/body/start');
  const to = requireTime(end, '/body/end');
  if (from.isDate !== to.isDate)
    throw invalidField('/body/end', 'invalid_format', 'start and end must both be dates or both be date-times.');
  if (to.ms < from.ms) throw invalidField('/body/end', 'out_of_range', 'end must not be before start.');
  const endAt = endOf(from, to);
  if (!hasIsoYear(endAt)) throw invalidField('/body/end', 'out_of_range', 'end must lie before the year 10000.');
  return { startAt: from.ms, endAt, allDay: from.isDate };
}

const spelled = (ms: number, allDay: boolean): string => (allDay ? iso(ms).slice(0, 10) : iso(ms));

/** The bounds of a window, from the beginning to the end of time unless told. */
function windowOf({ from, to }: { from?: string | undefined; to?: string | undefined }): Pick<Span, 'from' | 'to'> {
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

async function read(reader: Reader, accountId: string, id: string): Promise<CalendarEvent> {
  const event = await findEvent(reader, accountId, id);
  if (!event) throw new ApiError('not_found');
  return event;
}

/** How many events the account's calendar holds. */
export const countEventsOf = async (reader: Reader, accountId: string): Promise<number> =>
  (await findCalendar(reader, accountId))?.events ?? 0;

export function createEventRules(limits: Limits, appendEvent: AppendEvent<Tx>): EventRules {
  type Action = 'created' | 'updated' | 'deleted';
  const tell = (tx: Tx, event: CalendarEvent, action: Action, now: number): Promise<void> => {
    const { id, accountId, summary, startAt, endAt } = event;
    const data = { event_id: id, action, summary, start: iso(startAt), end: iso(endAt) };
    return appendEvent(tx, { accountId, type: 'calendar.updated', data, now });
  };

  return {
    read,

    async create(tx, { accountId, tier }, fields, now) {
      const event: CalendarEvent = {
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
      };
      await ensureCalendar(tx, accountId, now);
      const limit = limits[tier].calendar_events;
      const change = { added: 1, duration: event.endAt - event.startAt, limit: limit - 1, now } as const;
      if (!(await changeCalendar(tx, accountId, change))) {
        const used = await countEventsOf(tx, accountId);
        throw limitReached('calendar_events', { used, max: limit }, { facts: { limit } });
      }
      await insertEvent(tx, event);
      await tell(tx, event, 'created', now);
      return event;
    },

    async update(tx, accountId, id, fields, now) {
      const touch = (duration: number) =>
        changeCalendar(tx, accountId, { added: 0, duration, limit: Number.MAX_SAFE_INTEGER, now });
      // First: it makes changes of one calendar wait for each other, so that what is read below stays true.
      await touch(0);
      const known = await read(tx, accountId, id);
      const start = fields.start ?? spelled(known.startAt, known.allDay);
      const end = fields.end ?? spelled(known.endAt, known.allDay);
      const event: CalendarEvent = {
        ...known,
        summary: fields.summary ?? known.summary,
        description: fields.description === undefined ? known.description : fields.description,
        location: fields.location === undefined ? known.location : fields.location,
        attendees: fields.attendees ?? known.attendees,
        ...requireSpan(start, end),
        sequence: known.sequence + 1,
        updatedAt: now,
      };
      if (event.endAt - event.startAt > known.endAt - known.startAt) await touch(event.endAt - event.startAt);
      await updateEvent(tx, event);
      await tell(tx, event, 'updated', now);
      return event;
    },

    async remove(tx, accountId, id, now) {
      await changeCalendar(tx, accountId, { added: -1, duration: 0, limit: Number.MAX_SAFE_INTEGER, now });
      const event = await read(tx, accountId, id);
      await deleteEvent(tx, accountId, id);
      await tell(tx, event, 'deleted', now);
    },

    async list(reader, accountId, query) {
      const window = windowOf(query);
      const after = readCursor(query.cursor);
      const calendar = await findCalendar(reader, accountId);
      const span = { ...window, earliest: window.from - (calendar?.durationMax ?? 0) };
      if (window.from === Number.MIN_SAFE_INTEGER) span.earliest = window.from;
      const isWhole = query.from === undefined && query.to === undefined;
      const total = isWhole ? (calendar?.events ?? 0) : await countEvents(reader, accountId, span);
      const found = await listEvents(reader, accountId, span, after, query.limit + 1);
      const { rows, nextCursor } = pageOf(found, query.limit, ({ startAt, id }) => [startAt, id]);
      return { events: rows, total, nextCursor };
    },
  };
}
