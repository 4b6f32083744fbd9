import type { Tx } from '../../../api/transaction.ts';
import { stripQuoted } from '../../../mail/mime/reply-text.ts';
import { addReferences } from '../mailboxes/content/mail-content.ts';
import type { DeliverableMail } from '../mailboxes/messages/mail-delivery.ts';
import { keepSentContent, type OutboxEntry } from '../mailboxes/messages/sent.ts';
import { endEvents, statusOf } from './delivery-status.ts';
import {
  deliverInternally,
  type InternalRecipient,
  NO_SUCH_ADDRESS,
  type SortedRecipients,
} from './internal-delivery.ts';
import type { OutboxDeps } from './outbox-deps.ts';

/** How the service itself proves the sender of mail between its own addresses. */
export const INTERNAL_AUTH = { method: 'internal', spf: null, dkim: null, dmarc: null, verified_from: true } as const;

/** Why a mail failed that is to no address that anyone has. */
export const NOBODY = 'None of the recipients exists.';

/** How much of a sent mail its conversation shows. */
const EXCERPT_CHARS = 10_000;

export const excerptOf = (text: string): string => stripQuoted(text).slice(0, EXCERPT_CHARS).toWellFormed();

/** Keeps a mail as it was made after it has left. Its sender has room for it. */
async function keepWhole(tx: Tx, entry: OutboxEntry, contentId: string): Promise<void> {
  await addReferences(tx, contentId, 1);
  await keepSentContent(tx, entry, contentId);
}

/**
 * Delivers a mail to recipients of this service and prepares it for the others. @returns the entry with its outcomes, for
 * the caller to store, and what completes the sending in the same transaction
 */
export async function handOver(
  tx: Tx,
  deps: OutboxDeps,
  mail: DeliverableMail,
  entry: OutboxEntry,
  sorted: SortedRecipients,
  now: number,
): Promise<{ entry: OutboxEntry; internalRecipients: InternalRecipient[]; finish(tx: Tx): Promise<void> }> {
  const delivered = await deliverInternally(tx, deps, mail, sorted, now);
  const isQueued = sorted.external.length > 0;
  const outcomes = delivered.recipients.map(({ address, error }) => ({ address, providerId: null, error, at: now }));
  const { status, error } = isQueued ? { status: 'pending' as const, error: null } : statusOf(outcomes);
  const isGone = outcomes.every(({ error: reason }) => reason === NO_SUCH_ADDRESS);
  const left: OutboxEntry = {
    ...entry,
    contentId: isQueued ? delivered.contentId : null,
    externalRecipients: sorted.external,
    status,
    provider: isQueued ? deps.transport.provider : 'internal',
    providerId: isQueued ? null : entry.rfcMessageId,
    error: status === 'failed' && isGone ? NOBODY : error,
    sentAt: status === 'sent' ? now : null,
    failedAt: error === null ? null : now,
    outcomes,
    excerpt: delivered.isEncrypted ? null : excerptOf(mail.parsed.text),
  };
  const finish = async (inTx: Tx): Promise<void> => {
    // One that is queued is kept by its entry until then.
    if (left.excerpt !== null && delivered.contentId !== null && !isQueued)
      await keepWhole(inTx, left, delivered.contentId);
    if (isQueued) await deps.enqueueJob(inTx, { kind: 'mail.outbound', payload: { outboxId: left.id }, runAt: now });
    const { role, contentId } = delivered;
    if (role !== null && contentId !== null) {
      const { envelopeFrom, sizeBytes } = mail;
      const payload = { contentId, envelopeFrom, recipient: role, sizeBytes };
      await deps.enqueueJob(inTx, { kind: 'mail.postmaster', payload, runAt: now });
    }
    const events = isQueued ? delivered.events : [...delivered.events, ...endEvents(left, now)];
    if (events.length > 0) await deps.appendEvents(inTx, events);
  };
  return { entry: left, internalRecipients: delivered.recipients, finish };
}
