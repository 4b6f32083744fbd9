import { changeOf } from '../../../api/audit-record.ts';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { invalidField } from '../../../api/errors.ts';
import { EVENT_TYPES, type EventType } from '../../../api/events.ts';
import {
  cursorParam,
  limitParam,
  nextCursor,
  nullable,
  oneOf,
  record,
  secret,
  text,
  timestamp,
} from '../../../api/fields.ts';
import type { Reader } from '../../../api/transaction.ts';
import { WAY_REFUSALS } from '../../../api/way-out.ts';
import { isoOrNull } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { type ForeignWebhook, requireReadable, WEBHOOKS_MAX, type WebhookDeps, type WebhookRules } from './webhook.ts';
import { pageOfDeliveries, pingWebhook, repeatDelivery, requireDelivery, shownBody } from './webhook-delivery.ts';
import {
  AuditedWebhook,
  auditedWebhook,
  DeliveryDetail,
  DeliveryEntry,
  deliveryEntry,
  NewWebhookEntry,
  newWebhookFields,
  WebhookEntry,
  WebhookParams,
  WebhookReply,
  WebhookUrl,
  webhookEntry,
  weekEntry,
} from './webhook-schema.ts';
import { GRACE_SECONDS_MAX, newSecret, rotateSecret } from './webhook-secret.ts';
import { MAIL_EVENTS, type Webhook } from './webhook-table.ts';

/** A path of webhooks, and the names of the calls that are the same under both. */
interface Family {
  path: string;
  /** What another account's webhook is answered with. */
  foreign: ForeignWebhook;
  operations: Record<'remove' | 'test' | 'list' | 'retry' | 'rotate', string>;
}

/** Webhooks of the mail of an address. */
const OF_MAIL: Family = {
  path: '/v1/email/webhooks',
  foreign: 'webhook_forbidden',
  operations: {
    remove: 'deleteWebhook',
    test: 'testWebhook',
    list: 'listWebhookDeliveries',
    retry: 'retryWebhookDelivery',
    rotate: 'rotateEmailWebhookSecret',
  },
};

/** All webhooks, of events of any type. */
const OF_EVENTS: Family = {
  path: '/v1/webhooks',
  foreign: 'not_found',
  operations: {
    remove: 'deleteEventWebhook',
    test: 'testEventWebhook',
    list: 'listEventWebhookDeliveries',
    retry: 'retryEventWebhookDelivery',
    rotate: 'rotateWebhookSecret',
  },
};

/** What every call has. */
const CALL = { tag: 'Webhooks', auth: 'key', scope: 'webhooks:manage', addresses: 'filtered' } as const;

/** What every call has that is about one webhook. */
const CALL_ON_ONE = { ...CALL, params: WebhookParams } as const;

/** The errors of such a call. */
const errorsFor = ({ foreign }: Family) => [...new Set([foreign, 'not_found'] as const)];

const CREATE = {
  ...CALL,
  method: 'POST',
  outlives: true,
  effect: 'write',
  leaves: ['webhook'],
  action: 'webhook.created',
  replies: { 201: WebhookEntry },
  errors: ['invalid_address', 'address_forbidden', 'webhook_limit', 'not_found', ...WAY_REFUSALS],
} as const;

const createMailWebhook = (webhooks: WebhookRules) =>
  endpoint({
    ...CREATE,
    path: OF_MAIL.path,
    operation: 'createWebhook',
    summary: 'Create a webhook',
    description: `Posts every email that an address receives to a URL, as JSON, within seconds. Subscribe to \`email.failed\` to learn about sent email that was not delivered. A delivery is retried for more than a day until the receiver answers 2xx. An account can have ${WEBHOOKS_MAX} webhooks.`,
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
    handle: ({ principal, body, now, transact }) =>
      transact(async (tx, audit) => {
        const { address, url, secret = null, events = ['email.received'] } = body;
        const webhook = await webhooks.create(tx, principal, { address, url, secret, events }, now);
        audit.resourceId = webhook.id;
        audit.change = changeOf(AuditedWebhook, null, auditedWebhook(webhook));
        return reply(201, webhookEntry(webhook, false));
      }),
  });

const watchedEvents = (about: { description?: string } = {}) =>
  Type.Array(oneOf(EVENT_TYPES), { minItems: 1, maxItems: EVENT_TYPES.length, uniqueItems: true, ...about });

/** What a new webhook watches that names no events. @throws ApiError `invalid_request` without an address */
function eventsOf(address: string | null): EventType[] {
  if (address !== null) return ['email.received'];
  throw invalidField('/body/events', 'required', '/body/events is missing, such as ["email.received"].');
}

