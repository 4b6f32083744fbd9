import { EVENT_TYPES } from '../../../api/events.ts';
import { audited, named, nullable, oneOf, record, secret, text, timestamp } from '../../../api/fields.ts';
import { iso, isoOrNull } from '../../../base/clock.ts';
import { utcDay } from '../../../base/period.ts';
import { Type } from '../../../base/schema.ts';
import { type Delivery, DISABLED_REASONS, TEST_EVENT, type Webhook, type WebhookDay } from './webhook-table.ts';

export const WebhookParams = record({ id: text(64) });

export const WebhookUrl = named(
  'WebhookUrl',
  text(2048, { description: 'An http or https URL on the public internet, without user name or password.' }),
);

/** The fields of a request that every new webhook has. */
export const newWebhookFields = {
  url: WebhookUrl,
  secret: Type.Optional(
    named(
      'WebhookSecret',
      text(256, {
        minLength: 1,
        description: 'Signs every delivery. Any text, or a Standard Webhooks secret: `whsec_` and base64.',
      }),
    ),
  ),
};

const webhookFields = {
  id: Type.String(),
  address: nullable(Type.String({ description: 'Null: the webhook watches the whole account.' })),
  url: Type.String(),
  has_secret: Type.Boolean({ description: 'True if deliveries are signed.' }),
  events: Type.Array(oneOf(EVENT_TYPES)),
  created_at: timestamp(),
  status: oneOf(['active', 'disabled'], {
    description: '`disabled`: events are not sent. Resume it, or let a test or retry succeed unless it was paused.',
  }),
  disabled_reason: nullable(
    oneOf(DISABLED_REASONS, {
      description:
        '`gone`: the receiver answered 410. `failing`: it failed for five days. `secured`: the account was secured. `paused`: by PATCH.',
    }),
  ),
  failing_since: nullable(timestamp({ description: 'The first failure since the last success.' })),
  paused: Type.Boolean({ description: 'True: nothing is sent now, for `paused_reason`.' }),
  paused_reason: nullable(
    oneOf(['policy'], { description: '`policy`: the policy for ways out does not let it post to this host.' }),
  ),
};

export const WebhookEntry = named('Webhook', record(webhookFields));

/** A webhook with what became of its deliveries. */
export const WebhookReply = record({
  ...webhookFields,
  days: Type.Array(
    record({
      day: Type.String(),
      delivered: Type.Integer(),
      failed: Type.Integer({ description: 'Given up.' }),
    }),
    { description: 'Deliveries of each of the last 7 UTC days, oldest first.' },
  ),
});

/** A webhook as it was just made. */
export const NewWebhookEntry = record({
  ...webhookFields,
  secret: Type.Optional(
    secret(Type.String({ description: 'Only if you gave none, and only now: it signs every delivery. Keep it.' })),
  ),
});

const AttemptEntry = named(
  'WebhookAttempt',
  record({
    at: timestamp(),
    response_status: nullable(Type.Integer()),
    response_snippet: nullable(Type.String()),
    error: nullable(Type.String()),
    duration_ms: nullable(Type.Integer()),
  }),
);

const deliveryFields = {
  id: Type.String(),
  webhook_id: Type.String(),
  event: oneOf([...EVENT_TYPES, TEST_EVENT]),
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
        'The error of the last attempt: `timeout`, `host_refused`, `redirect`, `http_status`, `webhook_disabled`, `refused_by_policy`, or a connection error such as `ECONNREFUSED`.',
    }),
  ),
  duration_ms: nullable(Type.Integer({ description: 'Duration of the last attempt.' })),
  attempt_log: Type.Array(AttemptEntry, { description: 'The last 16 attempts, also before a retry; oldest first.' }),
};

export const DeliveryEntry = named('WebhookDelivery', record(deliveryFields));

export const DeliveryDetail = record({
  ...deliveryFields,
  body: Type.String({ description: 'JSON, as it is signed and sent.' }),
});

/** What the audit log keeps of a webhook: its URL may hold a secret, so only the host of it. */
export const AuditedWebhook = record({
  host: audited(Type.String()),
  address: audited(nullable(Type.String())),
  events: audited(Type.Array(Type.String())),
  status: audited(Type.String()),
});
export const auditedWebhook = ({ url, address, events, status }: Webhook) => ({
  host: new URL(url).host,
  address,
  events,
  status,
});

/** `isHeldBack`: the policy for ways out holds it back now. */
export const webhookEntry = (webhook: Webhook, isHeldBack: boolean) => ({
  id: webhook.id,
  address: webhook.address,
  url: webhook.url,
  has_secret: webhook.secret !== null,
  events: webhook.events,
  created_at: iso(webhook.createdAt),
  status: webhook.status,
  disabled_reason: webhook.disabledReason,
  failing_since: isoOrNull(webhook.failingSince),
  paused: isHeldBack,
  paused_reason: isHeldBack ? ('policy' as const) : null,
});

export const weekEntry = ({ dayStart, delivered, failed }: WebhookDay) => ({
  day: utcDay(dayStart),
  delivered,
  failed,
});

export const deliveryEntry = (delivery: Delivery) => ({
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
  attempt_log: delivery.attemptLog.map(({ at, responseStatus, responseSnippet, error, durationMs }) => ({
    at: iso(at),
    response_status: responseStatus,
    response_snippet: responseSnippet,
    error,
    duration_ms: durationMs,
  })),
});
