import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OutgoingMessage } from '../../../mail/smtp-out/mail-transport.ts';
import type { SendOutcome } from '../../../mail/smtp-out/smtp-reply.ts';
import { LinkMailer } from '../../service/mailer/link-mailer.ts';
import type { OutboxEntry } from '../mailboxes/messages/sent.ts';
import type { OutboxDeps } from './outbox-deps.ts';
import { createDelivery } from './recipient-delivery.ts';

it('a copy that finds no connection free waits uncounted only when the server deferred no other copy', async () => {
  const busy: SendOutcome = { status: 'deferred', reason: 'full', rejected: [], busyMs: 1000 };
  const outcomeOf = (address: string): SendOutcome => {
    if (address.startsWith('busy')) return busy;
    const rejected = [{ address, reason: '451 later', permanent: false }];
    return { status: 'deferred', reason: '451 later', rejected };
  };
  const limits: number[] = [];
  const transport = {
    provider: 'smtp',
    byDomain: true,
    send: async ({ recipients, withinMs }: OutgoingMessage) => {
      limits.push(withinMs ?? Infinity);
      return outcomeOf(recipients[0] as string);
    },
  };
  const tokens = { of: () => 'token' };
  const deps = { transport, returnPaths: tokens, unsubscribing: tokens, baseUrl: () => '', onSent: () => {} };
  const attempt = async (to: string[]) => {
    const entry = { id: 'out_4', recipients: to, unsubscribe: false } as unknown as OutboxEntry;
    const sending = {
      raw: Buffer.from('x'),
      sender: { accountId: 'acc_1', platformId: 'acc_1' },
      signal: new AbortController().signal,
    };
    return await createDelivery(deps as unknown as OutboxDeps, entry, sending)(to, async () => {});
  };
  const [first, second] = [
    await attempt(['later@a.example', 'busy@a.example']),
    await attempt(['busy1@a.example', 'b@a.example']),
  ];
  assert.deepEqual([first.busyMs, first.waiting.length], [undefined, 2]);
  assert.deepEqual([second.busyMs, second.waiting.length], [1000, 2]);
  // The copies of an attempt share its time.
  assert.ok(limits.every((limit) => limit <= 270_000));
});

it('a mail of the service that finds no connection free waits without an attempt, also after the last one', async () => {
  const send = async (): Promise<SendOutcome> => ({ status: 'deferred', reason: 'full', rejected: [], busyMs: 1500 });
  const mailer = new LinkMailer({
    transport: { send, provider: 'smtp' },
    mailDomain: 'agents.example',
    onSent: () => assert.fail(),
  });
  const job = { id: 'job_1', attempt: 99, now: 1_000_000, signal: new AbortController().signal };
  const outcome = await mailer.send(job, { to: 'x@one.example', subject: 'x', text: 'x' });
  assert.deepEqual(outcome, { status: 'retry', reason: 'full', runAt: 1_001_500, isUncounted: true });
});
