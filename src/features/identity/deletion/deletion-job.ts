import { type JobAttempt, type JobOutcome, notBefore } from '../../../api/job-types.ts';
import type { Database } from '../../../api/transaction.ts';
import type { DeletionRules } from './account-deletion.ts';
import { deletionOf } from './deletion-state.ts';

/** Reads of the account that are still to be audited are written within this time after it was closed. */
const SETTLE_MS = 60_000;
/** Steps of one attempt: its lease must not end before it does. */
const STEPS = 500;

/** Makes the job that deletes an account: it closes it, then erases it in steps. A killed process resumes. */
export function createDeletionJob({ database, rules }: { database: Database; rules: DeletionRules }) {
  return async ({ payload, now, signal }: JobAttempt<'account.delete'>): Promise<JobOutcome> => {
    const { accountId } = payload;
    const deletion = await deletionOf(database, accountId);
    if (!deletion) return { status: 'done' };
    // Too early, or cancelled and asked for again since. Two jobs for one account do no harm.
    if (deletion.endsAt > now) return notBefore(deletion.endsAt);
    if (!deletion.isClosed) {
      await database.transaction((tx) => rules.close(tx, accountId, now));
      return { status: 'retry', reason: 'closed', runAt: now + SETTLE_MS };
    }
    for (let step = 0; step < STEPS && !signal.aborted; step++)
      if (!(await rules.eraseSome(accountId, now))) return { status: 'done' };
    return { status: 'retry', reason: 'erasing', runAt: now };
  };
}
