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
    has_secret: Type.Boolean({ description: 'True if deliveries are signed.' }),
    events: Type.Array(oneOf(WEBHOOK_EVENTS)),
    created_at: timestamp(),
    status: oneOf(['active', 'disabled'], {
      description: '`disabled`: events are not sent until a test or retry succeeds.',
    }),
    disabled_reason: nullable(
      oneOf(['gone', 'failing', 'secured'], {
        description:
          '`gone`: the receiver answered 410. `failing`: it failed for five days. `secured`: the account was secured.',
      }),
    ),
    failing_since: nullable(timestamp({ description: 'The first failure since the last success.' })),
  }),
);

const DeliveryEntry = named(
  'WebhookDelivery',
  record({
    id: Type.String(),
    webhook_id: Type.String(),
    event: oneOf([...WEBHOOK_EVENTS, 'webhook.test']),
    event_id: Type.String({
      description: 'The `id` in the body and in the `webhook-id` header. The same in every attempt.',
    }),
    message_id: nullable(Type.String({ description: 'Only for `email.received`.' })),
    status: oneOf(['pending', 'delivered', 'failed']),
    attempts: Type.Integer({ description: 'Attempts since the delivery was created or retried by `/retry`.' }),
    created_at: timestamp(),
    last_attempt_at: nullable(timestamp()),
    next_attempt_at: nullable(timestamp()),
    delivered_at: nullable(timestamp()),
    response_status: nullable(Type.Integer()),
    response_snippet: nullable(
      Type.String({
        description: 'The first 200 characters of the last reply. Empty for a receiver at a private address.',
      }),
    ),
    error: nullable(
      Type.String({
        description:
          'The error of the last attempt: `timeout`, `host_refused`, `redirect`, `http_status`, `webhook_disabled`, or a connection error such as `ECONNREFUSED`.',
      }),
    ),
    duration_ms: nullable(Type.Integer({ description: 'Duration of the last attempt.' })),
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
    summary: 'Create a webhook',
    description: `Posts every email that an address receives to a URL, as JSON, within seconds. Subscribe to \`email.failed\` to learn about sent email that was not delivered. A delivery is retried for more than a day until the receiver answers 2xx. An account can have ${WEBHOOKS_MAX} webhooks.`,
    auth: 'key',
    scope: 'webhooks:manage',
    outlives: true,
    addresses: 'filtered',
    effect: 'write',
    action: 'webhook.created',
    body: record({
      address: text(254, { description: 'An address of this account.' }),
      url: text(2048, { description: 'An http or https URL on the public internet, without user name or password.' }),
      secret: Type.Optional(
        text(256, {
          minLength: 1,
          description: 'Signs every delivery. Any text, or a Standard Webhooks secret: `whsec_` and base64.',
        }),
      ),
      events: Type.Optional(
        Type.Array(oneOf(WEBHOOK_EVENTS), {
          minItems: 1,
          maxItems: WEBHOOK_EVENTS.length,
          uniqueItems: true,
          default: ['email.received'],
          description: 'Default: `email.received`. `email.failed` reports on email that this address sent.',
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
    summary: 'List webhooks, oldest first',
    auth: 'key',
    scope: 'webhooks:manage',
    addresses: 'filtered',
    effect: 'none',
    query: record({ address: Type.Optional(text(254, { description: 'Only the webhooks of this address.' })) }),
    replies: { 200: record({ webhooks: Type.Array(WebhookEntry), count: Type.Integer() }) },
    errors: ['invalid_address'],
    handle: async ({ principal, query }) => {
      const found = await webhooks.list(database, principal, query.address);
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
    scope: 'webhooks:manage',
    addresses: 'filtered',
    whileSuspended: true,
    effect: 'write',
    action: 'webhook.deleted',
    params: WebhookParams,
    replies: { 200: record({ deleted: Type.Boolean(), id: Type.String() }) },
    errors: ['webhook_forbidden', 'not_found'],
    handle: ({ principal, params, transact }) =>
      transact(async (tx, audit) => {
        await webhooks.remove(tx, principal, params.id);
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
      'Sends a `webhook.test` body once, signed like any delivery. The delivery log shows the result. A success enables a disabled webhook.',
    auth: 'key',
    scope: 'webhooks:manage',
    addresses: 'filtered',
    effect: 'write',
    action: 'webhook.tested',
    params: WebhookParams,
    replies: { 202: DeliveryEntry },
    errors: ['webhook_forbidden', 'not_found'],
    handle: async ({ principal, params, now, transact }) => {
      const webhook = await webhooks.require(database, principal, params.id);
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
    summary: 'List deliveries, newest first',
    description: 'Deliveries are kept for 30 days.',
    auth: 'key',
    scope: 'webhooks:manage',
    addresses: 'filtered',
    effect: 'none',
    params: WebhookParams,
    query: record({ limit: limitParam(20, 100), cursor: cursorParam() }),
    replies: {
      200: record({ deliveries: Type.Array(DeliveryEntry), count: Type.Integer(), next_cursor: nextCursor() }),
    },
    errors: ['webhook_forbidden', 'not_found', 'invalid_cursor'],
    handle: async ({ principal, params, query }) => {
      const webhook = await webhooks.require(database, principal, params.id);
      const page = await deliveries.list(database, webhook.id, query.cursor, query.limit as number);
      const entries = page.rows.map(deliveryEntry);
      return reply(200, { deliveries: entries, count: entries.length, next_cursor: page.nextCursor });
    },
  });

const retryDelivery = ({ webhooks, deliveries, database }: WebhookRouteDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/email/webhooks/{id}/deliveries/{delivery_id}/retry',
    operation: 'retryWebhookDelivery',
    tag: TAG,
    summary: 'Retry a delivery now',
    description:
      'Sends the same body again, whatever the state of the delivery. If it fails, the schedule of retries starts again.',
    auth: 'key',
    scope: 'webhooks:manage',
    addresses: 'filtered',
    effect: 'write',
    action: 'webhook.delivery_retried',
    params: record({ id: text(64), delivery_id: text(64) }),
    replies: { 202: DeliveryEntry },
    errors: ['webhook_forbidden', 'not_found'],
    handle: async ({ principal, params, now, transact }) => {
      const webhook = await webhooks.require(database, principal, params.id);
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
