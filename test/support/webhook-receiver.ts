import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import type { TestAccount, TestApp } from './harness.ts';

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  port: number;
  /** Requests that arrived completely, oldest first. */
  received: Received[];
  /** Resolves with the first `count` requests. */
  waitFor(count: number): Promise<Received[]>;
  close(): Promise<void>;
}

/** Handles a request. It may reply or not. */
export type Behaviour = (response: ServerResponse, request: Received) => void | Promise<void>;

export const answer =
  (status: number, headers: Record<string, string> = {}, body = ''): Behaviour =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

/** Accepts the request and never replies. */
export const hang: Behaviour = () => {};

/** Closes the connection with a reset. */
export const reset: Behaviour = (response) => {
  response.socket?.resetAndDestroy();
};

/** Starts a webhook receiver on a free loopback port. */
export async function startReceiver(behave: Behaviour): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    response.on('error', () => {});
    request.on('end', () => {
      const entry = { headers: request.headers, body: Buffer.concat(chunks).toString() };
      received.push(entry);
      void behave(response, entry);
      for (const look of waiting) look();
    });
  };
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    waitFor: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (received.length < count) return;
          waiting.delete(look);
          resolve(received.slice(0, count));
        };
        waiting.add(look);
        look();
      }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Options of a service whose signatures the packages of others check: its time is that of its start, not of a loaded file. */
export const watchedNow = {
  get startAt(): number {
    return systemClock.now();
  },
  showsReplyOf: (): boolean => true,
};

/** Options of a service that shows what receivers reply. */
export const shown = { showsReplyOf: (): boolean => true };

/** The service under test. */
export const WEBHOOKS = '/v1/email/webhooks';

export interface Watched extends TestAccount {
  address: string;
  hook: string;
  receiver: Receiver;
}

let names = 0;

/** An agent with an address. */
export async function addressed(t: TestApp): Promise<TestAccount & { address: string }> {
  const account = await t.createAccount();
  const { address } = (await account.api.post('/v1/email/claim', { address: `watch-${names++}` })).body;
  return { ...account, address };
}

/** An agent with a webhook to its own receiver. */
export async function watched(
  context: TestContext,
  t: TestApp,
  behave: Behaviour,
  fields: object = {},
): Promise<Watched> {
  const receiver = await startReceiver(behave);
  context.after(receiver.close);
  const account = await addressed(t);
  const headers = { 'idempotency-key': account.address };
  const made = await account.api.post(WEBHOOKS, { address: account.address, url: receiver.url, ...fields }, headers);
  assert.equal(made.status, 201, made.text);
  // A later receiver may get the same port. What waits to be tried again must not come there. The test may have revoked the
  // key, so no call deletes it; nor is there anything to delete when the test has stopped the service.
  context.after(() => t.sql('delete from webhooks where id = ?', made.body.id).catch(() => []));
  return { ...account, hook: made.body.id, receiver };
}

/** Delivers a mail and runs the webhook attempts that it causes. */
export async function receive(t: TestApp, to: string): Promise<void> {
  await t.sendSmtp({ to, subject: 'Grüße', text: 'Water the plants.' });
  await t.app.provided.intake.idle();
  await t.app.worker.runDue();
}

/** Newest first. */
// biome-ignore lint/suspicious/noExplicitAny: as in the harness, a test reads whatever a reply holds.
export const deliveriesOf = async ({ api, hook }: Pick<Watched, 'api' | 'hook'>): Promise<any[]> =>
  (await api.get(`${WEBHOOKS}/${hook}/deliveries`)).body.deliveries;

// biome-ignore lint/suspicious/noExplicitAny: as above.
export const webhookOf = async ({ api, hook }: Pick<Watched, 'api' | 'hook'>): Promise<any> =>
  (await api.get(WEBHOOKS)).body.webhooks.find((webhook: { id: string }) => webhook.id === hook);

/** Moves time past an attempt planned in `ms`, with its jitter, and runs the attempt. */
export async function pass(t: TestApp, ms: number): Promise<void> {
  t.clock.advance(ms * 1.2);
  await t.app.worker.runDue();
}
