import type { Reader, Tx } from '../../api/transaction.ts';
import type { RowOf } from '../../db/column-map.ts';
import { tables } from '../../db/statement.ts';
import { CALENDARS, type Calendar, KEY_FEEDS } from './calendar-table.ts';

const insertNew = CALENDARS.insertNew();
export const findCalendar = CALENDARS.find();
export const findCalendarByFeed = CALENDARS.find(['feedHash']);
export const findKeyFeed = KEY_FEEDS.find();
export const findKeyFeedByToken = KEY_FEEDS.find(['feedHash']);
export const listKeyFeeds = KEY_FEEDS.list(['accountId']);
export const insertKeyFeed = KEY_FEEDS.insert();
export const removeKeyFeed = KEY_FEEDS.remove();
export const setFeed = CALENDARS.patch(['feedHash', 'feedToken', 'operatedBy']);

const sql = tables<{ calendars: RowOf<typeof CALENDARS> }>();

type Change = { account_id: string; added: number; waiting: number; duration: number; limit: number; now: number };

/** Checks and counts in one statement, so that concurrent creations cannot exceed the limit. */
const change = sql((q, p: Change) =>
  q
    .updateTable('calendars')
    .set((eb) => ({
      events: eb('events', '+', p.added),
      waiting: eb('waiting', '+', p.waiting),
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

const withoutCopy = sql((q, p: { after: string; limit: number }) =>
  q
    .selectFrom('calendars')
    .select(CALENDARS.names)
    .where('account_id', '>', p.after)
    .where('feed_hash', 'is not', null)
    .where('feed_token', 'is', null)
    .orderBy('account_id')
    .limit(p.limit),
);

const EMPTY = {
  name: null,
  events: 0,
  waiting: 0,
  durationMax: 0,
  revision: 0,
  feedGeneration: 0,
  feedHash: null,
  feedToken: null,
  operatedBy: [],
};

/** Creates the account's calendar when it has none yet. */
export const ensureCalendar = async (tx: Tx, accountId: string, now: number): Promise<void> =>
  void (await insertNew(tx, { accountId, ...EMPTY, updatedAt: now }));

export interface CalendarChange {
  /** The change of the number of events that count. */
  added?: number;
  /** The change of the number of invitations that wait. */
  waiting?: number;
  /** The duration of the written event, in milliseconds. */
  duration?: number;
  /** The most events that may count before this change. */
  limit?: number;
  now: number;
}

/** Counts a change of one event. @returns false, and counts nothing, when there are more events than `limit` */
export const changeCalendar = async (
  tx: Tx,
  accountId: string,
  { added = 0, waiting = 0, duration = 0, limit = Number.MAX_SAFE_INTEGER, now }: CalendarChange,
): Promise<boolean> => (await tx.run(change, { account_id: accountId, added, waiting, duration, limit, now })) === 1;

export const renameCalendar = async (tx: Tx, accountId: string, name: string | null, now: number): Promise<void> =>
  void (await tx.run(rename, { account_id: accountId, name, now }));

/** Counts one more feed link. @returns its number, or null, and counts nothing, when there were more than `above` */
export const raiseFeedGeneration = async (tx: Tx, accountId: string, above: number): Promise<number | null> =>
  (await tx.first(raiseGeneration, { account_id: accountId, above }))?.feed_generation ?? null;

/** Calendars with a feed link and no copy of it, in the order of their accounts. */
export const calendarsWithoutCopy = async (reader: Reader, after: string, limit: number): Promise<Calendar[]> =>
  (await reader.all(withoutCopy, { after, limit })).map(CALENDARS.fromRow);

/** Stores a copy of the link with this hash, unless the link has been replaced. */
export const setFeedCopy = CALENDARS.patch(['feedToken'], { feedToken: null }, ['accountId', 'feedHash']);
