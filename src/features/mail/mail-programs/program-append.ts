import type { Tx } from '../../../api/transaction.ts';
import { within } from '../../../base/deadline.ts';
import { DAY_MS } from '../../../base/period.ts';
import { folderLog } from '../../../db/logs/folder-log.ts';
import { type AppendedMail, type ImapFolder, ImapRefusal } from '../../../mail/imap/imap-store.ts';
import type { ParsedMail } from '../../../mail/mime/parsed-mail.ts';
import { type Address, findAddress } from '../../account/addresses/address.ts';
import type { DraftFile, SavedDraft } from '../drafts/draft-table.ts';
import { type Written, withWritten } from '../mailboxes/content/sealed-copy.ts';
import { importMessage } from '../mailboxes/messages/message-copy.ts';
import { sentWithRfcId, setInFolder } from '../mailboxes/messages/sent.ts';
import { importSent } from '../mailboxes/messages/sent-import.ts';
import { toBePurged } from '../mailboxes/messages/trash.ts';
import { itemsNumbered, type MailFolder, saveUidFlags } from '../mailboxes/uids/folder-uids.ts';
import { excerptOf } from '../outbox/send-stage.ts';
import { endsOf } from './folder-items.ts';
import { folderInside } from './folder-names.ts';
import type { MailProgramDeps } from './mail-program-deps.ts';
import { act } from './program-act.ts';
import { readDraft } from './program-draft.ts';
import { flagsAfter, keptFlags, messageChangeOf, ownFlags } from './program-flags.ts';
import type { ProgramLogin } from './program-login.ts';
import { placeIn } from './program-moves.ts';
import { imapRefusal } from './program-refusal.ts';

/** How long a program waits for its mails to be read. */
const READING_MS = 30_000;
/** For so long a program that saves what it sent gets the mail that was handed in. */
const SENT_AGAIN_MS = 30 * DAY_MS;

/** A mail of an APPEND that was read. */
interface ReadAppend {
  raw: Uint8Array;
  parsed: ParsedMail;
  /** Milliseconds. */
  at: number;
  flags: string[];
  /** In Drafts: what it is. */
  drafted: Drafted | null;
  written: Written;
}

interface Drafted {
  draft: SavedDraft;
  files: readonly DraftFile[];
}

/** What became of it: what has a UID, and the flags that the UID keeps. */
interface Stored {
  action: 'message.imported' | 'sent_mail.imported' | 'draft.created' | null;
  id: string;
  own: string[];
}

interface Into {
  tx: Tx;
  deps: MailProgramDeps;
  login: ProgramLogin;
  owner: Address;
  now: number;
}

/** The date that a mail gets. @throws ImapRefusal `CANNOT` */
function dateOf({ internalDate }: AppendedMail, now: number): number {
  if (internalDate !== null && internalDate < 0) throw new ImapRefusal('CANNOT', 'A date before 1970 cannot be kept');
  return Math.min(internalDate ?? now, now);
}

/** Reads all of them. @throws ImapRefusal `UNAVAILABLE` when that takes too long */
async function readAll({ parser }: MailProgramDeps, address: string, mails: readonly AppendedMail[], withinMs: number) {
  const unread = new ImapRefusal('UNAVAILABLE', 'The mail could not be read in time, try again later');
  const origin = { network: '', addresses: [address] };
  // The parser rejects nothing but work after it was closed.
  const reading = Promise.all(mails.map(({ bytes }) => parser.parse(bytes, origin))).catch(() => null);
  const parsed = await within(withinMs, reading, () => null);
  if (parsed === null) throw unread;
  return parsed;
}

/** Does the work with the large parts of every mail in the database, for the copies that will be kept. */
function withAllWritten<T>(
  { database, now }: MailProgramDeps,
  { address, publicKey }: Pick<Address, 'address' | 'publicKey'>,
  mails: readonly Omit<ReadAppend, 'written'>[],
  isDraft: boolean,
  work: (mails: readonly ReadAppend[]) => Promise<T>,
): Promise<T> {
  const isReadable = publicKey === null || isDraft;
  const copies = { isReadable, sealedFor: isReadable ? [] : [{ address, publicKey }] };
  const step = (ready: readonly ReadAppend[]): Promise<T> => {
    const next = mails[ready.length];
    if (next === undefined) return work(ready);
    // The files of a draft are kept beside its bytes.
    const files = isDraft ? [] : next.parsed.attachments.map(({ content }) => content);
    return withWritten(database, [next.raw, ...files], copies, now(), (written) =>
      step([...ready, { ...next, written }]),
    );
  };
  return step([]);
}

/** The draft that a mail is. @throws ImapRefusal `CANNOT` */
async function draftOf({ drafts, now }: MailProgramDeps, login: ProgramLogin, parsed: ParsedMail): Promise<Drafted> {
  const { change, files } = readDraft(parsed, login.address);
  try {
    return { draft: await drafts.changed(login.principal, null, change, now()), files };
  } catch (err) {
    throw imapRefusal(err);
  }
}

async function storeDraft(
  { tx, deps, login }: Into,
  { draft, files }: Drafted,
  { raw, flags, written }: ReadAppend,
): Promise<Stored> {
  await deps.drafts.create(tx, login.principal, draft, files, { raw, staged: written.staged });
  return { action: 'draft.created', id: draft.id, own: ownFlags('drafts', flags) };
}

