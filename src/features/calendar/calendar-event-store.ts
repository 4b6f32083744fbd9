import type { Reader, Tx } from '../../api/transaction.ts';
import type { RowOf } from '../../db/column-map.ts';
import { tables } from '../../db/statement.ts';
import { CALENDAR_EVENTS, type CalendarEvent } from './calendar-table.ts';

type Row = RowOf<typeof CALENDAR_EVENTS>;

/** Selects the events that overlap [`from`, `to`) and start at `earliest` or later. */
export interface Span {
  earliest: number;
  from: number;
  to: number;
}

const sql = tables<{ calendar_events: Row }>();

const insertRow = sql((q, p: Row) => q.insertInto('calendar_events').values(CALENDAR_EVENTS.values(p)));

const byId = sql((q, p: { account_id: string; id: string }) =>
  q
    .selectFrom('calendar_events')
    .select(CALENDAR_EVENTS.names)
    .where('id', '=', p.id)
    .where('account_id', '=', p.account_id),
);

const updateRow = sql((q, p: Row) =>
  q
    .updateTable('calendar_events')
    .set({
      summary: p.summary,
      description: p.description,
      location: p.location,
      attendees: p.attendees,
      all_day: p.all_day,
      start_at: p.start_at,
      end_at: p.end_at,
      sequence: p.sequence,
      updated_at: p.updated_at,
    })
    .where('id', '=', p.id),
);

const deleteRow = sql((q, p: { account_id: string; id: string }) =>
  q.deleteFrom('calendar_events').where('id', '=', p.id).where('account_id', '=', p.account_id),
);

type Within = Span & { account_id: string };

/** An event without duration belongs to the window that it starts in. */
const page = sql((q, p: Within & { after_start: number; after_id: string; limit: number }) =>
  q
    .selectFrom('calendar_events')
    .select(CALENDAR_EVENTS.names)
    .where('account_id', '=', p.account_id)
    .where('start_at', '>=', p.earliest)
    .where('start_at', '<', p.to)
    .where((eb) => eb.or([eb('end_at', '>', p.from), eb('start_at', '>=', p.from)]))
    .where((eb) => eb.or([eb('start_at', '>', p.after_start), eb('id', '>', p.after_id)]))
    .orderBy('start_at')
    .orderBy('id')
    .limit(p.limit),
);

const countWithin = sql((q, p: Within) =>
  q
    .selectFrom('calendar_events')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', p.account_id)
    .where('start_at', '>=', p.earliest)
    .where('start_at', '<', p.to)
    .where((eb) => eb.or([eb('end_at', '>', p.from), eb('start_at', '>=', p.from)])),
);

export const insertEvent = async (tx: Tx, event: CalendarEvent): Promise<void> =>
  void (await tx.run(insertRow, CALENDAR_EVENTS.toRow(event)));

export async function findEvent(reader: Reader, accountId: string, id: string): Promise<CalendarEvent | null> {
  const row = await reader.first(byId, { account_id: accountId, id });
  return row ? CALENDAR_EVENTS.fromRow(row) : null;
}

export const updateEvent = async (tx: Tx, event: CalendarEvent): Promise<void> =>
  void (await tx.run(updateRow, CALENDAR_EVENTS.toRow(event)));

export const deleteEvent = async (tx: Tx, accountId: string, id: string): Promise<void> =>
  void (await tx.run(deleteRow, { account_id: accountId, id }));

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
