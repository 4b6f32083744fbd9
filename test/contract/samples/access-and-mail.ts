import { DAY_MS, HOUR_MS } from '../../../src/base/period.ts';
import { readSourceTree } from '../../../src/web/site/source-tree.ts';
import { confirmOperator, openSession } from '../../support/agents.ts';
import { sessionOf } from '../../support/confirmed.ts';
import { eventually } from '../../support/eventually.ts';
import { type TestApp, tokenIn } from '../../support/harness.ts';
import { followLink, loginLinks } from '../../support/operators.ts';
import { by, expect, freshName, inbox, message, type Prepare } from './sample.ts';

const inMessage =
  (suffix = '', body?: unknown): Prepare =>
  async (t) => {
    const { account, address, id } = await message(t);
    const path = `/v1/email/messages/${id}${suffix}?address=${encodeURIComponent(address)}`;
    return { ...by(account), path, ...(body === undefined ? {} : { body }) };
  };

/** An account with a webhook without a receiver, and a delivery of it. */
const ofWebhook =
  (suffix: (deliveryId: string) => string = () => ''): Prepare =>
  async (t) => {
    const { account, address } = await inbox(t);
    const hook = { address, url: 'http://127.0.0.1:9/hook' };
    const { id } = (await expect(201, account.api.post('/v1/email/webhooks', hook))).body;
    const path = `/v1/email/webhooks/${id}`;
    const ping = await expect(202, account.api.post(`${path}/test`));
    return { ...by(account), path: path + suffix(ping.body.id) };
  };

/** The same under the path of all webhooks. */
const ofEventWebhook =
  (suffix?: (deliveryId: string) => string, body?: unknown): Prepare =>
  async (t) => {
    const sample = await ofWebhook(suffix)(t);
    const path = String(sample.path).replace('/v1/email/', '/v1/');
    return { ...sample, path, ...(body === undefined ? {} : { body }) };
  };

/** A delivery, once its first attempt is over. */
const afterAttempt =
  (prepare: Prepare): Prepare =>
  async (t) => {
    const sample = await prepare(t);
    const id = /webhooks\/(\w+)/.exec(String(sample.path))?.[1];
    const tried = 'select 1 from webhook_deliveries where webhook_id = ? and attempts > 0';
    await eventually(async () => (await t.sql(tried, id)).length > 0);
    return sample;
  };

/** An account with a conversation of one message. */
const inThread =
  (body?: unknown): Prepare =>
  async (t) => {
    const { account, address } = await message(t);
    const { messages } = (await expect(200, account.api.get(`/v1/email/inbox?address=${address}`))).body;
    const path = `/v1/email/threads/${messages[0].thread_id}`;
    return { ...by(account), path, ...(body === undefined ? {} : { body }) };
  };

/** A draft with every field, which is sent tomorrow. */
const wholeDraft = (t: TestApp, address: string) => ({
  from: address,
  to: [address],
  cc: [address],
  bcc: [address],
  reply_to: address,
  subject: 'Hi',
  text: 'Hi.',
  html: '<p>Hi.</p>',
  in_reply_to: '<a@example.com>',
  references: ['<a@example.com>'],
  attachments: [{ filename: 'a.txt', content_type: 'text/plain', content: 'aGk=' }],
  send_at: new Date(t.clock.now() + DAY_MS).toISOString(),
});

/** The link of a bulk mail. */
const byUnsubscribeLink: Prepare = async (t) => {
  const { account, address } = await inbox(t);
  const to = `${freshName('reader')}@example.com`;
  const mail = { from: address, to, subject: 'News', text: 'Hi.', unsubscribe: true };
  await expect(201, account.api.post('/v1/email/send', mail));
  const raw = (await t.outboxMails()).find((each) => each.includes(to)) ?? '';
  const path = new URL(/^List-Unsubscribe: <([^>]+)>/m.exec(raw)?.[1] ?? '').pathname;
  return { key: null, accountId: account.accountId, path };
};

