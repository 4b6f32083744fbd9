import type { PendingDeletion } from '../../../api/account/pending-deletion.ts';
import type { Reader } from '../../../api/transaction.ts';
import { findDeletion, findDeletions } from './deletion-store.ts';
import type { Deletion } from './deletion-table.ts';

interface DeletionState extends PendingDeletion {
  /** Whether it is too late to cancel: every credential is refused. */
  isClosed: boolean;
}

const stateOf = ({ deletesAt, askerKind, askedBy, closedAt }: Deletion): DeletionState => ({
  endsAt: deletesAt,
  by: askerKind,
  askedBy,
  isClosed: closedAt !== null,
});

/** The deletion of an account that is going to be deleted. Null: it stays. A pod is deleted with its platform. */
export async function deletionOf(reader: Reader, accountId: string): Promise<DeletionState | null> {
  const found = await findDeletion(reader, accountId);
  return found && stateOf(found);
}

/** The same for many accounts. Those that stay are left out. */
export async function deletionsOf(reader: Reader, accountIds: readonly string[]): Promise<Map<string, DeletionState>> {
  const found = await findDeletions(reader, accountIds);
  return new Map([...found].map(([id, deletion]) => [id, stateOf(deletion)]));
}
