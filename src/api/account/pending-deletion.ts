import { iso } from '../../base/clock.ts';
import { ApiError } from '../errors.ts';

/** Who asks for the deletion of an account, which decides who may cancel it. `session`: not an operator's. */
export const DELETION_ASKERS = ['key', 'session', 'operator', 'administrator'] as const;
export type DeletionAsker = (typeof DELETION_ASKERS)[number];

/** A deletion that can still be cancelled. */
export interface PendingDeletion {
  /** Milliseconds since the epoch. */
  endsAt: number;
  by: DeletionAsker;
  /** The prefix of a key, the address of a session, or `administrator`. */
  askedBy: string;
}

/** An account that is going to be deleted only reads. @throws ApiError `account_deleting` */
export function requireNoDeletion({ deletion }: { deletion: PendingDeletion | null }): void {
  if (deletion !== null) throw new ApiError('account_deleting', { fields: { deletes_at: iso(deletion.endsAt) } });
}
