import { type ListWaiting, waitingParams } from '../../../api/account/waiting.ts';
import { reviewBody } from './review-schema.ts';
import { waitingReviews } from './review-store.ts';

/** The mails that wait for an operator, with those whose time is over and that are not ended yet. */
export const waitingHeldMails: ListWaiting = async (reader, query) =>
  (await waitingReviews(reader, waitingParams(query))).map((review) => {
    const { id, accountId, address, recipients, reason, createdAt, expiresAt } = review;
    const [first, ...others] = recipients;
    const to = others.length > 0 ? `${first} and ${others.length} more` : first;
    return {
      id,
      accountId,
      since: createdAt,
      expiresAt,
      summary: `An email from ${address} to ${to} waits for an operator: ${reason}.`,
      deciders: ['operator'],
      call: { operation: 'approveReview', params: { id } },
      about: () => reviewBody(review, query.now),
    };
  });