const createEventWebhook = (webhooks: WebhookRules) =>
  endpoint({
    ...CREATE,
    path: OF_EVENTS.path,
    operation: 'createEventWebhook',
    summary: 'Create a webhook for events of any type',
    description:
      'Posts events of the account, or about one address, to a URL. Without `secret` the service makes one and shows it once. Needs `events:read` too, except for the types of `createWebhook` with an address.',
    body: record({
      ...newWebhookFields,
      events: Type.Optional(
        watchedEvents({ description: 'With an `address`, `email.received` by default. Else needed.' }),
      ),
      address: Type.Optional(text(254)),
    }),
    replies: { 201: NewWebhookEntry },
    handle: ({ principal, body, now, transact }) =>
      transact(async (tx, audit) => {
        const { address = null, url } = body;
        const made = body.secret === undefined ? newSecret() : undefined;
        const given = { address, url, secret: body.secret ?? made ?? null, events: body.events ?? eventsOf(address) };
        const webhook = await webhooks.create(tx, principal, given, now);
        audit.resourceId = webhook.id;
        audit.change = changeOf(AuditedWebhook, null, auditedWebhook(webhook));
        return reply(201, { ...webhookEntry(webhook, false), ...(made === undefined ? {} : { secret: made }) });
      }),
  });

/** Webhooks of one account, as replies show them. */
async function entriesOf(webhooks: WebhookRules, reader: Reader, found: readonly Webhook[]) {
  const [first] = found;
  if (!first) return [];
  const isHeldBack = await webhooks.heldBack(reader, first.accountId);
  return found.map((webhook) => webhookEntry(webhook, isHeldBack(webhook)));
}

const entryOf = async (webhooks: WebhookRules, reader: Reader, webhook: Webhook) =>
  webhookEntry(webhook, (await webhooks.heldBack(reader, webhook.accountId))(webhook));

const READ = { ...CALL, method: 'GET', effect: 'none', bucket: 'inspect' } as const;

const ofAddress = record({
  address: Type.Optional(text(254, { description: 'Only the webhooks of this address.' })),
});

const WebhookList = record({ webhooks: Type.Array(WebhookEntry), count: Type.Integer() });

const listMailWebhooks = (webhooks: WebhookRules, { database }: WebhookDeps) =>
  endpoint({
    ...READ,
    path: OF_MAIL.path,
    operation: 'listWebhooks',
    summary: 'List webhooks, oldest first',
    description: 'Those that watch an address.',
    query: ofAddress,
    replies: { 200: WebhookList },
    errors: ['invalid_address'],
    handle: async ({ principal, query }) => {
      const found = (await webhooks.list(database, principal, query.address)).filter(({ address }) => address !== null);
      return reply(200, { webhooks: await entriesOf(webhooks, database, found), count: found.length });
    },
  });

const listEventWebhooks = (webhooks: WebhookRules, { database }: WebhookDeps) =>
  endpoint({
    ...READ,
    path: OF_EVENTS.path,
    operation: 'listEventWebhooks',
    summary: 'List all webhooks, oldest first',
    description: 'Those of the account and of its addresses.',
    query: ofAddress,
    replies: { 200: WebhookList },
    errors: ['invalid_address'],
    handle: async ({ principal, query }) => {
      const found = await webhooks.list(database, principal, query.address);
      return reply(200, { webhooks: await entriesOf(webhooks, database, found), count: found.length });
    },
  });

const getWebhook = (webhooks: WebhookRules, { database }: WebhookDeps) =>
  endpoint({
    ...READ,
    path: `${OF_EVENTS.path}/{id}`,
    operation: 'getEventWebhook',
    summary: 'Get a webhook',
    description: 'Shows its state and its week, and never its secret.',
    params: WebhookParams,
    replies: { 200: WebhookReply },
    errors: ['not_found'],
    handle: async ({ principal, params, now }) => {
      const webhook = await webhooks.require(database, principal, params.id);
      const days = (await webhooks.week(database, webhook, now)).map(weekEntry);
      return reply(200, { ...(await entryOf(webhooks, database, webhook)), days });
    },
  });