/**
 * A program saves what it sent: the folder has that already. Anything else was sent elsewhere.
 * @throws ImapRefusal `CANNOT` for an address that keeps mail sealed, as nothing readable of it stays
 */
async function storeSent({ tx, deps, login, owner, now }: Into, mail: ReadAppend): Promise<Stored> {
  const { raw, parsed, at, written } = mail;
  const own = ownFlags('sent', mail.flags);
  const { rfcMessageId } = parsed;
  const known = rfcMessageId && (await sentWithRfcId(tx, owner.address, rfcMessageId, now - SENT_AGAIN_MS));
  if (known) {
    if (known.expunged) await setInFolder(tx, known, true);
    return { action: null, id: known.id, own };
  }
  if (owner.publicKey !== null)
    throw new ImapRefusal(
      'CANNOT',
      'This address keeps its mail sealed, so what was sent elsewhere cannot be kept here',
    );
  await deps.storage.requireRoom(tx, login.principal, raw.length, now);
  const sent = { raw, sizeBytes: raw.length, parsed, written, excerpt: excerptOf(parsed.text), sentAt: at };
  const { id } = await importSent(tx, sent, owner, now);
  return { action: 'sent_mail.imported', id, own };
}

async function storeMessage(
  { tx, deps, login, owner, now }: Into,
  { raw, parsed, at, flags, written }: ReadAppend,
  folder: ImapFolder,
): Promise<Stored> {
  const place = placeIn(folder);
  const {
    change: { labels, ...set },
    own,
  } = messageChangeOf([], flags);
  await deps.storage.requireRoom(tx, login.principal, raw.length, now);
  const mail = { raw, sizeBytes: raw.length, parsed, written };
  const message = await importMessage(tx, mail, owner, { ...place, flags: set, labels, receivedAt: at }, now);
  if (place.folder === 'trash') await toBePurged(tx, deps.enqueueJob, message, now);
  return { action: 'message.imported', id: message.id, own };
}

/** The UIDs of what was stored, which keep the flags that it has no place for. */
async function numbersOf(tx: Tx, place: { address: string; folder: MailFolder }, stored: readonly Stored[]) {
  const ids = stored.map(({ id }) => id);
  const numbered = await itemsNumbered(tx, place, ids);
  for (const { id, own } of stored) {
    const item = numbered.get(id);
    const flags = item && flagsAfter(item.flags, { does: 'add', flags: own });
    if (!item || flags?.length === item.flags.length) continue;
    await saveUidFlags(tx, { ...item, flags: flags ?? [] });
    await folderLog.changes(tx, place, id);
  }
  return ids.flatMap((id) => numbered.get(id)?.uid ?? []);
}

/**
 * APPEND (RFC 9051 6.3.12, RFC 3502), all of them or none. It is no mail that came: there is no event for it and no policy, and
 * nothing of its sender is proven. In Drafts it is a draft, in Sent what the address sent, here or elsewhere.
 * The caller has looked that `login` may.
 * @throws ImapRefusal `CANNOT` for a date before 1970 and for what cannot be a draft; `OVERQUOTA`; `LIMIT`;
 *   `UNAVAILABLE` when it could not be read in time
 */
export async function appendMails(
  deps: MailProgramDeps,
  login: ProgramLogin,
  folder: ImapFolder,
  mails: readonly AppendedMail[],
  withinMs: number = READING_MS,
): Promise<{ uidValidity: number; uids: readonly number[] }> {
  const { address } = login;
  const place = { address, folder: folderInside(folder) };
  const dated = mails.map((mail) => ({ raw: mail.bytes, at: dateOf(mail, deps.now()), flags: keptFlags(mail.flags) }));
  const known = await findAddress(deps.database, address);
  if (known === null) throw new ImapRefusal('NONEXISTENT', 'The address is not claimed any more');
  const parsed = await readAll(deps, address, mails, withinMs);
  const isDraft = folder === 'Drafts';
  const read: Omit<ReadAppend, 'written'>[] = [];
  for (const [n, mail] of dated.entries()) {
    const of = parsed[n] as ParsedMail;
    read.push({ ...mail, parsed: of, drafted: isDraft ? await draftOf(deps, login, of) : null });
  }
  const { uidValidity } = await endsOf(deps, place);
  const uids = await withAllWritten(deps, known, read, isDraft, (ready) =>
    act(deps, login, async (tx, owner, now) => {
      // Nothing readable of it may be written for an address that got a key meanwhile.
      if (owner.publicKey !== known.publicKey) throw new ImapRefusal('UNAVAILABLE', 'The key changed, try again');
      const stored: Stored[] = [];
      for (const [n, mail] of ready.entries()) {
        // Lists are in the order of ids, which is that of their milliseconds.
        const into: Into = { tx, deps, login, owner, now: now - (ready.length - 1 - n) };
        if (mail.drafted) stored.push(await storeDraft(into, mail.drafted, mail));
        else stored.push(await (folder === 'Sent' ? storeSent(into, mail) : storeMessage(into, mail, folder)));
      }
      const acts = stored.flatMap(({ action, id }) => (action === null ? [] : [{ action, id }]));
      return { acts, value: () => numbersOf(tx, place, stored) };
    }),
  );
  return { uidValidity, uids };
}
