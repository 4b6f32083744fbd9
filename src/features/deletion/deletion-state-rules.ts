import type { Reader } from '../../kernel/transaction.ts';
import { findDeletion } from './deletion-store.ts';

/**
 * Whether an account is going to be deleted: `deletesAt` in milliseconds, `askedBy` who wants it, `isClosed` once nobody gets in any more. Null:
 * it stays. A pod is deleted with its platform.
 */
export async function deletionOf(
  reader: Reader,
  accountId: string,
): Promise<{ deletesAt: number; askedBy: string; isClosed: boolean } | null> {
  const found = await findDeletion(reader, accountId);
  return found && { deletesAt: found.deletesAt, askedBy: found.askedBy, isClosed: found.closedAt !== null };
}
