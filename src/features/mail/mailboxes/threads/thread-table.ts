import { column, type RecordOf } from '../../../../db/column-map.ts';
import { table } from '../../../../db/table.ts';

/** A conversation of one address: what it received and what it sent. */
export const THREADS = table(
  'threads',
  {
    id: column.text('id'),
    accountId: column.text('account_id'),
    address: column.text('address'),
    /** Of the first message. */
    subject: column.text('subject'),
    /** All messages, received and sent. */
    messages: column.integer('messages'),
    /** The received ones; the next two count some of these. */
    received: column.integer('received'),
    archived: column.integer('archived'),
    unread: column.integer('unread'),
    /** True when every received message is archived. False for a thread that holds only sent messages. */
    isArchived: column.flag('is_archived'),
    createdAt: column.integer('created_at'),
    /** Milliseconds. */
    lastMessageAt: column.integer('last_message_at'),
    /** Of the latest message. */
    snippet: column.text('snippet'),
    participants: column.json<string[]>()('participants'),
    /** How many messages carry each label. */
    labels: column.json<Record<string, number>>()('labels'),
  },
  { key: ['id'], account: ['accountId'], erase: { by: 'mail-erasure.ts, with its address' } },
);
export type Thread = RecordOf<typeof THREADS>;

/** A thread without messages, as it begins. */
export const newThread = (
  { accountId, address, subject }: Pick<Thread, 'accountId' | 'address' | 'subject'>,
  id: string,
  now: number,
): Thread => ({
  id,
  accountId,
  address,
  subject,
  createdAt: now,
  lastMessageAt: now,
  messages: 0,
  received: 0,
  archived: 0,
  unread: 0,
  isArchived: false,
  snippet: '',
  participants: [],
  labels: {},
});

/** How a message that is added, deleted or changed affects its thread. Numbers are added to the counts. */
export interface ThreadChange {
  messages?: number;
  received?: number;
  archived?: number;
  unread?: number;
  labelsAdded?: readonly string[];
  labelsRemoved?: readonly string[];
  latest?: { at: number; snippet: string; people: readonly string[] };
  /** The latest message after another was deleted. */
  becomes?: { at: number; snippet: string };
}

const PARTICIPANTS_MAX = 50;

export function changedThread(thread: Thread, change: ThreadChange): Thread {
  const { messages = 0, unread = 0, labelsAdded = [], labelsRemoved = [], latest } = change;
  const received = thread.received + (change.received ?? 0);
  const archived = thread.archived + (change.archived ?? 0);
  const { at, snippet } = change.becomes ?? { at: thread.lastMessageAt, snippet: thread.snippet };
  const labels = new Map(Object.entries(thread.labels));
  for (const label of labelsAdded) labels.set(label, (labels.get(label) ?? 0) + 1);
  for (const label of labelsRemoved) labels.set(label, (labels.get(label) ?? 0) - 1);
  const isNewer = latest !== undefined && latest.at >= at;
  return {
    ...thread,
    messages: thread.messages + messages,
    received,
    archived,
    isArchived: archived > 0 && archived === received,
    unread: thread.unread + unread,
    labels: Object.fromEntries([...labels].filter(([, count]) => count > 0)),
    lastMessageAt: isNewer ? latest.at : at,
    snippet: isNewer ? latest.snippet : snippet,
    participants: [...new Set([...thread.participants, ...(latest?.people ?? [])])].slice(0, PARTICIPANTS_MAX),
  };
}
