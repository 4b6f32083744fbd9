import { ApiError } from '../../../api/errors.ts';
import { addressOf, type EventData } from '../../../api/events.ts';
import type { EnqueueJob } from '../../../api/job-types.ts';
import { missingError, newestFirst, type Page } from '../../../api/page.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { iso } from '../../../base/clock.ts';
import { isId, newId } from '../../../base/ids.ts';
import { DAY_MS } from '../../../base/period.ts';
import type { AppendedEvent } from '../../../events/event-log.ts';
import { requireMessage } from '../mailboxes/messages/message.ts';
import { maskEvent, maySeeCodes } from '../mailboxes/messages/shown-mail.ts';
import { findDelivery, insertDelivery, listDeliveries, restartDelivery } from './webhook-delivery-store.ts';
import { activeWebhooks } from './webhook-store.ts';
import { type Delivery, TEST_EVENT, type Webhook } from './webhook-table.ts';

/** How long deliveries are kept. */
export const DELIVERIES_KEPT_MS = 30 * DAY_MS;

/** What the body of a received mail has beside the event: `message`, which older receivers read. */
async function receivedMail(tx: Tx, { address, message_id, subject, ...event }: EventData['email.received']) {
  const message = await requireMessage(tx, address, message_id);
  return {
    message_id,
    thread_id: message.threadId,
    from: message.fromAddress,
    to: message.recipients.to.length > 0 ? message.recipients.to : [address],
    subject,
    snippet: event.snippet,
    has_code: event.has_code,
    link_kinds: event.link_kinds,
    received_at: iso(message.receivedAt),
    auth: message.auth,
  };
}

/**
 * The body of a delivery: the event as `GET /v1/events` shows it. `event` repeats `type` under the name that other services
 * use.
 */
async function bodyOf(tx: Tx, event: AppendedEvent): Promise<string> {
  const { id, type, data, now } = event;
  const address = addressOf(type, data);
  return JSON.stringify({
    id,
    type,
    event: type,
    created_at: iso(now),
    ...(address === null ? {} : { address }),
    ...(type === 'email.received' ? { message: await receivedMail(tx, data) } : {}),
    ...(type === 'email.failed' ? { mail: data } : {}),
    data,
  });
}

/** The body of a delivery for a webhook that shows no codes. */
export function maskedBody(body: string): string {
  const { message, mail, data, ...rest } = JSON.parse(body) as Record<'message' | 'mail' | 'data', object | undefined>;
  const parts = Object.entries({ message, mail, data }).filter(([, part]) => part !== undefined);
  return JSON.stringify({ ...rest, ...Object.fromEntries(parts.map(([name, part]) => [name, maskEvent(part)])) });
}

type NewDelivery = Pick<Delivery, 'id' | 'webhookId' | 'type' | 'eventId' | 'messageId' | 'body' | 'createdAt'>;

/** The state of a new delivery. */
const NOT_ATTEMPTED = {
  status: 'pending',
  run: 1,
  attempts: 0,
  lastAttemptAt: null,
  deliveredAt: null,
  responseStatus: null,
  responseSnippet: null,
  error: null,
  durationMs: null,
  attemptLog: [],
} as const;

const enqueue = (tx: Tx, enqueueJob: EnqueueJob, { id, run }: Delivery, now: number): Promise<void> =>
  enqueueJob(tx, { kind: 'webhook.deliver', payload: { deliveryId: id, run }, runAt: now });

/** Stores a delivery with the job of its first attempt. */
async function addDelivery(tx: Tx, enqueueJob: EnqueueJob, delivery: NewDelivery): Promise<Delivery> {
  const added: Delivery = { ...NOT_ATTEMPTED, ...delivery, nextAttemptAt: delivery.createdAt };
  await insertDelivery(tx, added);
  await enqueue(tx, enqueueJob, added, added.createdAt);
  return added;
}

/**
 * Makes the function that stores a delivery and its job for every active webhook that watches an event. It runs in the
 * transaction of the event, so that both are stored or neither.
 */
export const createWebhookNotifier =
  (enqueueJob: EnqueueJob) =>
  async (tx: Tx, event: AppendedEvent): Promise<void> => {
    const { accountId, id: eventId, type, data, now } = event;
    const about = addressOf(type, data);
    const watching = (await activeWebhooks(tx, accountId)).filter(
      ({ events, address }) => events.includes(type) && (address === null || address === about),
    );
    if (watching.length === 0) return;
    const body = await bodyOf(tx, event);
    const messageId = type === 'email.received' ? data.message_id : null;
    for (const { id: webhookId } of watching) {
      const delivery = { id: newId('dlv', now), webhookId, type, eventId, messageId, body, createdAt: now };
      await addDelivery(tx, enqueueJob, delivery);
    }
  };

/** Sends one ping, also to a disabled webhook. It is not retried. */
export function pingWebhook(tx: Tx, enqueueJob: EnqueueJob, webhook: Webhook, now: number): Promise<Delivery> {
  const id = newId('dlv', now);
  const { id: webhookId, address } = webhook;
  const body = JSON.stringify({ id, type: TEST_EVENT, event: TEST_EVENT, created_at: iso(now), address, data: {} });
  const about = { eventId: id, messageId: null, body };
  return addDelivery(tx, enqueueJob, { id, webhookId, type: TEST_EVENT, ...about, createdAt: now });
}

/** Sends a delivery again now, in any state. A failure starts a new schedule of retries. @throws ApiError `not_found` */
export async function repeatDelivery(
  tx: Tx,
  enqueueJob: EnqueueJob,
  webhook: Webhook,
  id: string,
  now: number,
): Promise<Delivery> {
  const found = isId('dlv', id) ? await findDelivery(tx, id) : null;
  if (found?.webhookId !== webhook.id) throw new ApiError('not_found');
  const restarted = await restartDelivery(tx, id, now);
  if (!restarted) throw new ApiError('not_found');
  await enqueue(tx, enqueueJob, restarted, now);
  return restarted;
}

/** A delivery of a webhook. @throws ApiError `not_found`, `no_longer_kept` */
export async function requireDelivery(reader: Reader, webhook: Webhook, id: string, now: number): Promise<Delivery> {
  const found = isId('dlv', id) ? await findDelivery(reader, id) : null;
  if (found?.webhookId !== webhook.id) throw missingError('dlv', id, now, DELIVERIES_KEPT_MS);
  return found;
}

/** The body of a delivery as the caller may see it. */
export const shownBody = (caller: Pick<Principal, 'scopes'>, { showsCodes }: Webhook, { body }: Delivery): string =>
  showsCodes && maySeeCodes(caller) ? body : maskedBody(body);

/** Newest first. @throws ApiError `invalid_cursor` */
export const pageOfDeliveries = (
  reader: Reader,
  webhookId: string,
  cursor: string | undefined,
  limit: number,
): Promise<Page<Delivery>> =>
  newestFirst(
    'dlv',
    { cursor, limit },
    (before, many) => listDeliveries(reader, { webhookId }, { id: before }, many),
    ({ id }) => id,
  );
