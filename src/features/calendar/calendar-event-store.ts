import type { Kysely } from 'kysely';
import type { Reader } from '../../api/transaction.ts';
import type { RowOf } from '../../db/column-map.ts';
import { tables } from '../../db/statement.ts';
import { CALENDAR_EVENTS, type CalendarEvent } from './calendar-table.ts';

/** Selects the events that overlap [`from`, `to`) and start at `earliest` or later. */
export interface Span {
  earliest: number;
  from: number;
  to: number;
}

export const insertEvent = CALENDAR_EVENTS.insert();
export const findEvent = CALENDAR_EVENTS.find(['accountId', 'id']);
export const updateEvent = CALENDAR_EVENTS.patch([
  'summary',
  'description',
  'location',
  'attendees',
  'allDay',
  'startAt',
  'endAt',
  'sequence',
  'updatedAt',
]);
export const deleteEvent = CALENDAR_EVENTS.remove(['accountId', 'id']);

type Tables = { calendar_events: RowOf<typeof CALENDAR_EVENTS> };
const sql = tables<Tables>();

type Within = Span & { account_id: string };

/** An event without duration belongs to the window that it starts in. */
const within = (q: Kysely<Tables>, p: Within) =>
  q
    .selectFrom('calendar_events')
    .where('account_id', '=', p.account_id)
    .where('start_at', '>=', p.earliest)
    .where('start_at', '<', p.to)
    .where((eb) => eb.or([eb('end_at', '>', p.from), eb('start_at', '>=', p.from)]));

const page = sql((q, p: Within & { after_start: number; after_id: string; limit: number }) =>
  within(q, p)
    .select(CALENDAR_EVENTS.names)
    .where((eb) => eb.or([eb('start_at', '>', p.after_start), eb('id', '>', p.after_id)]))
    .orderBy('start_at')
    .orderBy('id')
    .limit(p.limit),
);

const countWithin = sql((q, p: Within) => within(q, p).select((eb) => eb.fn.countAll<number>().as('count')));

/** Lists events by start, after the given one. */
export const listEvents = async (
  reader: Reader,
  accountId: string,
  span: Span,
  after: { startAt: number; id: string } | null,
  limit: number,
): Promise<CalendarEvent[]> => {
  const earliest = after === null ? span.earliest : Math.max(span.earliest, after.startAt);
  const rows = await reader.all(page, {
    ...span,
    earliest,
    account_id: accountId,
    after_start: after?.startAt ?? Number.MIN_SAFE_INTEGER,
    after_id: after?.id ?? '',
    limit,
  });
  return rows.map(CALENDAR_EVENTS.fromRow);
};

/** Counts events, over no more index entries than the tier allows events. */
export const countEvents = async (reader: Reader, accountId: string, span: Span): Promise<number> =>
  Number((await reader.first(countWithin, { ...span, account_id: accountId }))?.count ?? 0);
