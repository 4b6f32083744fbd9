import { quoteWords } from '../../kernel/agent-words.ts';
import { iso } from '../../kernel/clock.ts';
import type { JobAttempt, JobOutcome } from '../../kernel/jobs.ts';
import { type Limits, windowRule } from '../../kernel/limits.ts';
import { hashSecret, randomBase62 } from '../../kernel/secret.ts';
import type { Database } from '../../kernel/transaction.ts';
import { findAccount, isOpen } from '../accounts/account-rules.ts';
import { admits } from '../limits/window-rules.ts';
import type { LinkMailer } from '../mailer/link-mailer.ts';
import { isOperator } from '../people/person-rules.ts';
import { isOverdue, type Review, WHY, type Why } from './review-data.ts';
import { findReview, insertReviewToken } from './review-store.ts';

export interface ReviewMailDeps {
  database: Database;
  mailer: LinkMailer;
  limits: Pick<Limits, 'review_mails_per_email_per_hour'>;
  baseUrl(): string;
}

/** A review stays open for days, so its mail may be retried for longer than a login link. */
const RETRY_DELAYS_MS = [60_000, 300_000, 1_800_000, 7_200_000, 28_800_000] as const;

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

/** Makes one attempt to mail an operator. It creates the token, so that none is ever stored with the job. */
export function createReviewMailer(deps: ReviewMailDeps): (job: JobAttempt<'mail.review'>) => Promise<JobOutcome> {
  const { database, mailer, limits, baseUrl } = deps;
  return async (job) => {
    const { now } = job;
    const { reviewId, email } = job.payload;
    const review = await openReview(database, reviewId, email, now);
    if (!review) return { status: 'done' };
    const account = await findAccount(database, review.accountId);
    const made = await database.transaction(async (tx) => {
      const perHour = windowRule(limits, 'review_mails_per_email_per_hour');
      const waitUntil = await admits(tx, `review-mail:${hashSecret(email)}`, [perHour], now);
      if (waitUntil !== null) return waitUntil;
      const token = randomBase62(32);
      await insertReviewToken(tx, { hash: hashSecret(token), reviewId, email, expiresAt: review.expiresAt });
      return `${baseUrl()}/review#id=${reviewId}&token=${token}`;
    });
    if (typeof made === 'number') return { status: 'retry', reason: 'too many mails to this operator', runAt: made };
    return mailer.send(job, {
      to: email,
      // No text of an agent: subjects show up on lock screens.
      subject: 'Let this email go out?',
      text: mailText(review, account?.name ?? null, made),
      retryDelaysMs: RETRY_DELAYS_MS,
    });
  };
}
