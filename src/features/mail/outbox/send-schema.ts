import type { Static } from 'typebox';
import { reply } from '../../../api/endpoint.ts';
import type { ErrorCode } from '../../../api/errors.ts';
import { guidance, named, nullable, oneOf, record, text, timestamp } from '../../../api/fields.ts';
import { isoOrNull } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { MetadataChange } from '../mailboxes/messages/message-metadata-schema.ts';
import type { OutboxEntry } from '../mailboxes/messages/sent-table.ts';
import { HeldEmail, heldBody, recipientWarning } from './held-schema.ts';

/** 25 MiB of attachments, which base64 makes a third larger, and the texts. */
export const SEND_BODY_BYTES = 37 * 1_048_576;
const TEXT_CHARS = 1_048_576;

/** One address, or a list of them. */
const Recipients = named(
  'Recipients',
  Type.Union([text(254), Type.Array(text(254), { maxItems: 100 })], { description: 'One address or a list.' }),
);

export const Attachments = named(
  'Attachments',
  Type.Array(
    record({
      filename: text(255, { minLength: 1 }),
      content_type: Type.Optional(
        Type.String({
          maxLength: 127,
          pattern: '^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+$',
          default: 'application/octet-stream',
        }),
      ),
      content: Type.String({ description: 'Base64.' }),
    }),
    { maxItems: 100, description: 'At most 25 MiB in total.' },
  ),
);

/** What a mail says, in every request that writes one. */
export const contentFields = {
  text: Type.Optional(text(TEXT_CHARS, { description: 'Plain text. Send this, `html`, or both.' })),
  html: Type.Optional(text(TEXT_CHARS)),
  attachments: Type.Optional(Attachments),
  metadata: MetadataChange,
};

/** Further recipients, in every request that names some. */
export const copyFields = {
  cc: Type.Optional(Recipients),
  bcc: Type.Optional(Recipients),
};

/** The fields of a mail that a request writes whole, besides its sender. */
export const mailFields = {
  to: Recipients,
  ...copyFields,
  reply_to: Type.Optional(text(254)),
  subject: text(998, { description: 'May be empty.' }),
  ...contentFields,
  in_reply_to: Type.Optional(
    text(998, { minLength: 1, description: 'A `message_id` in the inbox of `from`, or an RFC 5322 Message-ID.' }),
  ),
  unsubscribe: Type.Optional(Type.Boolean({ description: 'Adds a one-click link (RFC 8058).' })),
  references: Type.Optional(
    Type.Array(text(998), { maxItems: 100, description: 'Message-IDs. Ignored if `in_reply_to` is in the inbox.' }),
  ),
};

const InternalRecipient = record({
  address: Type.String(),
  delivered: Type.Boolean(),
  error: nullable(Type.String({ description: 'Null if delivered.' })),
});

/** Why a mail with the status `sent` reached no recipient. */
export const leftMachineFields = {
  left_machine: Type.Optional(
    Type.Boolean({ description: 'Present and false if the service only wrote the mail to a file.' }),
  ),
  guidance: Type.Optional(guidance(Type.String())),
};

const NOT_LEFT = {
  left_machine: false,
  guidance: 'This service has no mail relay, so the mail was written to a file. Nobody received it.',
};

/** Says of a mail to others that it did not leave the machine. */
export const leftMachine = ({ provider, status }: { provider: string; status: string }) =>
  provider === 'file' && status === 'sent' ? NOT_LEFT : {};

const Sent = named(
  'SentEmail',
  record({
    id: Type.String(),
    provider_id: nullable(
      Type.String({
        description: 'The provider’s id of the email. For internal mail, the Message-ID. Null while pending.',
      }),
    ),
    status: oneOf(['pending', 'sent', 'failed']),
    from: Type.String(),
    to: Type.Array(Type.String()),
    sent_at: nullable(timestamp()),
    provider: Type.String({
      description: '`smtp`, `file` (development outbox), or `internal` if every recipient is on this service.',
    }),
    internal_recipients: Type.Optional(Type.Array(InternalRecipient)),
    rfc_message_id: Type.String(),
    thread_id: nullable(Type.String()),
    rate_limit: record(
      { daily_remaining: Type.Integer(), hourly_remaining: Type.Integer() },
      { description: 'Emails left in this UTC day and hour.' },
    ),
    payment_id: Type.Optional(Type.String({ description: 'The payment, if the email was over the limit.' })),
    warning: Type.Optional(guidance(Type.String())),
  }),
);

/** How a request that sends is answered. */
export const SEND_REPLIES = { 201: Sent, 202: HeldEmail };

/** The errors of every request that sends. */
export const SEND_ERRORS: readonly ErrorCode[] = [
  'invalid_recipient',
  'too_many_recipients',
  'sender_not_owned',
  'recipient_not_allowed',
  'secret_in_mail',
  'metadata_too_large',
  'recipient_suppressed',
  'sending_paused',
  'storage_full',
];

export const listOf = (value: string | string[] | undefined): string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;

interface SentShape {
  entry: OutboxEntry;
  internalRecipients: Static<typeof InternalRecipient>[];
  quota: { dailyRemaining: number; hourlyRemaining: number };
  paymentId: string | null;
  /** The review that it waits for; null when it has left. */
  review: { id: string; reason: string } | null;
}

function sentBody({ entry, internalRecipients, quota, paymentId }: SentShape): Static<typeof Sent> {
  return {
    id: entry.id,
    provider_id: entry.providerId,
    status: entry.status,
    from: entry.address,
    to: entry.recipients,
    sent_at: isoOrNull(entry.sentAt),
    provider: entry.provider,
    ...(internalRecipients.length > 0 ? { internal_recipients: internalRecipients } : {}),
    rfc_message_id: entry.rfcMessageId,
    thread_id: entry.threadId,
    rate_limit: { daily_remaining: quota.dailyRemaining, hourly_remaining: quota.hourlyRemaining },
    ...(paymentId === null ? {} : { payment_id: paymentId }),
    ...recipientWarning(entry.recipients),
  };
}

/** The reply to a request that sends: 202 when the mail waits for a review. */
/** What the audit log says of a mail: neither its words nor to whom it goes. */
export const sentNote = ({ entry, review }: Pick<SentShape, 'entry' | 'review'>) => {
  const { length: many } = entry.recipients;
  const whom = many === 1 ? '1 recipient' : `${many} recipients`;
  return {
    resourceId: entry.id,
    summary: review === null ? `Sent a mail to ${whom}` : `Asked to send a mail to ${whom}`,
  };
};

export const sentReply = (sent: SentShape) =>
  sent.review === null ? reply(201, sentBody(sent)) : reply(202, heldBody(sent, sent.review));
