import assert from 'node:assert/strict';
import type { ByAddress } from '../../src/api/endpoint.ts';
import { SCOPE_NAMES } from '../../src/api/scopes.ts';
import { confirmOperator } from '../support/agents.ts';
import type { Api, TestAccount, TestApp } from '../support/harness.ts';
import { newPerson } from '../support/operators.ts';
import { expect, freshName } from './samples/sample.ts';

/** What one address of an account has. Every text that only its owner may read holds the mark. */
export interface Mailbox {
  address: string;
  /** A word that nothing else holds. */
  mark: string;
  message: string;
  thread: string;
  draft: string;
  sent: string;
  /** Of a mail that waits for an operator. */
  review: string;
  webhook: string;
  delivery: string;
}

/** An account with two addresses, and a key that has every scope and is limited to one of them. */
export interface World {
  account: TestAccount;
  /** The address of the key. */
  own: Mailbox;
  /** The other address of the account. It was claimed first, so it is the one that replies show by default. */
  other: Mailbox;
  /** Ids and an address that nobody has. */
  nowhere: Mailbox;
  key: string;
  api: Api;
}

async function mailbox(account: TestAccount): Promise<Mailbox> {
  const { api } = account;
  const mark = freshName('mark').replaceAll('-', 'x');
  const { address } = (await expect(201, api.post('/v1/email/claim', { address: mark }))).body;
  const hook = { address, url: `http://127.0.0.1:9/${mark}`, events: ['email.received', 'email.failed'] };
  const webhook = (await expect(201, api.post('/v1/email/webhooks', hook))).body.id;
  const delivery = (await expect(202, api.post(`/v1/email/webhooks/${webhook}/test`))).body.id;
  const attachments = [{ filename: `${mark}.txt`, content: Buffer.from(mark).toString('base64') }];
  const mail = { from: address, subject: `About ${mark}`, text: `Words of ${mark}` };
  const { id: sent } = (await expect(201, api.post('/v1/email/send', { ...mail, to: address, attachments }))).body;
  await expect(201, api.post('/v1/email/send', { ...mail, to: `${mark}@example.com` }));
  const [entry] = (await expect(200, api.get(`/v1/email/inbox?address=${address}`))).body.messages;
  const { draft_id: draft } = (await expect(201, api.post('/v1/email/drafts', { ...mail, to: address }))).body;
  const path = `/v1/email/messages/${entry.message_id}?address=${address}`;
  await expect(200, api.patch(path, { labels: [mark] }));
  const outbound = async (hold: string) => expect(200, api.put('/v1/email/policy', { outbound: { hold } }));
  await outbound('always');
  const held = await expect(202, api.post('/v1/email/send', { ...mail, to: `${mark}@example.com` }));
  await outbound('never');
  const { message_id: message, thread_id: thread } = entry;
  return { address, mark, message, thread, draft, sent, review: held.body.review_id, webhook, delivery };
}

/** The same ids with another end, which nothing has. */
const otherId = (id: string): string => id.slice(0, -8) + (id.endsWith('0'.repeat(8)) ? '11111111' : '00000000');

export async function limitedKey(account: TestAccount, addresses: readonly string[], fields: object = {}) {
  const request = { name: 'limited', scopes: SCOPE_NAMES, addresses, ...fields };
  const { body } = await expect(201, account.api.post('/v1/account/keys', request));
  return body as { id: string; api_key: string; addresses: string[] };
}

export async function createWorld(t: TestApp): Promise<World> {
  const account = await t.createAccount();
  await confirmOperator(t, account, newPerson(t));
  const other = await mailbox(account);
  const own = await mailbox(account);
  const { api_key: key } = await limitedKey(account, [own.address]);
  await limitedKey(account, [other.address], { name: `${other.mark} key` });
  const mark = freshName('nobody').replaceAll('-', 'x');
  const nowhere: Mailbox = {
    address: `${mark}@${own.address.split('@')[1]}`,
    mark,
    message: otherId(other.message),
    thread: otherId(other.thread),
    draft: otherId(other.draft),
    sent: otherId(other.sent),
    review: otherId(other.review),
    webhook: otherId(other.webhook),
    delivery: otherId(other.delivery),
  };
  return { account, own, other, nowhere, key, api: t.api(key) };
}

