import { newId } from '../../kernel/ids.ts';
import type { Tx } from '../../kernel/transaction.ts';
import { findByRfcId } from './message-store.ts';
import { sentThread } from './sent-store.ts';
import { changedThread, type ThreadChange } from './thread-data.ts';
import { deleteThread, findThread, insertThread, listThreads, saveThread } from './thread-store.ts';

export { findThread, listThreads };

/** How many of the latest references are followed: honest conversations name their parent near the end. */
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

/**
 * The conversation a message belongs to: that of the nearest ancestor which this address holds or has sent, else a new
 * one. By ids alone: equal subjects make strangers' mails no conversation.
 */
export async function threadFor(tx: Tx, hints: ThreadHints): Promise<string> {
  const latest = hints.references.slice(-REFERENCES_FOLLOWED).reverse();
  const ancestors = new Set(hints.inReplyTo === null ? latest : [hints.inReplyTo, ...latest]);
  for (const rfcMessageId of ancestors) {
    const known =
      (await findByRfcId(tx, hints.address, rfcMessageId))?.threadId ??
      (await sentThread(tx, hints.address, rfcMessageId));
    if (known) return known;
  }
  const id = newId('thr', hints.now);
  await insertThread(tx, {
    id,
    accountId: hints.accountId,
    address: hints.address,
    subject: hints.subject,
    now: hints.now,
  });
  return id;
}

/** Keeps a thread true to its messages; without any it goes. The caller holds the thread's address. */
export async function changeThread(tx: Tx, id: string | null, change: ThreadChange): Promise<void> {
  const thread = id === null ? null : await findThread(tx, id);
  if (!thread) return;
  const changed = changedThread(thread, change);
  if (changed.messages > 0) await saveThread(tx, changed);
  else await deleteThread(tx, thread.id);
}