const updateWebhook = (webhooks: WebhookRules) =>
  endpoint({
    ...CALL_ON_ONE,
    method: 'PATCH',
    path: `${OF_EVENTS.path}/{id}`,
    operation: 'updateEventWebhook',
    summary: 'Change, pause or resume a webhook',
    description: 'Absent fields stay.',
    outlives: true,
    effect: 'write',
    leaves: ['webhook'],
    action: 'webhook.updated',
    body: record(
      {
        url: Type.Optional(WebhookUrl),
        events: Type.Optional(watchedEvents()),
        status: Type.Optional(oneOf(['active', 'disabled'], { description: '`disabled` pauses it.' })),
      },
      { minProperties: 1 },
    ),
    replies: { 200: WebhookEntry },
    errors: [...errorsFor(OF_EVENTS), ...WAY_REFUSALS],
    handle: ({ principal, params, body, now, transact }) =>
      transact(async (tx, audit) => {
        audit.resourceId = params.id;
        const before = await webhooks.require(tx, principal, params.id);
        const webhook = await webhooks.change(tx, principal, params.id, body, now);
        audit.change = changeOf(AuditedWebhook, auditedWebhook(before), auditedWebhook(webhook));
        return reply(200, await entryOf(webhooks, tx, webhook));
      }),
  });

/** The description of a call, whole once: the same call under the other path points to it. */
const described = ({ path }: Family, description: string) => ({
  description: path === OF_MAIL.path ? description : `As under \`${OF_MAIL.path}\`.`,
});

const deleteWebhook = (webhooks: WebhookRules, family: Family) =>
  endpoint({
    ...CALL_ON_ONE,
    method: 'DELETE',
    path: `${family.path}/{id}`,
    operation: family.operations.remove,
    summary: 'Delete a webhook and its deliveries',
    ...described(family, 'Nothing more is sent, not even what waits.'),
    whileSuspended: true,
    effect: 'write',
    leaves: [],
    bucket: 'revoke',
    action: 'webhook.deleted',
    replies: { 200: record({ deleted: Type.Boolean(), id: Type.String() }) },
    errors: errorsFor(family),
    handle: ({ principal, params, transact }) =>
      transact(async (tx, audit) => {
        const webhook = await webhooks.remove(tx, principal, params.id, family.foreign);
        audit.resourceId = params.id;
        audit.change = changeOf(AuditedWebhook, auditedWebhook(webhook), null);
        return reply(200, { deleted: true, id: params.id });
      }),
  });

const testWebhook = (webhooks: WebhookRules, { database, enqueueJob }: WebhookDeps, family: Family) =>
  endpoint({
    ...CALL_ON_ONE,
    method: 'POST',
    path: `${family.path}/{id}/test`,
    operation: family.operations.test,
    summary: 'Send a ping to a webhook',
    ...described(
      family,
      'Sends a `webhook.test` body once, signed like any delivery. The delivery log shows the result. A success enables a disabled webhook that was not paused.',
    ),
    effect: 'write',
    leaves: ['webhook'],
    action: 'webhook.tested',
    replies: { 202: DeliveryEntry },
    errors: errorsFor(family),
    handle: async ({ principal, params, now, transact }) => {
      const webhook = await webhooks.require(database, principal, params.id, family.foreign);
      return transact(async (tx, audit) => {
        audit.resourceId = webhook.id;
        return reply(202, deliveryEntry(await pingWebhook(tx, enqueueJob, webhook, now)));
      });
    },
  });

const listDeliveries = (webhooks: WebhookRules, { database }: WebhookDeps, family: Family) =>
  endpoint({
    ...CALL,
    method: 'GET',
    path: `${family.path}/{id}/deliveries`,
    operation: family.operations.list,
    summary: 'List deliveries, newest first',
    ...described(family, 'Deliveries are kept for 30 days. Needs `events:read` too where creating the webhook does.'),
    effect: 'none',
    params: WebhookParams,
    query: record({ limit: limitParam(20, 100), cursor: cursorParam() }),
    replies: {
      200: record({ deliveries: Type.Array(DeliveryEntry), count: Type.Integer(), next_cursor: nextCursor() }),
    },
    errors: [...errorsFor(family), 'invalid_cursor'],
    handle: async ({ principal, params, query }) => {
      const webhook = await webhooks.require(database, principal, params.id, family.foreign);
      const page = await pageOfDeliveries(database, webhook.id, query.cursor, query.limit as number);
      // It may have watched others before.
      requireReadable(principal, webhook, [...webhook.events, ...page.rows.map(({ type }) => type)]);
      const entries = page.rows.map(deliveryEntry);
      return reply(200, { deliveries: entries, count: entries.length, next_cursor: page.nextCursor });
    },
  });

