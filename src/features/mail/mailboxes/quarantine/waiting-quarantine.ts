import { type ListWaiting, waitingParams } from '../../../../api/account/waiting.ts';
import { authoritiesOf } from '../../../money/budget.ts';
import { quarantinedBody } from './quarantine-schema.ts';
import { waitingQuarantined } from './quarantine-store.ts';

/** The mails that are kept from the agent, of each account the oldest. Only who may release them sees them. */
export const waitingQuarantine: ListWaiting = async (reader, query) => {
  const { accountIds, caller } = query;
  const authorities = caller.operator ? null : await authoritiesOf(reader, accountIds);
  const released = accountIds.filter((id) => authorities?.get(id) !== 'operator');
  if (released.length === 0) return [];
  const found = await waitingQuarantined(reader, waitingParams({ ...query, accountIds: released }));
  return found.map((mail) => ({
    id: mail.messageId,
    accountId: mail.accountId,
    since: mail.receivedAt,
    expiresAt: null,
    summary: `An email from ${mail.from} to ${mail.address} is in quarantine: ${mail.reason}.`,
    deciders: ['account', 'operator'],
    call: { operation: 'releaseQuarantined', params: { id: mail.messageId } },
    about: () => quarantinedBody(mail),
  }));
};
