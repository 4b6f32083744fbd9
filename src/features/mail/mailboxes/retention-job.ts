import type { EnqueueJob, JobAttempt, JobOutcome } from '../../../api/job-types.ts';
import type { Database, Tx } from '../../../api/transaction.ts';
import { idBoundary } from '../../../base/ids.ts';
import { DAY_MS } from '../../../base/period.ts';
import type { JobEffects } from '../../../jobs/job-effects.ts';
import { retentionOf } from '../../account/addresses/address-settings.ts';
import { removeMessage } from './messages/message.ts';
import { listMessages } from './messages/message-store.ts';
import { LISTS } from './messages/message-table.ts';

/** Messages that one transaction deletes. Other writers wait for it. */
const CHUNK = 100;
/** Transactions of one attempt: its lease must not end before it does. */
const STEPS = 200;

/** Deletes some mail that came before a time. @returns how much */
async function deleteSome(tx: Tx, accountId: string, address: string, before: number): Promise<number> {
  let left = CHUNK;
  for (const list of LISTS) {
    const older = { ...list, address, before: idBoundary('msg', before), limit: left };
    const messages = left > 0 ? await listMessages(tx, older) : [];
    for (const message of messages)
      await removeMessage(tx, { accountId, addresses: null }, message, list.folder === 'trash' ? 'trash' : undefined);
    left -= messages.length;
  }
  return CHUNK - left;
}

/** Makes the job that deletes mail which is older than its address keeps it. It runs each day, until another setting. */
export const createRetaining =
  (database: Database, enqueueJob: EnqueueJob, jobEffects: JobEffects) =>
  async ({ payload, now, signal }: JobAttempt<'mailbox.retain'>): Promise<JobOutcome> => {
    const { address, since } = payload;
    for (let step = 0; step < STEPS && !signal.aborted; step++) {
      const outcome = await database.transaction(async (tx) => {
        const retention = await retentionOf(tx, address, since);
        if (retention === null) return 'ended';
        const cutoff = now - retention.days * DAY_MS;
        const { accountId } = retention;
        const count = await deleteSome(tx, accountId, address, cutoff);
        if (count > 0)
          await jobEffects.note(tx, { accountId, action: 'address.mail_expired', resourceId: address, count, now });
        return count < CHUNK ? 'clean' : 'more';
      });
      if (outcome === 'ended') return { status: 'done' };
      if (outcome === 'clean') {
        const next = { kind: 'mailbox.retain', payload, runAt: now + DAY_MS } as const;
        return { status: 'done', complete: (tx) => enqueueJob(tx, next) };
      }
    }
    return { status: 'retry', reason: 'deleting', runAt: now };
  };
