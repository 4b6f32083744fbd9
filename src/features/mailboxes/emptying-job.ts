import type { JobAttempt, JobOutcome } from '../../kernel/jobs.ts';
import type { Database } from '../../kernel/transaction.ts';
import { freeSlot, isEmptyingDue } from '../addresses/release-rules.ts';
import { emptyAddress } from './mail-erasure-rules.ts';
import { purge } from './trash-rules.ts';

/** Messages that one transaction deletes. Other writers wait for it. */
const CHUNK = 200;
/** Transactions of one attempt: its lease must not end before it does. */
const STEPS = 500;

/** Makes the job that deletes the mail of an address 30 days after its release, in steps. */
export const createEmptying =
  (database: Database) =>
  async ({ payload: { address }, now, signal }: JobAttempt<'mailbox.empty'>): Promise<JobOutcome> => {
    for (let step = 0; step < STEPS && !signal.aborted; step++) {
      const isDone = await database.transaction(async (tx) => {
        if (!(await isEmptyingDue(tx, address, now))) return true;
        if ((await emptyAddress(tx, address, CHUNK)) >= CHUNK) return false;
        await freeSlot(tx, address, now);
        return true;
      });
      if (isDone) return { status: 'done' };
    }
    return { status: 'retry', reason: 'emptying', runAt: now };
  };

/** Deletes a message that has been in the trash for 30 days. */
export const purgeTrashed = async ({ payload }: JobAttempt<'mailbox.purge'>): Promise<JobOutcome> => ({
  status: 'done',
  settle: (tx) => purge(tx, payload),
});
