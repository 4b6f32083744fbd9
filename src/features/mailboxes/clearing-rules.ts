import { someRowsOf } from '../../db/account-rows.ts';
import type { Tx } from '../../kernel/transaction.ts';
import { addressesOf, lockAddresses } from '../addresses/address-rules.ts';
import { removeMessage } from './message-rules.ts';

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

/**
 * Deletes mail from the trash, then from spam, the oldest first, until that many bytes are free.
 * @returns the bytes that were freed, and the mails that went
 */
export async function clearUnwanted(
  tx: Tx,
  accountId: string,
  bytes: number,
): Promise<{ freed: number; count: number }> {
  const addresses = await addressesOf(tx, accountId);
  await lockAddresses(tx, addresses);
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
