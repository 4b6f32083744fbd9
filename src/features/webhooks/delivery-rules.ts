import { iso } from '../../kernel/clock.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { EventData } from '../../kernel/events.ts';
import { isId, newId } from '../../kernel/ids.ts';
import type { EnqueueJob } from '../../kernel/jobs.ts';
import { newestFirst } from '../../kernel/page.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import type { AppendedEvent } from '../../push/event-log.ts';
import { requireMessage } from '../mailboxes/message-rules.ts';
import { findDelivery, insertDelivery, listDeliveries, type NewDelivery, restartDelivery } from './delivery-store.ts';
import { type Delivery, TEST_EVENT, type Webhook, type WebhookEvent } from './webhook-data.ts';
import { activeWebhooks } from './webhook-store.ts';

export interface DeliveryRules {
  /** Sends a ping, once, whether or not the webhook is disabled. */
  test(tx: Tx, webhook: Webhook, now: number): Promise<Delivery>;
  /** Begins anew, at once, whatever became of it so far. @throws ApiError `not_found` */
  retry(tx: Tx, webhook: Webhook, id: string, now: number): Promise<Delivery>;
  /** Newest first. @throws ApiError `invalid_cursor` */
  list(
    reader: Reader,
    webhookId: string,
    cursor: string | undefined,
    limit: number,
  ): Promise<{ deliveries: Delivery[]; nextCursor: string | null }>;
}

/** What is posted for a mail. `event` repeats `type` under the name other services use. */
async function receivedBody(tx: Tx, id: string, { address, message_id }: EventData['email.received'], now: number) {
  const message = await requireMessage(tx, address, message_id);
  return JSON.stringify({
    id,
    type: 'email.received',
    event: 'email.received',
    created_at: iso(now),
    address,
    message: {
      message_id,
      thread_id: message.threadId,
      from: message.fromAddress,
      to: message.recipients.to.length > 0 ? message.recipients.to : [address],
      subject: message.subject,
      snippet: message.snippet,
      received_at: iso(message.receivedAt),
      auth: message.auth,
    },
  });
}

const createQueue = (enqueueJob: EnqueueJob) => {
  const enqueue = (tx: Tx, { id, run }: Delivery, now: number): Promise<void> =>
    enqueueJob(tx, { kind: 'webhook.deliver', payload: { deliveryId: id, run }, runAt: now });
  return {
    enqueue,
    add: async (tx: Tx, delivery: NewDelivery): Promise<Delivery> => {
      const added = await insertDelivery(tx, delivery);
      await enqueue(tx, added, delivery.createdAt);
      return added;
    },
  };
};

/** What is posted for a mail that was sent and did not arrive, wholly or for the recipients named. */
function failedBody(id: string, data: EventData['email.failed'], now: number): string {
  const type = 'email.failed';
  return JSON.stringify({ id, type, event: type, created_at: iso(now), address: data.from, mail: data });
}

/**
 * Writes one delivery and its job for every active webhook that watches a mail received or failed, in the transaction
 * of that event: neither is ever there without the other.
 */
export function createWebhookNotifier(enqueueJob: EnqueueJob) {
  const queue = createQueue(enqueueJob);
  return async (tx: Tx, event: AppendedEvent<WebhookEvent>): Promise<void> => {
    const { accountId, id, type, data, now } = event;
    const address = type === 'email.received' ? data.address : data.from;
    const webhooks = await activeWebhooks(tx, accountId, address);
    const watching = webhooks.filter(({ events }) => events.includes(type));
    if (watching.length === 0) return;
    const body = type === 'email.received' ? await receivedBody(tx, id, data, now) : failedBody(id, data, now);
    const messageId = type === 'email.received' ? data.message_id : null;
    for (const { id: webhookId } of watching)
      await queue.add(tx, { id: newId('dlv', now), webhookId, type, eventId: id, messageId, body, createdAt: now });
  };
}

export function createWebhookDeliveries(enqueueJob: EnqueueJob): DeliveryRules {
  const queue = createQueue(enqueueJob);
  return {
    test: (tx, webhook, now) => {
      const id = newId('dlv', now);
      const { address } = webhook;
      const body = JSON.stringify({ id, type: TEST_EVENT, event: TEST_EVENT, created_at: iso(now), address });
      const { id: webhookId } = webhook;
      return queue.add(tx, { id, webhookId, type: TEST_EVENT, eventId: id, messageId: null, body, createdAt: now });
    },
    retry: async (tx, webhook, id, now) => {
      const found = isId('dlv', id) ? await findDelivery(tx, id) : null;
      if (found?.webhookId !== webhook.id) throw new ApiError('not_found');
      const restarted = await restartDelivery(tx, id, now);
      if (!restarted) throw new ApiError('not_found');
      await queue.enqueue(tx, restarted, now);
      return restarted;
    },
    list: async (reader, webhookId, cursor, limit) => {
      const page = await newestFirst(
        'dlv',
        { cursor, limit },
        (before, many) => listDeliveries(reader, webhookId, before, many),
        ({ id }) => id,
      );
      return { deliveries: page.rows, nextCursor: page.nextCursor };
    },
  };
}
