import type { Static, TSchema } from 'typebox';
import { guidance, named, nullable, oneOf, record, sameAs, text, timestamp } from '../../../../api/fields.ts';
import { iso } from '../../../../base/clock.ts';
import { Type } from '../../../../base/schema.ts';
import { MetadataChange, MetadataReply, metadataFilter } from './message-metadata-schema.ts';
import { type Flags, FOLDERS, flagsOf, KEPT_FOLDERS, type Message, type Shown } from './message-table.ts';
import { MailCode, MailLink, MailSafety } from './screening-schema.ts';

/** The flags of a message, in the order in which replies show them. `PATCH` takes each. */
const flagFields = {
  read: Type.Boolean(),
  archived: Type.Boolean(),
  starred: Type.Boolean(),
  answered: Type.Boolean(),
} satisfies Record<keyof Flags, TSchema>;

/** Letters and digits of any script, and `_ . : / -` and single spaces between them. Upper and lower case differ. */
export const LABEL = { charsMax: 64, pattern: '^[\\p{L}\\p{N}]+(?:[ _.:/-]+[\\p{L}\\p{N}]+)*$' };
export const Label = named(
  'Label',
  text(LABEL.charsMax, {
    pattern: LABEL.pattern,
    description: 'Up to 64 letters and digits, with `_`, `.`, `:`, `/`, `-` or spaces between them.',
  }),
);

/** Labels in one request. How many a message may have is another rule. */
const LABELS_PER_REQUEST = 20;
const labels = (description: string) => Type.Optional(Type.Array(Label, { maxItems: LABELS_PER_REQUEST, description }));

const MailAuth = named(
  'MailAuth',
  record({
    method: oneOf(['internal', 'smtp', 'imported'], { description: '`imported`: a mail program brought it.' }),
    spf: nullable(Type.String()),
    dkim: nullable(Type.String()),
    dmarc: nullable(Type.String()),
    verified_from: Type.Boolean({
      description: 'True when the From address is proven. It always is for mail from an agent of this service.',
    }),
  }),
);

/** Whether a reply hides codes and links. */
export const maskedField = () => Type.Optional(Type.Boolean({ description: 'Codes and links are hidden.' }));

/** What the screening says of mail that is not clean. */
export const dangerField = () =>
  nullable(oneOf(['suspicious', 'dangerous'], { description: 'Null: clean, sealed, or older than the screening.' }));

const listFields = {
  message_id: Type.String({
    description: 'Id of this copy, chosen by the service. The sender chooses `rfc_message_id` and may repeat it.',
  }),
  rfc_message_id: nullable(Type.String({ description: 'RFC 5322 Message-ID, in angle brackets.' })),
  thread_id: nullable(Type.String()),
  from: Type.String(),
  from_name: nullable(Type.String()),
  to: Type.String({ description: 'The To header, comma-separated.' }),
  subject: Type.String(),
  snippet: Type.String({ description: 'First 120 characters of the body; empty when sealed.' }),
  message_id_url: Type.String({ description: '`message_id` as it goes into a path.' }),
  body_preview: sameAs('snippet'),
  received_at: timestamp(),
  ...flagFields,
  folder: oneOf(FOLDERS),
  labels: Type.Array(Type.String()),
  metadata: MetadataReply,
  has_attachments: Type.Boolean(),
  danger: dangerField(),
  e2e_encrypted: Type.Optional(
    Type.Boolean({ description: 'Present and true when the body is sealed to the address’s public key.' }),
  ),
  auth: MailAuth,
  masked: maskedField(),
};

export const MessageEntry = named('MessageSummary', record(listFields));

const Attachment = named(
  'Attachment',
  record({
    filename: nullable(Type.String()),
    content_type: Type.String(),
    size: Type.Integer({ description: 'Bytes, before sealing.' }),
    content_id: Type.Optional(Type.String({ description: 'The HTML names it as `cid:`.' })),
    url: Type.String({ description: 'Path to download it from, with the same key.' }),
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
    sent_at: nullable(timestamp({ description: 'The Date header, as the sender wrote it.' })),
    body: Type.String({ description: 'Plain text; base64url(IV ‖ ciphertext ‖ tag) when `e2e_encrypted`.' }),
    html: nullable(Type.String({ description: 'The HTML part as sent: do not trust it. Sealed like `body`.' })),
    text: nullable(Type.String({ description: 'What a person would see; null when sealed.' })),
    reply_text: nullable(Type.String({ description: '`text` without quoted history; null when sealed.' })),
    attachments: Type.Array(Attachment),
    size: Type.Integer({ description: 'Bytes of the raw message.' }),
    safety: nullable(MailSafety),
    hidden_text_chars: nullable(Type.Integer({ description: 'Characters that a person would not see.' })),
    hidden_text: Type.Optional(Type.String({ description: 'With `include=hidden`, up to 20,000 characters of them.' })),
    code: nullable(MailCode),
    links: nullable(Type.Array(MailLink)),
    sealed: Type.Optional(Type.Boolean({ description: 'True when the mail is sealed, so that nobody screened it.' })),
    parsed: Type.Boolean({
      description: 'False when the MIME structure could not be read. The raw message still has every byte.',
    }),
    problem: nullable(Type.String({ description: 'What was cut or wrong, comma-separated; null when nothing was.' })),
    ephemeral_public_key: Type.Optional(
      Type.String({ description: 'X25519 key to open the sealed message with, base64url.' }),
    ),
    encryption: Type.Optional(record({ alg: Type.String(), key_id: Type.String() })),
  }),
);

