import { confirmOperator } from '../../support/agents.ts';
import type { TestApp } from '../../support/harness.ts';
import { followLink, loginLinks } from '../../support/operators.ts';
import { readableMail } from '../../support/readable-mail.ts';
import { by, expect, freshName, inbox, type Prepare } from './sample.ts';

/** An account with a mail that waits for its operator, and a session of the operator. */
async function heldMail(t: TestApp) {
  const { account, address } = await inbox(t);
  const email = `${freshName('boss')}@example.com`;
  await confirmOperator(t, account, email);
  const [link] = await loginLinks(t, email);
  const key = await followLink(t, link as string);
  await expect(200, t.api(key).put('/v1/email/policy', { outbound: { hold: 'always' } }));
  const attachments = [{ filename: 'a.txt', content: 'aGk=' }];
  const mail = { from: address, to: 'x@example.com', subject: 'Hello', text: 'Hello.', attachments };
  const { body } = await expect(202, account.api.post('/v1/email/send', mail));
  return { key, accountId: account.accountId, email, path: `/v1/email/reviews/${body.review_id}` };
}

const ofReview =
  (suffix = '', body?: unknown): Prepare =>
  async (t) => {
    const { key, accountId, path } = await heldMail(t);
    return { key, accountId, path: path + suffix, ...(body === undefined ? {} : { body }) };
  };

const ofLink =
  (suffix: string, body: object): Prepare =>
  async (t) => {
    const { accountId, email, path } = await heldMail(t);
    const mail = (await t.outboxMails()).findLast((text) => text.includes(email) && text.includes('/review#'));
    const text = readableMail(mail ?? '');
    const token = /\/review#id=rev_\w{26}&token=([0-9A-Za-z]{32})/.exec(text)?.[1];
    return { key: null, accountId, path: path + suffix, body: { token, ...body } };
  };

/** An account with a message that its policy keeps back. */
async function keptBack(t: TestApp) {
  const { account, address } = await inbox(t);
  const inbound = { unauthenticated: 'quarantine' };
  await expect(200, account.api.put('/v1/email/policy', { inbound }));
  await t.sendSmtp({ from: 'eve@stranger.example', to: address, subject: 'Hello', text: 'Hello.' });
  // Waits until the mail has been read.
  await expect(200, account.api.get(`/v1/email/inbox?address=${address}`));
  const { body } = await expect(200, account.api.get('/v1/email/quarantine'));
  return { ...by(account), path: `/v1/email/quarantine/${body.messages[0].message_id}` };
}

/** The mail policy, and mail that is held by it. */
export const reviewSamples: Record<string, Prepare> = {
  setMailPolicy: async () => ({ body: { outbound: { to: 'list', allow: ['example.com'] } } }),
  listReviews: async (t) => {
    const { key, accountId } = await heldMail(t);
    return { key, accountId, path: '/v1/email/reviews' };
  },
  getReview: ofReview(),
  getReviewAttachment: ofReview('/attachments/0'),
  approveReview: ofReview('/approve', { reason: 'Fine.' }),
  rejectReview: ofReview('/reject', { reason: 'No.' }),
  withdrawReview: ofReview('/withdraw'),
  listQuarantine: async (t) => ({ ...(await keptBack(t)), path: '/v1/email/quarantine' }),
  releaseQuarantined: async (t) => {
    const kept = await keptBack(t);
    return { ...kept, path: `${kept.path}/release` };
  },
  deleteQuarantined: keptBack,
  viewReview: ofLink('/view', {}),
  viewReviewAttachment: ofLink('/view/attachments/0', {}),
  decideReview: ofLink('/decide', { decision: 'approve', reason: 'Fine.' }),
};