/** What a call could have changed of an address, as its owner sees it, without what jobs change meanwhile. */
export async function stateOf({ api }: TestAccount, { address, webhook }: Mailbox): Promise<object> {
  const read = async (path: string) => (await expect(200, api.get(path))).body;
  const idsOf = (list: { id: string }[]): string[] => list.map(({ id }) => id);
  const sent: { id: string; from: string }[] = (await read('/v1/email/outbox')).messages;
  const reviews: { review_id: string; from: string; status: string }[] = (await read('/v1/email/reviews')).reviews;
  return {
    addresses: await read('/v1/email/addresses'),
    inbox: await read(`/v1/email/inbox?address=${address}`),
    threads: await read(`/v1/email/threads?address=${address}`),
    webhooks: idsOf((await read(`/v1/email/webhooks?address=${address}`)).webhooks),
    deliveries: idsOf((await read(`/v1/email/webhooks/${webhook}/deliveries`)).deliveries),
    drafts: (await read('/v1/email/drafts')).drafts.filter(({ from }: { from: string }) => from === address),
    outbox: idsOf(sent.filter(({ from }) => from === address)),
    reviews: reviews.filter(({ from }) => from === address).map(({ review_id: id, status }) => [id, status]),
  };
}

/** A request that asks for what a mailbox has. `path` and `body` are those of the endpoint when absent. */
export type Ask = (box: Mailbox) => { path: string; body?: unknown; status?: number };

const inMessage =
  (suffix = '', body?: unknown): Ask =>
  ({ address, message }) => ({ path: `/v1/email/messages/${message}${suffix}?address=${address}`, body });
const ofWebhook =
  (suffix: (box: Mailbox) => string = () => ''): Ask =>
  (box) => ({ path: `/v1/email/webhooks/${box.webhook}${suffix(box)}` });
const plain =
  (path: string, body?: unknown): Ask =>
  () => ({ path, body });

/**
 * How to ask each endpoint that is `filtered` for what an address has. An endpoint whose request names no address is
 * asked as it is, and shows by itself what it shows.
 */
