import type { AccountNotification } from '../../../api/account/removal-notices.ts';
import type { Person, PersonRole } from './person-table.ts';

/** What each role is, in a sentence to the person. */
const ROLE_NAMES: Record<PersonRole, string> = {
  email: 'the email address',
  recovery: 'the recovery email',
  operator: 'an operator',
};

/** Tells the owner of an address that it was removed from an account. */
export const formerMail = ({ accountId, role, address }: Person): AccountNotification => ({
  subject: 'Your address was removed from an account',
  text: `\
${address} is no longer ${ROLE_NAMES[role]} of account ${accountId}. Its sessions and login links have ended.

If this account is yours and you did not expect this, log in with another address of it, or call
POST /v1/account/secure with one of its keys.
`,
});

/** Tells the people of an account that an operator was added or removed. */
export const operatorMail = ({ accountId, address }: Person, change: 'added' | 'removed'): AccountNotification => ({
  subject: change === 'added' ? 'An operator was added' : 'An operator was removed',
  text: `\
${address} ${change === 'added' ? 'is now' : 'is no longer'} an operator of account ${accountId}.

Operators decide about the spending and the credentials of the account. If you did not expect this, log in and look at
the operators, or call POST /v1/account/secure with one of its keys.
`,
});
