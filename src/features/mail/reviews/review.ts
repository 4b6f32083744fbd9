import { ApiError } from '../../../api/errors.ts';
import type { AppendEvent } from '../../../api/events.ts';
import type { EnqueueJob } from '../../../api/job-types.ts';
import type { Limits } from '../../../api/limits.ts';
import { newestFirst, type Page } from '../../../api/page.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { iso } from '../../../base/clock.ts';
import { isId, newId } from '../../../base/ids.ts';
import type { Sealer } from '../../../base/sealing.ts';
import { type Limited, mayUse } from '../../account/addresses/address.ts';
import { confirmedOperators } from '../../account/people/person.ts';
import {
  alreadyResolved,
  type DecisionKind,
  requireLinkDecides,
  requireLinked,
  requirePending,
} from '../../money/approvals/decision.ts';
import { isOverdue, statusAt } from '../../money/approvals/decision-schema.ts';
import type { MailPolicyRules } from '../mail-policy/effective-policy.ts';
import type { SendPolicy } from '../mail-policy/send-policy.ts';
import { listAttachments, readAttachment, readBody } from '../mailboxes/content/mail-content.ts';
import { findOutbox } from '../mailboxes/messages/sent.ts';
import { WITHDRAWN } from '../mailboxes/messages/sent-table.ts';
import { shownSubject } from '../mailboxes/messages/shown-mail.ts';
import {
  countOpenReviews,
  findReview,
  findReviewOf,
  heldMailsOf,
  insertReview,
  listReviews,
  lockReview,
  openReviewsOf,
  pendingReviews,
  settleReview,
} from './review-store.ts';
import { REVIEW_PAYMENT, type Remember, type Review, type ReviewDecision, type ReviewStatus } from './review-table.ts';

export const REVIEW: DecisionKind<Review> = {
  prefix: 'rev',
  link: 'review',
  page: 'review',
  noun: 'mail',
  find: findReview,
  decider: ({ accountId }) => accountId,
  asker: ({ accountId }) => accountId,
};

export { countOpenReviews, heldMailsOf, openReviewsOf };

/** Whether an operator let a mail go. */
export const wasApproved = async (reader: Reader, outboxId: string): Promise<boolean> =>
  (await findReviewOf(reader, outboxId))?.status === 'approved';

/** What a held mail holds; nothing once it is decided. */
export async function heldContentOf(reader: Reader, { outboxId, status }: Review) {
  const entry = status === 'pending' ? await findOutbox(reader, outboxId) : null;
  const body = entry?.contentId ? await readBody(reader, entry.contentId) : null;
  if (!entry?.contentId || !body) return { text: null, html: null, attachments: [] };
  return { text: body.text, html: body.html, attachments: await listAttachments(reader, entry.contentId) };
}

/** An attachment of a mail that waits. @throws ApiError `not_found` */
export async function requireHeldFile(reader: Reader, { outboxId, status }: Review, n: number): Promise<Uint8Array> {
  const entry = status === 'pending' ? await findOutbox(reader, outboxId) : null;
  const file = entry?.contentId ? await readAttachment(reader, entry.contentId, n) : null;
  if (!file) throw new ApiError('not_found');
  return file.content;
}

/** A review as a caller of the account may see it: its subject may quote a code. */
export const shownReview = (caller: Principal, review: Review) => ({ ...review, ...shownSubject(caller, review) });

/** What the outbox gives of a mail that is held. */
export type NewReview = Pick<
  Review,
  'accountId' | 'outboxId' | 'address' | 'recipients' | 'subject' | 'reason' | 'secrets' | 'held'
> & {
  /** JSON of the payment that is settled at release. */
  payment: string | null;
};

/** Sends a mail that was let go, or ends it. The outbox does both. */
export interface Carrier {
  /** @returns null when it is on its way, else why it failed */
  release(tx: Tx, review: Review, payment: string | null, now: number): Promise<string | null>;
  refuse(tx: Tx, review: Review, error: string, now: number): Promise<void>;
}

