import type { TSchema } from 'typebox';
import type { Endpoint } from '../src/kernel/endpoint.ts';
import { kindHeaders, send, type WireReply, type WireRequest } from './contract-client.ts';
import { type TestAccount, type TestApp, tokenIn } from './harness.ts';

/**
 * A valid request for every endpoint of the table, each against state of its own, so that the tests over the whole
 * table (contract, fuzz, audit) need not know any endpoint. An endpoint that works with a fresh account and a body of
 * its required fields needs no entry here; one that needs more state gets an entry under its operation.
 */

export interface Sample {
  /** With the query, percent-encoded. */
  path: string;
  key: string | null;
  body?: unknown;
  headers?: Record<string, string>;
  /** Whose audit chain the call goes on; null where the reply names the account, or nobody's. */
  accountId: string | null;
}

type Prepare = (t: TestApp) => Promise<Partial<Sample>>;

let names = 0;
/** A name nobody has yet. */
const freshName = (stem: string): string => `${stem}-${process.pid}-${names++}`;

const by = ({ key, accountId }: TestAccount): Pick<Sample, 'key' | 'accountId'> => ({ key, accountId });

async function expect<T extends { status: number; text: string }>(status: number, call: Promise<T>): Promise<T> {
  const reply = await call;
  if (reply.status !== status) throw new Error(`preparing a sample was answered ${reply.status}: ${reply.text}`);
  return reply;
}

/** An account with an address. */
async function inbox(t: TestApp): Promise<{ account: TestAccount; address: string }> {
  const account = await t.createAccount();
  const claimed = await expect(201, account.api.post('/v1/email/claim', { address: freshName('box') }));
  return { account, address: claimed.body.address };
}

/** An account with an unread message, sent to itself, that has an attachment. */
async function message(t: TestApp): Promise<{ account: TestAccount; address: string; id: string }> {
  const { account, address } = await inbox(t);
  const attachments = [{ filename: 'a.txt', content: Buffer.from('hello').toString('base64') }];
  const mail = { from: address, to: address, subject: 'Hello', text: 'Hello, you.', attachments };
  await expect(201, account.api.post('/v1/email/send', mail));
  const list = await expect(200, account.api.get(`/v1/email/inbox?address=${address}`));
  return { account, address, id: list.body.messages[0].message_id };
}

const inMessage =
  (suffix = '', body?: unknown): Prepare =>
  async (t) => {
    const { account, address, id } = await message(t);
    const path = `/v1/email/messages/${id}${suffix}?address=${encodeURIComponent(address)}`;
    return { ...by(account), path, ...(body === undefined ? {} : { body }) };
  };

/** An account with a webhook that nobody listens to, and a delivery of it. */
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

const withEmail: Prepare = async () => ({ body: { email: `${freshName('ada')}@example.com` } });

/** What a browser has after the service mailed it a link: the token. */
const verifyLogin: Prepare = async (t) => {
  const email = `${freshName('ada')}@example.com`;
  const { accountId } = await t.createAccount({ email });
  await expect(200, t.api().post('/v1/auth/login', { email }));
  const mail = (await t.outboxMails()).findLast((text) => text.includes(email));
  if (mail === undefined) throw new Error('no login mail was sent');
  return { path: `/v1/auth/verify?token=${tokenIn(mail)}`, key: null, accountId };
};

const SAMPLES: Record<string, Prepare> = {
  register: async () => ({ body: { name: freshName('agent'), capabilities: ['mail'] } }),
  login: withEmail,
  verifyLogin,
  activateBackupKey: async (t) => {
    const { api, accountId } = await t.createAccount();
    const made = await expect(201, api.post('/v1/auth/keys/generate-backup'));
    return { key: made.body.backup_key, accountId };
  },
  setRecoveryEmail: withEmail,
  setOperatorEmail: withEmail,
  claimAddress: async () => ({ body: { address: freshName('claim') } }),
  rotateEncryptionKey: async () => ({
    body: { master_seed: 'a seed of the agent', new_public_key: Buffer.alloc(32, 9).toString('base64url') },
  }),
  // An address that nobody has: the first look claims it.
  listInbox: async () => ({ path: `/v1/email/inbox?address=${freshName('look')}` }),
  getInbox: async () => ({ path: `/v1/inbox/${freshName('look')}` }),
  getMessage: inMessage(),
  updateMessage: inMessage('', { read: true, archived: true }),
  deleteMessage: inMessage(),
  getRawMessage: inMessage('/raw'),
  getAttachment: inMessage('/attachments/0'),
  sendEmail: async (t) => {
    const { account, address } = await inbox(t);
    const attachments = [{ filename: 'a.txt', content_type: 'text/plain', content: 'aGk=' }];
    const to = { to: [address], cc: [address], bcc: [address], reply_to: address };
    const ids = { in_reply_to: '<a@example.com>', references: ['<a@example.com>'] };
    const mail = { from: address, ...to, subject: 'Hi', text: 'Hi.', html: '<p>Hi.</p>', ...ids, attachments };
    return { ...by(account), body: mail };
  },
  getInboxMessage: async (t) => {
    const { account, address, id } = await message(t);
    return { ...by(account), path: `/v1/inbox/${address}/messages/${id}` };
  },
  sendFromInbox: async (t) => {
    const { account, address } = await inbox(t);
    const mail = { to: [address], subject: 'Hi', body: 'Hi.', html: '<p>Hi.</p>' };
    return { ...by(account), path: `/v1/inbox/${address}/send`, body: mail };
  },
  createWebhook: async (t) => {
    const { account, address } = await inbox(t);
    const url = 'https://agent.example/hook';
    return { ...by(account), body: { address, url, secret: 'a secret', events: ['email.received'] } };
  },
  deleteWebhook: ofWebhook(),
  testWebhook: ofWebhook(() => '/test'),
  listWebhookDeliveries: ofWebhook(() => '/deliveries'),
  retryWebhookDelivery: ofWebhook((deliveryId) => `/deliveries/${deliveryId}/retry`),
  openWebSocket: async (t) => {
    const { key } = await t.createAccount();
    return { headers: { authorization: `Bearer ${key}` } };
  },
  getAsset: async () => ({ path: '/assets/signet.css' }),
};

