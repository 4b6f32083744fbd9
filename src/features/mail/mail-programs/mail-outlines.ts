import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../../api/transaction.ts';
import { Turns } from '../../../base/clock.ts';
import type { MailOutline } from '../../../mail/imap/imap-store.ts';
import { outlineOf } from '../../../mail/imap/mail-outline.ts';
import { OUTLINE_VERSION, packOutline, unpackOutline } from '../../../mail/imap/mail-outline-packed.ts';
import { headerOf } from '../../../mail/imap/mail-section.ts';
import { keepOutline, outlinesOf, readRaw } from '../mailboxes/content/mail-content.ts';
import type { KeptOutline } from '../mailboxes/content/outline-table.ts';
import type { Message } from '../mailboxes/messages/message-table.ts';
import { draftBytes, holdsCodes, maskedBytes, sealedBytes, sentBytes } from './mail-bytes.ts';
import type { ProgramItem } from './program-item.ts';

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
 * What programs are told of some mails, by their ids; those that went are missing. It reads one row of a message that some
 * program listed before, and the bytes of the others, which it then keeps an outline of.
 * @param maySeeCodes whether the caller has `mail:codes`
 */
export async function readOutlines(
  database: Database,
  items: readonly ProgramItem[],
  maySeeCodes: boolean,
): Promise<Map<string, OutlinedMail>> {
  const found = new Map<string, OutlinedMail>();
  const kept = await keptOutlines(
    database,
    items.flatMap((item) => (item.kind === 'message' ? item.message : [])),
  );
  // A masked mail may take 25 ms.
  const turns = new Turns();
  for (const item of items) {
    await turns.next();
    const mail = await outlinedOf(database, item, kept, maySeeCodes);
    if (mail) found.set(item.id, mail);
  }
  return found;
}

async function outlinedOf(
  database: Database,
  item: ProgramItem,
  kept: ReadonlyMap<string, KeptOutline>,
  maySeeCodes: boolean,
): Promise<OutlinedMail | null> {
  if (item.kind === 'sent') return outlined(await sentBytes(database, item.entry, maySeeCodes));
  if (item.kind === 'draft') {
    const bytes = await draftBytes(database, item.id, maySeeCodes);
    return bytes && outlined(bytes);
  }
  const { message } = item;
  const known = kept.get(message.contentId);
  if (known === undefined) return null;
  const { header, hasCodes } = known;
  if (maySeeCodes || !hasCodes) return { outline: unpackOutline(known.outline), header, size: known.sizeBytes };
  return outlined(await maskedBytes(database, message, await cameWith(database, message, header)));
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