/** A decision about a review. `by` names the credential. */
export interface Decision {
  approve: boolean;
  /** What an approval is remembered for. */
  remember: Remember;
  comment: string | null;
  by: 'session' | 'mail_link';
  now: number;
}

export interface ReviewDeps {
  limits: Limits;
  sealer: Sealer;
  mailPolicy: Pick<MailPolicyRules, 'allowDomains'>;
  sendPolicy: Pick<SendPolicy, 'remember'>;
  appendEvent: AppendEvent<Tx>;
  enqueueJob: EnqueueJob;
}

/** Only operators see what is held and decide about it, whatever the authority. @throws ApiError `operator_required` */
function requireOperator({ operator }: Principal): void {
  if (!operator) throw new ApiError('operator_required');
}

/** A review of the account that the operator acts for. @throws ApiError `operator_required`, `not_found` */
export async function requireReview(reader: Reader, principal: Principal, id: string): Promise<Review> {
  requireOperator(principal);
  const found = isId('rev', id) ? await findReview(reader, id) : null;
  if (found?.accountId !== principal.accountId) throw new ApiError('not_found');
  return found;
}

/** Lists the reviews of what the caller's addresses send, newest first. @throws ApiError `invalid_cursor` */
export const pageOfReviews = (
  reader: Reader,
  { accountId, addresses }: Limited,
  { status, cursor, limit }: { status: ReviewStatus | null; cursor: string | undefined; limit: number },
): Promise<Page<Review>> =>
  newestFirst(
    'rev',
    { cursor, limit },
    (before, many) => listReviews(reader, { accountId, addresses, status }, before, many),
    ({ id }) => id,
  );

/** Reads the review of a mailed link. @throws ApiError `invalid_token` */
export const requireLinkedReview = (reader: Reader, given: { id: string; token: string; now: number }) =>
  requireLinked(reader, REVIEW, given);

const mailOf = ({ id, outboxId, address, recipients, subject }: Review) => ({
  review_id: id,
  id: outboxId,
  from: address,
  to: recipients,
  subject,
});

/** Reviews that `secure` ends in one transaction. More are held only by an account that sends more in a week. */
const CANCELLED_MAX = 1000;

/** Keeps outgoing mail back until an operator decides, and carries the decision out exactly once. */
export class ReviewRules {
  readonly #deps: ReviewDeps;
  #carrier: Carrier | null = null;

  constructor(deps: ReviewDeps) {
    this.#deps = deps;
  }

  /** Names who sends the mail. The outbox is built later than this. */
  carryOutBy(carrier: Carrier): void {
    this.#carrier = carrier;
  }

  /** Stores a held mail for review, and tells the operators. */
  async open(tx: Tx, { payment, ...given }: NewReview, now: number): Promise<Review> {
    const { limits, sealer, appendEvent, enqueueJob } = this.#deps;
    const id = newId('rev', now);
    const review: Review = {
      ...given,
      id,
      payment: payment === null ? null : sealer.seal(REVIEW_PAYMENT, id, payment),
      status: 'pending',
      createdAt: now,
      expiresAt: now + limits.review_ttl_seconds * 1000,
      resolvedAt: null,
      resolvedBy: null,
      comment: null,
    };
    await insertReview(tx, review);
    const data = { ...mailOf(review), reason: review.reason, expires_at: iso(review.expiresAt) };
    await appendEvent(tx, { accountId: review.accountId, type: 'email.held', data, now });
    await enqueueJob(tx, { kind: 'review.expire', payload: { reviewId: id }, runAt: review.expiresAt });
    for (const { address: email } of await confirmedOperators(tx, review.accountId))
      await enqueueJob(tx, { kind: 'mail.review', payload: { reviewId: id, email }, runAt: now });
    return review;
  }

  /**
   * Decides as an operator who is logged in.
   * @throws ApiError `operator_required`, `not_found`, `already_resolved`, `expired`; `public_domain` or `invalid_request`
   *   for domains that cannot be remembered
   */
  async resolve(tx: Tx, principal: Principal, id: string, decision: Decision): Promise<ReviewDecision> {
    const review = await requireReview(tx, principal, id);
    const { approve, remember, now } = decision;
    requirePending(REVIEW, review, now);
    if (approve && remember === 'domain')
      await this.#deps.mailPolicy.allowDomains(tx, principal, review.address, review.recipients, now);
    return this.#settle(tx, review.id, decision);
  }

