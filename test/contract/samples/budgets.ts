import { confirmOperator } from '../../support/agents.ts';
import type { TestAccount, TestApp } from '../../support/harness.ts';
import { readableMail } from '../../support/readable-mail.ts';
import { by, expect, freshName, type Prepare } from './sample.ts';

/** An account with a charge that waits for approval. */
export async function asked(t: TestApp): Promise<{ account: TestAccount; id: string }> {
  const account = await t.createAccount();
  await expect(200, account.api.put('/v1/budget', { daily: 5, on_limit: 'approve' }));
  const charge = await expect(202, account.api.post('/v1/charge', { amount: 10, description: 'Ten of five' }));
  return { account, id: charge.body.approval_id };
}

const ofApproval =
  (suffix: string, body?: unknown): Prepare =>
  async (t) => {
    const { account, id } = await asked(t);
    return { ...by(account), path: `/v1/approvals/${id}${suffix}`, ...(body === undefined ? {} : { body }) };
  };

/** The same after its expiry. The next read marks it. */
const ofOverdue =
  (path: (id: string) => string): Prepare =>
  async (t) => {
    const { account, id } = await asked(t);
    await t.sql('update approvals set expires_at = ? where id = ?', t.clock.now(), id);
    return { ...by(account), path: path(id) };
  };

/** The id and token of the link in a mail to the operator. */
export function approvalLinkIn(mail: string): { id: string; token: string } {
  const text = readableMail(mail);
  const [, id, token] = /\/approve#id=(apr_\w{26})&token=([0-9A-Za-z]{32})/.exec(text) ?? [];
  if (!id || !token) throw new Error('the mail has no approval link');
  return { id, token };
}

/** A waiting charge, and the link in the mail to its operator. */
export async function mailed(t: TestApp): Promise<{ account: TestAccount; id: string; token: string; email: string }> {
  const email = `${freshName('operator')}@example.com`;
  const account = await t.createAccount();
  await confirmOperator(t, account, email);
  await expect(200, account.api.put('/v1/budget', { daily: 5, on_limit: 'approve' }));
  await expect(202, account.api.post('/v1/charge', { amount: 10 }));
  const mail = (await t.outboxMails()).findLast((text) => text.includes(email) && text.includes('/approve#'));
  if (mail === undefined) throw new Error('the operator was sent no mail');
  return { account, ...approvalLinkIn(mail), email };
}

const ofLink =
  (suffix: string, body: object): Prepare =>
  async (t) => {
    const { account, id, token } = await mailed(t);
    return { key: null, accountId: account.accountId, path: `/v1/approvals/${id}${suffix}`, body: { token, ...body } };
  };

/** Budgets, charges and approvals. */
export const budgetSamples: Record<string, Prepare> = {
  setBudget: async () => ({ body: { caps: { daily: 100, monthly: 1000 }, weekly: 500, on_limit: 'approve' } }),
  charge: async () => ({
    body: {
      amount: 25,
      category: 'api',
      description: 'One call',
      reference_id: 'call-1',
      metadata: { note: 'kept', nested: { deep: [1, 2] } },
    },
  }),
  listApprovals: ofOverdue(() => '/v1/approvals?status=all'),
  getApproval: ofOverdue((id) => `/v1/approvals/${id}`),
  approveCharge: ofApproval('/approve', { reason: 'It is needed.' }),
  rejectCharge: ofApproval('/reject', { reason: 'Too much.' }),
  viewApproval: ofLink('/view', {}),
  decideApproval: ofLink('/decide', { decision: 'approve', reason: 'Fine.' }),
};
