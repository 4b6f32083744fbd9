import { Type } from 'typebox';
import { iso } from '../../kernel/clock.ts';
import { named, nullable, oneOf, record, text, timestamp } from '../../kernel/fields.ts';
import { Label, labelFields } from './label-data.ts';
import type { Message } from './message-data.ts';

/** The wire forms of a message, shared by `/v1/email` and `/v1/inbox`. */
const MailAuth = named(
  'MailAuth',
  record({
    method: oneOf(['internal', 'smtp']),
    spf: nullable(Type.String()),
    dkim: nullable(Type.String()),
    dmarc: nullable(Type.String()),
    verified_from: Type.Boolean({
      description: 'True when the From address is proven; a mail from another agent of this service always is.',
    }),
  }),
);

const listFields = {
  message_id: Type.String({
    description: 'The id of this copy. A stranger chooses `rfc_message_id` and may repeat it; nobody chooses this one.',
  }),
  rfc_message_id: nullable(Type.String({ description: 'RFC 5322 Message-ID, in angle brackets.' })),
  thread_id: nullable(Type.String()),
  from: Type.String(),
  from_name: nullable(Type.String()),
  to: Type.String({ description: 'The To header, comma-separated.' }),
  subject: Type.String(),
  snippet: Type.String({ description: 'First 120 characters of the body; empty when sealed.' }),
  received_at: timestamp(),
  read: Type.Boolean(),
  archived: Type.Boolean(),
  labels: Type.Array(Type.String()),
  has_attachments: Type.Boolean(),
  e2e_encrypted: Type.Optional(
    Type.Boolean({ description: 'Present and true when the body is sealed to the address’s public key.' }),
  ),
  auth: MailAuth,
};

export const MessageEntry = named('MessageSummary', record(listFields));

const Attachment = named(
  'Attachment',
  record({
    filename: nullable(Type.String()),
    content_type: Type.String(),
    size: Type.Integer({ description: 'Bytes, before sealing.' }),
    url: Type.String({ description: 'Where its bytes are; needs the same key.' }),
  }),
);

export const FullMessage = named(
  'Message',
  record({
    ...listFields,
    cc: Type.Array(Type.String()),
    reply_to: Type.Array(Type.String()),
    in_reply_to: nullable(Type.String()),
    references: Type.Array(Type.String()),
    sent_at: nullable(timestamp({ description: 'The Date header: the sender’s claim.' })),
    body: Type.String({ description: 'Plain text; base64url(IV ‖ ciphertext ‖ tag) when `e2e_encrypted`.' }),
    html: nullable(Type.String({ description: 'The HTML part as sent: untrusted. Sealed like `body`.' })),
    reply_text: nullable(Type.String({ description: 'The body without quoted history; null when sealed.' })),
    attachments: Type.Array(Attachment),
    size: Type.Integer({ description: 'Bytes of the raw message.' }),
    parsed: Type.Boolean({ description: 'False when the MIME structure was given up; `raw` still has every byte.' }),
    problem: nullable(
      Type.String({ description: 'What was cut or wrong, comma-separated; null for an ordinary mail.' }),
    ),
    ephemeral_public_key: Type.Optional(
      Type.String({ description: 'X25519, base64url; for opening a sealed message.' }),
    ),
    encryption: Type.Optional(record({ alg: Type.String(), key_id: Type.String() })),
  }),
);

/** What a request changes of one message, or of every message of a conversation. */
export const MessageChangeBody = named(
  'MessageChange',
  record({ read: Type.Optional(Type.Boolean()), archived: Type.Optional(Type.Boolean()), ...labelFields }),
);

/** An id may be an RFC 5322 Message-ID, whose line length is its only bound. */
export const MessageParams = record({
  id: text(1000, { minLength: 1, description: '`message_id`, or the RFC 5322 Message-ID URL-encoded.' }),
});
export const AddressQuery = record({ address: text(254, { description: 'The inbox: an address of this account.' }) });

/** What narrows a list of messages. */
export const listFilters = {
  unread: Type.Optional(Type.Boolean({ description: 'Only messages that are not read (`true`) or are (`false`).' })),
  label: Type.Optional(Label),
  q: Type.Optional(
    text(500, {
      minLength: 1,
      description:
        'Full-text search: words that must all be there, `"a phrase"`, `begin*`, `from:`, `to:`, `subject:`. Case and accents do not matter. Sealed mail is not found.',
    }),
  ),
};

/** What reading or changing a message may be answered with. */
export const MESSAGE_ERRORS = ['invalid_address', 'address_forbidden', 'not_found'] as const;

/** A message in a list. */
export function messageEntry(message: Message) {
  return {
    message_id: message.id,
    rfc_message_id: message.rfcMessageId,
    thread_id: message.threadId,
    from: message.fromAddress,
    from_name: message.fromName,
    to: message.to.join(', ') || message.address,
    subject: message.subject,
    snippet: message.snippet,
    received_at: iso(message.receivedAt),
    read: message.read,
    archived: message.archived,
    labels: message.labels,
    has_attachments: message.attachments > 0,
    ...(message.encryption ? { e2e_encrypted: true } : {}),
    auth: message.auth,
  };
}