/** An account with a draft. */
const ofDraft =
  (suffix = '', body?: (t: TestApp, address: string) => object): Prepare =>
  async (t) => {
    const { account, address } = await inbox(t);
    const draft = { from: address, to: address, subject: 'Hi', text: 'Hi.' };
    const { draft_id } = (await expect(201, account.api.post('/v1/email/drafts', draft))).body;
    const path = `/v1/email/drafts/${draft_id}${suffix}`;
    return { ...by(account), path, ...(body === undefined ? {} : { body: body(t, address) }) };
  };

/** An account with a named key. */
const ofNamedKey =
  (suffix = '', body?: unknown): Prepare =>
  async (t) => {
    const account = await t.createAccount();
    const made = await expect(201, account.api.post('/v1/account/keys', { name: 'ci', scopes: ['mail:read'] }));
    const path = `/v1/account/keys/${made.body.id}${suffix}`;
    return { ...by(account), path, ...(body === undefined ? {} : { body }) };
  };

const withEmail: Prepare = async () => ({ body: { email: `${freshName('ada')}@example.com` } });

/** The token of the link in a login mail. */
const verifyLogin: Prepare = async (t) => {
  const email = `${freshName('ada')}@example.com`;
  const { accountId } = await t.createAccount({ email });
  await expect(200, t.api().post('/v1/auth/login', { email }));
  const mail = (await t.outboxMails()).findLast((text) => text.includes(email) && text.includes('/login#'));
  if (mail === undefined) throw new Error('no login mail was sent');
  return { path: `/v1/auth/verify?token=${tokenIn(mail)}`, key: null, accountId };
};

/** A call about an agent by the session of its operator. */
const ofOperator =
  (suffix?: string): Prepare =>
  async (t) => {
    const account = await t.createAccount();
    const email = `${freshName('boss')}@example.com`;
    await confirmOperator(t, account, email);
    const [link] = await loginLinks(t, email);
    const key = await followLink(t, link as string);
    if (suffix === undefined) return { key, accountId: null };
    return { key, accountId: account.accountId, path: `/v1/operator/agents/${account.accountId}${suffix}` };
  };

