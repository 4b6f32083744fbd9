import { ApiError } from '../../../api/errors.ts';
import type { Tx } from '../../../api/transaction.ts';
import { folderLog } from '../../../db/logs/folder-log.ts';
import { type CopiedUids, type ImapFolder, ImapRefusal } from '../../../mail/imap/imap-store.ts';
import { changeMessage, lockOwn, removeMessage } from '../mailboxes/messages/message.ts';
import { copyMessage, type Place } from '../mailboxes/messages/message-copy.ts';
import type { Message } from '../mailboxes/messages/message-table.ts';
import { lockOutbox, setInFolder } from '../mailboxes/messages/sent.ts';
import { removeImported } from '../mailboxes/messages/sent-import.ts';
import { moveToTrash, toBePurged } from '../mailboxes/messages/trash.ts';
import { itemsNumbered, type MailFolder, type Numbered, numberedAmong } from '../mailboxes/uids/folder-uids.ts';
import { endsOf } from './folder-items.ts';
import { folderInside } from './folder-names.ts';
import type { MailProgramDeps } from './mail-program-deps.ts';
import { act } from './program-act.ts';
import type { ProgramLogin } from './program-login.ts';
import { lockItems } from './program-marking.ts';

/** Mails that one transaction moves, copies or removes. Other writers wait for it. A COPY is one transaction. */
const CHUNK = 500;
/** What a mail of the trash and of spam may lose to make room. */
const CLEARED: readonly MailFolder[] = ['trash', 'junk'];

/** Where messages are that mail programs see in a folder. Sent mail and drafts are none. */
const PLACES: Partial<Record<MailFolder, Place>> = {
  inbox: { folder: 'inbox', archived: false },
  archive: { folder: 'inbox', archived: true },
  junk: { folder: 'spam', archived: false },
  trash: { folder: 'trash', archived: false },
};

/** A folder of messages. @throws ImapRefusal `CANNOT` */
export function placeIn(folder: ImapFolder): Place & { name: MailFolder } {
  const name = folderInside(folder);
  const place = PLACES[name];
  if (!place) throw new ImapRefusal('CANNOT', `Mail cannot be copied or moved to or from ${folder}`);
  return { ...place, name };
}

const ascending = (uids: readonly number[]): number[] => [...new Set(uids)].sort((a, b) => a - b);

const isGone = (err: unknown): boolean => err instanceof ApiError && err.code === 'not_found';

/** What was done with a mail; null when it went meanwhile. */
async function unlessGone<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (err) {
    if (isGone(err)) return null;
    throw err;
  }
}

const fromTrash = (folder: MailFolder): 'trash' | undefined => (folder === 'trash' ? 'trash' : undefined);

/** Pairs what had a UID with the UIDs of what came of it. */
async function pairsOf(
  tx: Tx,
  to: { address: string; folder: MailFolder },
  done: readonly (readonly [number, string])[],
) {
  const uids = await itemsNumbered(
    tx,
    to,
    done.map(([, id]) => id),
  );
  return done.flatMap(([uid, id]): [number, number][] => {
    const given = uids.get(id);
    return given === undefined ? [] : [[uid, given.uid]];
  });
}

const copied = (uidValidity: number, pairs: readonly (readonly [number, number])[]): CopiedUids => ({
  uidValidity,
  from: pairs.map(([from]) => from),
  to: pairs.map(([, to]) => to),
});

/** The two folders of a COPY or MOVE, and where what comes to the second one is put. @throws ImapRefusal `CANNOT` */
async function between(deps: MailProgramDeps, login: ProgramLogin, folder: ImapFolder, into: ImapFolder) {
  const { address } = login;
  const { name, ...target } = placeIn(into);
  const from = { address, folder: placeIn(folder).name };
  const to = { address, folder: name };
  const { uidValidity } = await endsOf(deps, to);
  return { from, to, target, uidValidity };
}

/**
 * COPY (RFC 9051 6.4.7): a second message with another id and the same content, all of them or none.
 * @throws ImapRefusal `NOPERM`; `CANNOT` for sealed mail, whose seal is bound to its id, and for sent mail and drafts;
 *   `OVERQUOTA`; `LIMIT` for too many
 */
export async function copyMails(
  deps: MailProgramDeps,
  login: ProgramLogin,
  folder: ImapFolder,
  uids: readonly number[],
  into: ImapFolder,
): Promise<CopiedUids> {
  if (uids.length > CHUNK) throw new ImapRefusal('LIMIT', `Copy at most ${CHUNK} mails at a time`);
  const { from, to, target, uidValidity } = await between(deps, login, folder, into);
  const { principal } = login;
  return act(deps, login, async (tx, _owner, now) => {
    const numbered = await numberedAmong(tx, from, ascending(uids));
    const lockSources = async (): Promise<[number, Message][]> => {
      const items = await lockItems(tx, principal, from, numbered);
      return numbered.flatMap(({ uid, itemId }): [number, Message][] => {
        const message = items.get(itemId)?.message;
        return message ? [[uid, message]] : [];
      });
    };
    const sources = await lockSources();
    if (sources.some(([, { encryption }]) => encryption !== null))
      throw new ImapRefusal('CANNOT', 'A sealed mail cannot be copied: its seal is bound to its id. Move it.');
    const bytes = sources.reduce((sum, [, { sizeBytes }]) => sum + sizeBytes, 0);
    if (bytes > 0) await deps.storage.requireRoom(tx, principal, bytes, now);
    // What makes room must not be what is copied.
    if (CLEARED.includes(from.folder) && (await lockSources()).length < sources.length)
      throw new ImapRefusal('OVERQUOTA', 'The storage of this account is full');
    const copies: [number, string][] = [];
    for (const [n, [uid, source]] of sources.entries()) {
      // Lists are in the order of ids, which is that of their milliseconds.
      const copy = await copyMessage(tx, source, target, now - (sources.length - 1 - n));
      if (copy.trashedAt !== null) await toBePurged(tx, deps.enqueueJob, copy, copy.trashedAt);
      copies.push([uid, copy.id]);
    }
    return {
      acts: copies.map(([, id]) => ({ action: 'message.copied', id })),
      value: async () => copied(uidValidity, await pairsOf(tx, to, copies)),
    };
  });
}

