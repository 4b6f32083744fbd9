import { sql as raw } from 'kysely';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { isAmong } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import { REVIEWS, type Review } from './review-table.ts';

const settle = REVIEWS.patch(['status', 'resolvedAt', 'resolvedBy', 'comment', 'payment'], { status: 'pending' });
const reviewsOf = REVIEWS.page(['accountId']);
const reviewsOfStatus = REVIEWS.page(['accountId', 'status']);
export const insertReview = REVIEWS.insert();
export const findReview = REVIEWS.find();
/** Locks a review, so that other decisions wait until the transaction ends. */
export const lockReview = REVIEWS.lock();

const sql = tables<{ reviews: RowOf<typeof REVIEWS> }>();
/** A literal, because with a parameter the planner does not use the partial index. */
const PENDING = raw.lit<Review['status']>('pending');

const pendingByAccount = sql((q, p: { ids: string; now: number }, engine) =>
  q
    .selectFrom('reviews')
    .select((eb) => ['account_id', eb.fn.countAll<number>().as('pending')])
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids))
    .where('status', '=', PENDING)
    .where('expires_at', '>', p.now)
    .groupBy('account_id'),
);

const pendingOf = sql((q, p: { account_id: string; limit: number }) =>
  q
    .selectFrom('reviews')
    .select('id')
    .where('account_id', '=', p.account_id)
    .where('status', '=', PENDING)
    .orderBy('expires_at')
    .limit(p.limit),
);

/**
 * Stores the decision about a pending review, so that one of several decisions wins, and drops its payment: what is
 * decided is paid or not, and never again. @returns false when it was no longer pending
 */
export const settleReview = (tx: Tx, review: Review): Promise<boolean> => settle(tx, { ...review, payment: null });

/** Lists the reviews before an id, newest first. */
export function listReviews(
  reader: Reader,
  accountId: string,
  { status, before: id, limit }: { status: Review['status'] | null; before: string; limit: number },
): Promise<Review[]> {
  const of = { accountId };
  return status === null
    ? reviewsOf(reader, of, { id }, limit)
    : reviewsOfStatus(reader, { ...of, status }, { id }, limit);
}

/** Counts the held mails of each account that wait for a decision. */
export async function countOpenReviews(
  reader: Reader,
  accountIds: readonly string[],
  now: number,
): Promise<Map<string, number>> {
  const ids = JSON.stringify(accountIds.map((id) => [id]));
  const rows = await reader.all(pendingByAccount, { ids, now });
  return new Map(rows.map((row) => [row.account_id, row.pending]));
}

/** The ids of what waits, what ends first at the head. */
export const pendingReviews = async (reader: Reader, accountId: string, limit: number): Promise<string[]> =>
  (await reader.all(pendingOf, { account_id: accountId, limit })).map(({ id }) => id);
