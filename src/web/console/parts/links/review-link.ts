import { html } from 'lit-html';
import type { ViewReviewReply } from '../../../../client/generated/operations.ts';
import { serviceFor } from '../../ui/console-service.ts';
import { byPasskey } from '../../ui/decide.ts';
import { agentName } from '../../ui/format.ts';
import { textIn } from '../../ui/kit/form.ts';
import { askerFacts } from '../charge-part.ts';
import { heldMail, mailFacts, type Remember, rememberField, senderFacts } from '../held-mail-part.ts';
import { type Asked, DECIDED_BEFORE, type Outcome, questionView, reasonField, reasonIn } from './link-question.ts';

/** `/review#id=…&token=…`, from the mail about an outgoing mail that is held. */

const LINK = /^#id=(rev_[0-9a-z]{26})&token=([0-9A-Za-z]{1,64})$/;

interface Decided {
  status: string;
  resolved_at: string | null;
  /** Why an approved mail is not sent. */
  error?: string | null;
}

const MAIL = {
  approved: { title: 'Approved', why: 'The mail is on its way. You can close this page.' },
  rejected: { title: 'Rejected', why: 'The mail is not sent. You can close this page.' },
  withdrawn: { title: 'Withdrawn', why: 'The agent took the mail back, so it is not sent.' },
  expired: { title: 'Expired', why: 'Nobody decided in time, so the mail is not sent.' },
};

function outcome({ status, resolved_at: at, error = null }: Decided): Outcome {
  const { title, why } = MAIL[status as 'approved'] ?? DECIDED_BEFORE;
  return { title, why: status === 'approved' && error !== null ? `It could not be sent: ${error}` : why, at };
}

function asked(review: ViewReviewReply, token: string): Asked {
  const { review_id: id, account_id: accountId, passkey_required: needsPasskey } = review;
  const service = serviceFor(null);
  const choice = (decision: 'approve' | 'reject', label: string) => ({
    id: decision,
    label: needsPasskey ? `${label} with passkey` : label,
    async decide(form: HTMLFormElement) {
      const input = { id, reason: reasonIn(form) };
      const remember = textIn(form, 'remember') as Exclude<Remember, 'domain'>;
      const decided = needsPasskey
        ? byPasskey(accountId, (own) =>
            decision === 'approve' ? own.approveReview({ ...input, remember }) : own.rejectReview(input),
          )
        : service.decideReview({ ...input, token, decision, remember });
      return outcome(await decided);
    },
  });
  return {
    title: `${agentName(review.agent.name)} wants to send a mail`,
    body: html`${mailFacts(review, { before: askerFacts(review.agent), after: senderFacts(review) })}
      ${heldMail(review, (n) => service.viewReviewAttachment({ id, n, token }))}`,
    fields: html`${rememberField('remember', { withDomain: false })} ${reasonField}`,
    choices: [choice('approve', 'Approve'), choice('reject', 'Reject')],
    fine: 'If you approve, the mail is sent once. If you reject, it is not sent.',
  };
}

export const reviewLink = questionView({
  title: 'Review a mail',
  read(fragment) {
    const [, id, token] = LINK.exec(fragment) ?? [];
    if (id === undefined || token === undefined) return null;
    return serviceFor(null)
      .viewReview({ id, token })
      .then((review) => (review.status === 'pending' ? asked(review, token) : outcome(review)));
  },
  endOf: () => null,
});