  /** Decides with the token of a mailed link. @throws ApiError as {@link resolve}, `invalid_token`, `passkey_required` */
  async resolveByToken(tx: Tx, id: string, token: string, decision: Decision) {
    const person = await requireLinkDecides(tx, REVIEW, { id, token, now: decision.now });
    return { decided: await this.#settle(tx, id, decision), person };
  }

  /** Takes back a mail that waits, as its sender. @throws ApiError `not_found`, `already_resolved` */
  async withdraw(tx: Tx, principal: Principal, id: string, now: number): Promise<ReviewDecision> {
    const review = isId('rev', id) ? await lockReview(tx, id) : null;
    if (review === null || !mayUse(principal, review)) throw new ApiError('not_found');
    const status = statusAt(review, now);
    if (status !== 'pending') throw alreadyResolved(REVIEW, { ...review, status });
    const withdrawn: Review = { ...review, status: 'withdrawn', resolvedBy: principal.credential };
    return { review: await this.#end(tx, withdrawn, WITHDRAWN, now), error: WITHDRAWN };
  }

  /** Ends a review whose time is over. The mail is not sent. @returns null when it was decided */
  async expire(tx: Tx, id: string, now: number): Promise<Review | null> {
    const review = await lockReview(tx, id);
    if (!review || !isOverdue(review, now)) return null;
    return this.#end(tx, { ...review, status: 'expired' }, 'No operator approved this mail in time.', now);
  }

  /** Ends every review of an account: a thief may have written what waits. @returns how many */
  async cancelAll(tx: Tx, accountId: string, now: number): Promise<number> {
    const ids = await pendingReviews(tx, accountId, CANCELLED_MAX);
    for (const id of ids) {
      const review = await lockReview(tx, id);
      if (review?.status !== 'pending') continue;
      const ended = { ...review, status: 'rejected' as const, resolvedBy: 'secure' };
      await this.#end(tx, ended, 'The account was secured before this mail was approved.', now);
    }
    return ids.length;
  }

  async #settle(tx: Tx, id: string, { approve, remember, comment, by, now }: Decision): Promise<ReviewDecision> {
    const review = (await lockReview(tx, id)) as Review;
    requirePending(REVIEW, review, now);
    if (!approve) {
      const error = comment === null ? 'An operator rejected this mail.' : `An operator rejected this mail: ${comment}`;
      const rejected: Review = { ...review, status: 'rejected', resolvedBy: by, comment };
      return { review: await this.#end(tx, rejected, error, now), error };
    }
    const approved: Review = { ...review, status: 'approved', resolvedAt: now, resolvedBy: by, comment };
    // The row is locked and was pending. If that were not so, the transaction must not commit.
    if (!(await settleReview(tx, approved))) throw new ApiError('already_resolved');
    const { accountId, recipients } = review;
    if (remember === 'recipient') await this.#deps.sendPolicy.remember(tx, accountId, recipients, now);
    await this.#deps.appendEvent(tx, { accountId, type: 'email.released', data: mailOf(review), now });
    const payment = review.payment && this.#deps.sealer.open(REVIEW_PAYMENT, id, review.payment);
    return { review: approved, error: await (this.#carrier as Carrier).release(tx, approved, payment, now) };
  }

  /** Ends a locked review that is not approved. @returns it as it ended */
  async #end(tx: Tx, ended: Review, error: string, now: number): Promise<Review> {
    const review: Review = { ...ended, resolvedAt: now };
    if (!(await settleReview(tx, review))) throw new ApiError('already_resolved');
    const data = { ...mailOf(review), reason: review.status as 'rejected' | 'expired' | 'withdrawn' };
    await this.#deps.appendEvent(tx, { accountId: review.accountId, type: 'email.rejected', data, now });
    await (this.#carrier as Carrier).refuse(tx, review, error, now);
    return review;
  }
}
