import { hash } from 'node:crypto';
import { jsonRows } from '../db/json-rows.ts';
import { tables } from '../db/statement.ts';
import { iso } from '../kernel/clock.ts';
import type { EventData, EventType, NewEvent } from '../kernel/events.ts';
import { base32, parseBase32 } from '../kernel/ids.ts';
import type { Reader, Tx } from '../kernel/transaction.ts';

interface Tables {
  event_heads: { account_id: string; last_seq: number };
  events: { account_id: string; seq: number; type: string; data: string; created_at: number };
}

const sql = tables<Tables>();

/**
 * Takes the account's next `many` numbers, and tells the last of them. The row stays locked until the transaction ends, so numbers become visible in
 * order and a reader that has seen 7 never misses a 6 that commits later.
 */
const nextSeq = sql((q, p: { account_id: string; many: number }) =>
  q
    .insertInto('event_heads')
    .values({ account_id: p.account_id, last_seq: p.many })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((eb) => ({
        last_seq: eb('event_heads.last_seq', '+', eb.ref('excluded.last_seq')),
      })),
    )
    .returning('last_seq'),
);

const COLUMNS = { account_id: 'text', seq: 'integer', type: 'text', data: 'text', created_at: 'integer' } as const;
const NAMES = Object.keys(COLUMNS) as (keyof Tables['events'])[];

const insertMany = sql((q, p: { rows: string }, engine) =>
  q
    .insertInto('events')
    .columns(NAMES)
    .expression((eb) => eb.selectFrom(jsonRows(engine, p.rows, COLUMNS).as('given')).select(NAMES)),
);

const insertEvent = sql((q, p: Tables['events']) =>
  q
    .insertInto('events')
    .values({ account_id: p.account_id, seq: p.seq, type: p.type, data: p.data, created_at: p.created_at }),
);

const eventsAfter = sql((q, p: { account_id: string; seq: number; limit: number }) =>
  q
    .selectFrom('events')
    .select(['seq', 'type', 'data', 'created_at'])
    .where('account_id', '=', p.account_id)
    .where('seq', '>', p.seq)
    .orderBy('seq')
    .limit(p.limit),
);

const headOf = sql((q, p: { account_id: string }) =>
  q.selectFrom('event_heads').select('last_seq').where('account_id', '=', p.account_id),
);

const forgetBefore = sql((q, p: { before: number }) => q.deleteFrom('events').where('created_at', '<', p.before));

/** A fact as every way of reading frames it. */
export interface LoggedEvent {
  id: string;
  /** Its number in the account's order; the wire has it inside the id. */
  seq: number;
  type: EventType;
  created_at: string;
  data: unknown;
}

/**
 * An event's id is its cursor: 13 characters of its number in the account's order, then 13 of the account's hash so
 * that ids differ between accounts and a webhook receiver may tell repeats by them.
 */
export function eventId(accountId: string, seq: number): string {
  const digest = hash('sha256', accountId, 'buffer');
  return `ev_${base32(seq, 13)}${base32(digest.readUIntBE(0, 6), 13)}`;
}

/** The number inside an event id, or null for other text. */
export function eventSeq(id: string): number | null {
  const seq = /^ev_[0-9a-z]{26}$/.test(id) ? parseBase32(id.slice(3, 16)) : null;
  return seq !== null && Number.isSafeInteger(seq) ? seq : null;
}

/** The topic that wakes readers of an account's events. */
export const eventsTopic = (accountId: string): string => `events:${accountId}`;

/** Appends a fact in the transaction of its cause. */
export async function appendEvent<T extends EventType>(
  tx: Tx,
  event: { accountId: string; type: T; data: EventData[T]; now: number },
): Promise<void> {
  const head = await tx.first(nextSeq, { account_id: event.accountId, many: 1 });
  await tx.run(insertEvent, {
    account_id: event.accountId,
    seq: head?.last_seq as number,
    type: event.type,
    data: JSON.stringify(event.data),
    created_at: event.now,
  });
  tx.signal(eventsTopic(event.accountId));
}

/** Appends facts in the transaction of their cause, each account's in their order, with one statement for all. */
export async function appendEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  const logs = Map.groupBy(events, ({ accountId }) => accountId);
  const rows: unknown[][] = [];
  for (const accountId of [...logs.keys()].sort()) {
    const log = logs.get(accountId) as NewEvent[];
    const head = await tx.first(nextSeq, { account_id: accountId, many: log.length });
    const before = (head?.last_seq as number) - log.length;
    for (const [i, { type, data, now }] of log.entries())
      rows.push([accountId, before + i + 1, type, JSON.stringify(data), now]);
    tx.signal(eventsTopic(accountId));
  }
  await tx.run(insertMany, { rows: JSON.stringify(rows) });
}

/** Up to `limit` facts behind number `seq`, in order. */
export async function readEvents(
  reader: Reader,
  accountId: string,
  seq: number,
  limit: number,
): Promise<LoggedEvent[]> {
  const rows = await reader.all(eventsAfter, { account_id: accountId, seq, limit });
  return rows.map((row) => ({
    id: eventId(accountId, row.seq),
    seq: row.seq,
    type: row.type as EventType,
    created_at: iso(row.created_at),
    data: JSON.parse(row.data) as unknown,
  }));
}

/** The number of the account's latest event; 0 before the first. */
export const lastEventSeq = async (reader: Reader, accountId: string): Promise<number> =>
  (await reader.first(headOf, { account_id: accountId }))?.last_seq ?? 0;

export const purgeEvents = (tx: Tx, before: number): Promise<number> => tx.run(forgetBefore, { before });
