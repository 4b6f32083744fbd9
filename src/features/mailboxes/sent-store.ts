import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

interface Row {
  id: string;
  account_id: string;
  address: string;
  content_id: string | null;
  thread_id: string | null;
  rfc_message_id: string;
  recipients: string;
  external_recipients: string;
  subject: string;
  status: string;
  provider: string;
  provider_id: string | null;
  error: string | null;
  queued_at: number;
  sent_at: number | null;
  outcomes: string | null;
  excerpt: string | null;
}

export type OutboxStatus = 'pending' | 'sent' | 'failed';

/** What became of one recipient. A mail that was handed over may yet come back: then `error` is set later. */
export interface Outcome {
  address: string;
  /** The relay's name for the mail it took for this recipient; null for one inside the house, or one never served. */
  providerId: string | null;
  /** Why the recipient does not have it; null for one who was served. */
  error: string | null;
}

export interface OutboxEntry {
  id: string;
  accountId: string;
  /** The sender. */
  address: string;
  /** The mail itself, only while a copy has yet to leave the house. */
  contentId: string | null;
  threadId: string | null;
  rfcMessageId: string;
  /** As the sender wrote them, blind ones included. */
  recipients: string[];
  externalRecipients: string[];
  subject: string;
  status: OutboxStatus;
  provider: string;
  providerId: string | null;
  error: string | null;
  queuedAt: number;
  sentAt: number | null;
  /** Of the recipients whose fate is known so far, in no order. */
  outcomes: Outcome[];
  /** The beginning of what it says, without quoted history; null where one side keeps its mail sealed. */
  excerpt: string | null;
}

const sql = tables<{ outbox: Row }>();

const insertRow = sql((q, p: Row) =>
  q.insertInto('outbox').values({
    id: p.id,
    account_id: p.account_id,
    address: p.address,
    content_id: p.content_id,
    thread_id: p.thread_id,
    rfc_message_id: p.rfc_message_id,
    recipients: p.recipients,
    external_recipients: p.external_recipients,
    subject: p.subject,
    status: p.status,
    provider: p.provider,
    provider_id: p.provider_id,
    error: p.error,
    queued_at: p.queued_at,
    sent_at: p.sent_at,
    outcomes: p.outcomes,
    excerpt: p.excerpt,
  }),
);

const byId = sql((q, p: { id: string }) => q.selectFrom('outbox').selectAll().where('id', '=', p.id));

/** Two who write down what became of its recipients take turns: an attempt to send, and a report about an earlier one. */
const byIdLocked = sql((q, p: { id: string }, engine) => {
  const row = q.selectFrom('outbox').selectAll().where('id', '=', p.id);
  return engine === 'postgres' ? row.forUpdate() : row;
});

