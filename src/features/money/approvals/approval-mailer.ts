import type { JobOutcome } from '../../../api/job-types.ts';
import { iso } from '../../../base/clock.ts';
import { usdc } from '../../../base/usdc.ts';
import { confirmedOperators } from '../../account/people/person.ts';
import type { BudgetDeps } from '../budget.ts';
import { findApproval } from './approval-store.ts';
import type { Approval } from './approval-table.ts';
import { type DecisionWords, quoteEach } from './decision-mail.ts';

const whoAsks = (approval: Approval): string =>
  approval.spenderId === approval.holderId
    ? `Account ${approval.holderId}`
    : `Account ${approval.spenderId}, a pod of ${approval.holderId},`;

function mailText(approval: Approval, name: string, link: string): string {
  const { id, amountUsdc, cause, expiresAt, delegationPath, category, description, referenceId } = approval;
  const why =
    cause === 'budget_exceeded' ? 'It exceeds a spending cap.' : 'It exceeds the limit for a single transaction.';
  const lines = [
    `${whoAsks(approval)} asks to spend ${usdc(amountUsdc)} USDC. ${why}`,
    '',
    'Approve or reject:',
    link,
    '',
    `The page shows the request. Nothing happens until you press a button there. It expires at ${iso(expiresAt)}.`,
    'Anyone with this email can decide. Do not forward it.',
    `Approval: ${id}`,
    ...(delegationPath ? [`Asked for by a delegate: ${delegationPath.split('/').at(-1)}`] : []),
    '',
    'What the agent wrote:',
    ...quoteEach([
      ['The agent calls itself', name],
      ['Category', category],
      ['Description', description],
      ['Reference', referenceId ?? ''],
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

export const APPROVAL_WORDS: DecisionWords<Approval> = {
  subject: ({ amountUsdc }) => `Approve ${usdc(amountUsdc)} USDC?`,
  text: mailText,
  line: (approval) =>
    `${whoAsks(approval)} asks to spend ${usdc(approval.amountUsdc)} USDC, until ${iso(approval.expiresAt)}`,
};

/** A job of an earlier version names no operator. */
export async function mailEach(
  { database, enqueueJob }: BudgetDeps,
  approvalId: string,
  now: number,
): Promise<JobOutcome> {
  const approval = await findApproval(database, approvalId);
  const operators = approval ? await confirmedOperators(database, approval.holderId) : [];
  const complete: JobOutcome['complete'] = async (tx) => {
    for (const { address } of operators)
      await enqueueJob(tx, { kind: 'mail.approval', payload: { approvalId, email: address }, runAt: now });
  };
  return { status: 'done', complete };
}
