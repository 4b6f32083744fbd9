import { TRUST_DELAY_MS } from '../../../api/account/factor.ts';
import type { AccountNotification } from '../../../api/account/removal-notices.ts';
import { iso } from '../../../base/clock.ts';
import { isByYoungOperator } from './deletion-authority.ts';
import type { Deletion } from './deletion-table.ts';

const CALL = 'POST /v1/account/delete/cancel';
const minute = (ms: number): string => `${iso(ms).slice(0, 16).replace('T', ' ')} UTC`;

/** Who can cancel a deletion, in words to the people of the account. */
function wayBack(deletion: Deletion, now: number): string {
  const { askerKind, askedBy, askerSince } = deletion;
  if (askerKind === 'administrator') return 'To keep the account, write to the administrator of this service.';
  if (askerKind !== 'operator') return `To keep the account, call ${CALL} with its key, its backup key or a session.`;
  const people = `To keep the account, log in as ${askedBy} or with an address that was confirmed earlier,
and call ${CALL}.`;
  if (!isByYoungOperator(deletion, now)) return `${people} The keys of the account cannot do this.`;
  const until = minute((askerSince ?? now) + TRUST_DELAY_MS);
  return `${people} Until ${until} the account’s key and backup key can do this too.`;
}

/** Tells the people of an account that it is going to be deleted. */
export const scheduledMail = (deletion: Deletion, now: number): AccountNotification => ({
  subject: 'Your account will be deleted',
  text: `\
Account ${deletion.accountId} will be deleted at ${minute(deletion.deletesAt)}, with its mail, vault and addresses.

Asked for by ${deletion.askedBy}${deletion.askerKind === 'operator' ? ', an operator' : ''}.
${wayBack(deletion, now)}
`,
});

export const keptMail = (accountId: string): AccountNotification => ({
  subject: 'Your account stays',
  text: `The deletion of account ${accountId} was cancelled.\n`,
});

export const deletedMail = (accountId: string): AccountNotification => ({
  subject: 'Your account was deleted',
  text: `Account ${accountId} is being deleted. Nobody else will ever get its addresses.\n`,
});
