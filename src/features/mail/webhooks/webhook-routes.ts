import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { oneOf, record, text } from '../../../api/fields.ts';
import type { Database } from '../../../api/transaction.ts';
import { Type } from '../../../base/schema.ts';
import { WEBHOOKS_MAX, type WebhookRules } from './webhook.ts';
import { newWebhookFields, WebhookEntry, webhookEntry } from './webhook-schema.ts';
import { MAIL_EVENTS } from './webhook-table.ts';

export interface WebhookRouteDeps {
  webhooks: WebhookRules;
  database: Database;
}

const TAG = 'Webhooks';

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
      ...newWebhookFields,
      events: Type.Optional(
        Type.Array(oneOf(MAIL_EVENTS), {
          minItems: 1,
          maxItems: MAIL_EVENTS.length,
          uniqueItems: true,
          default: ['email.received'],
          description: 'Default: `email.received`. `email.failed` reports on email that this address sent.',
        }),
      ),
    }),
    replies: { 201: WebhookEntry },
    errors: ['invalid_address', 'address_forbidden', 'webhook_limit', 'not_found', 'operator_required'],
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
    description: 'Those that watch an address.',
    auth: 'key',
    scope: 'webhooks:manage',
    addresses: 'filtered',
    effect: 'none',
    bucket: 'inspect',
    query: record({ address: Type.Optional(text(254, { description: 'Only the webhooks of this address.' })) }),
    replies: { 200: record({ webhooks: Type.Array(WebhookEntry), count: Type.Integer() }) },
    errors: ['invalid_address'],
    handle: async ({ principal, query }) => {
      const found = (await webhooks.list(database, principal, query.address)).filter(({ address }) => address !== null);
      return reply(200, { webhooks: found.map(webhookEntry), count: found.length });
    },
  });

export const webhookRoutes = (deps: WebhookRouteDeps): Endpoint[] => [createWebhook(deps), listWebhooks(deps)];
