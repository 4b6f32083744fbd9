import { Type } from 'typebox';
import { iso } from '../../kernel/clock.ts';
import { nullable, oneOf, record, timestamp } from '../../kernel/fields.ts';
import { stripQuoted } from '../../mail/reply-text.ts';
import type { Message, readParts } from './message-rules.ts';

/** The wire forms of a message, shared by `/v1/email` and `/v1/inbox`. */
export const MailAuth = record({
  method: oneOf(['internal', 'smtp']),
  spf: nullable(Type.String()),
  dkim: nullable(Type.String()),
  dmarc: nullable(Type.String()),
  verified_from: Type.Boolean({
    description: 'True when the From address is proven; a mail from another agent of this service always is.',
  }),
});

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
  has_attachments: Type.Boolean(),
  e2e_encrypted: Type.Optional(
    Type.Boolean({ description: 'Present and true when the body is sealed to the address’s public key.' }),
  ),
  auth: MailAuth,
};

export const MessageEntry = record(listFields);

const Attachment = record({
  filename: nullable(Type.String()),
  content_type: Type.String(),
  size: Type.Integer({ description: 'Bytes, before sealing.' }),
  url: Type.String({ description: 'Where its bytes are; needs the same key.' }),
});

export const FullMessage = record({
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
  problem: nullable(Type.String({ description: 'What was cut or wrong, comma-separated; null for an ordinary mail.' })),
  ephemeral_public_key: Type.Optional(Type.String({ description: 'X25519, base64url; for opening a sealed message.' })),
  encryption: Type.Optional(record({ alg: Type.String(), key_id: Type.String() })),
});

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
    has_attachments: message.attachments > 0,
    ...(message.encryption ? { e2e_encrypted: true } : {}),
    auth: message.auth,
  };
}

type Parts = Awaited<ReturnType<typeof readParts>>;

export function fullMessage(message: Message, parts: Parts) {
  const { encryption } = message;
  const query = `?address=${encodeURIComponent(message.address)}`;
  return {
    ...messageEntry(message),
    cc: message.cc,
    reply_to: message.replyTo,
    in_reply_to: message.inReplyTo,
    references: message.references,
    sent_at: message.sentAt,
    body: parts.text,
    html: parts.html,
    reply_text: encryption ? null : stripQuoted(parts.text),
    attachments: parts.attachments.map(({ n, filename, contentType, sizeBytes }) => ({
      filename,
      content_type: contentType,
      size: sizeBytes,
      url: `/v1/email/messages/${message.id}/attachments/${n}${query}`,
    })),
    size: message.sizeBytes,
    parsed: parts.parsed,
    problem: parts.problem,
    ...(encryption
      ? {
          ephemeral_public_key: encryption.ephemeral_public_key,
          encryption: { alg: encryption.alg, key_id: encryption.key_id },
        }
      : {}),
  };
}
