import type { Tx } from '../../../../api/transaction.ts';
import { newId } from '../../../../base/ids.ts';
import type { Address } from '../../../account/addresses/address.ts';
import { releaseContent } from '../content/mail-content.ts';
import { changeThread, joinThread } from '../threads/threading.ts';
import { type DeliverableMail, keepContent, participantsOf } from './mail-delivery.ts';
import { IMPORTED_AUTH } from './message-copy.ts';
import { latestOf } from './message-counts.ts';
import { insertOutbox, keepSentContent, type OutboxEntry, snippetOfSent } from './sent.ts';
import { deleteSent } from './sent-store.ts';

/** A mail that was sent elsewhere. */
export interface SentElsewhere extends Omit<DeliverableMail, 'auth' | 'envelopeFrom'> {
  /** The beginning of its text. */
  excerpt: string;
  /** Milliseconds. */
  sentAt: number;
}

/**
 * Stores a mail that the owner of an address sent elsewhere. It is in the folder and in conversations, and in no list of the
 * outbox. The caller has locked the address, which keeps no mail sealed, and found room.
 */
export async function importSent(
  tx: Tx,
  { excerpt, sentAt, ...given }: SentElsewhere,
  { accountId, address }: Pick<Address, 'accountId' | 'address'>,
  now: number,
): Promise<OutboxEntry> {
  const { parsed } = given;
  const addressesOf = (list: readonly { address: string }[]): string[] => list.map((each) => each.address);
  const entry: OutboxEntry = {
    id: newId('out', now),
    accountId,
    address,
    contentId: null,
    threadId: null,
    // It may have none.
    rfcMessageId: parsed.rfcMessageId ?? '',
    recipients: addressesOf([...parsed.to, ...parsed.cc, ...parsed.bcc]),
    externalRecipients: [],
    subject: parsed.subject,
    status: 'sent',
    provider: 'imported',
    providerId: null,
    error: null,
    queuedAt: sentAt,
    sentAt,
    failedAt: null,
    outcomes: [],
    deferrals: null,
    excerpt,
    metadata: null,
    unsubscribe: false,
    actors: [],
    imported: true,
    expunged: false,
  };
  const { inReplyTo, references, subject } = parsed;
  const latest = { at: sentAt, snippet: snippetOfSent(entry), people: participantsOf(parsed) };
  const hints = { accountId, address, inReplyTo, references, subject, now: sentAt };
  const threadId = await joinThread(tx, hints, { messages: 1, latest });
  await insertOutbox(tx, { ...entry, threadId });
  const contentId = await keepContent(tx, { ...given, auth: IMPORTED_AUTH, envelopeFrom: address }, 1, now);
  await keepSentContent(tx, entry, contentId);
  return { ...entry, threadId };
}

/** Deletes a mail that was imported as sent. The caller has locked its address. */
export async function removeImported(tx: Tx, entry: OutboxEntry): Promise<void> {
  const kept = await deleteSent(tx, entry);
  if (kept !== null) await releaseContent(tx, kept);
  const latest = entry.threadId === null ? null : await latestOf(tx, entry.threadId);
  await changeThread(tx, entry.threadId, { messages: -1, ...(latest ? { becomes: latest } : {}) });
}
