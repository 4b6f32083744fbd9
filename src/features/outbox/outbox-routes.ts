import { Type } from 'typebox';
import { iso, isoOrNull } from '../../kernel/clock.ts';
import { type Endpoint, endpoint, reply } from '../../kernel/endpoint.ts';
import { invalidField } from '../../kernel/errors.ts';
import { cursorParam, limitParam, nextCursor, nullable, oneOf, record, text, timestamp } from '../../kernel/fields.ts';
import type { Database } from '../../kernel/transaction.ts';
import { composeDraft, type SendRequest } from './draft-rules.ts';
import type { OutboxEntry, OutboxRules, Senders, SentMail } from './outbox-rules.ts';

export interface OutboxRouteDeps {
  mailboxes: Senders;
  outbox: OutboxRules;
  database: Database;
  mailDomain: string;
  baseUrl(): string;
}

/** 25 MiB of attachments, which base64 makes a third larger, and the texts. */
const SEND_BODY_BYTES = 37 * 1_048_576;
const ATTACHMENT_BYTES = 25 * 1_048_576;
const TEXT_CHARS = 1_048_576;

const recipients = (options: Record<string, unknown> = {}) =>
  Type.Union([text(254), Type.Array(text(254), { maxItems: 100 })], {
    description: 'One address or a list.',
    ...options,
  });

const SendBody = record({
  from: text(254, { description: 'An address of this account.' }),
  to: recipients(),
  cc: Type.Optional(recipients()),
  bcc: Type.Optional(recipients({ description: 'Blind copies. No header shows them.' })),
  reply_to: Type.Optional(text(254)),
  subject: text(998, { description: 'May be empty.' }),
  text: Type.Optional(text(TEXT_CHARS, { description: 'Plain text. Send this, `html`, or both.' })),
  html: Type.Optional(text(TEXT_CHARS)),
  in_reply_to: Type.Optional(
    text(998, { minLength: 1, description: 'A `message_id` in the inbox of `from`, or an RFC 5322 Message-ID.' }),
  ),
  references: Type.Optional(
    Type.Array(text(998), { maxItems: 100, description: 'Message-IDs. Ignored if `in_reply_to` is in the inbox.' }),
  ),
  attachments: Type.Optional(
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
  ),
});

const InternalRecipient = record({
  address: Type.String(),
  delivered: Type.Boolean(),
  error: nullable(Type.String({ description: 'Null if delivered.' })),
});

const Sent = record({
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
});

const listOf = (value: string | string[] | undefined): string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;

interface FileBody {
  filename: string;
  content_type?: string;
  content: string;
}

/** Accepts both alphabets, with or without padding. A single character after the last group of four is invalid (RFC 4648 4). */
const isBase64 = (content: string): boolean =>
  /^[A-Za-z0-9+/_-]*={0,2}$/.test(content) && content.replace(/=+$/, '').length % 4 !== 1;

function decodeFiles(files: readonly FileBody[]): SendRequest['attachments'] {
  let total = 0;
  return files.map(({ filename, content_type: contentType = 'application/octet-stream', content }, i) => {
    const path = `/body/attachments/${i}/content`;
    if (!isBase64(content)) throw invalidField(path, 'invalid_format', `${path} must be base64.`);
    const bytes = Buffer.from(content, 'base64');
    total += bytes.length;
    if (total > ATTACHMENT_BYTES)
      throw invalidField('/body/attachments', 'too_long', 'Attachments may have at most 25 MiB in total.');
    return { filename, contentType, content: bytes };
  });
}

