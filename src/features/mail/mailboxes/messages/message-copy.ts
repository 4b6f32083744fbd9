import type { Tx } from '../../../../api/transaction.ts';
import { newId } from '../../../../base/ids.ts';
import { safetyOf } from '../../../../mail/screening/verdict.ts';
import type { Address } from '../../../account/addresses/address.ts';
import { addReferences } from '../content/mail-content.ts';
import { indexMessage, nextSearchDoc, searchWordsOf } from '../search/mail-search.ts';
import { indexOlder } from '../search/older-mail-index.ts';
import { joinThread } from '../threads/threading.ts';
import { type DeliverableMail, storeCopy } from './mail-delivery.ts';
import { countStored } from './message-counts.ts';
import { insertMessage } from './message-store.ts';
import { type FlagChoice, type Folder, flagsOf, type Message, newMessage } from './message-table.ts';

/** Where a message is put. */
export interface Place {
  folder: Folder;
  archived: boolean;
}

/** A message that its owner brings. */
export interface Imported extends Place {
  flags: Omit<FlagChoice, 'archived'>;
  labels: string[];
  /** Milliseconds. */
  receivedAt: number;
}

/** Of a mail that its owner brought: the sender was not checked when it came. */
export const IMPORTED_AUTH = { method: 'imported', spf: null, dkim: null, dmarc: null, verified_from: false } as const;

/**
 * Puts a second message of the same content into a folder. It makes no event, and is in no sender's share. The caller has locked
 * the address and the message, which is not sealed.
 */
export async function copyMessage(tx: Tx, source: Message, { folder, archived }: Place, now: number): Promise<Message> {
  const copy: Message = {
    ...source,
    id: newId('msg', now),
    folder,
    archived,
    trashedAt: folder === 'trash' ? now : null,
    senderKey: null,
    searchDoc: null,
  };
  await addReferences(tx, source.contentId, 1);
  await insertMessage(tx, copy);
  // Where its id is, as lists have it.
  await indexOlder(tx, { ...copy, receivedAt: now });
  await countStored(tx, copy);
  return copy;
}

/**
 * Stores a mail that the owner of an address brings, sealed where the address has a key. It was not received: no event, no
 * policy, and its sender is not known by it. The caller has locked the address and found room.
 */
export async function importMessage(
  tx: Tx,
  given: Omit<DeliverableMail, 'auth' | 'envelopeFrom'>,
  owner: Address,
  { folder, archived, flags, labels, receivedAt }: Imported,
  now: number,
): Promise<Message> {
  const mail = { ...given, auth: IMPORTED_AUTH, envelopeFrom: '' };
  const copy = await storeCopy(tx, mail, owner, null, now);
  const { findings } = mail.parsed;
  const safety = copy.encryption ? null : safetyOf(findings, { auth: IMPORTED_AUTH, isFirstContact: null });
  const message = newMessage({
    ...copy,
    safetyVerdict: safety?.verdict ?? null,
    safetySignals: safety?.signals ?? null,
    senderKey: null,
    receivedAt,
    labels,
    folder,
    trashedAt: folder === 'trash' ? now : null,
    searchDoc: copy.encryption ? null : await nextSearchDoc(tx, now),
  });
  const threadId = await joinThread(tx, { ...message, now: receivedAt }, {});
  const shown = { ...message, ...flagsOf(message, { ...flags, archived }), threadId };
  await insertMessage(tx, shown);
  if (!shown.encryption) await indexMessage(tx, shown, searchWordsOf(mail.parsed, 1));
  await countStored(tx, shown);
  return shown;
}
