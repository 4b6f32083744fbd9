import { sql as raw } from 'kysely';
import type { Reader } from '../../../../api/transaction.ts';
import type { RowOf } from '../../../../db/column-map.ts';
import { tables } from '../../../../db/statement.ts';
import { THREADS, type Thread } from './thread-table.ts';

export const insertThread = THREADS.insert();
export const findThread = THREADS.find();
/** Saves a thread. The caller has locked its address, so the thread has not changed since it was read. */
export const saveThread = THREADS.patch([
  'messages',
  'unread',
  'lastMessageAt',
  'received',
  'archived',
  'isArchived',
  'snippet',
  'participants',
  'labels',
]);
export const deleteThread = THREADS.remove();

const sql = tables<{ threads: RowOf<typeof THREADS> }>();

interface PageParams {
  address: string;
  is_archived: number;
  at: number;
  id: string;
  /** 1: only with messages that were received. */
  received: number;
  label: string;
  limit: number;
}

type Unread = 'any' | 'unread' | 'read';

const page = (unread: Unread, byLabel: boolean) =>
  sql((q, p: PageParams, engine) => {
    let query = q
      .selectFrom('threads')
      .select(THREADS.names)
      .where('address', '=', p.address)
      .where('is_archived', '=', p.is_archived)
      .where((eb) => eb(eb.refTuple('last_message_at', 'id'), '<', eb.tuple(p.at, p.id)))
      .where('messages', '>', 0)
      .where('received', '>=', p.received)
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

export interface ThreadFilter {
  address: string;
  archived: boolean;
  unread?: boolean | undefined;
  label?: string | undefined;
  /** Without those that only hold sent mail. */
  isReceived: boolean;
  /** The last thread of the page before. */
  before?: { at: number; id: string } | undefined;
  limit: number;
}

/** Lists threads, the one with the latest message first. */
export async function listThreads(reader: Reader, filter: ThreadFilter): Promise<Thread[]> {
  const { address, archived, unread, label, isReceived, before, limit } = filter;
  const kind: Unread = unread === undefined ? 'any' : unread ? 'unread' : 'read';
  const rows = await reader.all(PAGES[kind][label === undefined ? 0 : 1], {
    address,
    is_archived: archived ? 1 : 0,
    received: isReceived ? 1 : 0,
    at: before?.at ?? Number.MAX_SAFE_INTEGER,
    id: before?.id ?? '',
    // A key of the JSON object, escaped in the same way.
    label: `${JSON.stringify(label ?? '')}:`,
    limit,
  });
  return rows.map(THREADS.fromRow);
}