const sendMail = ({ mailboxes, outbox, database, mailDomain, baseUrl }: OutboxRouteDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/email/send',
    operation: 'sendEmail',
    tag: 'Email',
    summary: 'Send an email',
    description:
      'Recipients on this service have the email when the reply arrives. Mail to others is queued: see `GET /v1/email/outbox` for the outcome. Send an `Idempotency-Key` so that a retry sends the email only once. Over the limit, pay for an email with `X-PAYMENT`.',
    auth: 'key',
    scope: 'mail:send',
    addresses: 'filtered',
    effect: 'write',
    action: 'email.sent',
    body: SendBody,
    bodyLimitBytes: SEND_BODY_BYTES,
    payable: true,
    replies: { 201: Sent },
    errors: ['invalid_recipient', 'too_many_recipients', 'sender_not_owned', 'recipient_suppressed', 'sending_paused'],
    handle: async ({ principal, body, now, header, transact }) => {
      if (body.text === undefined && body.html === undefined)
        throw invalidField('/body/text', 'required', 'Send text, html, or both.');
      const from = await mailboxes.sender(principal, body.from);
      const request: SendRequest = {
        from,
        to: listOf(body.to),
        cc: listOf(body.cc),
        bcc: listOf(body.bcc),
        replyTo: body.reply_to ?? null,
        subject: body.subject,
        text: body.text ?? null,
        html: body.html ?? null,
        inReplyTo: body.in_reply_to ?? null,
        references: body.references ?? [],
        attachments: decodeFiles(body.attachments ?? []),
      };
      const draft = await composeDraft({ reader: database, mailDomain, now }, request, principal);
      const payment = await outbox.paymentOffer({ header, now }, `${baseUrl()}/v1/email/send`);
      return transact(async (tx, audit) => {
        const sent = await outbox.send(tx, draft, principal, payment, now);
        audit.resourceId = sent.entry.id;
        return reply(201, sentBody(sent));
      });
    },
  });

function sentBody({ entry, internalRecipients, quota, paymentId }: SentMail) {
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
  };
}

const OutboxMessage = record({
  id: Type.String(),
  from: Type.String(),
  to: Type.Array(Type.String()),
  subject: Type.String(),
  status: oneOf(['pending', 'sent', 'failed']),
  queued_at: timestamp(),
  sent_at: nullable(timestamp()),
  error: nullable(Type.String({ description: 'Why recipients did not get the email.' })),
  recipients: Type.Array(
    record({
      address: Type.String(),
      status: oneOf(['pending', 'sent', 'failed']),
      error: nullable(Type.String()),
    }),
    { description: 'The outcome for each recipient. An email is `failed` if no recipient got it.' },
  ),
  provider: Type.String(),
  thread_id: nullable(Type.String()),
  rfc_message_id: Type.String(),
});

function recipientStates({ recipients: all, outcomes }: OutboxEntry) {
  const known = new Map(outcomes.map((outcome) => [outcome.address, outcome]));
  return all.map((address) => {
    const outcome = known.get(address);
    if (outcome === undefined) return { address, status: 'pending' as const, error: null };
    const { error } = outcome;
    return { address, status: error === null ? ('sent' as const) : ('failed' as const), error };
  });
}

const outboxMessage = (entry: OutboxEntry) => ({
  id: entry.id,
  from: entry.address,
  to: entry.recipients,
  subject: entry.subject,
  status: entry.status,
  queued_at: iso(entry.queuedAt),
  sent_at: isoOrNull(entry.sentAt),
  error: entry.error,
  recipients: recipientStates(entry),
  provider: entry.provider,
  thread_id: entry.threadId,
  rfc_message_id: entry.rfcMessageId,
});

const listOutbox = ({ outbox, database }: OutboxRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/outbox',
    operation: 'listOutbox',
    tag: 'Email',
    summary: 'List sent mail, newest first',
    description: 'With the outcome for each recipient.',
    auth: 'key',
    scope: 'mail:read',
    addresses: 'filtered',
    effect: 'none',
    query: record({ limit: limitParam(20, 100), cursor: cursorParam() }),
    replies: { 200: record({ messages: Type.Array(OutboxMessage), count: Type.Integer(), next_cursor: nextCursor() }) },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query }) => {
      const page = await outbox.list(database, principal, query.cursor, query.limit as number);
      const messages = page.rows.map(outboxMessage);
      return reply(200, { messages, count: messages.length, next_cursor: page.nextCursor });
    },
  });

export const outboxRoutes = (deps: OutboxRouteDeps): Endpoint[] => [sendMail(deps), listOutbox(deps)];
