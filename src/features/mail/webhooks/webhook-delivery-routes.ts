import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { cursorParam, limitParam, nextCursor, record, text } from '../../../api/fields.ts';
import type { Database } from '../../../api/transaction.ts';
import { Type } from '../../../base/schema.ts';
import type { WebhookRules } from './webhook.ts';
import type { DeliveryRules } from './webhook-delivery.ts';
import { DeliveryEntry, deliveryEntry, WebhookParams } from './webhook-schema.ts';

export interface DeliveryRouteDeps {
  webhooks: WebhookRules;
  deliveries: DeliveryRules;
  database: Database;
}

/** The paths of webhooks: the same calls under both. */
interface Family {
  path: string;
  operations: Record<'remove' | 'test' | 'list' | 'retry', string>;
}

const FAMILIES: readonly Family[] = [
  {
    path: '/v1/email/webhooks',
    operations: {
      remove: 'deleteWebhook',
      test: 'testWebhook',
      list: 'listWebhookDeliveries',
      retry: 'retryWebhookDelivery',
    },
  },
  {
    path: '/v1/webhooks',
    operations: {
      remove: 'deleteEventWebhook',
      test: 'testEventWebhook',
      list: 'listEventWebhookDeliveries',
      retry: 'retryEventWebhookDelivery',
    },
  },
];

const TAG = 'Webhooks';

/** The description of a call, whole once: the same call under the other path points to it. */
const described = (path: string, description: string) => ({
  description: path === FAMILIES[0]?.path ? description : `As under \`${FAMILIES[0]?.path}\`.`,
});

const deleteWebhook = ({ webhooks }: DeliveryRouteDeps, { path, operations }: Family) =>
  endpoint({
    method: 'DELETE',
    path: `${path}/{id}`,
    operation: operations.remove,
    tag: TAG,
    summary: 'Delete a webhook and its deliveries',
    ...described(path, 'Nothing more is sent, not even what waits.'),
    auth: 'key',
    scope: 'webhooks:manage',
    addresses: 'filtered',
    whileSuspended: true,
    effect: 'write',
    bucket: 'revoke',
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

const testWebhook = ({ webhooks, deliveries, database }: DeliveryRouteDeps, { path, operations }: Family) =>
  endpoint({
    method: 'POST',
    path: `${path}/{id}/test`,
    operation: operations.test,
    tag: TAG,
    summary: 'Send a ping to a webhook',
    ...described(
      path,
      'Sends a `webhook.test` body once, signed like any delivery. The delivery log shows the result. A success enables a disabled webhook that was not paused.',
    ),
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

const listDeliveries = ({ webhooks, deliveries, database }: DeliveryRouteDeps, { path, operations }: Family) =>
  endpoint({
    method: 'GET',
    path: `${path}/{id}/deliveries`,
    operation: operations.list,
    tag: TAG,
    summary: 'List deliveries, newest first',
    ...described(path, 'Deliveries are kept for 30 days.'),
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

const retryDelivery = ({ webhooks, deliveries, database }: DeliveryRouteDeps, { path, operations }: Family) =>
  endpoint({
    method: 'POST',
    path: `${path}/{id}/deliveries/{delivery_id}/retry`,
    operation: operations.retry,
    tag: TAG,
    summary: 'Retry a delivery now',
    ...described(
      path,
      'Sends the same body again, whatever the state of the delivery. If it fails, the schedule of retries starts again.',
    ),
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

/** What can be done with a webhook and its deliveries, under both paths. */
export const deliveryRoutes = (deps: DeliveryRouteDeps): Endpoint[] =>
  FAMILIES.flatMap((family) => [
    deleteWebhook(deps, family),
    testWebhook(deps, family),
    listDeliveries(deps, family),
    retryDelivery(deps, family),
  ]);
