import { sql as raw } from 'kysely';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { isAmong } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import { REVIEW_TOKENS, REVIEWS, type Review, type ReviewStatus, type ReviewToken } from './review-table.ts';

type Row = RowOf<typeof REVIEWS>;
type TokenRow = RowOf<typeof REVIEW_TOKENS>;

const sql = tables<{ reviews: Row; review_tokens: TokenRow }>();
const PENDING = raw.lit<ReviewStatus>('pending');

const insertRow = sql((q, p: Row) => q.insertInto('reviews').values(REVIEWS.values(p)));
const byId = sql((q, p: { id: string }) => q.selectFrom('reviews').select(REVIEWS.names).where('id', '=', p.id));
const byIdLocked = sql((q, p: { id: string }, engine) => {
  const query = q.selectFrom('reviews').select(REVIEWS.names).where('id', '=', p.id);
  return engine === 'postgres' ? query.forUpdate() : query;
});

/** Only a pending review takes a decision, so that one of several concurrent decisions wins. */
const settle = sql((q, p: Pick<Row, 'id' | 'status' | 'resolved_at' | 'resolved_by' | 'comment'>) =>
  q
    .updateTable('reviews')
    .set({
      status: p.status,
      resolved_at: p.resolved_at,
      resolved_by: p.resolved_by,
      comment: p.comment,
      // What is decided is paid or not, and never again.
      payment: null,
    })
    .where('id', '=', p.id)
    .where('status', '=', 'pending'),
);

interface PageParams {
  account_id: string;
  before: string;
  limit: number;
}

const page = sql((q, p: PageParams) =>
  q
    .selectFrom('reviews')
    .select(REVIEWS.names)
    .where('account_id', '=', p.account_id)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);
const pageOfStatus = sql((q, p: PageParams & { status: ReviewStatus }) =>
  q
    .selectFrom('reviews')
    .select(REVIEWS.names)
    .where('account_id', '=', p.account_id)
    .where('status', '=', p.status)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const pendingByAccount = sql((q, p: { ids: string; now: number }, engine) =>
  q
    .selectFrom('reviews')
    .select((eb) => ['account_id', eb.fn.countAll<number>().as('pending')])
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids))
    // A literal, because with a parameter the planner does not use the partial index.
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

const insertTokenRow = sql((q, p: TokenRow) => q.insertInto('review_tokens').values(REVIEW_TOKENS.values(p)));
const tokenByHash = sql((q, p: { hash: string }) =>
  q.selectFrom('review_tokens').select(['review_id', 'email']).where('hash', '=', p.hash),
);
const deleteTokens = sql((q, p: { before: number }) =>
  q.deleteFrom('review_tokens').where('expires_at', '<', p.before),
);

export const insertReview = async (tx: Tx, review: Review): Promise<void> =>
  void (await tx.run(insertRow, REVIEWS.toRow(review)));

export async function findReview(reader: Reader, id: string): Promise<Review | null> {
  const row = await reader.first(byId, { id });
  return row ? REVIEWS.fromRow(row) : null;
}

/** Locks a review, so that other decisions wait until the transaction ends. */
export async function lockReview(tx: Tx, id: string): Promise<Review | null> {
  const row = await tx.first(byIdLocked, { id });
  return row ? REVIEWS.fromRow(row) : null;
}

/** Stores the decision about a pending review, and drops its payment. @returns false when it was no longer pending */
export const settleReview = async (tx: Tx, review: Review): Promise<boolean> =>
  (await tx.run(settle, REVIEWS.toRow(review))) === 1;

/** Lists the reviews before an id, newest first. */
export async function listReviews(
  reader: Reader,
  accountId: string,
  { status, before, limit }: { status: ReviewStatus | null; before: string; limit: number },
): Promise<Review[]> {
  const params = { account_id: accountId, before, limit };
  const rows = status === null ? await reader.all(page, params) : await reader.all(pageOfStatus, { ...params, status });
  return rows.map(REVIEWS.fromRow);
}

/** Counts what waits for a decision, by account. */
export async function countPending(
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

export const insertReviewToken = async (tx: Tx, token: ReviewToken): Promise<void> =>
  void (await tx.run(insertTokenRow, REVIEW_TOKENS.toRow(token)));

export async function findReviewToken(
  reader: Reader,
  hash: string,
): Promise<Pick<ReviewToken, 'reviewId' | 'email'> | null> {
  const row = await reader.first(tokenByHash, { hash });
  return row ? { reviewId: row.review_id, email: row.email } : null;
}

/** Deletes the tokens that ended before a time. */
export const purgeReviewTokens = (tx: Tx, before: number): Promise<number> => tx.run(deleteTokens, { before });
