import type { Tx } from '../../../api/transaction.ts';
import { someRowsOf } from '../../../db/account-rows.ts';
import { addressesOf, lockAddresses, lockFreeAddresses } from '../../account/addresses/address.ts';
import { releaseContent, sizesOfContents } from './content/mail-content.ts';
import { removeMessage } from './messages/message.ts';
import { forgetSentContent, oldestSentContents } from './messages/sent-store.ts';

/** Messages that one transaction deletes. Other writers wait for it. */
const CHUNK = 200;

interface Unwanted {
  id: string;
  address: string;
  size_bytes: number;
}

const oldestIn = (folder: 'trash' | 'spam') =>
  someRowsOf('messages', ['id', 'address', 'size_bytes'], {
    by: 'address',
    only: { column: 'folder', value: folder, order: ['is_archived', 'id'] },
  });
const FOLDERS = [
  { from: 'trash', read: oldestIn('trash') },
  { from: undefined, read: oldestIn('spam') },
] as const;

interface Eviction {
  /** Bytes. */
  freed: number;
  /** Mails. */
  count: number;
}

/**
 * Deletes mail from the trash, then from spam, the oldest first, until that many bytes are free. Transactions lock addresses
 * first, and then what an account stores. A caller that `hasStored` already takes the mailboxes that are free,
 * and waits for the others only if those have nothing to clear.
 * @returns the bytes that were freed, and the mails that went
 */
export async function evictSpamAndTrash(
  tx: Tx,
  accountId: string,
  bytes: number,
  hasStored: boolean,
): Promise<Eviction> {
  const all = await addressesOf(tx, accountId);
  if (hasStored) {
    const free = await lockFreeAddresses(tx, all);
    const cleared = await clearMailboxes(tx, accountId, free, bytes);
    if (cleared.freed > 0 || free.length === all.length) return cleared;
  }
  await lockAddresses(tx, all);
  return clearMailboxes(tx, accountId, all, bytes);
}

/**
 * Lets go of what is kept of sent mail, the oldest first, until that many bytes are free. The mail itself stays in the outbox, with the
 * beginning of its text.
 */
export async function evictSent(tx: Tx, accountId: string, bytes: number): Promise<Eviction> {
  let freed = 0;
  let count = 0;
  for (let last = ''; freed < bytes && count < CHUNK; ) {
    const kept = await oldestSentContents(tx, { accountId }, { outboxId: last }, CHUNK);
    const sizes = await sizesOfContents(
      tx,
      kept.map(({ contentId }) => contentId),
    );
    for (const { outboxId, contentId } of kept) {
      if (freed >= bytes) break;
      if (!(await forgetSentContent(tx, accountId, outboxId))) continue;
      await releaseContent(tx, contentId);
      freed += sizes.get(contentId) ?? 0;
      count += 1;
    }
    if (kept.length < CHUNK) break;
    last = kept.at(-1)?.outboxId ?? last;
  }
  return { freed, count };
}

async function clearMailboxes(
  tx: Tx,
  accountId: string,
  addresses: readonly string[],
  bytes: number,
): Promise<Eviction> {
  let freed = 0;
  let count = 0;
  for (const { from, read } of FOLDERS)
    for (const mailbox of addresses) {
      if (freed >= bytes || count === CHUNK) return { freed, count };
      for (const row of (await read(tx, mailbox, CHUNK - count)) as unknown as Unwanted[]) {
        if (freed >= bytes) return { freed, count };
        await removeMessage(tx, { accountId, addresses: null }, row, from);
        freed += Number(row.size_bytes);
        count += 1;
      }
    }
  return { freed, count };
}
