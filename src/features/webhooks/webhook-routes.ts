import { Type } from 'typebox';
import { iso, isoOrNull } from '../../kernel/clock.ts';
import { type Endpoint, endpoint, reply } from '../../kernel/endpoint.ts';
import {
  cursorParam,
  limitParam,
  named,
  nextCursor,
  nullable,
  oneOf,
  record,
  text,
  timestamp,
} from '../../kernel/fields.ts';
import type { Database } from '../../kernel/transaction.ts';
import type { DeliveryRules } from './delivery-rules.ts';
import { type Delivery, WEBHOOK_EVENTS, type Webhook } from './webhook-data.ts';
import { WEBHOOKS_MAX, type WebhookRules } from './webhook-rules.ts';

export interface WebhookRouteDeps {
  webhooks: WebhookRules;
  deliveries: DeliveryRules;
  database: Database;
}

const TAG = 'Webhooks';

const WebhookParams = record({ id: text(64) });

const WebhookEntry = named(
  'Webhook',
  record({
    id: Type.String(),
    address: Type.String(),
    url: Type.String(),
    has_secret: Type.Boolean(),
    events: Type.Array(oneOf(WEBHOOK_EVENTS)),
    created_at: timestamp(),
    status: oneOf(['active', 'disabled'], {
      description: '`disabled`: nothing is sent until a test or retry succeeds.',
    }),
    disabled_reason: nullable(
      oneOf(['gone', 'failing'], { description: 'It answered 410, or has failed for five days.' }),
    ),
    failing_since: nullable(timestamp()),
  }),
);

const DeliveryEntry = named(
  'WebhookDelivery',
  record({
    id: Type.String(),
    webhook_id: Type.String(),
    event: oneOf([...WEBHOOK_EVENTS, 'webhook.test']),
    event_id: Type.String({
      description: 'The `id` of the body and the `webhook-id` header, the same in every attempt.',
    }),
    message_id: nullable(Type.String()),
    status: oneOf(['pending', 'delivered', 'failed']),
    attempts: Type.Integer({ description: 'Since it was created or last retried by hand.' }),
    created_at: timestamp(),
    last_attempt_at: nullable(timestamp()),
    next_attempt_at: nullable(timestamp()),
    delivered_at: nullable(timestamp()),
    response_status: nullable(Type.Integer()),
    response_snippet: nullable(Type.String({ description: 'The beginning of the last reply.' })),
    error: nullable(
      Type.String({
        description:
          'Of the last attempt: `timeout`, `host_refused`, `redirect`, `http_status`, `webhook_disabled`, or the code of a connection error such as `ECONNREFUSED`.',
      }),
    ),
    duration_ms: nullable(Type.Integer()),
  }),
);

const webhookEntry = (webhook: Webhook) => ({
  id: webhook.id,
  address: webhook.address,
  url: webhook.url,
  has_secret: webhook.secret !== null,
  events: webhook.events,
  created_at: iso(webhook.createdAt),
  status: webhook.status,
  disabled_reason: webhook.disabledReason,
  failing_since: isoOrNull(webhook.failingSince),
});

const deliveryEntry = (delivery: Delivery) => ({
  id: delivery.id,
  webhook_id: delivery.webhookId,
  event: delivery.type,
  event_id: delivery.eventId,
  message_id: delivery.messageId,
  status: delivery.status,
  attempts: delivery.attempts,
  created_at: iso(delivery.createdAt),
  last_attempt_at: isoOrNull(delivery.lastAttemptAt),
  next_attempt_at: isoOrNull(delivery.nextAttemptAt),
  delivered_at: isoOrNull(delivery.deliveredAt),
  response_status: delivery.responseStatus,
  response_snippet: delivery.responseSnippet,
  error: delivery.error,
  duration_ms: delivery.durationMs,
});

const createWebhook = ({ webhooks }: WebhookRouteDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/email/webhooks',
    operation: 'createWebhook',
    tag: TAG,
    summary: 'Have mail to an address announced to a URL',
    description: `Every mail received from now on, and on request every one sent that does not arrive, is posted as JSON, within seconds and until the receiver answers 2xx or the retries of more than a day are over. An account may have ${WEBHOOKS_MAX}.`,
    auth: 'key',
    effect: 'write',
    action: 'webhook.created',
    body: record({
      address: text(254, { description: 'An address of this account.' }),
      url: text(2048, { description: 'http or https, without user name or password.' }),
      secret: Type.Optional(
        text(256, {
          minLength: 1,
          description: 'Signs every delivery. Any text, or `whsec_` and base64 as Standard Webhooks has it.',
        }),
      ),
      events: Type.Optional(
        Type.Array(oneOf(WEBHOOK_EVENTS), {
          minItems: 1,
          maxItems: WEBHOOK_EVENTS.length,
          uniqueItems: true,
          default: ['email.received'],
          description: '`email.failed` is for mail that this address sent.',
        }),
      ),
    }),
    replies: { 201: WebhookEntry },
    errors: ['invalid_address', 'address_forbidden', 'webhook_limit', 'not_found'],
    handle: ({ principal, body, now, transact }) =>
      transact(async (tx, audit) => {
        const { address, url, secret = null, events = ['email.received'] } = body;
        const webhook = await webhooks.create(tx, principal, { address, url, secret, events }, now);
        audit.resourceId = webhook.id;
        return reply(201, webhookEntry(webhook));
      }),
  });