const getDelivery = (webhooks: WebhookRules, { database }: WebhookDeps) =>
  endpoint({
    ...CALL,
    method: 'GET',
    path: `${OF_EVENTS.path}/{id}/deliveries/{delivery_id}`,
    operation: 'getEventWebhookDelivery',
    summary: 'Get a delivery with its body',
    description:
      '404 `no_longer_kept` after 30 days. The body is masked without `mail:codes`. Needs `events:read` too, except for the mail of an address.',
    effect: 'none',
    params: record({ id: text(64), delivery_id: text(64) }),
    replies: { 200: DeliveryDetail },
    errors: ['not_found', 'no_longer_kept'],
    handle: async ({ principal, params, now }) => {
      const webhook = await webhooks.require(database, principal, params.id);
      const delivery = await requireDelivery(database, webhook, params.delivery_id, now);
      requireReadable(principal, webhook, [delivery.type]);
      return reply(200, { ...deliveryEntry(delivery), body: shownBody(principal, webhook, delivery) });
    },
  });

const retryDelivery = (webhooks: WebhookRules, { database, enqueueJob }: WebhookDeps, family: Family) =>
  endpoint({
    ...CALL,
    method: 'POST',
    path: `${family.path}/{id}/deliveries/{delivery_id}/retry`,
    operation: family.operations.retry,
    summary: 'Retry a delivery now',
    ...described(
      family,
      'Sends the same body again, whatever the state of the delivery. If it fails, the schedule of retries starts again.',
    ),
    effect: 'write',
    leaves: ['webhook'],
    action: 'webhook.delivery_retried',
    params: record({ id: text(64), delivery_id: text(64) }),
    replies: { 202: DeliveryEntry },
    errors: errorsFor(family),
    handle: async ({ principal, params, now, transact }) => {
      const webhook = await webhooks.require(database, principal, params.id, family.foreign);
      return transact(async (tx, audit) => {
        audit.resourceId = params.delivery_id;
        const delivery = await repeatDelivery(tx, enqueueJob, webhook, params.delivery_id, now);
        return reply(202, deliveryEntry(delivery));
      });
    },
  });

const rotateWebhookSecret = (webhooks: WebhookRules, { sealer }: WebhookDeps, family: Family) =>
  endpoint({
    ...CALL_ON_ONE,
    method: 'POST',
    path: `${family.path}/{id}/rotate-secret`,
    operation: family.operations.rotate,
    summary: 'Replace the secret of a webhook',
    description:
      'Returns the new secret once. For `grace_seconds` the old one signs too: `webhook-signature` then has the signatures of both, and `x-service-signature` is still made with the old one.',
    outlives: true,
    effect: 'write',
    leaves: [],
    bucket: 'revoke',
    action: 'webhook.secret_rotated',
    body: record({
      grace_seconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: GRACE_SECONDS_MAX,
          default: GRACE_SECONDS_MAX,
          description: 'A day by default. Send 0 if the old secret was stolen.',
        }),
      ),
    }),
    replies: {
      200: record({
        id: Type.String(),
        secret: secret(Type.String({ description: 'Standard Webhooks: `whsec_` and base64.' })),
        previous_valid_until: nullable(timestamp()),
      }),
    },
    errors: errorsFor(family),
    handle: ({ principal, params, body, now, transact }) =>
      transact(async (tx, audit) => {
        const webhook = await webhooks.require(tx, principal, params.id, family.foreign);
        const { grace_seconds: grace = GRACE_SECONDS_MAX } = body;
        const rotated = await rotateSecret(tx, sealer, webhook, grace, now);
        audit.resourceId = webhook.id;
        const until = isoOrNull(rotated.previousUntil);
        return reply(200, { id: webhook.id, secret: rotated.secret, previous_valid_until: until });
      }),
  });

/** Webhooks of both kinds: all that is the same for them is under both paths. */
export const webhookRoutes = (webhooks: WebhookRules, deps: WebhookDeps): Endpoint[] => [
  createMailWebhook(webhooks),
  listMailWebhooks(webhooks, deps),
  createEventWebhook(webhooks),
  listEventWebhooks(webhooks, deps),
  getWebhook(webhooks, deps),
  getDelivery(webhooks, deps),
  updateWebhook(webhooks),
  ...[OF_MAIL, OF_EVENTS].flatMap((family) => [
    deleteWebhook(webhooks, family),
    testWebhook(webhooks, deps, family),
    listDeliveries(webhooks, deps, family),
    retryDelivery(webhooks, deps, family),
  ]),
  rotateWebhookSecret(webhooks, deps, OF_EVENTS),
  rotateWebhookSecret(webhooks, deps, OF_MAIL),
];