/** The operations that have an entry. */
export const preparedOperations = (): string[] => Object.keys(SAMPLES);

interface Node {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Node[];
  default?: unknown;
  examples?: unknown[];
  format?: string;
  minLength?: number;
  minimum?: number;
  minItems?: number;
  items?: Node;
  properties?: Record<string, Node>;
  required?: string[];
}

const FORMATS: Record<string, string> = {
  'date-time': '2026-01-14T12:00:00Z',
  email: 'ada@example.com',
  uri: 'https://example.com/',
};

/** The plainest value that fits a schema: of an object, the required fields alone. */
function plainValue(node: Node): unknown {
  const given = node.examples?.[0] ?? node.const ?? node.default ?? node.enum?.[0];
  if (given !== undefined) return given;
  if (node.anyOf) return plainValue(node.anyOf[0] as Node);
  switch (node.type) {
    case 'string':
      return FORMATS[node.format ?? ''] ?? 'sample'.padEnd(node.minLength ?? 0, 'e');
    case 'integer':
    case 'number':
      return node.minimum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return Array.from({ length: node.minItems ?? 0 }, () => plainValue(node.items ?? {}));
    case 'object':
      return Object.fromEntries(
        (node.required ?? []).map((name) => [name, plainValue(node.properties?.[name] as Node)]),
      );
    default:
      return null;
  }
}

/** `path` with its parameters filled from their schemas, and the required query parameters behind it. */
function plainPath(endpoint: Endpoint): string {
  const textFor = (schema: TSchema | undefined): string =>
    encodeURIComponent(String(plainValue((schema ?? {}) as Node)));
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_all, name: string) => textFor(endpoint.params?.properties[name]));
  const required = (endpoint.query?.required ?? []) as string[];
  const query = required.map((name) => `${name}=${textFor(endpoint.query?.properties[name])}`).join('&');
  return query === '' ? path : `${path}?${query}`;
}

/** A valid request of the endpoint, against state made for it alone. */
export async function sampleOf(endpoint: Endpoint, t: TestApp): Promise<Sample> {
  const prepared = (await SAMPLES[endpoint.operation]?.(t)) ?? {};
  const path = prepared.path ?? plainPath(endpoint);
  const fallbackBody = endpoint.body ? { body: plainValue(endpoint.body as Node) } : {};
  const account =
    endpoint.auth === 'none' || prepared.key !== undefined
      ? { key: null, accountId: null }
      : by(await t.createAccount());
  return { path, ...account, ...(endpoint.method === 'GET' ? {} : fallbackBody), ...prepared };
}

/** The request that a sample is, on the wire. */
export const wireOf = (endpoint: Endpoint, sample: Sample): WireRequest => ({
  method: endpoint.method,
  path: sample.path,
  key: sample.key,
  headers: { ...kindHeaders(endpoint), ...sample.headers },
  ...(sample.body === undefined ? {} : { body: sample.body }),
});

export const sendSample = (t: TestApp, endpoint: Endpoint, sample: Sample): Promise<WireReply> =>
  send(t.baseUrl, wireOf(endpoint, sample));

/** Throws unless the reply is one of those that an endpoint declares as its success. */
export function requireSuccess(endpoint: Endpoint, reply: WireReply): void {
  if (reply.status in endpoint.replies && reply.status < 400) return;
  const { operation, method, path } = endpoint;
  throw new Error(
    `${method} ${path} has no working sample: it was answered ${reply.status} ${JSON.stringify(reply.body).slice(0, 300)}. ` +
      `Give "${operation}" an entry in test/sample-requests.ts that prepares what it needs.`,
  );
}

/** `operation` names a test well, but the method and path say more to a reader. */
export const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;