export const ASKS: Record<string, Ask> = {
  getAccount: plain('/v1/account/me'),
  listWaiting: plain('/v1/account/waiting'),
  search: plain('/v1/search?q=mark'),
  listAccountKeys: plain('/v1/account/keys'),
  getUsage: plain('/v1/usage'),
  listPayments: plain('/v1/billing/payments'),
  listAddresses: plain('/v1/email/addresses'),
  listInbox: ({ address }) => ({ path: `/v1/email/inbox?address=${address}` }),
  waitForMail: ({ address }) => ({ path: `/v1/email/wait?address=${address}&wait=1` }),
  getInbox: ({ address }) => ({ path: `/v1/inbox/${address}` }),
  getInboxMessage: ({ address, message }) => ({ path: `/v1/inbox/${address}/messages/${message}` }),
  getMessage: inMessage(),
  updateMessage: inMessage('', { read: true, archived: true, add_labels: ['taken'] }),
  deleteMessage: inMessage(),
  getRawMessage: inMessage('/raw'),
  getAttachment: inMessage('/attachments/0'),
  loadPictures: inMessage('/pictures', { urls: [] }),
  listThreads: ({ address }) => ({ path: `/v1/email/threads?address=${address}` }),
  getThread: ({ thread }) => ({ path: `/v1/email/threads/${thread}` }),
  updateThread: ({ thread }) => ({ path: `/v1/email/threads/${thread}`, body: { archived: true } }),
  sendEmail: ({ address, message }) => ({
    path: '/v1/email/send',
    body: { from: address, to: 'ada@example.com', subject: 'Hi', text: 'Hi.', in_reply_to: message },
  }),
  sendFromInbox: ({ address }) => ({
    path: `/v1/inbox/${address}/send`,
    body: { to: 'ada@example.com', subject: 'Hi', body: 'Hi.' },
  }),
  replyToMessage: inMessage('/reply', { text: 'Hi.' }),
  replyToAll: inMessage('/reply_all', { text: 'Hi.' }),
  forwardMessage: inMessage('/forward', { to: 'ada@example.com' }),
  updateAddress: ({ address }) => ({ path: `/v1/email/addresses/${address}`, body: { display_name: 'Taken' } }),
  createDraft: ({ address }) => ({ path: '/v1/email/drafts', body: { from: address, text: 'Hi.' } }),
  listDrafts: plain('/v1/email/drafts'),
  getDraft: ({ draft }) => ({ path: `/v1/email/drafts/${draft}` }),
  updateDraft: ({ draft }) => ({ path: `/v1/email/drafts/${draft}`, body: { text: 'Hi.' } }),
  deleteDraft: ({ draft }) => ({ path: `/v1/email/drafts/${draft}` }),
  sendDraft: ({ draft }) => ({ path: `/v1/email/drafts/${draft}/send`, body: {} }),
  listOutbox: plain('/v1/email/outbox'),
  listReviews: plain('/v1/email/reviews'),
  withdrawReview: ({ review }) => ({ path: `/v1/email/reviews/${review}/withdraw` }),
  getSentEmail: ({ sent }) => ({ path: `/v1/email/outbox/${sent}` }),
  createWebhook: ({ address }) => ({
    path: '/v1/email/webhooks',
    body: { address, url: 'https://agent.example/hook' },
  }),
  listWebhooks: plain('/v1/email/webhooks'),
  deleteWebhook: ofWebhook(),
  rotateEmailWebhookSecret: ofWebhook(() => '/rotate-secret'),
  rotateWebhookSecret: ({ webhook }) => ({ path: `/v1/webhooks/${webhook}/rotate-secret`, body: {} }),
  testWebhook: ofWebhook(() => '/test'),
  listWebhookDeliveries: ofWebhook(() => '/deliveries'),
  retryWebhookDelivery: ofWebhook(({ delivery }) => `/deliveries/${delivery}/retry`),
  createEventWebhook: ({ address }) => ({
    path: '/v1/webhooks',
    body: { address, url: 'https://agent.example/hook', events: ['email.sent'] },
  }),
  listEventWebhooks: plain('/v1/webhooks'),
  getEventWebhook: ({ webhook }) => ({ path: `/v1/webhooks/${webhook}` }),
  updateEventWebhook: ({ webhook }) => ({ path: `/v1/webhooks/${webhook}`, body: { status: 'disabled' } }),
  deleteEventWebhook: ({ webhook }) => ({ path: `/v1/webhooks/${webhook}` }),
  testEventWebhook: ({ webhook }) => ({ path: `/v1/webhooks/${webhook}/test` }),
  listEventWebhookDeliveries: ({ webhook }) => ({ path: `/v1/webhooks/${webhook}/deliveries` }),
  getEventWebhookDelivery: ({ webhook, delivery }) => ({ path: `/v1/webhooks/${webhook}/deliveries/${delivery}` }),
  retryEventWebhookDelivery: ({ webhook, delivery }) => ({
    path: `/v1/webhooks/${webhook}/deliveries/${delivery}/retry`,
  }),
  listEvents: plain('/v1/events'),
  streamEvents: plain('/v1/events/stream'),
  createSocketTicket: plain('/v1/ws/tickets'),
  issueToken: ({ address }) => ({
    path: '/v1/tokens/issue',
    body: { audience: 'https://example.com', scopes: ['read'], agent_email: address },
  }),
};

/** Fails with what to do when the table of endpoints and {@link ASKS} do not agree. */
export function requireAsks(endpoints: readonly { operation: string; addresses?: ByAddress }[]): void {
  const filtered = endpoints.filter(({ addresses }) => addresses === 'filtered').map(({ operation }) => operation);
  const missing = filtered.filter((operation) => !Object.hasOwn(ASKS, operation));
  const unused = Object.keys(ASKS).filter((operation) => !filtered.includes(operation));
  assert.deepEqual(missing, [], 'these endpoints are filtered by address: say in ASKS how to ask for another address');
  assert.deepEqual(unused, [], 'these entries of ASKS belong to no endpoint that is filtered');
}
