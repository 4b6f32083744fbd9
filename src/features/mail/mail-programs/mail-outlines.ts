import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../../api/transaction.ts';
import { Turns } from '../../../base/clock.ts';
import type { MailOutline } from '../../../mail/imap/imap-store.ts';
import { outlineOf } from '../../../mail/imap/mail-outline.ts';
import { OUTLINE_VERSION, packOutline, unpackOutline } from '../../../mail/imap/mail-outline-packed.ts';
import { headerOf } from '../../../mail/imap/mail-section.ts';
import { keepOutline, outlinesOf, readRaw } from '../mailboxes/content/mail-content.ts';
import type { KeptOutline } from '../mailboxes/content/outline-table.ts';
import { messagesByIds } from '../mailboxes/messages/message.ts';
import type { Message } from '../mailboxes/messages/message-table.ts';
import { sentByIds } from '../mailboxes/messages/sent.ts';
import { draftBytes, holdsCodes, type MailItem, maskedBytes, sealedBytes, sentBytes } from './mail-bytes.ts';

/** Mails whose outlines are made and kept at a time. */
const TURN = 200;
/** A longer header is read with its mail. */
const HEADER_BYTES_MAX = 16_384;

/** What a program is told of a mail without its bytes. */
export interface OutlinedMail {
  outline: MailOutline;
  /** With the empty line that ends it; null when it is long. */
  header: Uint8Array | null;
  /** In bytes. */
  size: number;
}

const shortHeader = (bytes: Uint8Array): Uint8Array | null => {
  const header = headerOf(bytes);
  // A copy, which holds on to no mail.
  return header.length > HEADER_BYTES_MAX ? null : new Uint8Array(header);
};

const outlined = (bytes: Uint8Array): OutlinedMail => ({
  outline: outlineOf(bytes),
  header: shortHeader(bytes),
  size: bytes.length,
});

/**
 * What programs are told of some mails, by their ids; those that went are missing. It reads few rows of messages that some
 * program listed before, and the bytes of the others, which it then keeps an outline of.
 * @param maySeeCodes whether the caller has `mail:codes`
 */
export async function readOutlines(
  database: Database,
  items: readonly MailItem[],
  maySeeCodes: boolean,
): Promise<Map<string, OutlinedMail>> {
  const found = new Map<string, OutlinedMail>();
  const idsIn = (isWanted: (folder: string) => boolean): string[] =>
    items.filter(({ folder }) => isWanted(folder)).map(({ itemId }) => itemId);
  // A masked mail may take 25 ms.
  const turns = new Turns();
  for (const id of idsIn((folder) => folder === 'drafts')) {
    const bytes = await draftBytes(database, id, maySeeCodes);
    if (bytes) found.set(id, outlined(bytes));
    await turns.next();
  }
  for (const entry of await sentByIds(
    database,
    idsIn((folder) => folder === 'sent'),
  )) {
    found.set(entry.id, outlined(await sentBytes(database, entry, maySeeCodes)));
    await turns.next();
  }
  const messages = await messagesByIds(
    database,
    idsIn((folder) => folder !== 'sent' && folder !== 'drafts'),
  );
  const kept = await keptOutlines(database, messages);
  for (const message of messages) {
    const known = kept.get(message.contentId);
    if (known === undefined) continue;
    await turns.next();
    const { header, hasCodes } = known;
    if (maySeeCodes || !hasCodes)
      found.set(message.id, { outline: unpackOutline(known.outline), header, size: known.sizeBytes });
    else
      found.set(message.id, outlined(await maskedBytes(database, message, await cameWith(database, message, header))));
  }
  return found;
}

/** The header that a message came with; null where it is sealed. */
async function cameWith(database: Database, message: Message, kept: Uint8Array | null): Promise<Uint8Array | null> {
  if (message.encryption !== null || kept !== null) return message.encryption ? null : kept;
  const bytes = await readRaw(database, message.contentId);
  return bytes && headerOf(bytes);
}

/** The outlines of the contents of some messages. Those that are not kept yet are made, and kept. */
async function keptOutlines(database: Database, messages: readonly Message[]): Promise<Map<string, KeptOutline>> {
  const kept = new Map<string, KeptOutline>();
  for (const row of await outlinesOf(database, [...new Set(messages.map(({ contentId }) => contentId))]))
    if (row.version === OUTLINE_VERSION) kept.set(row.contentId, row);
  const missing = [
    ...new Map(messages.filter(({ contentId }) => !kept.has(contentId)).map((each) => [each.contentId, each])).values(),
  ];
  for (let at = 0; at < missing.length; at += TURN) {
    const made: KeptOutline[] = [];
    for (const message of missing.slice(at, at + TURN)) {
      const outline = await madeOf(database, message);
      if (outline) made.push(outline);
      await nextTurn();
    }
    await database.transaction(async (tx) => {
      for (const outline of made) await keepOutline(tx, outline);
    });
    for (const outline of made) kept.set(outline.contentId, outline);
  }
  return kept;
}

/** Null: the mail went. */
async function madeOf(database: Database, message: Message): Promise<KeptOutline | null> {
  const { contentId, encryption } = message;
  const bytes = encryption ? await sealedBytes(database, message) : await readRaw(database, contentId);
  if (bytes === null) return null;
  const outline = outlineOf(bytes);
  return {
    contentId,
    version: OUTLINE_VERSION,
    outline: packOutline(outline),
    header: shortHeader(bytes),
    sizeBytes: bytes.length,
    hasCodes: encryption !== null || (await holdsCodes(database, message, bytes, outline)),
  };
}
