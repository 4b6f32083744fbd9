import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import type { WebSocket } from 'ws';
import { eventually } from './eventually.ts';
import { createApi, type TestAccount, type TestApp, tokenIn } from './harness.ts';

export interface Frame {
  id: string;
  type: string;
  data: { subject?: string };
}

export const wsUrl = (t: TestApp, query = ''): string => `${t.baseUrl.replace('http', 'ws')}/v1/ws${query}`;

/** Opens a socket and collects `count` frames. */
export function frames(socket: WebSocket, count: number): Promise<Frame[]> {
  const list: Frame[] = [];
  return new Promise((resolve, reject) => {
    socket.on('message', (data) => {
      list.push(JSON.parse(String(data)) as Frame);
      if (list.length === count) resolve(list);
    });
    socket.once('error', reject);
    socket.once('close', (code) => reject(new Error(`closed with ${code} after ${list.length} frames`)));
  });
}

export const opened = (socket: WebSocket): Promise<void> =>
  new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));

/** The status of a refused upgrade. */
interface Refused {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export const refusal = (socket: WebSocket): Promise<Refused> =>
  new Promise((resolve, reject) => {
    socket.once('open', () => reject(new Error('it opened')));
    socket.once('unexpected-response', (_request, response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += String(chunk);
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
  });

/** The close code of a socket. */
export const closed = (socket: WebSocket): Promise<number> => new Promise((resolve) => socket.once('close', resolve));

export const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

let sessions = 0;

/** Opens a session of the account with a mailed link. */
export async function sessionFor(t: TestApp): Promise<TestAccount & { session: string }> {
  const email = `streams-${sessions++}@example.com`;
  const account = await t.createAccount({ email });
  await t.api().post('/v1/auth/login', { email });
  const mail = (await t.outboxMails()).find((text) => text.includes(`To: ${email}`) && text.includes('/login#')) ?? '';
  const opened = await t.api().get(`/v1/auth/verify?token=${tokenIn(mail)}`);
  return { ...account, session: opened.headers.get('location')?.split('#session=')[1] ?? '' };
}

export async function withAddress(t: TestApp): Promise<TestAccount & { address: string }> {
  const account = await t.createAccount();
  const { body } = await account.api.post('/v1/inbox', {});
  return { ...account, address: body.address };
}

export const mailTo = async (account: { api: TestAccount['api']; address: string }, subject: string): Promise<void> => {
  const sent = await account.api.post('/v1/email/send', {
    from: account.address,
    to: account.address,
    subject,
    text: 'x',
  });
  assert.equal(sent.status, 201, sent.text);
};

async function untilMetric(baseUrl: string, name: string, value: number): Promise<void> {
  const line = new RegExp(`^${name} ${value}$`, 'm');
  await eventually(async () => line.test((await createApi(baseUrl).get('/metrics')).text), `${name} is ${value}`);
}

/** Waits until a service reports this many open sockets, streams and waiting polls. */
export const untilReaders = (baseUrl: string, count: number): Promise<void> =>
  untilMetric(baseUrl, 'signet_event_readers', count);

/** Waits until this many requests wait for something to happen, so that it comes after the calls began. */
export const untilRequestsWait = ({ baseUrl }: Pick<TestApp, 'baseUrl'>, count = 1): Promise<void> =>
  untilMetric(baseUrl, 'signet_waiting_requests', count);
