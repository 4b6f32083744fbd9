import type { EnqueueJob, JobAttempt, JobOutcome } from '../../api/job-types.ts';
import type { Database, Tx } from '../../api/transaction.ts';
import { findOutbox, type OutboxEntry } from '../mail/mailboxes/messages/sent.ts';
import type { EventRules } from './calendar-event.ts';
import { findEvent } from './calendar-event-store.ts';
import { deleteHeld, findHeld, heldOf } from './held-invitation-store.ts';
import { invitationsOf, saveInvitation } from './invitation-store.ts';
import type { AttendeeStatus, HeldInvitation } from './invitation-table.ts';

declare module '../../api/job-types.ts' {
  interface JobPayloads {
    /** Says of an attendee what became of the mail that was held. `refusal`: why it is not sent; null when it was let go. */
    'calendar.held': { outboxId: string; refusal: string | null };
  }
}

/** Queues the job when the mail that was decided about is an invitation. The decision does not wait for the calendar. */
export const queueDecided =
  (enqueueJob: EnqueueJob) =>
  async (tx: Tx, outboxId: string, refusal: string | null, now: number): Promise<void> => {
    if ((await findHeld(tx, outboxId)) === null) return;
    await enqueueJob(tx, { kind: 'calendar.held', payload: { outboxId, refusal }, runAt: now });
  };

/** Why a mail that was let go did not leave: the code of the error. */
function failureOf(entry: OutboxEntry | null): string | null {
  if (entry === null) return 'rejected';
  if (entry.status !== 'failed') return null;
  return /^([a-z_]+): /.exec(entry.error ?? '')?.[1] ?? 'no_such_recipient';
}

/** The attendee after the decision. An attendee that had an earlier invitation still has it. */
function decided({ address, was }: HeldInvitation, attendee: AttendeeStatus, refusal: string | null): AttendeeStatus {
  const hadOne = was !== 'not_invited' && was !== 'held';
  if (attendee.status !== 'held')
    return refusal === null && attendee.status === 'not_invited' ? { address, status: 'invited' } : attendee;
  if (refusal === null) return { address, status: hadOne ? was : 'invited' };
  return { address, status: hadOne ? was : 'not_invited', reason: refusal };
}

/** Makes the handler that carries the decision about a held invitation into its event. */
export function createDecided(database: Database, events: EventRules) {
  const apply = async (tx: Tx, held: HeldInvitation, refusal: string | null, now: number): Promise<void> => {
    const { accountId, eventId, outboxId, address } = held;
    await events.touch(tx, accountId, now);
    if ((await deleteHeld(tx, outboxId)) === 0) return;
    const event = await findEvent(tx, accountId, eventId);
    const invitation = (await invitationsOf(tx, accountId, [eventId])).get(eventId);
    const known = invitation?.attendees.find((attendee) => attendee.address === address);
    // A newer mail to the same attendee still waits: it decides.
    const waits = (await heldOf(tx, eventId)).some((other) => other.address === address);
    if (!event || !invitation || !known || (refusal !== null && waits)) return;
    const after = decided(held, known, refusal);
    if (after === known) return;
    const attendees = invitation.attendees.map((attendee) => (attendee === known ? after : attendee));
    await saveInvitation(tx, { ...invitation, attendees });
    await events.announce(tx, event, 'updated', now);
  };
  return async ({ payload, now }: JobAttempt<'calendar.held'>): Promise<JobOutcome> => {
    const held = await findHeld(database, payload.outboxId);
    if (held === null) return { status: 'done' };
    const refusal = payload.refusal ?? failureOf(await findOutbox(database, payload.outboxId));
    return { status: 'done', complete: (tx) => apply(tx, held, refusal, now) };
  };
}
