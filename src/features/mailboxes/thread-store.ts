import { sql as raw } from 'kysely';
import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { isArchived, type Thread } from './thread-data.ts';

interface Row {
  id: string;
  account_id: string;
  address: string;
  subject: string;
  messages: number;
  unread: number;
  created_at: number;
  last_message_at: number;
  received: number;
  archived: number;
  is_archived: number;
  snippet: string;
  participants: string;
  labels: string;
}

const sql = tables<{ threads: Row }>();

const insertRow = sql((q, p: Pick<Row, 'id' | 'account_id' | 'address' | 'subject' | 'created_at'>) =>
  q.insertInto('threads').values({
    id: p.id,
    account_id: p.account_id,
    address: p.address,
    subject: p.subject,
    messages: 0,
    unread: 0,
    created_at: p.created_at,
    last_message_at: p.created_at,
    received: 0,
    archived: 0,
    is_archived: 0,
    snippet: '',
    participants: '[]',
    labels: '{}',
  }),
);

const byId = sql((q, p: { id: string }) => q.selectFrom('threads').selectAll().where('id', '=', p.id));

const save = sql((q, p: Omit<Row, 'account_id' | 'address' | 'subject' | 'created_at'>) =>
  q
    .updateTable('threads')
    .set({
      messages: p.messages,
      unread: p.unread,
      last_message_at: p.last_message_at,
      received: p.received,
      archived: p.archived,
      is_archived: p.is_archived,
      snippet: p.snippet,
      participants: p.participants,
      labels: p.labels,
    })
    .where('id', '=', p.id),
);

const deleteRow = sql((q, p: { id: string }) => q.deleteFrom('threads').where('id', '=', p.id));

interface PageParams {
  address: string;
  is_archived: number;
  at: number;
  id: string;
  label: string;
  limit: number;
}

type Unread = 'any' | 'unread' | 'read';

const page = (unread: Unread, byLabel: boolean) =>
  sql((q, p: PageParams, engine) => {
    let query = q
      .selectFrom('threads')
      .selectAll()
      .where('address', '=', p.address)
      .where('is_archived', '=', p.is_archived)
      .where((eb) => eb(eb.refTuple('last_message_at', 'id'), '<', eb.tuple(p.at, p.id)))
      .where('messages', '>', 0)
      .orderBy('last_message_at', 'desc')
      .orderBy('id', 'desc')
      .limit(p.limit);
    if (unread !== 'any') query = query.where('unread', unread === 'unread' ? '>' : '=', 0);
    if (!byLabel) return query;
    const place = raw.raw(engine === 'sqlite' ? 'instr' : 'strpos');
    return query.where(raw<boolean>`${place}(labels, ${p.label}) > 0`);
  });

const PAGES = {
  any: [page('any', false), page('any', true)],
  unread: [page('unread', false), page('unread', true)],
  read: [page('read', false), page('read', true)],
} as const;

const toThread = (row: Row): Thread => ({
  id: row.id,
  accountId: row.account_id,
  address: row.address,
  subject: row.subject,
  messages: row.messages,
  received: row.received,
  archived: row.archived,
  unread: row.unread,
  lastMessageAt: row.last_message_at,
  snippet: row.snippet,
  participants: JSON.parse(row.participants) as string[],
  labels: JSON.parse(row.labels) as Record<string, number>,
});

interface NewThread {
  id: string;
  accountId: string;
  address: string;
  subject: string;
  now: number;
}

export const insertThread = async (tx: Tx, thread: NewThread): Promise<void> =>
  void (await tx.run(insertRow, {
    id: thread.id,
    account_id: thread.accountId,
    address: thread.address,
    subject: thread.subject,
    created_at: thread.now,
  }));

export async function findThread(reader: Reader, id: string): Promise<Thread | null> {
  const row = await reader.first(byId, { id });
  return row ? toThread(row) : null;
}

/** Whoever calls holds the thread's address, so that nobody else has read what is now written over. */
export const saveThread = async (tx: Tx, thread: Thread): Promise<void> =>
  void (await tx.run(save, {
    id: thread.id,
    messages: thread.messages,
    unread: thread.unread,
    last_message_at: thread.lastMessageAt,
    received: thread.received,
    archived: thread.archived,
    is_archived: isArchived(thread) ? 1 : 0,
    snippet: thread.snippet,
    participants: JSON.stringify(thread.participants),
    labels: JSON.stringify(thread.labels),
  }));

export const deleteThread = async (tx: Tx, id: string): Promise<void> => void (await tx.run(deleteRow, { id }));

export interface ThreadFilter {
  address: string;
  archived: boolean;
  unread?: boolean | undefined;
  label?: string | undefined;
  /** The last thread of the page before. */
  before?: { at: number; id: string } | undefined;
  limit: number;
}

/** The conversation with the latest message first. */
export async function listThreads(reader: Reader, filter: ThreadFilter): Promise<Thread[]> {
  const { address, archived, unread, label, before, limit } = filter;
  const kind: Unread = unread === undefined ? 'any' : unread ? 'unread' : 'read';
  const rows = await reader.all(PAGES[kind][label === undefined ? 0 : 1], {
    address,
    is_archived: archived ? 1 : 0,
    at: before?.at ?? Number.MAX_SAFE_INTEGER,
    id: before?.id ?? '',
    // A key of the JSON object; a label holds nothing that JSON would escape but what this escapes alike.
    label: `${JSON.stringify(label ?? '')}:`,
    limit,
  });
  return rows.map(toThread);
}