/** What a request changes of one message, or of every message of a conversation. */
export const MessageChangeBody = named(
  'MessageChange',
  record({
    ...Type.Partial(record(flagFields)).properties,
    labels: labels('Replaces all labels of the message.'),
    add_labels: labels('Labels to add. A message with too many is refused with `invalid_request`.'),
    remove_labels: labels('Labels to remove. Labels the message does not have are ignored.'),
    metadata: MetadataChange,
    folder: Type.Optional(oneOf(KEPT_FOLDERS, { description: 'Moves the message there.' })),
  }),
);
export type MessageChange = Static<typeof MessageChangeBody>;

/** What a change of one message is answered with. */
export const ChangedMessage = record({
  updated: Type.Boolean(),
  message_id: Type.String(),
  ...flagFields,
  folder: oneOf(FOLDERS),
  labels: Type.Array(Type.String()),
  metadata: MetadataReply,
});

export const changedMessage = (message: Message) => ({
  updated: true,
  message_id: message.id,
  ...flagsOf(message),
  folder: message.folder,
  labels: message.labels,
  metadata: message.metadata ?? {},
});

/** An id may be an RFC 5322 Message-ID, limited only by the length of a line. */
export const MessageParams = record({
  id: text(1000, { minLength: 1, description: '`message_id`, or the URL-encoded RFC 5322 Message-ID.' }),
});
export const AddressQuery = record({
  address: text(254, { description: 'The inbox: an address of this account.' }),
  folder: Type.Optional(oneOf(['trash'], { description: 'Needed for a message in the trash.' })),
});
/** The same where the specification does not ask for the address. */
export const AnyAddressQuery = record({
  ...AddressQuery.properties,
  address: Type.Optional(text(254, { description: 'The inbox. Default: that of the `message_id`.' })),
});

/** Whether a list claims its address. */
export const claimParam = () =>
  Type.Optional(named('claim', Type.Boolean({ default: true, description: '`false`: a free address is 404.' })));

/** What a list says about a claim that it made. */
export const claimFields = {
  claimed: Type.Boolean({ description: 'True when this call claimed the address.' }),
  already_owned: Type.Boolean({ description: 'True when the address was yours before.' }),
  warning: Type.Optional(guidance(Type.String())),
};

export interface Claim {
  claimed: boolean;
  already_owned: boolean;
  warning?: string;
}

/** What is said of an address that the caller had before. */
export const OWN: Claim = { claimed: false, already_owned: true };

/** Query parameters that filter a list of messages. */
export const listFilters = {
  unread: Type.Optional(Type.Boolean({ description: 'Only unread messages (`true`) or only read ones (`false`).' })),
  folder: Type.Optional(oneOf(FOLDERS, { default: 'inbox' })),
  label: Type.Optional(Label),
  since: Type.Optional(timestamp({ description: 'Mail that came at this time or later.' })),
  until: Type.Optional(timestamp({ description: 'Mail that came before this time.' })),
  from: Type.Optional(text(254, { minLength: 1, description: 'An address or a domain.' })),
  to: Type.Optional(text(254, { minLength: 1, description: 'An address or a domain, in To or Cc.' })),
  has_attachment: Type.Optional(Type.Boolean()),
  starred: Type.Optional(Type.Boolean()),
  answered: Type.Optional(Type.Boolean()),
  metadata: metadataFilter(),
  q: Type.Optional(
    text(500, {
      minLength: 1,
      description:
        'Full-text search. All words must occur. Supports `"a phrase"`, `begin*`, `from:`, `to:` and `subject:`. Ignores case and accents. Never finds sealed mail.',
    }),
  ),
};
type ListFilters = Static<ReturnType<typeof record<typeof listFilters>>>;

/** The filter that the query parameters of a list ask for. `q` is not parsed yet. */
const timeOf = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));

export const messageFilter = (query: ListFilters, archived = false) => {
  const { unread, starred, answered, folder = 'inbox', label, since, until, from, to, metadata, q } = query;
  return {
    folder,
    since: timeOf(since),
    until: timeOf(until),
    from,
    to,
    hasAttachment: query.has_attachment,
    metadata,
    flags: { archived, read: unread === undefined ? undefined : !unread, starred, answered },
    label,
    q,
  };
};

/** Errors of every request about one message. */
export const MESSAGE_ERRORS = ['invalid_address', 'address_forbidden', 'not_found'] as const;

/** A message in a list. */
export function messageEntry(message: Shown) {
  return {
    message_id: message.id,
    rfc_message_id: message.rfcMessageId,
    thread_id: message.threadId,
    from: message.fromAddress,
    from_name: message.fromName,
    to: message.recipients.to.join(', ') || message.address,
    subject: message.subject,
    snippet: message.snippet,
    message_id_url: encodeURIComponent(message.id),
    body_preview: message.snippet,
    received_at: iso(message.receivedAt),
    ...flagsOf(message),
    folder: message.folder,
    labels: message.labels,
    metadata: message.metadata ?? {},
    has_attachments: message.attachments > 0,
    danger: message.safetyVerdict === 'clean' ? null : message.safetyVerdict,
    ...(message.encryption ? { e2e_encrypted: true } : {}),
    auth: message.auth,
    ...(message.masked ? { masked: true } : {}),
  };
}
