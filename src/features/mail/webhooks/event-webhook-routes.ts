import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { EVENT_TYPES } from '../../../api/events.ts';
import { oneOf, record, text } from '../../../api/fields.ts';
import type { Database } from '../../../api/transaction.ts';
import { Type } from '../../../base/schema.ts';
import type { WebhookRules } from './webhook.ts';
import { newWebhookFields, WebhookEntry, WebhookParams, WebhookUrl, webhookEntry } from './webhook-schema.ts';

export interface EventWebhookDeps {
  webhooks: WebhookRules;
  database: Database;
}

const PATH = '/v1/webhooks';
const TAG = 'Webhooks';

const watchedEvents = () =>
  Type.Array(oneOf(EVENT_TYPES), { minItems: 1, maxItems: EVENT_TYPES.length, uniqueItems: true });

const createWebhook = ({ webhooks }: EventWebhookDeps) =>
  endpoint({
    method: 'POST',
    path: PATH,
    operation: 'createEventWebhook',
    tag: TAG,
    summary: 'Create a webhook for events of any type',
    description:
      'Posts events of the account, or about one address, to a URL. Needs `events:read` too, except for the types of `createWebhook` with an address.',
    auth: 'key',
    scope: 'webhooks:manage',
    outlives: true,
    addresses: 'filtered',
    effect: 'write',
    action: 'webhook.created',
    body: record({
      ...newWebhookFields,
      events: watchedEvents(),
      address: Type.Optional(text(254)),
    }),
    replies: { 201: WebhookEntry },
    errors: ['invalid_address', 'address_forbidden', 'webhook_limit', 'not_found', 'operator_required'],
    handle: ({ principal, body, now, transact }) =>
      transact(async (tx, audit) => {
        const { address = null, url, secret = null, events } = body;
        const webhook = await webhooks.create(tx, principal, { address, url, secret, events }, now);
        audit.resourceId = webhook.id;
        return reply(201, webhookEntry(webhook));
      }),
  });

const listWebhooks = ({ webhooks, database }: EventWebhookDeps) =>
  endpoint({
    method: 'GET',
    path: PATH,
    operation: 'listEventWebhooks',
    tag: TAG,
    summary: 'List all webhooks, oldest first',
    description: 'Those of the account and of its addresses.',
    auth: 'key',
    scope: 'webhooks:manage',
    addresses: 'filtered',
    effect: 'none',
    bucket: 'inspect',
    replies: { 200: record({ webhooks: Type.Array(WebhookEntry), count: Type.Integer() }) },
    errors: [],
    handle: async ({ principal }) => {
      const found = await webhooks.list(database, principal, undefined);
      return reply(200, { webhooks: found.map(webhookEntry), count: found.length });
    },
  });

const getWebhook = ({ webhooks, database }: EventWebhookDeps) =>
  endpoint({
    method: 'GET',
    path: `${PATH}/{id}`,
    operation: 'getEventWebhook',
    tag: TAG,
    summary: 'Get a webhook',
    description: 'Shows its state, and never its secret.',
    auth: 'key',
    scope: 'webhooks:manage',
    addresses: 'filtered',
    effect: 'none',
    bucket: 'inspect',
    params: WebhookParams,
    replies: { 200: WebhookEntry },
    errors: ['webhook_forbidden', 'not_found', 'operator_required'],
    handle: async ({ principal, params }) =>
      reply(200, webhookEntry(await webhooks.require(database, principal, params.id))),
  });

const updateWebhook = ({ webhooks }: EventWebhookDeps) =>
  endpoint({
    method: 'PATCH',
    path: `${PATH}/{id}`,
    operation: 'updateEventWebhook',
    tag: TAG,
    summary: 'Change, pause or resume a webhook',
    description: 'Absent fields stay.',
    auth: 'key',
    scope: 'webhooks:manage',
    outlives: true,
    addresses: 'filtered',
    effect: 'write',
    action: 'webhook.updated',
    params: WebhookParams,
    body: record(
      {
        url: Type.Optional(WebhookUrl),
        events: Type.Optional(watchedEvents()),
        status: Type.Optional(oneOf(['active', 'disabled'], { description: '`disabled` pauses it.' })),
      },
      { minProperties: 1 },
    ),
    replies: { 200: WebhookEntry },
    errors: ['webhook_forbidden', 'not_found'],
    handle: ({ principal, params, body, now, transact }) =>
      transact(async (tx, audit) => {
        audit.resourceId = params.id;
        return reply(200, webhookEntry(await webhooks.change(tx, principal, params.id, body, now)));
      }),
  });

/** Webhooks for every event type. */
export const eventWebhookRoutes = (deps: EventWebhookDeps): Endpoint[] => [
  createWebhook(deps),
  listWebhooks(deps),
  getWebhook(deps),
  updateWebhook(deps),
];
