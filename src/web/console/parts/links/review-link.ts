import { html } from 'lit-html';
import type { ViewReviewReply } from '../../../../client/generated/operations.ts';
import { serviceFor } from '../../ui/console-service.ts';
import { byPasskey } from '../../ui/decide.ts';
import { agentName, fill } from '../../ui/format.ts';
import { words } from '../../words/console-words.ts';
import { askerFacts } from '../charge-part.ts';
import { heldMail, mailFacts, senderFacts } from '../held-mail-part.ts';
import { type Asked, type Outcome, questionView, reasonField, reasonIn } from './link-question.ts';

/** `/review#id=…&token=…`, from the mail about an outgoing mail that is held. */

const LINK = /^#id=(rev_[0-9a-z]{26})&token=([0-9A-Za-z]{1,64})$/;

interface Decided {
  status: string;
  resolved_at: string | null;
  /** Why an approved mail is not sent. */
  error?: string | null;
}

function outcome({ status, resolved_at: at, error = null }: Decided): Outcome {
  const { title, why } = words.decide.mail[status as 'approved'] ?? words.decide.ended.other;
  return { title, why: status === 'approved' && error !== null ? fill(words.decide.mailFailed, { error }) : why, at };
}

function asked(review: ViewReviewReply, token: string): Asked {
  const { review_id: id, account_id: accountId, passkey_required: needsPasskey } = review;
  const service = serviceFor(null);
  const choice = (decision: 'approve' | 'reject', label: string) => ({
    id: decision,
    label: needsPasskey ? fill(words.decide.withPasskey, { label }) : label,
    async decide(form: HTMLFormElement) {
      const input = { id, ...reasonIn(form) };
      const decided = needsPasskey
        ? byPasskey(accountId, (own) => (decision === 'approve' ? own.approveReview(input) : own.rejectReview(input)))
        : service.decideReview({ ...input, token, decision });
      return outcome(await decided);
    },
  });
  return {
    title: fill(words.home.review, { name: agentName(review.agent.name) }),
    body: html`${mailFacts(review, { before: askerFacts(review.agent), after: senderFacts(review) })}
      ${heldMail(review, (n) => service.viewReviewAttachment({ id, n, token }))}`,
    fields: reasonField,
    choices: [choice('approve', words.home.approve), choice('reject', words.home.reject)],
    fine: words.decide.mailMeans,
  };
}

export const reviewLink = questionView({
  title: words.decide.reviewTitle,
  read(fragment) {
    const [, id, token] = LINK.exec(fragment) ?? [];
    if (id === undefined || token === undefined) return null;
    return serviceFor(null)
      .viewReview({ id, token })
      .then((review) => (review.status === 'pending' ? asked(review, token) : outcome(review)));
  },
  endOf: () => null,
});
