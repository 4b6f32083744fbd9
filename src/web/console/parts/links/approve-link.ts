import { html } from 'lit-html';
import type { ViewApprovalReply } from '../../../../client/generated/operations.ts';
import { serviceFor } from '../../ui/console-service.ts';
import { byPasskey } from '../../ui/decide.ts';
import { agentName, usdc } from '../../ui/format.ts';
import { chargeFacts } from '../charge-part.ts';
import { type Asked, DECIDED_BEFORE, type Outcome, questionView, reasonField, reasonIn } from './link-question.ts';

/** `/approve#id=…&token=…`, from the mail about a charge. */

const LINK = /^#id=(apr_[0-9a-z]{26})&token=([0-9A-Za-z]{1,64})$/;

const CHARGE = {
  approved: { title: 'Approved', why: 'The charge is recorded. You can close this page.' },
  rejected: { title: 'Rejected', why: 'Nothing was recorded. You can close this page.' },
  expired: { title: 'Expired', why: 'This request expired without a decision. The agent can ask again.' },
};

const outcome = ({ status, resolved_at: at }: { status: string; resolved_at?: string | null }): Outcome => ({
  ...(CHARGE[status as 'approved'] ?? DECIDED_BEFORE),
  at: at ?? null,
});

function asked(approval: ViewApprovalReply, token: string): Asked {
  const { id, passkey_required: needsPasskey } = approval;
  const service = serviceFor(null);
  const what = `${usdc(approval.amount_usdc)} for ${agentName(approval.agent.name)}`;
  const choice = (decision: 'approve' | 'reject', label: string) => ({
    id: decision,
    label: needsPasskey ? `${label} with passkey` : label,
    async decide(form: HTMLFormElement) {
      const input = { id, reason: reasonIn(form) };
      const decided = needsPasskey
        ? byPasskey(approval.decided_by_account, (own) =>
            decision === 'approve' ? own.approveCharge(input) : own.rejectCharge(input),
          )
        : service.decideApproval({ ...input, token, decision });
      const ended = outcome(await decided);
      return { ...ended, why: `${what}. ${ended.why}` };
    },
  });
  return {
    title: `${agentName(approval.agent.name)} wants to spend ${usdc(approval.amount_usdc)}`,
    body: html`${chargeFacts(approval, approval.agent, approval.caps)}`,
    fields: reasonField,
    choices: [choice('approve', 'Approve'), choice('reject', 'Reject')],
    fine: 'If you approve, the charge is recorded even if it exceeds a cap. If you reject, nothing is recorded.',
  };
}

export const approveLink = questionView({
  title: 'Approve a charge',
  read(fragment) {
    const [, id, token] = LINK.exec(fragment) ?? [];
    if (id === undefined || token === undefined) return null;
    return serviceFor(null)
      .viewApproval({ id, token })
      .then((approval) => (approval.status === 'pending' ? asked(approval, token) : outcome(approval)));
  },
  endOf: () => null,
});
