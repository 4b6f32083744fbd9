/** A conversation of one address: what it received and what it sent. */
export interface Thread {
  id: string;
  accountId: string;
  address: string;
  /** Of the first message. */
  subject: string;
  /** All of them, received and sent. */
  messages: number;
  /** Those received; of these, the archived and the unread ones. */
  received: number;
  archived: number;
  unread: number;
  lastMessageAt: number;
  snippet: string;
  participants: string[];
  /** How many messages carry each label. */
  labels: Record<string, number>;
}

/** What a message that comes, goes or changes does to its thread. Numbers are added. */
export interface ThreadChange {
  messages?: number;
  received?: number;
  archived?: number;
  unread?: number;
  labelsAdded?: readonly string[];
  labelsRemoved?: readonly string[];
  latest?: { at: number; snippet: string; people: readonly string[] };
  /** What the latest message is after another has gone. */
  becomes?: { at: number; snippet: string };
}

const PARTICIPANTS_MAX = 50;

/** A thread with nothing left to read or archived is archived; one that only holds what was sent is not. */
export const isArchived = ({ archived, received }: Thread): boolean => archived > 0 && archived === received;

export function changedThread(thread: Thread, change: ThreadChange): Thread {
  const { messages = 0, received = 0, archived = 0, unread = 0, labelsAdded = [], labelsRemoved = [], latest } = change;
  const { at, snippet } = change.becomes ?? { at: thread.lastMessageAt, snippet: thread.snippet };
  const labels = new Map(Object.entries(thread.labels));
  for (const label of labelsAdded) labels.set(label, (labels.get(label) ?? 0) + 1);
  for (const label of labelsRemoved) labels.set(label, (labels.get(label) ?? 0) - 1);
  const isNewer = latest !== undefined && latest.at >= at;
  return {
    ...thread,
    messages: thread.messages + messages,
    received: thread.received + received,
    archived: thread.archived + archived,
    unread: thread.unread + unread,
    labels: Object.fromEntries([...labels].filter(([, count]) => count > 0)),
    lastMessageAt: isNewer ? latest.at : at,
    snippet: isNewer ? latest.snippet : snippet,
    participants: [...new Set([...thread.participants, ...(latest?.people ?? [])])].slice(0, PARTICIPANTS_MAX),
  };
}
