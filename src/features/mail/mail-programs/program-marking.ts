import type { Principal } from '../../../api/principal.ts';
import { pipeline, type Tx } from '../../../api/transaction.ts';
import { folderLog } from '../../../db/logs/folder-log.ts';
import type { FlaggedMail, ImapFolder, StoreChange } from '../../../mail/imap/imap-store.ts';
import { lockAddresses, mayUse } from '../../account/addresses/address.ts';
import { lockDraft } from '../drafts/draft.ts';
import { changeMessage, lockMessage } from '../mailboxes/messages/message.ts';
import { folderOf, type Message } from '../mailboxes/messages/message-table.ts';
import { lockOutbox } from '../mailboxes/messages/sent.ts';
import { type Numbered, numberedAmong, saveUidFlags } from '../mailboxes/uids/folder-uids.ts';
import { folderInside } from './folder-names.ts';
import type { MailProgramDeps } from './mail-program-deps.ts';
import { noteCommand } from './program-caller.ts';
import { flagsAfter, flagsOfMessage, flagsOfOther, keptFlags, messageChangeOf, ownFlags } from './program-flags.ts';
import { flaggedAmong, type Place } from './program-item.ts';
import type { ProgramLogin } from './program-login.ts';

/** Mails that one transaction changes. Other writers wait for it. */
const CHANGED_TOGETHER = 100;

type LockedItem = { message: Message } | { message: null };

/**
 * Locks what UIDs stand for, whose address is locked. A change of an item holds its row until the commit, so its UID's mod-sequence stays from
 * then on. @returns those that are still there, by id
 */
export async function lockItems(tx: Tx, caller: Principal, { address, folder }: Place, uids: readonly Numbered[]) {
  const lock = async (id: string): Promise<LockedItem | null> => {
    if (folder === 'sent' || folder === 'drafts') {
      const found = await (folder === 'sent' ? lockOutbox(tx, id) : lockDraft(tx, id));
      return found?.address === address && mayUse(caller, found) ? { message: null } : null;
    }
    const message = await lockMessage(tx, address, id, folder === 'trash' ? folder : undefined);
    return message && folderOf(message).folder === folder && mayUse(caller, message) ? { message } : null;
  };
  const found = await pipeline(uids.map(({ itemId }) => lock(itemId)));
  return new Map(uids.flatMap(({ itemId }, n) => (found[n] ? [[itemId, found[n]]] : [])));
}

/** What a change makes of one mail: of the message itself, and of what its UID keeps. */
function changeOf(place: Place, { message }: LockedItem, uid: Numbered, change: StoreChange) {
  const { folder } = place;
  if (message === null) {
    const other = folder === 'sent' ? 'sent' : 'drafts';
    const flags = flagsAfter(flagsOfOther(other, uid.flags), change);
    return { message, change: null, own: ownFlags(other, flags) };
  }
  const flags = flagsAfter(flagsOfMessage(message, uid.flags), change);
  return { message, ...messageChangeOf(message.labels, flags) };
}

const isSame = (a: readonly string[], b: readonly string[]): boolean => a.join(' ') === b.join(' ');

/** Changes some mails in a transaction. @returns the ids of those that differ now, and the UIDs that were left alone */
async function markSome(tx: Tx, caller: Principal, place: Place, uids: readonly number[], change: StoreChange) {
  await lockAddresses(tx, [place.address]);
  const items = await lockItems(tx, caller, place, await numberedAmong(tx, place, uids));
  const found = (await numberedAmong(tx, place, uids)).filter(({ itemId }) => items.has(itemId));
  const { unchangedSince } = change;
  const isLeft = ({ modSeq }: Numbered): boolean => unchangedSince !== null && modSeq > unchangedSince;
  const planned = found
    .filter((uid) => !isLeft(uid))
    .map((uid) => ({ uid, ...changeOf(place, items.get(uid.itemId) as LockedItem, uid, change) }));
  // Before anything is noted in the folder log: a statement about UIDs would write that at once, and hold the folder.
  const owned = planned.filter(({ uid, own }) => !isSame(own, uid.flags));
  for (const { uid, own } of owned) await saveUidFlags(tx, { ...uid, flags: own });
  const ids: string[] = [];
  for (const { uid, message, change: wanted, own } of planned) {
    const from = place.folder === 'trash' ? place.folder : undefined;
    const changed = message && wanted ? await changeMessage(tx, caller, message, wanted, from) : null;
    if (!changed?.isChanged && isSame(own, uid.flags)) continue;
    // What changed of the message is noted already.
    if (!changed?.isChanged) await folderLog.changes(tx, place, uid.itemId);
    ids.push(uid.itemId);
  }
  return { ids, modified: found.filter(isLeft).map(({ uid }) => uid) };
}

/** STORE that only adds `\Seen` is what reading a mail does. */
const actionOf = ({ does, flags }: StoreChange): string =>
  does === 'add' && flags.length === 1 && flags[0] === '\\Seen' ? 'message.read' : 'message.updated';

/**
 * Changes the flags of mails, as PATCH of a message does. The caller has looked that `login` may.
 * @throws ImapRefusal `LIMIT` for a keyword that fits no label, or too many: mails before it stay changed; ApiError
 *   as a call
 */
export async function markMails(
  deps: MailProgramDeps,
  login: ProgramLogin,
  folder: ImapFolder,
  uids: readonly number[],
  change: StoreChange,
): Promise<{ changed: FlaggedMail[]; modified: number[] }> {
  const { database, credentials } = deps;
  const { principal: caller } = login;
  const place = { address: login.address, folder: folderInside(folder) };
  const kept = { ...change, flags: keptFlags(change.flags) };
  const changed: FlaggedMail[] = [];
  const modified: number[] = [];
  for (let from = 0; from < uids.length; from += CHANGED_TOGETHER) {
    const some = uids.slice(from, from + CHANGED_TOGETHER);
    const left = await database.transaction(async (tx) => {
      await credentials.confirm(tx, caller);
      const outcome = await markSome(tx, caller, place, some, kept);
      await noteCommand(deps, tx, login, caller, actionOf(kept), outcome.ids);
      return outcome.modified;
    });
    modified.push(...left);
    const after = some.filter((uid) => !left.includes(uid));
    changed.push(...(await flaggedAmong(database, caller, place, await numberedAmong(database, place, after))));
  }
  return { changed, modified };
}
