import type { Secured, Securing } from '../../../api/account/lockdown-parts.ts';
import { type JobAttempt, type JobOutcome, notBefore } from '../../../api/job-types.ts';
import type { Tx } from '../../../api/transaction.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { askerOf } from '../../account/addresses/address-asker.ts';
import type { DecisionMails } from '../../money/approvals/decision-mail.ts';
import type { LinkMailer } from '../../service/mailer/link-mailer.ts';
import { countOpenReviews, heldContentOf, ReviewRules } from './review.ts';
import { createReviewMailer, waitingReview } from './review-mailer.ts';
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

type Needs = FeatureContext & { mailer: LinkMailer; decisionMails: DecisionMails };

/** Outgoing mail that waits until an operator lets it go. */
export const reviewsFeature = feature('reviews', (needs: Needs) => {
  const { database, limits, events, jobs, jobEffects, mailer, decisionMails, baseUrl, secrets } = needs;
  decisionMails.lists('rev', waitingReview({ database, baseUrl }));
  const reviews = new ReviewRules({
    sealer: secrets.sealer,
    ttlSeconds: limits.review_ttl_seconds,
    appendEvents: events.appendAll,
    enqueueJob: jobs.enqueue,
  });
  return {
    tables: [REVIEWS],
    sealed: [REVIEW_PAYMENT],
    endpoints: reviewRoutes({ reviews, database, contentOf: heldContentOf, agentOf: askerOf }),
    jobs: {
      'mail.review': createReviewMailer({ database, mailer, decisionMails, baseUrl }),
      'review.expire': async ({ payload, now }: JobAttempt<'review.expire'>): Promise<JobOutcome> => {
        const until = await reviews.openUntil(database, payload.reviewId);
        if (until !== null && until > now) return notBefore(until);
        return {
          status: 'done',
          settle: async (tx) => {
            const expired = await reviews.expire(tx, payload.reviewId, now);
            if (!expired) return;
            const { id, accountId } = expired;
            await jobEffects.note(tx, { accountId, action: 'review.expired', resourceId: id, now });
          },
        };
      },
    },
    secure: async (tx: Tx, { accountId, now }: Securing): Promise<Secured> => {
      const cancelled = await reviews.cancelAll(tx, accountId, now);
      const detail = `${cancelled} held emails`;
      return cancelled === 0 ? {} : { changes: [{ at: now, what: 'reviews_rejected', detail }] };
    },
    provides: { reviews, countOpenReviews },
  };
});
