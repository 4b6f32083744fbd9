import type { Tx } from '../../../../api/transaction.ts';
import { addToCounters } from '../../../account/addresses/address.ts';
import type { ThreadChange } from '../threads/thread-table.ts';
import { changeThread } from '../threads/threading.ts';
import { newestMessageOf } from './message-store.ts';
import type { Message } from './message-table.ts';
import { snippetOfSent } from './sent.ts';
import { newestSentOf } from './sent-store.ts';

/** What a message counts. Only those in the inbox count. */
function countsOf(message: Message | null) {
  if (message?.folder !== 'inbox') return { messages: 0, total: 0, unread: 0, archived: 0, unreadInThread: 0 };
  const [read, archived] = [Number(message.read), Number(message.archived)];
  return { messages: 1, total: 1 - archived, unread: (1 - read) * (1 - archived), archived, unreadInThread: 1 - read };
}

/** Counts a change at the address. @returns what it changes in the thread */
async function counted(tx: Tx, before: Message | null, after: Message | null): Promise<ThreadChange> {
  const [was, is] = [countsOf(before), countsOf(after)];
  const address = (after ?? before)?.address as string;
  await addToCounters(tx, address, is.total - was.total, is.unread - was.unread);
  const [had, has] = [was.messages === 1 ? before?.labels : [], is.messages === 1 ? after?.labels : []] as string[][];
  return {
    messages: is.messages - was.messages,
    received: is.messages - was.messages,
    unread: is.unreadInThread - was.unreadInThread,
    archived: is.archived - was.archived,
    labelsAdded: (has ?? []).filter((label) => !had?.includes(label)),
    labelsRemoved: (had ?? []).filter((label) => !has?.includes(label)),
  };
}

/** Updates the counters of the address and the thread after a change is saved. `after`: null for a deleted message. */
export async function recount(tx: Tx, before: Message, after: Message | null): Promise<void> {
  const change = await counted(tx, before, after);
  const { threadId } = before;
  const latest = change.messages !== 0 && threadId !== null ? await latestOf(tx, threadId) : null;
  await changeThread(tx, threadId, { ...change, ...(latest ? { becomes: latest } : {}) });
}

/** Counts a message that was stored in a folder, in a thread that has no place for it yet. It may be older than others. */
export async function countStored(tx: Tx, message: Message): Promise<void> {
  const { receivedAt: at, snippet, fromAddress, recipients, threadId, folder } = message;
  const change = await counted(tx, null, message);
  const latest = { at, snippet, people: [fromAddress, ...recipients.to, ...recipients.cc] };
  await changeThread(tx, threadId, { ...change, ...(folder === 'inbox' ? { latest } : {}) });
}

/** What a thread shows of its latest message. Nothing of a deleted message may stay there. */
export async function latestOf(tx: Tx, threadId: string): Promise<{ at: number; snippet: string } | null> {
  const received = await newestMessageOf(tx, threadId);
  const sent = await newestSentOf(tx, threadId);
  if (received && (!sent || received.receivedAt >= sent.queuedAt))
    return { at: received.receivedAt, snippet: received.snippet };
  return sent && { at: sent.queuedAt, snippet: snippetOfSent(sent) };
}
