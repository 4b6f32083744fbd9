import { sql as raw } from 'kysely';
import type { WaitingParams } from '../../../api/account/waiting.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { isAmong, jsonTexts } from '../../../db/json-rows.ts';
import { tables } from '../../../db/statement.ts';
import { isAfterPlace, isSeenAddress } from '../../../db/waiting-rows.ts';
import { type OpenReview, REVIEWS, type Review } from './review-table.ts';

const settle = REVIEWS.patch(['status', 'resolvedAt', 'resolvedBy', 'comment', 'payment'], { status: 'pending' });
const reviewsOf = REVIEWS.page(['accountId']);
const reviewsOfStatus = REVIEWS.page(['accountId', 'status']);
const reviewsOfAddress = REVIEWS.page(['address', 'accountId']);
const reviewsOfAddressStatus = REVIEWS.page(['address', 'accountId', 'status']);
export const insertReview = REVIEWS.insert();
export const findReview = REVIEWS.find();
/** The review of a mail, by its id in the outbox. */
export const findReviewOf = REVIEWS.find(['outboxId']);
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

const openOfMails = sql((q, p: { ids: string; now: number }, engine) =>
  q
    .selectFrom('reviews')
    .select(['outbox_id', 'id', 'reason', 'created_at', 'expires_at'])
    .where((eb) => isAmong(engine, eb.ref('outbox_id'), p.ids))
    .where('status', '=', PENDING)
    .where('expires_at', '>', p.now),
);

/**
 * Stores the decision about a pending review, so that one of several decisions wins, and drops its payment: what is
 * decided is paid or not, and never again. @returns false when it was no longer pending
 */
export const settleReview = (tx: Tx, review: Review): Promise<boolean> => settle(tx, { ...review, payment: null });

/** Which reviews a list shows. */
export interface ReviewFilter {
  accountId: string;
  /** Only of mail from these; null: from every address. */
  addresses: readonly string[] | null;
  /** Null: all. */
  status: Review['status'] | null;
}

/** Lists the reviews before an id, newest first. */
export async function listReviews(
  reader: Reader,
  { accountId, addresses, status }: ReviewFilter,
  id: string,
  limit: number,
): Promise<Review[]> {
  if (addresses === null)
    return status === null
      ? reviewsOf(reader, { accountId }, { id }, limit)
      : reviewsOfStatus(reader, { accountId, status }, { id }, limit);
  const pages = await Promise.all(
    addresses.map((address) =>
      status === null
        ? reviewsOfAddress(reader, { address, accountId }, { id }, limit)
        : reviewsOfAddressStatus(reader, { address, accountId, status }, { id }, limit),
    ),
  );
  const newest = pages.flat().sort((a, b) => (a.id < b.id ? 1 : -1));
  return newest.slice(0, limit);
}

/** The reviews that mails wait for, by the ids of the mails in the outbox. */
export async function openReviewsOf(
  reader: Reader,
  outboxIds: readonly string[],
  now: number,
): Promise<Map<string, OpenReview>> {
  const rows = await reader.all(openOfMails, { ids: jsonTexts(outboxIds), now });
  return new Map(
    rows.map(({ outbox_id, id, reason, created_at, expires_at }) => [
      outbox_id,
      { id, reason, createdAt: created_at, expiresAt: expires_at },
    ]),
  );
}

const heldOf = sql((q, p: { account_id: string; now: number; limit: number }) =>
  q
    .selectFrom('reviews')
    .select('outbox_id')
    .where('account_id', '=', p.account_id)
    .where('status', '=', PENDING)
    .where('expires_at', '>', p.now)
    .orderBy('expires_at')
    .limit(p.limit),
);

/** The held mails of an account, by their ids in the outbox, what ends first at the head. */
export const heldMailsOf = async (reader: Reader, account_id: string, now: number, limit: number): Promise<string[]> =>
  (await reader.all(heldOf, { account_id, now, limit })).map(({ outbox_id: id }) => id);

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

const waiting = sql((q, p: WaitingParams, engine) =>
  q
    .selectFrom('reviews')
    .select(REVIEWS.names)
    .where((eb) => isAmong(engine, eb.ref('account_id'), p.ids))
    .where((eb) => isSeenAddress(engine, eb.ref('address'), p))
    .where('status', '=', PENDING)
    .where((eb) => isAfterPlace(eb.ref('created_at'), eb.ref('id'), p))
    .orderBy('created_at')
    .orderBy('id')
    .limit(p.limit),
);

/** Lists what waits of these accounts, oldest first, also what is overdue. */
export const waitingReviews = async (reader: Reader, params: WaitingParams): Promise<Review[]> =>
  (await reader.all(waiting, params)).map(REVIEWS.fromRow);

/** The ids of what waits, what ends first at the head. */
export const pendingReviews = async (reader: Reader, accountId: string, limit: number): Promise<string[]> =>
  (await reader.all(pendingOf, { account_id: accountId, limit })).map(({ id }) => id);
