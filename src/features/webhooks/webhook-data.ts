import { column, columnMap, type RecordOf } from '../../kernel/column-map.ts';

/** Facts a webhook may watch: those that are about one address. */
export const WEBHOOK_EVENTS = ['email.received', 'email.failed'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** What a ping is called; never watched, only asked for. */
export const TEST_EVENT = 'webhook.test';

/** Why nothing is sent any more: the receiver said it is gone for good, or failed for days. */
export type DisabledReason = 'gone' | 'failing';

export const WEBHOOKS = columnMap({
  id: column.text('id'),
  accountId: column.text('account_id'),
  address: column.text('address'),
  url: column.text('url'),
  /** As given, because signing needs it. No reply shows it. */
  secret: column.text('secret').orNull(),
  events: column.json<WebhookEvent[]>()('events'),
  status: column.word<'active' | 'disabled'>()('status'),
  disabledReason: column.word<DisabledReason>()('disabled_reason').orNull(),
  /** The first failed attempt since the last success, milliseconds. */
  failingSince: column.integer('failing_since').orNull(),
  createdAt: column.integer('created_at'),
});
export type Webhook = RecordOf<typeof WEBHOOKS>;

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

/** What an attempt came to, as the log shows it. */
export interface AttemptNote {
  responseStatus: number | null;
  responseSnippet: string | null;
  /** A code: `timeout`, `host_refused`, `redirect`, `http_status`, a system error such as `ECONNRESET`; null when it was taken. */
  error: string | null;
  durationMs: number | null;
}

export interface Delivery extends AttemptNote {
  id: string;
  webhookId: string;
  type: WebhookEvent | typeof TEST_EVENT;
  /** The same in every attempt, so that a receiver can tell repeats: the event's id, for a ping the delivery's. */
  eventId: string;
  messageId: string | null;
  /** JSON, byte for byte what is sent and signed. */
  body: string;
  status: DeliveryStatus;
  /** Raised by each manual retry. */
  run: number;
  /** In this run. */
  attempts: number;
  createdAt: number;
  lastAttemptAt: number | null;
  nextAttemptAt: number | null;
  deliveredAt: number | null;
}