/**
 * MOVE (RFC 6851): a mail keeps its id, as where it is moved by HTTP. Of many, some may be moved when it fails.
 * @throws ImapRefusal `NOPERM`; `CANNOT` for sent mail and drafts
 */
export async function moveMails(
  deps: MailProgramDeps,
  login: ProgramLogin,
  folder: ImapFolder,
  uids: readonly number[],
  into: ImapFolder,
): Promise<CopiedUids> {
  const { from, to, target, uidValidity } = await between(deps, login, folder, into);
  const { address, principal } = login;
  const action = to.folder === 'trash' ? 'message.trashed' : 'message.updated';
  const pairs: [number, number][] = [];
  const moveOne = async (tx: Tx, id: string, now: number): Promise<void> => {
    const key = { accountId: principal.accountId, address, id };
    if (from.folder === to.folder) {
      await lockOwn(tx, principal, key, fromTrash(from.folder));
      // It is there already, and has the UID of one that came (RFC 6851 3.3).
      await folderLog.leaves(tx, from, id);
      await folderLog.arrives(tx, from, id);
    } else if (to.folder === 'trash') await moveToTrash(tx, deps.enqueueJob, principal, key, now);
    else await changeMessage(tx, principal, key, target, fromTrash(from.folder));
  };
  const all = ascending(uids);
  for (let n = 0; n < all.length; n += CHUNK) {
    const some = await act(deps, login, async (tx, _owner, now) => {
      const moved: [number, string][] = [];
      for (const { uid, itemId } of await numberedAmong(tx, from, all.slice(n, n + CHUNK)))
        if ((await unlessGone(moveOne(tx, itemId, now).then(() => true))) === true) moved.push([uid, itemId]);
      return {
        acts: moved.map(([, id]) => ({ action, id })),
        value: () => pairsOf(tx, to, moved),
      };
    });
    pairs.push(...some);
  }
  return copied(uidValidity, pairs);
}

/** What EXPUNGE does with mails of a folder, and what the audit log calls it. */
const EXPUNGED = {
  inbox: 'message.trashed',
  archive: 'message.trashed',
  junk: 'message.trashed',
  trash: 'message.deleted',
  drafts: 'draft.deleted',
  sent: 'sent_mail.hidden',
} as const satisfies Record<MailFolder, string>;

/** Takes a mail out of a folder for good. @returns the action; null when it went meanwhile */
async function expungeOne(
  tx: Tx,
  deps: MailProgramDeps,
  { address, principal }: ProgramLogin,
  { folder, itemId: id }: Numbered,
  now: number,
): Promise<string | null> {
  const key = { accountId: principal.accountId, address, id };
  if (folder === 'drafts') await deps.drafts.remove(tx, principal, id);
  else if (folder === 'trash') await removeMessage(tx, principal, key, 'trash');
  else if (folder !== 'sent') await moveToTrash(tx, deps.enqueueJob, principal, key, now);
  else {
    const entry = await lockOutbox(tx, id);
    if (entry === null || entry.accountId !== principal.accountId) return null;
    // Nothing else shows it.
    if (entry.imported) {
      await removeImported(tx, entry);
      return 'sent_mail.deleted';
    }
    await setInFolder(tx, entry, false);
  }
  return EXPUNGED[folder];
}

/**
 * EXPUNGE (RFC 9051 6.4.3) of those of the UIDs that have `\Deleted`: mail goes to the trash, and out of the trash for good.
 * A draft ends, with its time to be sent. Sent mail leaves the folder, and the outbox still shows it. Of many, some may be gone
 * when it fails.
 * @throws ImapRefusal `NOPERM`
 */
export async function expungeMails(
  deps: MailProgramDeps,
  login: ProgramLogin,
  folder: ImapFolder,
  uids: readonly number[],
): Promise<void> {
  const place = { address: login.address, folder: folderInside(folder) };
  const all = ascending(uids);
  for (let n = 0; n < all.length; n += CHUNK)
    await act(deps, login, async (tx, _owner, now) => {
      const numbered = await numberedAmong(tx, place, all.slice(n, n + CHUNK));
      const acts: { action: string; id: string }[] = [];
      const deleted = numbered.filter(({ flags }) => flags.includes('\\Deleted'));
      // All of them before what the account stores, as who changes one of them does. Mail waits for its address.
      if (PLACES[place.folder] === undefined) await lockItems(tx, login.principal, place, deleted);
      for (const item of deleted) {
        const action = await unlessGone(expungeOne(tx, deps, login, item, now));
        if (action !== null) acts.push({ action, id: item.itemId });
      }
      return { acts, value: async () => undefined };
    });
}
