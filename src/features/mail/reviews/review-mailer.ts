import type { JobAttempt, JobOutcome } from '../../../api/job-types.ts';
import { quoteWords } from '../../../api/quoted-text.ts';
import type { Database, Tx } from '../../../api/transaction.ts';
import { iso } from '../../../base/clock.ts';
import { DAY_MS } from '../../../base/period.ts';
import { findAccount, isOpen } from '../../account/accounts/account-lifecycle.ts';
import { isOperator } from '../../account/people/person.ts';
import { DECISION_RETRY_DELAYS_MS, type DecisionMails, type FindWaiting } from '../../money/approvals/decision-mail.ts';
import type { LinkMailer } from '../../service/mailer/link-mailer.ts';
import { mintLink } from '../../service/mailer/mailed-link.ts';
import { findReview } from './review-store.ts';
import { isOverdue, type Review, WHY, type Why } from './review-table.ts';

export interface ReviewMailDeps {
  database: Database;
  mailer: LinkMailer;
  decisionMails: Pick<DecisionMails, 'mayMail'>;
  baseUrl(): string;
}

function mailText(review: Review, name: string | null, link: string): string {
  const { accountId, address, recipients, subject, reason, expiresAt, id } = review;
  const given: [string, string][] = [
    ['The agent calls itself', name ?? ''],
    ['To', recipients.join(', ')],
    ['Subject', subject],
  ];
  const words = given.flatMap(([label, text]) => {
    const quoted = quoteWords(text);
    return quoted === '' ? [] : [`${label}: ${quoted}`];
  });
  return `\
Account ${accountId} wants to send an email from ${address}. ${WHY[reason as Why]}

Read it, then approve or reject it:
${link}

Nothing happens until you press a button there. Without a decision it is rejected at ${iso(expiresAt)}.
Anyone with this email can decide. Do not forward it.
Review: ${id}

What the agent wrote:
${words.join('\n')}
`;
}

/** Finds a review that the address may decide now. Null: it was decided, or the address is no operator. */
async function openReview(database: Database, id: string, email: string, now: number): Promise<Review | null> {
  const review = await findReview(database, id);
  if (review?.status !== 'pending' || isOverdue(review, now)) return null;
  const isTheirs = await isOperator(database, review.accountId, email);
  return isTheirs && (await isOpen(database, await findAccount(database, review.accountId))) ? review : null;
}

async function linkTo(tx: Tx, review: Review, email: string, baseUrl: string): Promise<string> {
  const { id, accountId } = review;
  // It outlives the review, so that a late click learns how it ended.
  const expiresAt = review.expiresAt + DAY_MS;
  const token = await mintLink(tx, { kind: 'review', accountId, subject: id, email, detail: null, expiresAt });
  return `${baseUrl}/review#id=${id}&token=${token}`;
}

/** Finds a held mail for a digest. */
export const waitingReview =
  ({ database, baseUrl }: Pick<ReviewMailDeps, 'database' | 'baseUrl'>): FindWaiting =>
  async (id, email, now) => {
    const review = await openReview(database, id, email, now);
    return (
      review && {
        line: `Account ${review.accountId} wants to send an email from ${review.address}, until ${iso(review.expiresAt)}`,
        mint: (tx) => linkTo(tx, review, email, baseUrl()),
      }
    );
  };

/** Makes one attempt to mail an operator. It creates the token, so that none is ever stored with the job. */
export function createReviewMailer(deps: ReviewMailDeps): (job: JobAttempt<'mail.review'>) => Promise<JobOutcome> {
  const { database, mailer, decisionMails, baseUrl } = deps;
  return async (job) => {
    const { now } = job;
    const { reviewId, email } = job.payload;
    const review = await openReview(database, reviewId, email, now);
    if (!review) return { status: 'done' };
    const account = await findAccount(database, review.accountId);
    const link = await database.transaction(async (tx) => {
      // A repeat of a deferred mail counts once.
      const mayMail = job.attempt > 1 || (await decisionMails.mayMail(tx, email, reviewId, now));
      return mayMail ? linkTo(tx, review, email, baseUrl()) : null;
    });
    if (link === null) return { status: 'done' };
    return mailer.send(job, {
      to: email,
      // No text of an agent: subjects show up on lock screens.
      subject: 'Let this email go out?',
      text: mailText(review, account?.name ?? null, link),
      retryDelaysMs: DECISION_RETRY_DELAYS_MS,
    });
  };
}
