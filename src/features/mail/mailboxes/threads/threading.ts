import type { Tx } from '../../../../api/transaction.ts';
import { newId } from '../../../../base/ids.ts';
import { someRowsOf } from '../../../../db/account-rows.ts';
import { findByRfcId } from '../messages/message-store.ts';
import { sentThread } from '../messages/sent-store.ts';
import { deleteThread, findThread, insertThread, listThreads, saveThread, type ThreadFilter } from './thread-store.ts';
import { changedThread, newThread, type ThreadChange } from './thread-table.ts';

export { findThread, listThreads, type ThreadFilter };

/** The messages of a thread, in whatever folder. */
const messagesOf = someRowsOf('messages', ['id'], { by: 'thread_id' });

/** How many of the latest references are looked up. Mail clients name the parent near the end. */
const REFERENCES_FOLLOWED = 10;

export interface ThreadHints {
  accountId: string;
  address: string;
  inReplyTo: string | null;
  /** Oldest first, as the header has them (RFC 5322 3.6.4). */
  references: readonly string[];
  subject: string;
  now: number;
}

/** The thread of the nearest ancestor that this address received or sent, if there is one. */
export async function threadOfAncestors(
  tx: Tx,
  hints: Pick<ThreadHints, 'address' | 'inReplyTo' | 'references'>,
): Promise<string | null> {
  const latest = hints.references.slice(-REFERENCES_FOLLOWED).reverse();
  const ancestors = new Set(hints.inReplyTo === null ? latest : [hints.inReplyTo, ...latest]);
  for (const rfcMessageId of ancestors) {
    const known =
      (await findByRfcId(tx, hints.address, rfcMessageId))?.threadId ??
      (await sentThread(tx, hints.address, rfcMessageId));
    if (known) return known;
  }
  return null;
}

/** Stores a new thread with its first message. @param id made by {@link newThreadId} */
export const startThread = (
  tx: Tx,
  id: string,
  { now, ...hints }: Pick<ThreadHints, 'accountId' | 'address' | 'subject' | 'now'>,
  first: ThreadChange,
): Promise<void> => insertThread(tx, changedThread(newThread(hints, id, now), first));

export const newThreadId = (now: number): string => newId('thr', now);

/**
 * Adds a message to its thread: that of its nearest ancestor, else a new one. Only ids count, because equal subjects do
 * not make mails of different people one conversation. The caller has locked the address. @returns the thread
 */
export async function joinThread(tx: Tx, hints: ThreadHints, change: ThreadChange): Promise<string> {
  const known = await threadOfAncestors(tx, hints);
  const id = known ?? newThreadId(hints.now);
  await (known === null ? startThread(tx, id, hints, change) : changeThread(tx, id, change));
  return id;
}

/**
 * Updates a thread after a change of its messages, and deletes it with the last one. One whose messages are all in other
 * folders stays, unseen. The caller has locked its address.
 */
export async function changeThread(tx: Tx, id: string | null, change: ThreadChange): Promise<void> {
  const thread = id === null ? null : await findThread(tx, id);
  if (!thread) return;
  const changed = changedThread(thread, change);
  if (changed.messages > 0 || (await messagesOf(tx, thread.id, 1)).length > 0) await saveThread(tx, changed);
  else await deleteThread(tx, thread.id);
}
