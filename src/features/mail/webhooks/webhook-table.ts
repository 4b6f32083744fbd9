import type { EventType } from '../../../api/events.ts';
import type { SealedColumn } from '../../../base/sealing.ts';
import { column, exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** The events that a webhook may watch at `/v1/email/webhooks`. */
export const MAIL_EVENTS = ['email.received', 'email.failed'] as const;

/** The type of a ping. A webhook cannot watch it. */
export const TEST_EVENT = 'webhook.test';

/**
 * Why a webhook is disabled: the receiver answered 410, or failed for five days, the account was secured, or the owner
 * paused it.
 */
export const DISABLED_REASONS = ['gone', 'failing', 'secured', 'paused'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export const WEBHOOK_SECRET: SealedColumn = {
  purpose: 'webhook-secret',
  table: 'webhooks',
  column: 'secret',
  id: 'id',
};

export const WEBHOOK_PREVIOUS_SECRET: SealedColumn = { ...WEBHOOK_SECRET, column: 'previous_secret' };

export const WEBHOOKS = table(
  'webhooks',
  {
    id: exported.text('id'),
    accountId: exported.text('account_id'),
    /** Null: it watches the whole account. */
    address: exported.text('address').orNull(),
    url: exported.text('url'),
    /** Sealed, because signing needs it. No reply shows it. */
    secret: column.sealed('secret').orNull(),
    /** The secret before the last rotation. It signs beside the new one until `previousUntil`. */
    previousSecret: column.sealed('previous_secret').orNull(),
    previousUntil: exported.integer('previous_until').orNull(),
    events: exported.json<EventType[]>()('events'),
    /** False when a credential without `mail:codes` made it, or changed its URL: it posts what that may see. */
    showsCodes: exported.flag('shows_codes'),
    status: exported.enum<'active' | 'disabled'>()('status'),
    disabledReason: exported.enum<DisabledReason>()('disabled_reason').orNull(),
    /** The first failed attempt since the last success. */
    failingSince: exported.integer('failing_since').orNull(),
    /** The accounts whose operator made it, or last let it go on. */
    operatedBy: exported.json<readonly string[]>()('operated_by'),
    createdAt: exported.integer('created_at'),
    /** When its URL or events last changed. A thief may have changed an old webhook. */
    changedAt: exported.integer('changed_at'),
  },
  {
    key: ['id'],
    account: ['accountId'],
    erase: 'delete',
    search: [
      {
        kind: 'webhook',
        by: 'accountId',
        order: 'id',
        texts: ['url'],
        reads: ['createdAt'],
        address: 'address',
        shown: ({ id, url, createdAt }) => ({ id, title: url, at: createdAt, place: ['webhooks', id] }),
      },
    ],
  },
);
export type Webhook = RecordOf<typeof WEBHOOKS>;

/** One attempt of a delivery. */
export interface Attempt {
  /** Increased by each manual retry. */
  run: number;
  /** When it ended. */
  at: number;
  responseStatus: number | null;
  responseSnippet: string | null;
  error: string | null;
  durationMs: number | null;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

export const DELIVERIES = table(
  'webhook_deliveries',
  {
    id: column.text('id'),
    webhookId: column.text('webhook_id'),
    type: column.enum<EventType | typeof TEST_EVENT>()('type'),
    /** The same in every attempt, so that a receiver detects repeats: the event's id; of a ping, the delivery's id. */
    eventId: column.text('event_id'),
    messageId: column.text('message_id').orNull(),
    /** JSON, byte for byte as it is signed and sent. */
    body: column.text('body'),
    status: column.enum<DeliveryStatus>()('status'),
    /** Increased by each manual retry. */
    run: column.integer('run'),
    /** Attempts in this run. */
    attempts: column.integer('attempts'),
    createdAt: column.integer('created_at'),
    lastAttemptAt: column.integer('last_attempt_at').orNull(),
    nextAttemptAt: column.integer('next_attempt_at').orNull(),
    deliveredAt: column.integer('delivered_at').orNull(),
    responseStatus: column.integer('response_status').orNull(),
    responseSnippet: column.text('response_snippet').orNull(),
    /**
     * A code: `timeout`, `host_refused`, `redirect`, `http_status`, `webhook_disabled`, `refused_by_policy`, or a system error such as
     * `ECONNRESET`. Null after a success.
     */
    error: column.text('error').orNull(),
    durationMs: column.integer('duration_ms').orNull(),
    /** The latest attempts of all runs, oldest first. */
    attemptLog: column.json<readonly Attempt[]>()('attempt_log'),
  },
  { key: ['id'], account: [{ field: 'webhookId', of: WEBHOOKS, account: 'accountId' }], erase: 'delete', page: ['id'] },
);
export type Delivery = RecordOf<typeof DELIVERIES>;

/** How many deliveries of a webhook arrived, and how many were given up, on a UTC day. Kept for a week. */
export const WEBHOOK_DAYS = table(
  'webhook_days',
  {
    webhookId: column.text('webhook_id'),
    dayStart: column.integer('day_start'),
    delivered: column.integer('delivered'),
    failed: column.integer('failed'),
  },
  {
    key: ['webhookId', 'dayStart'],
    account: [{ field: 'webhookId', of: WEBHOOKS, account: 'accountId' }],
    erase: 'delete',
  },
);
export type WebhookDay = RecordOf<typeof WEBHOOK_DAYS>;

/** The result of an attempt as the delivery log shows it. */
export type AttemptNote = Pick<Delivery, 'responseStatus' | 'responseSnippet' | 'error' | 'durationMs'>;
