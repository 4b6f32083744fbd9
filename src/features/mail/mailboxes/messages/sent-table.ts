import { column, exported, type RecordOf } from '../../../../db/column-map.ts';
import { table } from '../../../../db/table.ts';
import type { Metadata } from './message-metadata-schema.ts';

/** Why a mail failed that its sender withdrew while it was held. */
export const WITHDRAWN = 'withdrawn';

export type OutboxStatus = 'pending' | 'sent' | 'failed';

/** The result for one recipient. A mail that was handed over may come back later: then `error` is set later. */
export interface Outcome {
  address: string;
  /** The relay's id of the mail for this recipient; null inside the service and for a recipient who was never served. */
  providerId: string | null;
  /** Why the recipient does not have the mail; null when the mail was delivered or handed over. */
  error: string | null;
  /** When it was known, milliseconds. Absent in entries of earlier versions. */
  at?: number;
  /** What the server said that took the mail. */
  reply?: string;
  /** Of a mail that came back: when the server had taken it. */
  takenAt?: number;
}

/** An attempt after which recipients are tried again. */
export interface Deferral {
  at: number;
  nextAt: number;
  /** What the server said, or why there was none that did. */
  reason: string;
  addresses: string[];
}

export const OUTBOX = table(
  'outbox',
  {
    id: exported.text('id'),
    accountId: exported.text('account_id'),
    /** The sender. */
    address: exported.text('address'),
    /** The mail itself, until the last copy has left the service. Then {@link SENT_CONTENTS} has it. */
    contentId: column.text('content_id').orNull(),
    threadId: exported.text('thread_id').orNull(),
    rfcMessageId: exported.text('rfc_message_id'),
    /** As the sender wrote them, blind copies included. */
    recipients: exported.json<string[]>()('recipients'),
    externalRecipients: exported.json<string[]>()('external_recipients'),
    subject: exported.text('subject'),
    status: exported.enum<OutboxStatus>()('status'),
    provider: exported.text('provider'),
    providerId: exported.text('provider_id').orNull(),
    error: exported.text('error').orNull(),
    /** Milliseconds. */
    queuedAt: exported.integer('queued_at'),
    sentAt: exported.integer('sent_at').orNull(),
    /** When it was known that a recipient does not get it. */
    failedAt: exported.integer('failed_at').orNull(),
    /** The results known so far, in no order. Null in rows of earlier versions; see {@link OutboxEntry}. */
    outcomes: exported.json<Outcome[]>()('outcomes').orNull(),
    /** The attempts that were not the last, oldest first. */
    deferrals: exported.json<Deferral[]>()('deferrals').orNull(),
    /** The beginning of the text, without quoted history; null when the sender or a recipient keeps mail sealed. */
    excerpt: exported.text('excerpt').orNull(),
    /** What the sender notes about it. */
    metadata: exported.json<Metadata>()('metadata').orNull(),
    /** Recipients on other services get a link to unsubscribe. */
    unsubscribe: exported.flag('unsubscribe'),
    /** The accounts that sent it by a chain of delegations, whose policies hold until it has left. Empty: its own. */
    actors: exported.json<readonly string[]>()('actors'),
    /** A mail program brought it. It is in the folder and in conversations, and in no list of the outbox. */
    imported: exported.flag('is_imported'),
    /** A mail program took it out of its folder. All else shows it. */
    expunged: column.flag('is_expunged'),
  },
  {
    key: ['id'],
    account: ['accountId'],
    erase: { by: 'mail-erasure.ts, with its content and terms' },
    page: ['id'],
    search: [
      {
        kind: 'sent_mail',
        by: 'accountId',
        order: 'id',
        texts: ['subject', 'recipients'],
        reads: ['queuedAt'],
        where: { imported: false },
        address: 'address',
        shown: ({ id, address, subject, queuedAt }) => ({
          id,
          title: subject,
          at: queuedAt,
          place: ['mail', address, 'sent', id],
        }),
      },
    ],
  },
);
/** The whole text of a sent mail of an earlier version, where {@link OUTBOX} has only its beginning. */
export const SENT_TEXTS = table(
  'sent_texts',
  {
    outboxId: exported.text('outbox_id'),
    accountId: exported.text('account_id'),
    content: exported.text('content'),
  },
  { key: ['outboxId'], account: ['accountId'], erase: { by: 'mail-erasure.ts, with the mail' } },
);

/** The content of a sent mail after it has left. */
export const SENT_CONTENTS = table(
  'sent_contents',
  {
    accountId: column.text('account_id'),
    outboxId: column.text('outbox_id'),
    contentId: column.text('content_id'),
  },
  {
    key: ['accountId', 'outboxId'],
    account: ['accountId'],
    erase: { by: 'mail-erasure.ts, with the mail' },
    page: ['outboxId'],
  },
);

type OutboxRecord = RecordOf<typeof OUTBOX>;
export type OutboxEntry = OutboxRecord & { outcomes: Outcome[] };

/** Rows of earlier versions hold only the result of the whole mail. It stands for that of each recipient. */
function outcomesOf({ outcomes, status, error, recipients, providerId }: OutboxRecord): Outcome[] {
  if (outcomes !== null) return outcomes;
  if (status === 'pending') return [];
  const reason = status === 'failed' ? (error ?? 'The mail failed.') : null;
  return recipients.map((address) => ({ address, providerId, error: reason }));
}

export const outboxEntry = (record: OutboxRecord): OutboxEntry => ({ ...record, outcomes: outcomesOf(record) });
