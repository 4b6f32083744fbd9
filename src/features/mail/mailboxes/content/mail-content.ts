import { Readable } from 'node:stream';
import type { Reader, Tx } from '../../../../api/transaction.ts';
import { newId } from '../../../../base/ids.ts';
import { keepStaged, readBlob, readPieces, releaseBlobs, sizeOfBlob, withStaged } from './blob.ts';
import { isLarge, NOT_STAGED, type Staged } from './blob-pieces.ts';
import {
  addReferences,
  dropReference,
  findAttachment,
  findRaw,
  finishParsing,
  freeUnparsed,
  hasUnparsed,
  holdContent,
  insertAttachment,
  insertContent as insertContentRow,
  leaseUnparsed,
  listAttachments,
  readBody,
  type StoredBytes,
  sizesOfContents,
  unparsedMail,
} from './content-store.ts';
import type { Content, StoredAttachment } from './content-table.ts';
import { outlinesOf, saveOutline } from './outline-store.ts';
import type { KeptOutline } from './outline-table.ts';

/** What mail on its way in or out does with contents, which copies in mailboxes and the outbox share. */
export {
  addReferences,
  finishParsing,
  freeUnparsed,
  hasUnparsed,
  isLarge,
  leaseUnparsed,
  listAttachments,
  outlinesOf,
  readBody,
  type Staged,
  sizesOfContents,
  unparsedMail,
  withStaged,
};

/** Stores a content. `staged`: what of it is in the database already. */
export async function insertContent(tx: Tx, content: Content, staged = NOT_STAGED): Promise<void> {
  await insertContentRow(tx, content, await keepStaged(tx, staged, content.raw));
}

/** Stores bytes that one thing refers to, without reading them. @returns the content's id */
export async function keepRaw(tx: Tx, raw: Uint8Array, staged: Staged, now: number): Promise<string> {
  const id = newId('mail', now);
  const unread = { text: null, html: null, problem: null, visibleText: null, findings: null, parseLeaseUntil: 0 };
  const content = { id, state: 'parsed' as const, raw, sizeBytes: raw.length, copies: 1, createdAt: now, ...unread };
  await insertContent(tx, content, staged);
  return id;
}

/** Stores the attachments of a content. `staged`: what of them is in the database already. */
export async function insertAttachments(
  tx: Tx,
  mailId: string,
  attachments: readonly StoredAttachment[],
  staged = NOT_STAGED,
): Promise<void> {
  for (const [n, attachment] of attachments.entries()) {
    const contentBlob = await keepStaged(tx, staged, attachment.content);
    await insertAttachment(tx, { ...attachment, mailId, n, contentBlob });
  }
}

const bytesOf = async (reader: Reader, { bytes, blob }: StoredBytes): Promise<Uint8Array | null> =>
  blob === null ? bytes : readBlob(reader, blob);

/** The bytes, or a stream of them if they are many, for a reply. */
async function bodyOf(reader: Reader, { bytes, blob }: StoredBytes) {
  if (blob === null) return { body: bytes, sizeBytes: bytes.length };
  const sizeBytes = await sizeOfBlob(reader, blob);
  // Removed since its row was read.
  if (sizeBytes === 0) return null;
  return { body: Readable.from(readPieces(reader, blob), { objectMode: false }), sizeBytes };
}

/** The raw message; null if it is not stored any more. */
export async function readRaw(reader: Reader, id: string): Promise<Uint8Array | null> {
  const stored = await findRaw(reader, id);
  return stored && bytesOf(reader, stored);
}

/** The raw message for a reply; null if there is none. */
export async function openRaw(reader: Reader, id: string) {
  const stored = await findRaw(reader, id);
  return stored && bodyOf(reader, stored);
}

export async function readAttachment(reader: Reader, contentId: string, n: number) {
  const found = await findAttachment(reader, contentId, n);
  const content = found && (await bytesOf(reader, found.stored));
  return found && content ? { filename: found.filename, contentType: found.contentType, content } : null;
}

/** An attachment for a reply; null if there is none. */
export async function openAttachment(reader: Reader, contentId: string, n: number) {
  const found = await findAttachment(reader, contentId, n);
  const body = found && (await bodyOf(reader, found.stored));
  return found && body ? { filename: found.filename, contentType: found.contentType, ...body } : null;
}

/** Removes one reference, and the content with the last one. */
export async function releaseContent(tx: Tx, id: string): Promise<void> {
  await releaseBlobs(tx, await dropReference(tx, id));
}

/** Keeps an outline, unless its mail was deleted meanwhile. */
export async function keepOutline(tx: Tx, outline: KeptOutline): Promise<void> {
  if (await holdContent(tx, outline.contentId)) await saveOutline(tx, outline);
}
