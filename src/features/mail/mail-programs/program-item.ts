import type { Reader } from '../../../api/transaction.ts';
import type { FlaggedMail } from '../../../mail/imap/imap-store.ts';
import { type Limited, mayUse } from '../../account/addresses/address.ts';
import { draftsAmong } from '../drafts/draft.ts';
import type { SavedDraft } from '../drafts/draft-table.ts';
import { sizesOfContents } from '../mailboxes/content/mail-content.ts';
import { flaggedMessages, messagesByIds } from '../mailboxes/messages/message.ts';
import { type FlaggedMessage, folderOf, type Message } from '../mailboxes/messages/message-table.ts';
import { contentsOfSent, type OutboxEntry, sentByIds } from '../mailboxes/messages/sent.ts';
import type { MailFolder, Numbered } from '../mailboxes/uids/folder-uids.ts';
import { flagsOfMessage, flagsOfOther } from './program-flags.ts';

/** What has a UID: a message, a sent mail or a draft. */
export type ProgramItem =
  | { kind: 'message'; id: string; message: Message }
  /** `keptBytes`: null where its bytes are not kept. */
  | { kind: 'sent'; id: string; entry: OutboxEntry; keptBytes: number | null }
  | { kind: 'draft'; id: string; draft: SavedDraft };

/** A folder of the address of a login. */
export interface Place {
  address: string;
  folder: MailFolder;
}

type Uid = Pick<Numbered, 'uid' | 'modSeq' | 'itemId' | 'flags'>;
export type NumberedItem = FlaggedMail & { item: ProgramItem };
/** A mail with its flags, by the id of what it is. `message`: absent for sent mail and drafts. */
export type FlaggedItem = FlaggedMail & { itemId: string; message?: FlaggedMessage };

const isOther = (folder: MailFolder): folder is 'sent' | 'drafts' => folder === 'sent' || folder === 'drafts';

/** Whether a message is where its UID was read: it may have moved since. */
const isAt = (place: Place, caller: Limited, message: FlaggedMessage | Message): boolean =>
  message.address === place.address && folderOf(message).folder === place.folder && mayUse(caller, message);

/** A list by id, of those that are still there. */
async function itemsOf(reader: Reader, caller: Limited, place: Place, ids: readonly string[]): Promise<ProgramItem[]> {
  const isOwn = (thing: { accountId: string; address: string }): boolean =>
    thing.address === place.address && mayUse(caller, thing);
  if (place.folder === 'sent') {
    const entries = (await sentByIds(reader, ids)).filter(isOwn);
    const contents = await contentsOfSent(reader, caller.accountId, entries);
    const sizes = await sizesOfContents(reader, [...contents.values()]);
    const keptBytes = ({ id }: OutboxEntry): number | null => sizes.get(contents.get(id) ?? '') ?? null;
    return entries.map((entry) => ({ kind: 'sent', id: entry.id, entry, keptBytes: keptBytes(entry) }));
  }
  if (place.folder === 'drafts')
    return (await draftsAmong(reader, ids)).filter(isOwn).map((draft) => ({ kind: 'draft', id: draft.id, draft }));
  return (await messagesByIds(reader, ids))
    .filter((message) => isAt(place, caller, message))
    .map((message) => ({ kind: 'message', id: message.id, message }));
}

/**
 * The flags of some UIDs. A UID is read before its message, so what changes in between has a later mod-sequence, and is
 * told again.
 */
export async function flaggedAmong(
  reader: Reader,
  caller: Limited,
  place: Place,
  uids: readonly Numbered[],
): Promise<FlaggedItem[]> {
  const { folder } = place;
  if (isOther(folder))
    return uids.map(({ uid, modSeq, itemId, flags }) => ({ uid, modSeq, itemId, flags: flagsOfOther(folder, flags) }));
  const found = await flaggedMessages(
    reader,
    uids.map(({ itemId }) => itemId),
  );
  const byId = new Map(found.filter((message) => isAt(place, caller, message)).map((message) => [message.id, message]));
  return uids.flatMap(({ uid, modSeq, itemId, flags }) => {
    const message = byId.get(itemId);
    return message ? { uid, modSeq, itemId, message, flags: flagsOfMessage(message, flags) } : [];
  });
}

/** The same, with all that is stored of them beside their bytes. */
export async function itemsAmong(
  reader: Reader,
  caller: Limited,
  place: Place,
  uids: readonly Uid[],
): Promise<NumberedItem[]> {
  const found = await itemsOf(
    reader,
    caller,
    place,
    uids.map(({ itemId }) => itemId),
  );
  const byId = new Map(found.map((item) => [item.id, item]));
  return uids.flatMap(({ uid, modSeq, itemId, flags: own }) => {
    const item = byId.get(itemId);
    return item ? { uid, modSeq, flags: flagsOf(item, own), item } : [];
  });
}

/** The flags of an item, with those that its UID has. */
function flagsOf(item: ProgramItem, own: readonly string[]): string[] {
  if (item.kind === 'message') return flagsOfMessage(item.message, own);
  return flagsOfOther(item.kind === 'sent' ? 'sent' : 'drafts', own);
}
