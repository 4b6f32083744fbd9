import { iso } from '../../../base/clock.ts';
import { type DecisionWords, quoteEach } from '../../money/approvals/decision-mail.ts';
import { type Review, WHY, type Why } from './review-table.ts';

function mailText(review: Review, name: string, link: string): string {
  const { accountId, address, recipients, subject, reason, expiresAt, id } = review;
  const words = quoteEach([
    ['The agent calls itself', name],
    ['To', recipients.join(', ')],
    ['Subject', subject],
  ]);
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

export const REVIEW_WORDS: DecisionWords<Review> = {
  subject: () => 'Let this email go out?',
  text: mailText,
  line: ({ accountId, address, expiresAt }) =>
    `Account ${accountId} wants to send an email from ${address}, until ${iso(expiresAt)}`,
};
