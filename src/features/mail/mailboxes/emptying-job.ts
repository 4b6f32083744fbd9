import { type JobAttempt, type JobOutcome, notBefore } from '../../../api/job-types.ts';
import type { Database } from '../../../api/transaction.ts';
import type { JobEffects } from '../../../jobs/job-effects.ts';
import { accountToEmpty, freeSlot } from '../../account/addresses/address-release.ts';
import { emptyAddress } from './mail-erasure.ts';
import { purge, purgeableAt } from './messages/trash.ts';

/** Messages that one transaction deletes. Other writers wait for it. */
const CHUNK = 200;
/** Transactions of one attempt: its lease must not end before it does. */
const STEPS = 500;

/** Makes the job that deletes the mail of an address 30 days after its release, in steps. */
export const createEmptying =
  (database: Database, jobEffects: JobEffects) =>
  async ({ payload: { address }, now, signal }: JobAttempt<'mailbox.empty'>): Promise<JobOutcome> => {
    for (let step = 0; step < STEPS && !signal.aborted; step++) {
      const outcome = await database.transaction(async (tx) => {
        const found = await accountToEmpty(tx, address);
        if (found === null) return 'done';
        const { accountId, dueAt } = found;
        if (dueAt > now) return notBefore(dueAt);
        const { rows, mails: count } = await emptyAddress(tx, address, CHUNK);
        if (count > 0)
          await jobEffects.note(tx, { accountId, action: 'address.emptied', resourceId: address, count, now });
        if (rows >= CHUNK) return 'more';
        await freeSlot(tx, address, now);
        return 'done';
      });
      if (outcome === 'done') return { status: 'done' };
      if (outcome !== 'more') return outcome;
    }
    return { status: 'retry', reason: 'emptying', runAt: now };
  };

/** Makes the job that deletes a message which has been in the trash for 30 days. */
export const createPurging =
  (jobEffects: JobEffects) =>
  async ({ payload, now }: JobAttempt<'mailbox.purge'>): Promise<JobOutcome> => {
    const dueAt = purgeableAt(payload);
    if (dueAt > now) return notBefore(dueAt);
    return {
      status: 'done',
      complete: async (tx) => {
        if (!(await purge(tx, payload))) return;
        const { accountId, id } = payload;
        await jobEffects.note(tx, { accountId, action: 'message.purged', resourceId: id, now });
      },
    };
  };
