import { tables } from '../../db/statement.ts';
import type { Encryption, MailAuth } from '../../kernel/mail-facts.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import type { Envelope, Message } from './message-data.ts';

interface Row {
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
}

const sql = tables<{ messages: Row }>();

const insertRow = sql((q, p: Row) =>
  q.insertInto('messages').values({
    id: p.id,
    account_id: p.account_id,
    address: p.address,
    content_id: p.content_id,
    thread_id: p.thread_id,
    rfc_message_id: p.rfc_message_id,
    from_address: p.from_address,
    from_name: p.from_name,
    envelope_from: p.envelope_from,
    recipients: p.recipients,
    subject: p.subject,
    snippet: p.snippet,
    in_reply_to: p.in_reply_to,
    reference_ids: p.reference_ids,
    sent_at: p.sent_at,
    auth: p.auth,
    encryption: p.encryption,
    attachments: p.attachments,
    size_bytes: p.size_bytes,
    is_read: p.is_read,
    is_archived: p.is_archived,
    visible: p.visible,
    received_at: p.received_at,
  }),
);

type EnvelopeRow = Pick<
  Row,
  | 'thread_id'
  | 'rfc_message_id'
  | 'from_address'
  | 'from_name'
  | 'recipients'
  | 'subject'
  | 'snippet'
  | 'in_reply_to'
  | 'reference_ids'
  | 'sent_at'
  | 'attachments'
>;

const showRow = sql((q, p: EnvelopeRow & { id: string; auth: string }) =>
  q
    .updateTable('messages')
    .set({
      thread_id: p.thread_id,
      rfc_message_id: p.rfc_message_id,
      from_address: p.from_address,
      from_name: p.from_name,
      recipients: p.recipients,
      subject: p.subject,
      snippet: p.snippet,
      in_reply_to: p.in_reply_to,
      reference_ids: p.reference_ids,
      sent_at: p.sent_at,
      attachments: p.attachments,
      auth: p.auth,
      visible: 1,
    })
    .where('id', '=', p.id),
);

const byId = sql((q, p: { address: string; id: string }) =>
  q.selectFrom('messages').selectAll().where('id', '=', p.id).where('address', '=', p.address).where('visible', '=', 1),
);
/** The same, with the row held until the transaction ends where there are several writers. */
const lockById = sql((q, p: { address: string; id: string }, engine) => {
  const query = q
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', p.id)
    .where('address', '=', p.address)
    .where('visible', '=', 1);
  return engine === 'postgres' ? query.forUpdate() : query;
});
/** A stranger chooses this id and may repeat it: the newest answers to it. */
const byRfcId = sql((q, p: { address: string; rfc_message_id: string }) =>
  q
    .selectFrom('messages')
    .selectAll()
    .where('address', '=', p.address)
    .where('rfc_message_id', '=', p.rfc_message_id)
    .where('visible', '=', 1)
    .orderBy('id', 'desc')
    .limit(1),
);
const byContent = sql((q, p: { content_id: string }) =>
  q.selectFrom('messages').selectAll().where('content_id', '=', p.content_id).orderBy('id'),
);

const hiddenIn = sql((q, p: { address: string }) =>
  q.selectFrom('messages').select('id').where('address', '=', p.address).where('visible', '=', 0).limit(1),
);

const setRead = sql((q, p: { id: string; is_read: number }) =>
  q.updateTable('messages').set({ is_read: p.is_read }).where('id', '=', p.id),
);
const setArchived = sql((q, p: { id: string; is_archived: number }) =>
  q.updateTable('messages').set({ is_archived: p.is_archived }).where('id', '=', p.id),
);
const deleteRow = sql((q, p: { id: string }) => q.deleteFrom('messages').where('id', '=', p.id));

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

function toMessage(row: Row): Message {
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
  };
}

export async function insertMessage(tx: Tx, message: Message): Promise<void> {
  await tx.run(insertRow, {
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
  });
}

/** Fills in what the headers say and how the sender was checked, and lets the message be seen. */
export const showMessage = async (tx: Tx, id: string, envelope: Envelope, auth: MailAuth): Promise<void> =>
  void (await tx.run(showRow, { id, ...envelopeRow(envelope), auth: JSON.stringify(auth) }));

export async function findMessage(reader: Reader, address: string, id: string): Promise<Message | null> {
  const row = await reader.first(byId, { address, id });
  return row ? toMessage(row) : null;
}

/** The message as it stands, for whoever is about to change it: flags read without the lock may be old by then. */
export async function lockMessage(tx: Tx, address: string, id: string): Promise<Message | null> {
  const row = await tx.first(lockById, { address, id });
  return row ? toMessage(row) : null;
}

export async function findByRfcId(reader: Reader, address: string, rfcMessageId: string): Promise<Message | null> {
  const row = await reader.first(byRfcId, { address, rfc_message_id: rfcMessageId });
  return row ? toMessage(row) : null;
}

/** Every copy of one content, seen or not. */
export const copiesOf = async (reader: Reader, contentId: string): Promise<Message[]> =>
  (await reader.all(byContent, { content_id: contentId })).map(toMessage);

export const hasHidden = async (reader: Reader, address: string): Promise<boolean> =>
  (await reader.first(hiddenIn, { address })) !== undefined;

export interface MessageFilter {
  address: string;
  archived: boolean;
  unread?: boolean | undefined;
  /** Messages with smaller ids only: the page behind it. */
  before?: string | undefined;
  limit: number;
}

/** Newest first, by id: ids are time-ordered. */
export async function listMessages(reader: Reader, filter: MessageFilter): Promise<Message[]> {
  const { address, archived, unread, before, limit } = filter;
  // Four shapes at most, each compiled and prepared once: unread and before are either there or not.
  const statement = LISTS[`${unread !== undefined}${before !== undefined}` as keyof typeof LISTS];
  const rows = await reader.all(statement, {
    address,
    is_archived: archived ? 1 : 0,
    is_read: unread ? 0 : 1,
    before: before ?? '',
    limit,
  });
  return rows.map(toMessage);
}

const list = (byRead: boolean, isNextPage: boolean) =>
  sql((q, p: { address: string; is_archived: number; is_read: number; before: string; limit: number }) => {
    let query = q
      .selectFrom('messages')
      .selectAll()
      .where('address', '=', p.address)
      .where('is_archived', '=', p.is_archived)
      .where('visible', '=', 1);
    if (byRead) query = query.where('is_read', '=', p.is_read);
    if (isNextPage) query = query.where('id', '<', p.before);
    return query.orderBy('id', 'desc').limit(p.limit);
  });

const LISTS = {
  falsefalse: list(false, false),
  falsetrue: list(false, true),
  truefalse: list(true, false),
  truetrue: list(true, true),
};

/** These change a row that the caller holds by {@link lockMessage}. */
export const markRead = async (tx: Tx, id: string, read: boolean): Promise<void> =>
  void (await tx.run(setRead, { id, is_read: read ? 1 : 0 }));
export const markArchived = async (tx: Tx, id: string, archived: boolean): Promise<void> =>
  void (await tx.run(setArchived, { id, is_archived: archived ? 1 : 0 }));
export const deleteMessage = async (tx: Tx, id: string): Promise<void> => void (await tx.run(deleteRow, { id }));