const listWebhooks = ({ webhooks, database }: WebhookRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/webhooks',
    operation: 'listWebhooks',
    tag: TAG,
    summary: 'The webhooks of this account, oldest first',
    auth: 'key',
    effect: 'none',
    query: record({ address: Type.Optional(text(254, { description: 'Only those of this address.' })) }),
    replies: { 200: record({ webhooks: Type.Array(WebhookEntry), count: Type.Integer() }) },
    errors: ['invalid_address'],
    handle: async ({ principal, query }) => {
      const found = await webhooks.list(database, principal.accountId, query.address);
      return reply(200, { webhooks: found.map(webhookEntry), count: found.length });
    },
  });

const deleteWebhook = ({ webhooks }: WebhookRouteDeps) =>
  endpoint({
    method: 'DELETE',
    path: '/v1/email/webhooks/{id}',
    operation: 'deleteWebhook',
    tag: TAG,
    summary: 'Delete a webhook and its deliveries',
    auth: 'key',
    effect: 'write',
    action: 'webhook.deleted',
    params: WebhookParams,
    replies: { 200: record({ deleted: Type.Boolean(), id: Type.String() }) },
    errors: ['webhook_forbidden', 'not_found'],
    handle: ({ principal, params, transact }) =>
      transact(async (tx, audit) => {
        await webhooks.remove(tx, principal.accountId, params.id);
        audit.resourceId = params.id;
        return reply(200, { deleted: true, id: params.id });
      }),
  });

const testWebhook = ({ webhooks, deliveries, database }: WebhookRouteDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/email/webhooks/{id}/test',
    operation: 'testWebhook',
    tag: TAG,
    summary: 'Send a ping to a webhook',
    description:
      'Sends a `webhook.test` body once, signed like any other; the delivery log tells what came of it. Success brings a disabled webhook back.',
    auth: 'key',
    effect: 'write',
    action: 'webhook.tested',
    params: WebhookParams,
    replies: { 202: DeliveryEntry },
    errors: ['webhook_forbidden', 'not_found'],
    handle: async ({ principal, params, now, transact }) => {
      const webhook = await webhooks.require(database, principal.accountId, params.id);
      return transact(async (tx, audit) => {
        audit.resourceId = webhook.id;
        return reply(202, deliveryEntry(await deliveries.test(tx, webhook, now)));
      });
    },
  });

const listDeliveries = ({ webhooks, deliveries, database }: WebhookRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/webhooks/{id}/deliveries',
    operation: 'listWebhookDeliveries',
    tag: TAG,
    summary: 'What was sent to a webhook, newest first',
    description: 'Kept for 30 days.',
    auth: 'key',
    effect: 'none',
    params: WebhookParams,
    query: record({ limit: limitParam(20, 100), cursor: cursorParam() }),
    replies: {
      200: record({ deliveries: Type.Array(DeliveryEntry), count: Type.Integer(), next_cursor: nextCursor() }),
    },
    errors: ['webhook_forbidden', 'not_found', 'invalid_cursor'],
    handle: async ({ principal, params, query }) => {
      const webhook = await webhooks.require(database, principal.accountId, params.id);
      const page = await deliveries.list(database, webhook.id, query.cursor, query.limit as number);
      return reply(200, {
        deliveries: page.deliveries.map(deliveryEntry),
        count: page.deliveries.length,
        next_cursor: page.nextCursor,
      });
    },
  });

const retryDelivery = ({ webhooks, deliveries, database }: WebhookRouteDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/email/webhooks/{id}/deliveries/{delivery_id}/retry',
    operation: 'retryWebhookDelivery',
    tag: TAG,
    summary: 'Send a delivery again, now',
    description: 'Whatever became of it so far; if it fails, the schedule of retries begins anew.',
    auth: 'key',
    effect: 'write',
    action: 'webhook.delivery_retried',
    params: record({ id: text(64), delivery_id: text(64) }),
    replies: { 202: DeliveryEntry },
    errors: ['webhook_forbidden', 'not_found'],
    handle: async ({ principal, params, now, transact }) => {
      const webhook = await webhooks.require(database, principal.accountId, params.id);
      return transact(async (tx, audit) => {
        audit.resourceId = params.delivery_id;
        return reply(202, deliveryEntry(await deliveries.retry(tx, webhook, params.delivery_id, now)));
      });
    },
  });

export const webhookRoutes = (deps: WebhookRouteDeps): Endpoint[] => [
  createWebhook(deps),
  listWebhooks(deps),
  deleteWebhook(deps),
  testWebhook(deps),
  listDeliveries(deps),
  retryDelivery(deps),
];
