import type { Principal } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import { Turns } from '../../../base/clock.ts';
import type { FetchedMail, FetchWants, ImapFolder } from '../../../mail/imap/imap-store.ts';
import { outlineOf } from '../../../mail/imap/mail-outline.ts';
import { headerOf } from '../../../mail/imap/mail-section.ts';
import { snippetOf } from '../../../mail/mime/reply-text.ts';
import { shownDraft } from '../drafts/shown-draft.ts';
import { readSentText, snippetOfSent } from '../mailboxes/messages/sent.ts';
import { maySeeCodes, shown, shownText } from '../mailboxes/messages/shown-mail.ts';
import { numberedAmong } from '../mailboxes/uids/folder-uids.ts';
import { folderInside } from './folder-names.ts';
import { mailBytes } from './mail-bytes.ts';
import { readOutlines } from './mail-outlines.ts';
import type { MailProgramDeps } from './mail-program-deps.ts';
import { currentCaller } from './program-caller.ts';
import { itemsAmong, type NumberedItem, type ProgramItem } from './program-item.ts';
import type { ProgramLogin } from './program-login.ts';

/** Mails that are read together, without their bytes. */
const READ_TOGETHER = 50;
/** RFC 8970 3.1. */
const PREVIEW_CHARS = 200;

/** What identifies an item and says when it came (RFC 8474, RFC 9051 2.3.3). */
export function datesOf(item: ProgramItem): Pick<FetchedMail, 'internalDate' | 'emailId' | 'threadId'> {
  switch (item.kind) {
    case 'message': {
      const { receivedAt, contentId, threadId } = item.message;
      return { internalDate: receivedAt, emailId: contentId, threadId };
    }
    case 'sent': {
      // Its content may go when it has left.
      const { id, queuedAt, threadId } = item.entry;
      return { internalDate: queuedAt, emailId: id, threadId };
    }
    case 'draft': {
      const { id, version, updatedAt } = item.draft;
      return { internalDate: updatedAt, emailId: `${id}_${version}`, threadId: null };
    }
  }
}

/** The size of an item that is shown byte for byte as it came; null for others. */
export function storedSize(caller: Principal, item: ProgramItem): number | null {
  if (item.kind === 'draft' || !maySeeCodes(caller)) return null;
  if (item.kind === 'sent') return item.keptBytes;
  return item.message.encryption === null ? item.message.sizeBytes : null;
}

/** The beginning of a text. What is hidden is found in the subject and the whole text. */
async function snippetOfItem(reader: Reader, caller: Principal, item: ProgramItem): Promise<string> {
  if (item.kind === 'message') return (await shown(reader, caller, item.message)).snippet;
  if (item.kind === 'draft') return snippetOf(shownDraft(caller, item.draft).text ?? '');
  const { id, subject, excerpt } = item.entry;
  if (maySeeCodes(caller) || excerpt === null) return snippetOfSent(item.entry);
  return snippetOf(shownText(caller, subject, (await readSentText(reader, id)) ?? excerpt).text ?? '');
}

/** The beginnings of the texts, as the caller may see them. */
async function previewsOf({ database }: MailProgramDeps, caller: Principal, items: readonly NumberedItem[]) {
  const snippets = new Map<string, string>();
  const turns = new Turns();
  for (const { item } of items) {
    snippets.set(item.id, await snippetOfItem(database, caller, item));
    await turns.next();
  }
  return ({ id }: ProgramItem): string => (snippets.get(id) ?? '').slice(0, PREVIEW_CHARS).toWellFormed();
}

/** Mails of one reading, without their bytes. */
async function readSome(deps: MailProgramDeps, caller: Principal, found: readonly NumberedItem[], wants: FetchWants) {
  const { database, mailboxes } = deps;
  const isContent = wants.outline || wants.header || wants.bytes || wants.preview;
  // Before any of it leaves, as before a reply: policies ask whether an account has read what is not clean.
  if (isContent) await mailboxes.noteRead(found.flatMap(({ item }) => (item.kind === 'message' ? item.message : [])));
  const isOutlined = ({ item }: NumberedItem): boolean =>
    !wants.bytes && Boolean(wants.outline || wants.header || storedSize(caller, item) === null);
  const outlined = found.filter(isOutlined).map(({ item }) => item);
  const outlines = await readOutlines(database, outlined, maySeeCodes(caller));
  const previewOf = wants.preview ? await previewsOf(deps, caller, found) : null;
  return { outlines, previewOf };
}

const bytesOf = async ({ database }: MailProgramDeps, caller: Principal, item: ProgramItem) =>
  (await mailBytes(database, item, maySeeCodes(caller)))?.bytes ?? null;

/** The header of a mail, however long it is; null when the mail is gone. */
export async function headerIn(deps: MailProgramDeps, caller: Principal, item: ProgramItem) {
  const bytes = await bytesOf(deps, caller, item);
  return bytes && headerOf(bytes);
}

/**
 * Reads mails in the order of their UIDs, as the caller may see them. The bytes of a mail are read when the one before it has
 * been taken.
 * @throws ApiError as a call
 */
export async function* fetchMails(
  deps: MailProgramDeps,
  login: ProgramLogin,
  folder: ImapFolder,
  uids: readonly number[],
  wants: FetchWants,
): AsyncGenerator<FetchedMail> {
  const { database } = deps;
  const place = { address: login.address, folder: folderInside(folder) };
  for (let from = 0; from < uids.length; from += READ_TOGETHER) {
    // Anew each time: reading many mails may take minutes.
    const caller = await currentCaller(deps, login);
    const numbered = await numberedAmong(database, place, uids.slice(from, from + READ_TOGETHER));
    const found = await itemsAmong(database, caller, place, numbered);
    const { outlines, previewOf } = await readSome(deps, caller, found, wants);
    for (const { uid, modSeq, flags, item } of found) {
      const about = { uid, modSeq, flags, ...datesOf(item), preview: previewOf?.(item) ?? null };
      if (wants.bytes) {
        const bytes = await bytesOf(deps, caller, item);
        // Deleted since its row was read.
        if (bytes === null) continue;
        const outline = outlineOf(bytes);
        const header = headerOf(bytes);
        yield { ...about, size: bytes.length, outline, header, bytes };
        continue;
      }
      const read = outlines.get(item.id);
      const size = read?.size ?? storedSize(caller, item);
      if (size === null) continue;
      const header = wants.header ? (read?.header ?? (await headerIn(deps, caller, item))) : null;
      yield { ...about, size, outline: read?.outline ?? null, header, bytes: null };
    }
  }
}
