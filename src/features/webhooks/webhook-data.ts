/** Facts a webhook may watch: those that are about one address. */
export const WEBHOOK_EVENTS = ['email.received', 'email.failed'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** What a ping is called; never watched, only asked for. */
export const TEST_EVENT = 'webhook.test';

/** Why nothing is sent any more: the receiver said it is gone for good, or failed for days. */
export type DisabledReason = 'gone' | 'failing';

export interface Webhook {
  id: string;
  accountId: string;
  address: string;
  url: string;
  /** As given: signing needs it. Shown to nobody. */
  secret: string | null;
  events: WebhookEvent[];
  status: 'active' | 'disabled';
  disabledReason: DisabledReason | null;
  /** Of the first failed attempt since one succeeded, milliseconds. */
  failingSince: number | null;
  createdAt: number;
}

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
