import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

interface Row {
  id: string;
  account_id: string;
  summary: string;
  description: string | null;
  location: string | null;
  attendees: string;
  all_day: number;
  start_at: number;
  end_at: number;
  sequence: number;
  created_at: number;
  updated_at: number;
}

export interface CalendarEvent {
  id: string;
  accountId: string;
  summary: string;
  description: string | null;
  location: string | null;
  attendees: string[];
  /** Of whole UTC days: both times are midnights. */
  allDay: boolean;
  startAt: number;
  /** Exclusive. */
  endAt: number;
  /** RFC 5545 3.8.7.4: raised with each change. */
  sequence: number;
  createdAt: number;
  updatedAt: number;
}

/** Events that reach into [`from`, `to`), starting at `earliest` or later. */
export interface Span {
  earliest: number;
  from: number;
  to: number;
}

const sql = tables<{ calendar_events: Row }>();

const insertRow = sql((q, p: Row) =>
  q.insertInto('calendar_events').values({
    id: p.id,
    account_id: p.account_id,
    summary: p.summary,
    description: p.description,
    location: p.location,
    attendees: p.attendees,
    all_day: p.all_day,
    start_at: p.start_at,
    end_at: p.end_at,
    sequence: p.sequence,
    created_at: p.created_at,
    updated_at: p.updated_at,
  }),
);

const byId = sql((q, p: { account_id: string; id: string }) =>
  q.selectFrom('calendar_events').selectAll().where('id', '=', p.id).where('account_id', '=', p.account_id),
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

/** An event without length is in a window that it starts in. */
const page = sql((q, p: Within & { after_start: number; after_id: string; limit: number }) =>
  q
    .selectFrom('calendar_events')
    .selectAll()
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

const toEvent = (row: Row): CalendarEvent => ({
  id: row.id,
  accountId: row.account_id,
  summary: row.summary,
  description: row.description,
  location: row.location,
  attendees: JSON.parse(row.attendees) as string[],
  allDay: row.all_day === 1,
  startAt: row.start_at,
  endAt: row.end_at,
  sequence: row.sequence,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const toRow = (event: CalendarEvent): Row => ({
  id: event.id,
  account_id: event.accountId,
  summary: event.summary,
  description: event.description,
  location: event.location,
  attendees: JSON.stringify(event.attendees),
  all_day: event.allDay ? 1 : 0,
  start_at: event.startAt,
  end_at: event.endAt,
  sequence: event.sequence,
  created_at: event.createdAt,
  updated_at: event.updatedAt,
});

export const insertEvent = async (tx: Tx, event: CalendarEvent): Promise<void> =>
  void (await tx.run(insertRow, toRow(event)));

export async function findEvent(reader: Reader, accountId: string, id: string): Promise<CalendarEvent | null> {
  const row = await reader.first(byId, { account_id: accountId, id });
  return row ? toEvent(row) : null;
}

export const updateEvent = async (tx: Tx, event: CalendarEvent): Promise<void> =>
  void (await tx.run(updateRow, toRow(event)));

export const deleteEvent = async (tx: Tx, accountId: string, id: string): Promise<void> =>
  void (await tx.run(deleteRow, { account_id: accountId, id }));

/** In order of their start, behind the given one. */
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
  return rows.map(toEvent);
};

/** Reads the index alone, over no more entries than the tier allows events. */
export const countEvents = async (reader: Reader, accountId: string, span: Span): Promise<number> =>
  Number((await reader.first(countWithin, { ...span, account_id: accountId }))?.count ?? 0);