/** Keys, login, mail, webhooks and the pages. */
export const accessAndMailSamples: Record<string, Prepare> = {
  register: async () => ({ body: { name: freshName('agent'), capabilities: ['mail'] } }),
  login: withEmail,
  verifyLogin,
  activateBackupKey: async (t) => {
    const { api, accountId } = await t.createAccount();
    const made = await expect(201, api.post('/v1/auth/keys/generate-backup'));
    return { key: made.body.backup_key, accountId };
  },
  deleteBackupKey: async (t) => {
    const account = await t.createAccount();
    // What is made in the first hour counts as old, and is removed with notice.
    t.clock.advance(HOUR_MS);
    await expect(201, account.api.post('/v1/auth/keys/generate-backup'));
    return by(account);
  },
  secureAccount: async () => ({ body: { revert: true } }),
  undoNotice: async (t) => {
    const account = await t.createAccount();
    // In the first hour of its account the backup key counts as old at once.
    await expect(201, account.api.post('/v1/auth/keys/generate-backup'));
    const { key } = await sessionOf(t, account, 8 * DAY_MS);
    await expect(200, account.api.delete('/v1/auth/keys/backup'));
    const [{ id }] = (await expect(200, account.api.get('/v1/account/notices'))).body.notices;
    return { key, accountId: account.accountId, path: `/v1/account/notices/${id}/undo` };
  },
  deleteEncryptionKey: async (t) => {
    const account = await t.createAccount();
    t.clock.advance(HOUR_MS);
    await expect(
      201,
      account.api.post('/v1/email/claim', {
        address: freshName('key'),
        public_key: Buffer.alloc(32, 9).toString('base64url'),
      }),
    );
    return by(account);
  },
  createNamedKey: async () => ({ body: { name: 'ci', scopes: ['mail:read'], expires_in_seconds: 3600 } }),
  changeNamedKey: ofNamedKey('', { name: 'deploy', requests_share: 50 }),
  deleteNamedKey: ofNamedKey(),
  rotateNamedKey: ofNamedKey('/rotate', { grace_seconds: 60 }),
  endSession: async (t) => {
    const account = await t.createAccount();
    const email = `${freshName('ada')}@example.com`;
    await expect(200, account.api.post('/v1/account/recovery-email', { email }));
    await openSession(t, email);
    const { sessions } = (await expect(200, account.api.get('/v1/account/sessions'))).body;
    return { ...by(account), path: `/v1/account/sessions/${sessions[0].id}` };
  },
  listOperatorAgents: ofOperator(),
  listOperatorWaiting: ofOperator(),
  listOperatorDecisions: ofOperator(),
  search: async (t) => ({ ...by((await message(t)).account), path: '/v1/search?q=hello' }),
  searchAgents: async (t) => {
    const { key, accountId } = await ofOperator('/suspend')(t);
    return { key: key as string, accountId: accountId as string, path: '/v1/operator/search?q=boss' };
  },
  suspendAgent: ofOperator('/suspend'),
  resumeAgent: ofOperator('/resume'),
  setRecoveryEmail: withEmail,
  setOperatorEmail: withEmail,
  cancelAccountDeletion: async (t) => {
    const account = await t.createAccount();
    await expect(202, account.api.delete('/v1/account'));
    return by(account);
  },
  releaseAddress: async (t) => {
    const { account, address } = await inbox(t);
    return { ...by(account), path: `/v1/email/addresses/${address}` };
  },
  updateAddress: async (t) => {
    const { account, address } = await inbox(t);
    return {
      ...by(account),
      path: `/v1/email/addresses/${address}`,
      body: { display_name: 'Ada', retention_days: 90 },
    };
  },
  createDraft: async (t) => {
    const { account, address } = await inbox(t);
    return { ...by(account), body: wholeDraft(t, address) };
  },
  getDraft: ofDraft(),
  updateDraft: ofDraft('', wholeDraft),
  deleteDraft: ofDraft(),
  sendDraft: ofDraft('/send'),
  claimAddress: async () => ({ body: { address: freshName('claim') } }),
  rotateEncryptionKey: async () => ({
    body: { master_seed: 'a seed of the agent', new_public_key: Buffer.alloc(32, 9).toString('base64url') },
  }),
  // A free address: the first read claims it.
  listInbox: async () => ({ path: `/v1/email/inbox?address=${freshName('look')}` }),
  getInbox: async () => ({ path: `/v1/inbox/${freshName('look')}` }),
  getMessage: inMessage(),
  updateMessage: inMessage('', { read: true, archived: true, add_labels: ['new'], remove_labels: ['old'] }),
  deleteMessage: inMessage(),
  waitForMail: async (t) => {
    const { account, address } = await inbox(t);
    return { ...by(account), path: `/v1/email/wait?address=${address}` };
  },
  getSentEmail: async (t) => {
    const { account, address } = await inbox(t);
    const mail = { from: address, to: address, subject: 'Hi', text: 'Hi.' };
    const { id } = (await expect(201, account.api.post('/v1/email/send', mail))).body;
    return { ...by(account), path: `/v1/email/outbox/${id}` };
  },
  // A mail from outside: of one to oneself, the sent copy has the same time, and either thread can come first.
  listThreads: async (t) => {
    const { account, address } = await inbox(t);
    await t.sendSmtp({ to: address, subject: 'Hello', text: 'Hello, you.' });
    return { ...by(account), path: `/v1/email/threads?address=${address}` };
  },
  getThread: inThread(),
  updateThread: inThread({ read: true, archived: true, labels: ['work'], add_labels: ['new'], remove_labels: ['old'] }),
  getRawMessage: inMessage('/raw'),
  getAttachment: inMessage('/attachments/0'),
  loadPictures: inMessage('/pictures', { urls: ['http://127.0.0.1:9/a.png'] }),
  sendEmail: async (t) => {
    const { account, address } = await inbox(t);
    const attachments = [{ filename: 'a.txt', content_type: 'text/plain', content: 'aGk=' }];
    const to = { to: [address], cc: [address], bcc: [address], reply_to: address };
    const ids = { in_reply_to: '<a@example.com>', references: ['<a@example.com>'] };
    const more = { attachments, metadata: { order: 'A 1' }, unsubscribe: true };
    const mail = { from: address, ...to, subject: 'Hi', text: 'Hi.', html: '<p>Hi.</p>', ...ids, ...more };
    return { ...by(account), body: mail };
  },
  replyToMessage: inMessage('/reply', {
    text: 'Hi.',
    html: '<p>Hi.</p>',
    cc: 'box',
    bcc: 'box',
    attachments: [],
    metadata: {},
  }),
  replyToAll: inMessage('/reply_all', {
    text: 'Hi.',
    html: '<p>Hi.</p>',
    cc: ['box'],
    bcc: ['box'],
    attachments: [],
    metadata: {},
  }),
  forwardMessage: inMessage('/forward', { to: 'box', cc: 'box', bcc: 'box', text: 'See below.', metadata: {} }),
  getInboxMessage: async (t) => {
    const { account, address, id } = await message(t);
    return { ...by(account), path: `/v1/inbox/${address}/messages/${id}` };
  },
  sendFromInbox: async (t) => {
    const { account, address } = await inbox(t);
    const mail = { to: [address], cc: address, bcc: [address], subject: 'Hi', body: 'Hi.', html: '<p>Hi.</p>' };
    return { ...by(account), path: `/v1/inbox/${address}/send`, body: mail };
  },
  createWebhook: async (t) => {
    const { account, address } = await inbox(t);
    const url = 'https://agent.example/hook';
    return { ...by(account), body: { address, url, secret: 'a secret', events: ['email.received'] } };
  },
  deleteWebhook: ofWebhook(),
  testWebhook: ofWebhook(() => '/test'),
  rotateEmailWebhookSecret: ofWebhook(() => '/rotate-secret'),
  rotateWebhookSecret: async (t) => {
    const sample = await ofWebhook(() => '/rotate-secret')(t);
    return { ...sample, path: String(sample.path).replace('/v1/email/', '/v1/') };
  },
  listWebhookDeliveries: afterAttempt(ofWebhook(() => '/deliveries')),
  retryWebhookDelivery: afterAttempt(ofWebhook((deliveryId) => `/deliveries/${deliveryId}/retry`)),
  deleteSuppression: async (t) => {
    const account = await t.createAccount();
    const values = [account.accountId, 'ada@example.com', 'hard_bounce', t.clock.now()];
    await t.sql('insert into suppressions (account_id, address, reason, created_at) values (?, ?, ?, ?)', ...values);
    return { ...by(account), path: '/v1/email/suppressions/ada@example.com' };
  },
  getUnsubscribePage: byUnsubscribeLink,
  unsubscribe: byUnsubscribeLink,
  createEventWebhook: async (t) => {
    const { account, address } = await inbox(t);
    const fields = { url: 'https://agent.example/hook', secret: 'a secret', events: ['email.received'] };
    return { ...by(account), body: { ...fields, address } };
  },
  getEventWebhook: ofEventWebhook(),
  updateEventWebhook: ofEventWebhook(() => '', { url: 'https://agent.example/other', status: 'disabled' }),
  deleteEventWebhook: ofEventWebhook(),
  testEventWebhook: ofEventWebhook(() => '/test'),
  listEventWebhookDeliveries: afterAttempt(ofEventWebhook(() => '/deliveries')),
  getEventWebhookDelivery: afterAttempt(ofEventWebhook((deliveryId) => `/deliveries/${deliveryId}`)),
  retryEventWebhookDelivery: afterAttempt(ofEventWebhook((deliveryId) => `/deliveries/${deliveryId}/retry`)),
  getRequest: async (t) => {
    const account = await t.createAccount();
    const called = await expect(200, account.api.get('/v1/account/me'));
    return { ...by(account), path: `/v1/requests/${called.headers.get('x-request-id')}` };
  },
  openWebSocket: async (t) => {
    const { key } = await t.createAccount();
    return { headers: { authorization: `Bearer ${key}` } };
  },
  getAsset: async () => ({ path: '/assets/signet.css' }),
  getConsoleFile: async () => ({ path: `/assets/${readSourceTree().hash}/console/kit.css` }),
};
