import type { JobAttempt, JobOutcome } from '../../../api/job-types.ts';
import type { Tx } from '../../../api/transaction.ts';
import { iso } from '../../../base/clock.ts';
import { loginPeople } from '../../account/people/person.ts';
import type { PasskeyDeps } from './passkey.ts';
import { passkeysOf } from './passkey-store.ts';
import type { PasskeyNews } from './passkey-table.ts';

/** A notice may arrive late, but must arrive. */
const RETRY_DELAYS_MS = [60_000, 300_000, 1_800_000, 7_200_000] as const;

const NEWS: Record<PasskeyNews, { subject: string; text(activeAt: string): string }> = {
  added: {
    subject: 'A passkey was added',
    text: () => 'A passkey was added to your login. It works from now on.',
  },
  pending: {
    subject: 'A passkey will be added',
    text: (activeAt) =>
      `Someone logged in with a link from your mailbox and added a passkey. It starts to work at ${activeAt}. ` +
      'Until then, every one of your sessions can remove it.',
  },
  active: {
    subject: 'A passkey works now',
    text: () => 'The passkey that was added with a link from your mailbox logs in from now on.',
  },
  removed: { subject: 'A passkey was removed', text: () => 'A passkey was removed from your login.' },
  codes_made: {
    subject: 'New recovery codes',
    text: () => 'Recovery codes were created for your login. All former codes stopped working.',
  },
  code_used: {
    subject: 'A recovery code was used',
    text: () => 'Someone logged in with one of your recovery codes.',
  },
  required: {
    subject: 'Your login now requires a passkey',
    text: () => 'Links in emails no longer approve anything or change anything for your agents.',
  },
  not_required: {
    subject: 'Your login no longer requires a passkey',
    text: () => 'Links in emails can approve and change things for your agents again.',
  },
};

/** Tells a person what changed about the ways to log in. */
export function createPasskeyMailer({ mailer, database, jobEffects, baseUrl }: PasskeyDeps) {
  /** Notes in the accounts of a person that a passkey became active. */
  async function noteActivation(tx: Tx, address: string, passkeyId: string, now: number): Promise<void> {
    const { confirmed } = await loginPeople(tx, address);
    for (const accountId of new Set(confirmed.map((person) => person.accountId)))
      await jobEffects.note(tx, { accountId, action: 'passkey.activated', resourceId: passkeyId, now });
  }

  return async (job: JobAttempt<'mail.passkey'>): Promise<JobOutcome> => {
    const { address, news, activeAt, passkeyId } = job.payload;
    const isWaiting = passkeyId !== undefined;
    if (isWaiting && !(await passkeysOf(database, address)).some(({ id }) => id === passkeyId))
      return { status: 'done' };
    // Counted, so that the queue does not take it for one that was due when the clock was set back (jobs/queue.ts).
    if (isWaiting && activeAt !== null && activeAt > job.now)
      return { status: 'retry', reason: 'the passkey is not active yet', runAt: activeAt };
    const { subject, text } = NEWS[news];
    const told = text(iso(activeAt ?? job.now));
    const closing = `If this was not you, log in at ${baseUrl()}/login and look at your passkeys and sessions.`;
    const mail = { to: address, subject, text: `${told}\n\n${closing}\n` };
    const outcome = await mailer.send(job, { ...mail, retryDelaysMs: RETRY_DELAYS_MS });
    if (!isWaiting || outcome.status !== 'done') return outcome;
    // Once, with the end of the job.
    const complete = async (tx: Tx): Promise<void> => {
      await outcome.complete?.(tx);
      await noteActivation(tx, address, passkeyId, job.now);
    };
    return { ...outcome, complete };
  };
}
