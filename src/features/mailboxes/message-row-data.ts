import type { Encryption, MailAuth } from '../../kernel/mail-facts.ts';
import type { Envelope, Message } from './message-data.ts';
import { fts5Query, type SearchTerm, tsQuery } from './search-data.ts';

/** A message as its table has it. */
export interface MessageRow {
  id: string;
  account_id: string;
  address: string;
  content_id: string;
  thread_id: string | null;
  rfc_message_id: string | null;
  from_address: string;
  from_name: string | null;
  envelope_from: string;
  recipients: string;
  subject: string;
  snippet: string;
  in_reply_to: string | null;
  reference_ids: string;
  sent_at: string | null;
  auth: string;
  encryption: string | null;
  attachments: number;
  size_bytes: number;
  is_read: number;
  is_archived: number;
  visible: number;
  received_at: number;
  /** JSON, in the order they were given. */
  labels: string;
  /** Its place in the order of the search index; null when it is in none. */
  search_doc: number | null;
}

const ENVELOPE_COLUMNS = [
  'thread_id',
  'rfc_message_id',
  'from_address',
  'from_name',
  'recipients',
  'subject',
  'snippet',
  'in_reply_to',
  'reference_ids',
  'sent_at',
  'attachments',
] as const;

export type EnvelopeRow = Pick<MessageRow, (typeof ENVELOPE_COLUMNS)[number]>;

const OTHER_COLUMNS = [
  'id',
  'account_id',
  'address',
  'content_id',
  'envelope_from',
  'auth',
  'encryption',
  'size_bytes',
  'is_read',
  'is_archived',
  'visible',
  'received_at',
  'labels',
  'search_doc',
] as const;

/** Column by column: the parameters of a statement cannot be enumerated while it is compiled. */
const pick = <T, K extends keyof T & string>(row: T, columns: readonly K[]): Pick<T, K> =>
  Object.fromEntries(columns.map((column) => [column, row[column]])) as unknown as Pick<T, K>;

export const envelopeColumns = (row: EnvelopeRow): EnvelopeRow => pick(row, ENVELOPE_COLUMNS);
export const allColumns = (row: MessageRow): MessageRow => ({ ...pick(row, OTHER_COLUMNS), ...envelopeColumns(row) });

const envelopeRow = (envelope: Envelope): EnvelopeRow => ({
  thread_id: envelope.threadId,
  rfc_message_id: envelope.rfcMessageId,
  from_address: envelope.fromAddress,
  from_name: envelope.fromName,
  recipients: JSON.stringify({ to: envelope.to, cc: envelope.cc, reply_to: envelope.replyTo }),
  subject: envelope.subject,
  snippet: envelope.snippet,
  in_reply_to: envelope.inReplyTo,
  reference_ids: JSON.stringify(envelope.references),
  sent_at: envelope.sentAt,
  attachments: envelope.attachments,
});

export function toMessage(row: MessageRow): Message {
  const recipients = JSON.parse(row.recipients) as { to: string[]; cc: string[]; reply_to: string[] };
  return {
    id: row.id,
    accountId: row.account_id,
    address: row.address,
    contentId: row.content_id,
    threadId: row.thread_id,
    rfcMessageId: row.rfc_message_id,
    fromAddress: row.from_address,
    fromName: row.from_name,
    envelopeFrom: row.envelope_from,
    to: recipients.to,
    cc: recipients.cc,
    replyTo: recipients.reply_to,
    subject: row.subject,
    snippet: row.snippet,
    inReplyTo: row.in_reply_to,
    references: JSON.parse(row.reference_ids) as string[],
    sentAt: row.sent_at,
    auth: JSON.parse(row.auth) as MailAuth,
    encryption: row.encryption === null ? null : (JSON.parse(row.encryption) as Encryption),
    attachments: row.attachments,
    sizeBytes: row.size_bytes,
    read: row.is_read === 1,
    archived: row.is_archived === 1,
    visible: row.visible === 1,
    receivedAt: row.received_at,
    labels: JSON.parse(row.labels) as string[],
    searchDoc: row.search_doc,
  };
}

export const messageRow = (message: Message): MessageRow => ({
  ...envelopeRow(message),
  id: message.id,
  account_id: message.accountId,
  address: message.address,
  content_id: message.contentId,
  envelope_from: message.envelopeFrom,
  auth: JSON.stringify(message.auth),
  encryption: message.encryption === null ? null : JSON.stringify(message.encryption),
  size_bytes: message.sizeBytes,
  is_read: message.read ? 1 : 0,
  is_archived: message.archived ? 1 : 0,
  visible: message.visible ? 1 : 0,
  received_at: message.receivedAt,
  labels: JSON.stringify(message.labels),
  search_doc: message.searchDoc,
});

export interface MessageFilter {
  address: string;
  archived: boolean;
  unread?: boolean | undefined;
  label?: string | undefined;
  search?: readonly SearchTerm[] | undefined;
  /** The place of the last message of the page before; {@link Placed.place}. */
  before?: string | undefined;
  limit: number;
}

/** A message and where it stands in its list: its id, or on SQLite, in a search, its number in the index. */
export type Placed = Message & { place: string };

/** Sorts behind every id in any collation of a database; punctuation would not. */
const BEYOND_ALL = `msg_${'z'.repeat(26)}`;

/** Which of the list statements a filter needs: whether it searches, by label, by read. */
export const listName = ({ search, label, unread }: MessageFilter) =>
  `${search !== undefined}${label !== undefined}${unread !== undefined}` as const;

export interface ListParams {
  address: string;
  is_archived: number;
  is_read: number;
  label: string;
  before: string;
  beforeDoc: string;
  fts5: string;
  tsquery: string;
  limit: number;
}

export const listParams = ({
  address,
  archived,
  unread,
  label,
  search = [],
  before,
  limit,
}: MessageFilter): ListParams => ({
  address,
  is_archived: archived ? 1 : 0,
  is_read: unread ? 0 : 1,
  label: label ?? '',
  before: before ?? BEYOND_ALL,
  beforeDoc: before ?? String(Number.MAX_SAFE_INTEGER),
  fts5: fts5Query(search, address),
  tsquery: tsQuery(search, address),
  limit,
});
