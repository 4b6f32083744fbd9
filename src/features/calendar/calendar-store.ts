import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

interface Row {
  account_id: string;
  name: string | null;
  events: number;
  duration_max: number;
  revision: number;
  feed_generation: number;
  feed_hash: string | null;
  updated_at: number;
}

export interface Calendar {
  accountId: string;
  name: string | null;
  /** How many there are. */
  events: number;
  /** Milliseconds; no event lasts longer. */
  durationMax: number;
  revision: number;
  feedGeneration: number;
  feedHash: string | null;
  updatedAt: number;
}

const sql = tables<{ calendars: Row }>();

const makeRow = sql((q, p: { account_id: string; now: number }) =>
  q
    .insertInto('calendars')
    .values({
      account_id: p.account_id,
      name: null,
      events: 0,
      duration_max: 0,
      revision: 0,
      feed_generation: 0,
      feed_hash: null,
      updated_at: p.now,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

const byAccount = sql((q, p: { account_id: string }) =>
  q.selectFrom('calendars').selectAll().where('account_id', '=', p.account_id),
);

const byFeed = sql((q, p: { feed_hash: string }) =>
  q.selectFrom('calendars').selectAll().where('feed_hash', '=', p.feed_hash),
);

/** Checked and counted in one statement: no number of parallel creations gets past the limit. */
const change = sql((q, p: { account_id: string; added: number; duration: number; limit: number; now: number }) =>
  q
    .updateTable('calendars')
    .set((eb) => ({
      events: eb('events', '+', p.added),
      duration_max: eb.case().when('duration_max', '<', p.duration).then(p.duration).else(eb.ref('duration_max')).end(),
      revision: eb('revision', '+', 1),
      updated_at: p.now,
    }))
    .where('account_id', '=', p.account_id)
    .where('events', '<=', p.limit),
);

const rename = sql((q, p: { account_id: string; name: string | null; now: number }) =>
  q
    .updateTable('calendars')
    .set((eb) => ({ name: p.name, revision: eb('revision', '+', 1), updated_at: p.now }))
    .where('account_id', '=', p.account_id),
);

const raiseGeneration = sql((q, p: { account_id: string; above: number }) =>
  q
    .updateTable('calendars')
    .set((eb) => ({ feed_generation: eb('feed_generation', '+', 1) }))
    .where('account_id', '=', p.account_id)
    .where('feed_generation', '<=', p.above)
    .returning('feed_generation'),
);

const setFeedHash = sql((q, p: { account_id: string; hash: string }) =>
  q.updateTable('calendars').set({ feed_hash: p.hash }).where('account_id', '=', p.account_id),
);

const toCalendar = (row: Row): Calendar => ({
  accountId: row.account_id,
  name: row.name,
  events: row.events,
  durationMax: row.duration_max,
  revision: row.revision,
  feedGeneration: row.feed_generation,
  feedHash: row.feed_hash,
  updatedAt: row.updated_at,
});

export async function findCalendar(reader: Reader, accountId: string): Promise<Calendar | null> {
  const row = await reader.first(byAccount, { account_id: accountId });
  return row ? toCalendar(row) : null;
}

export async function findCalendarByFeed(reader: Reader, feedHash: string): Promise<Calendar | null> {
  const row = await reader.first(byFeed, { feed_hash: feedHash });
  return row ? toCalendar(row) : null;
}

/** Makes the account's calendar where there is none yet. */
export const ensureCalendar = async (tx: Tx, accountId: string, now: number): Promise<void> =>
  void (await tx.run(makeRow, { account_id: accountId, now }));

export interface CalendarChange {
  /** By how many events there are more. */
  added: -1 | 0 | 1;
  /** Of the event that is written, milliseconds. */
  duration: number;
  /** So many events there may be before this change. */
  limit: number;
  now: number;
}

/** @returns false when there are more events than the change allows */
export const changeCalendar = async (
  tx: Tx,
  accountId: string,
  { added, duration, limit, now }: CalendarChange,
): Promise<boolean> => (await tx.run(change, { account_id: accountId, added, duration, limit, now })) === 1;

export const renameCalendar = async (tx: Tx, accountId: string, name: string | null, now: number): Promise<void> =>
  void (await tx.run(rename, { account_id: accountId, name, now }));

/** Counts the feed's links. @returns the number of the new one, or null when there were more than `above` before */
export const raiseFeedGeneration = async (tx: Tx, accountId: string, above: number): Promise<number | null> =>
  (await tx.first(raiseGeneration, { account_id: accountId, above }))?.feed_generation ?? null;

export const setFeed = async (tx: Tx, accountId: string, hash: string): Promise<void> =>
  void (await tx.run(setFeedHash, { account_id: accountId, hash }));
