import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import { BUNDLED_NEWS, type BundledNews } from './news-table.ts';

export const insertNews = BUNDLED_NEWS.insertNew();
const after = BUNDLED_NEWS.after(['email', 'bundle']);
const waiting = BUNDLED_NEWS.after(['email'], { bundle: null });
/** Deletes what a mail held. */
export const dropBundle = BUNDLED_NEWS.remove(['email', 'bundle']);

const sql = tables<{ bundled_news: RowOf<typeof BUNDLED_NEWS> }>();

const take = sql((q, p: { email: string; bundle: string; now: number }) =>
  q
    .updateTable('bundled_news')
    .set({ bundle: p.bundle })
    .where('email', '=', p.email)
    .where('bundle', 'is', null)
    .where('due_at', '<=', p.now),
);
const hasten = sql((q, p: { email: string; now: number }) =>
  q.updateTable('bundled_news').set({ due_at: p.now }).where('email', '=', p.email).where('bundle', 'is', null),
);

/** One mail lists so many. */
export const LISTED_MAX = 100;

/** What a mail holds, oldest first, and one more if there are more than it lists. */
export const newsIn = (reader: Reader, email: string, bundle: string): Promise<BundledNews[]> =>
  after(reader, { email, bundle }, { id: '' }, LISTED_MAX + 1);

/** The oldest news that waits for the next mail. */
export const firstWaiting = async (reader: Reader, email: string): Promise<BundledNews | null> =>
  (await waiting(reader, { email }, { id: '' }, 1))[0] ?? null;

/** Puts what is due into a mail. */
export const takeDue = (tx: Tx, email: string, bundle: string, now: number): Promise<number> =>
  tx.run(take, { email, bundle, now });

/** Makes due what waits. @returns how many */
export const makeDue = (tx: Tx, email: string, now: number): Promise<number> => tx.run(hasten, { email, now });
