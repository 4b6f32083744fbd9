import { type ListWaiting, waitingParams } from '../../../api/account/waiting.ts';
import { usdc } from '../../../base/usdc.ts';
import { authoritiesOf } from '../budget.ts';
import { approvalBody } from './approval-schema.ts';
import { pendingApprovals } from './approval-store.ts';

/** The charges that wait for a decision, with those that have expired and are not marked yet. */
export const waitingApprovals: ListWaiting = async (reader, query) => {
  const found = await pendingApprovals(reader, waitingParams(query));
  const holders = found.map(({ holderId }) => holderId);
  const authorities = query.caller.operator ? null : await authoritiesOf(reader, holders);
  return found.map((approval) => {
    const { id, holderId, spenderId, amountUsdc, description, createdAt, expiresAt } = approval;
    const isOwn = query.accountIds.includes(holderId);
    const byAccount = authorities?.get(holderId) !== 'operator';
    return {
      id,
      accountId: isOwn ? holderId : spenderId,
      askerId: spenderId,
      since: createdAt,
      expiresAt,
      summary: `A charge of ${usdc(amountUsdc)} USDC waits for a decision${description === '' ? '.' : `: ${description}`}`,
      deciders: isOwn ? (byAccount ? ['account', 'operator'] : ['operator']) : ['other'],
      call: { operation: 'approveCharge', params: { id } },
      about: () => approvalBody(approval),
    };
  });
};
