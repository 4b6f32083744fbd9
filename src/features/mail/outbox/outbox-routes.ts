import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { invalidField } from '../../../api/errors.ts';
import { cursorParam, limitParam, nextCursor, nullable, oneOf, record, text, timestamp } from '../../../api/fields.ts';
import { iso, isoOrNull } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { MetadataReply, metadataFilter } from '../mailboxes/messages/message-metadata-schema.ts';
import { maskedField } from '../mailboxes/messages/message-schema.ts';
import type { OpenReview } from '../reviews/review-table.ts';
import { decodeFiles } from './attached-files.ts';
import type { SendRequest } from './mail-composition.ts';
import type { OutboxDeps } from './outbox-deps.ts';
import { prepareMail, withLargeParts } from './prepared-mail.ts';
import {
  leftMachine,
  leftMachineFields,
  listOf,
  mailFields,
  SEND_BODY_BYTES,
  SEND_ERRORS,
  SEND_REPLIES,
  sentNote,
  sentReply,
} from './send-schema.ts';
import { SEND_TOOLS } from './send-tools.ts';
import type { OutboxEntry, OutboxRules, ShownEntry } from './sent-mail.ts';

const SendBody = record({ from: text(254, { description: 'An address of this account.' }), ...mailFields });

const sendMail = (outbox: OutboxRules, deps: OutboxDeps) =>
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
    leaves: ['mail'],
    action: 'email.sent',
    body: SendBody,
    bodyLimitBytes: SEND_BODY_BYTES,
    payable: true,
    tools: SEND_TOOLS,
    replies: SEND_REPLIES,
    errors: SEND_ERRORS,
    handle: async (call) => {
      const { principal, body, now, transact } = call;
      if (body.text === undefined && body.html === undefined)
        throw invalidField('/body/text', 'required', 'Send text, html, or both.');
      const from = await deps.mailboxes.sender(principal, body.from);
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
        attachments: await decodeFiles(body.attachments),
        metadata: body.metadata,
        unsubscribe: body.unsubscribe,
      };
      const mail = await prepareMail(outbox, deps, call, request, '/v1/email/send');
      return withLargeParts(deps, call, mail.draft, (draft) =>
        transact(async (tx, audit) => {
          const sent = await outbox.send(tx, draft, principal, mail.payment, now);
          Object.assign(audit, sentNote(sent));
          return sentReply(sent);
        }),
      );
    },
  });

const outboxFields = {
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
  ...leftMachineFields,
  metadata: MetadataReply,
  thread_id: nullable(Type.String()),
  rfc_message_id: Type.String(),
  review: nullable(
    record({ id: Type.String(), reason: Type.String(), asked_at: timestamp(), expires_at: timestamp() }),
    { description: 'The review that it waits for. Null if it waits for none.' },
  ),
  masked: maskedField(),
};
const OutboxMessage = record(outboxFields);

function recipientStates({ recipients: all, outcomes }: OutboxEntry) {
  const known = new Map(outcomes.map((outcome) => [outcome.address, outcome]));
  return all.map((address) => {
    const outcome = known.get(address);
    if (outcome === undefined) return { address, status: 'pending' as const, error: null };
    const { error } = outcome;
    return { address, status: error === null ? ('sent' as const) : ('failed' as const), error };
  });
}

const outboxMessage = (entry: ShownEntry, review: OpenReview | undefined) => ({
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
  ...leftMachine(entry),
  metadata: entry.metadata ?? {},
  thread_id: entry.threadId,
  rfc_message_id: entry.rfcMessageId,
  review: review
    ? { id: review.id, reason: review.reason, asked_at: iso(review.createdAt), expires_at: iso(review.expiresAt) }
    : null,
  ...(entry.masked ? { masked: true } : {}),
});

const listOutbox = (outbox: OutboxRules, { database }: OutboxDeps) =>
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
    query: record({ limit: limitParam(20, 100), cursor: cursorParam(), metadata: metadataFilter() }),
    replies: { 200: record({ messages: Type.Array(OutboxMessage), count: Type.Integer(), next_cursor: nextCursor() }) },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query, now }) => {
      const { cursor, metadata } = query;
      const page = await outbox.list(database, principal, { cursor, limit: query.limit as number, metadata });
      const reviews = await outbox.openReviews(database, page.rows, now);
      const messages = page.rows.map((entry) => outboxMessage(entry, reviews.get(entry.id)));
      return reply(200, { messages, count: messages.length, next_cursor: page.nextCursor });
    },
  });

const getSent = (outbox: OutboxRules, { database }: OutboxDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/email/outbox/{id}',
    operation: 'getSentEmail',
    tag: 'Email',
    summary: 'Read a sent email',
    description: 'With its whole text. 404 `no_longer_kept` once it may have gone with its address.',
    auth: 'key',
    scope: 'mail:read',
    addresses: 'filtered',
    effect: 'none',
    params: record({ id: text(64) }),
    replies: { 200: record({ ...outboxFields, text: nullable(Type.String({ description: 'Null when sealed.' })) }) },
    errors: ['not_found', 'no_longer_kept'],
    handle: async ({ principal, params, now }) => {
      const { entry, text } = await outbox.read(database, principal, params.id, now);
      const reviews = await outbox.openReviews(database, [entry], now);
      return reply(200, { ...outboxMessage(entry, reviews.get(entry.id)), text });
    },
  });

export const outboxRoutes = (outbox: OutboxRules, deps: OutboxDeps): Endpoint[] => [
  sendMail(outbox, deps),
  listOutbox(outbox, deps),
  getSent(outbox, deps),
];
