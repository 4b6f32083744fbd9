import { confirmationFor, confirmOperator } from '../../support/agents.ts';
import type { TestApp } from '../../support/harness.ts';
import { followLink, loginLinks } from '../../support/operators.ts';
import { by, expect, freshName, type Prepare } from './sample.ts';

/** An account that named an operator, and the token in the mail to the address. */
async function named(t: TestApp) {
  const email = `${freshName('operator')}@example.com`;
  const account = await t.createAccount();
  await expect(200, account.api.post('/v1/account/operator-email', { email }));
  return { account, email, token: await confirmationFor(t, account.accountId, email) };
}

/** The addresses of people, and the side of their owners. */
export const peopleSamples: Record<string, Prepare> = {
  removeOperator: async (t) => {
    const account = await t.createAccount();
    const email = `${freshName('operator')}@example.com`;
    await confirmOperator(t, account, email);
    return { ...by(account), path: `/v1/account/operators/${email}` };
  },
  streamOperatorEvents: async (t) => {
    const account = await t.createAccount();
    const email = `${freshName('operator')}@example.com`;
    await confirmOperator(t, account, email);
    const [link] = await loginLinks(t, email);
    return { key: await followLink(t, link as string), accountId: account.accountId };
  },
  viewConfirmation: async (t) => {
    const { account, token } = await named(t);
    return { key: null, accountId: account.accountId, body: { token } };
  },
  confirmPerson: async (t) => {
    const { account, token } = await named(t);
    return {
      key: null,
      accountId: account.accountId,
      body: { token, decision: 'confirm', authority: 'operator' },
    };
  },
};
