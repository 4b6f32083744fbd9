import type { LockdownResult, Securing } from '../../../api/account/lockdown-parts.ts';
import type { JobAttempt } from '../../../api/job-types.ts';
import type { Tx } from '../../../api/transaction.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { askerOf } from '../../account/addresses/address-asker.ts';
import { createExpiry } from '../../money/approvals/decision.ts';
import type { DecisionMails } from '../../money/approvals/decision-mail.ts';
import { waitingHeldMails } from './held-mails.ts';
import { countOpenReviews, heldMailsOf, REVIEW, type ReviewDeps, ReviewRules } from './review.ts';
import { REVIEW_WORDS } from './review-mailer.ts';
import { reviewRoutes } from './review-routes.ts';
import { REVIEW_PAYMENT, REVIEWS } from './review-table.ts';

declare module '../../../api/job-types.ts' {
  interface JobPayloads {
    /** Mails a link to an operator who decides about a held mail. */
    'mail.review': { reviewId: string; email: string };
    /** Rejects a held mail that was not decided in time. */
    'review.expire': { reviewId: string };
  }
}

type Needs = FeatureContext & { decisionMails: DecisionMails } & Pick<ReviewDeps, 'mailPolicy' | 'sendPolicy'>;

/** Outgoing mail that waits until an operator lets it go. */
export const reviewsFeature = feature('reviews', (needs: Needs) => {
  const { database, events, jobs, decisionMails, secrets } = needs;
  const reviews = new ReviewRules({
    ...needs,
    sealer: secrets.sealer,
    appendEvent: events.append,
    enqueueJob: jobs.enqueue,
  });
  const mailReview = decisionMails.asks(REVIEW, REVIEW_WORDS);
  const expire = createExpiry(needs, REVIEW, (tx, id, now) => reviews.expire(tx, id, now));
  return {
    tables: [REVIEWS],
    sealed: [REVIEW_PAYMENT],
    endpoints: reviewRoutes(reviews, database, askerOf),
    jobs: {
      'mail.review': (job: JobAttempt<'mail.review'>) => mailReview(job, job.payload.reviewId, job.payload.email),
      'review.expire': ({ payload, now }: JobAttempt<'review.expire'>) => expire(payload.reviewId, now),
    },
    waiting: { held_mail: { list: waitingHeldMails, expire } },
    secure: async (tx: Tx, { accountId, now }: Securing): Promise<LockdownResult> => {
      const cancelled = await reviews.cancelAll(tx, accountId, now);
      const detail = `${cancelled} held emails`;
      return cancelled === 0 ? {} : { changes: [{ at: now, what: 'reviews_rejected', detail }] };
    },
    provides: { reviews, countOpenReviews, heldMailsOf },
  };
});
