import type { Reader } from '../../kernel/transaction.ts';
import type { Deletion } from './deletion-data.ts';
import { findDeletion, findDeletions } from './deletion-store.ts';

interface DeletionState {
  deletesAt: number;
  askedBy: string;
  isClosed: boolean;
}

const stateOf = ({ deletesAt, askedBy, closedAt }: Deletion): DeletionState => ({
  ...{ deletesAt, askedBy },
  isClosed: closedAt !== null,
});

/**
 * Whether an account is going to be deleted: `deletesAt` in milliseconds, `askedBy` who wants it, `isClosed` once nobody gets in any more. Null:
 * it stays. A pod is deleted with its platform.
 */
export async function deletionOf(reader: Reader, accountId: string): Promise<DeletionState | null> {
  const found = await findDeletion(reader, accountId);
  return found && stateOf(found);
}

/** The same for many accounts. Those that stay are left out. */
export async function deletionsOf(reader: Reader, accountIds: readonly string[]): Promise<Map<string, DeletionState>> {
  const found = await findDeletions(reader, accountIds);
  return new Map([...found].map(([id, deletion]) => [id, stateOf(deletion)]));
}