const page = sql((q, p: { account_id: string; before: string; limit: number }) =>
  q
    .selectFrom('outbox')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const threadByRfcId = sql((q, p: { address: string; rfc_message_id: string }) =>
  q
    .selectFrom('outbox')
    .select('thread_id')
    .where('rfc_message_id', '=', p.rfc_message_id)
    .where('address', '=', p.address)
    .limit(1),
);

const byThread = sql((q, p: { thread_id: string; after: string; limit: number }) =>
  q
    .selectFrom('outbox')
    .selectAll()
    .where('thread_id', '=', p.thread_id)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);
const newestOfThread = sql((q, p: { thread_id: string }) =>
  q.selectFrom('outbox').selectAll().where('thread_id', '=', p.thread_id).orderBy('id', 'desc').limit(1),
);

const update = sql(
  (q, p: Pick<Row, 'id' | 'status' | 'provider_id' | 'error' | 'sent_at' | 'content_id' | 'outcomes'>) =>
    q
      .updateTable('outbox')
      .set({
        status: p.status,
        provider_id: p.provider_id,
        error: p.error,
        sent_at: p.sent_at,
        content_id: p.content_id,
        outcomes: p.outcomes,
      })
      .where('id', '=', p.id),
);

/** Rows of earlier versions know of the whole mail alone. */
function outcomesOf(row: Row): Outcome[] {
  if (row.outcomes !== null) return JSON.parse(row.outcomes) as Outcome[];
  if (row.status === 'pending') return [];
  const error = row.status === 'failed' ? (row.error ?? 'The mail failed.') : null;
  return (JSON.parse(row.recipients) as string[]).map((address) => ({ address, providerId: row.provider_id, error }));
}

const toEntry = (row: Row): OutboxEntry => ({
  id: row.id,
  accountId: row.account_id,
  address: row.address,
  contentId: row.content_id,
  threadId: row.thread_id,
  rfcMessageId: row.rfc_message_id,
  recipients: JSON.parse(row.recipients) as string[],
  externalRecipients: JSON.parse(row.external_recipients) as string[],
  subject: row.subject,
  status: row.status as OutboxStatus,
  provider: row.provider,
  providerId: row.provider_id,
  error: row.error,
  queuedAt: row.queued_at,
  sentAt: row.sent_at,
  outcomes: outcomesOf(row),
  excerpt: row.excerpt,
});

export const insertOutbox = async (tx: Tx, entry: OutboxEntry): Promise<void> =>
  void (await tx.run(insertRow, {
    id: entry.id,
    account_id: entry.accountId,
    address: entry.address,
    content_id: entry.contentId,
    thread_id: entry.threadId,
    rfc_message_id: entry.rfcMessageId,
    recipients: JSON.stringify(entry.recipients),
    external_recipients: JSON.stringify(entry.externalRecipients),
    subject: entry.subject,
    status: entry.status,
    provider: entry.provider,
    provider_id: entry.providerId,
    error: entry.error,
    queued_at: entry.queuedAt,
    sent_at: entry.sentAt,
    outcomes: JSON.stringify(entry.outcomes),
    excerpt: entry.excerpt,
  }));

export async function findOutbox(reader: Reader, id: string): Promise<OutboxEntry | null> {
  const row = await reader.first(byId, { id });
  return row ? toEntry(row) : null;
}

/** The same, held until the transaction ends. */
export async function lockOutbox(tx: Tx, id: string): Promise<OutboxEntry | null> {
  const row = await tx.first(byIdLocked, { id });
  return row ? toEntry(row) : null;
}

/** Newest first, with ids smaller than `before`. */
export const listOutbox = async (
  reader: Reader,
  accountId: string,
  before: string,
  limit: number,
): Promise<OutboxEntry[]> => (await reader.all(page, { account_id: accountId, before, limit })).map(toEntry);

/** The thread of a mail this address sent under that Message-ID. */
export const sentThread = async (reader: Reader, address: string, rfcMessageId: string): Promise<string | null> =>
  (await reader.first(threadByRfcId, { address, rfc_message_id: rfcMessageId }))?.thread_id ?? null;

/** What was sent in a thread, with ids behind `after`, oldest first. */
export const sentInThread = async (
  reader: Reader,
  threadId: string,
  after: string,
  limit: number,
): Promise<OutboxEntry[]> => (await reader.all(byThread, { thread_id: threadId, after, limit })).map(toEntry);

export async function newestSentOf(reader: Reader, threadId: string): Promise<OutboxEntry | null> {
  const row = await reader.first(newestOfThread, { thread_id: threadId });
  return row ? toEntry(row) : null;
}

/** Writes down what changes of an entry; the caller holds it. */
export const updateOutbox = async (tx: Tx, entry: OutboxEntry): Promise<void> =>
  void (await tx.run(update, {
    id: entry.id,
    status: entry.status,
    provider_id: entry.providerId,
    error: entry.error,
    sent_at: entry.sentAt,
    content_id: entry.contentId,
    outcomes: JSON.stringify(entry.outcomes),
  }));
