import { html } from 'lit-html';
import type { ViewApprovalReply } from '../../../../client/generated/operations.ts';
import { serviceFor } from '../../ui/console-service.ts';
import { byPasskey } from '../../ui/decide.ts';
import { agentName, fill, usdc } from '../../ui/format.ts';
import { words } from '../../words/console-words.ts';
import { chargeFacts } from '../charge-part.ts';
import { type Asked, type Outcome, questionView, reasonField, reasonIn } from './link-question.ts';

/** `/approve#id=…&token=…`, from the mail about a charge. */

const LINK = /^#id=(apr_[0-9a-z]{26})&token=([0-9A-Za-z]{1,64})$/;

const outcome = ({ status, resolved_at: at }: { status: string; resolved_at?: string | null }): Outcome => ({
  ...(words.decide.charge[status as 'approved'] ?? words.decide.ended.other),
  at: at ?? null,
});

function asked(approval: ViewApprovalReply, token: string): Asked {
  const { id, passkey_required: needsPasskey } = approval;
  const service = serviceFor(null);
  const choice = (decision: 'approve' | 'reject', label: string) => ({
    id: decision,
    label: needsPasskey ? fill(words.decide.withPasskey, { label }) : label,
    async decide(form: HTMLFormElement) {
      const input = { id, ...reasonIn(form) };
      const decided = needsPasskey
        ? byPasskey(approval.decided_by_account, (own) =>
            decision === 'approve' ? own.approveCharge(input) : own.rejectCharge(input),
          )
        : service.decideApproval({ ...input, token, decision });
      return outcome(await decided);
    },
  });
  return {
    title: fill(words.home.charge, { name: agentName(approval.agent.name), amount: usdc(approval.amount_usdc) }),
    body: html`${chargeFacts(approval, approval.agent, approval.caps)}`,
    fields: reasonField,
    choices: [choice('approve', words.home.approve), choice('reject', words.home.reject)],
    fine: words.decide.chargeMeans,
  };
}

export const approveLink = questionView({
  title: words.decide.approveTitle,
  read(fragment) {
    const [, id, token] = LINK.exec(fragment) ?? [];
    if (id === undefined || token === undefined) return null;
    return serviceFor(null)
      .viewApproval({ id, token })
      .then((approval) => (approval.status === 'pending' ? asked(approval, token) : outcome(approval)));
  },
  endOf: () => null,
});
