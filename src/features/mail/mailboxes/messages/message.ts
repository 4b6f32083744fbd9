import { ApiError, invalidField } from '../../../../api/errors.ts';
import { decodeCursor, encodeCursor, pageOf } from '../../../../api/page.ts';
import type { Principal } from '../../../../api/principal.ts';
import type { Reader, Tx } from '../../../../api/transaction.ts';
import { isId } from '../../../../base/ids.ts';
import { stripQuoted } from '../../../../mail/mime/reply-text.ts';
import { type Limited, lockAddresses, mayUse } from '../../../account/addresses/address.ts';
import { readBodyHead } from '../content/content-store.ts';
import {
  listAttachments,
  openAttachment,
  openRaw,
  readAttachment,
  readBody,
  readRaw,
  releaseContent,
} from '../content/mail-content.ts';
import { parseSearch } from '../search/mail-search.ts';
import { recount } from './message-counts.ts';
import { changedMetadata } from './message-metadata.ts';
import type { MessageChange } from './message-schema.ts';
import {
  copiesOf,
  deleteMessage,
  findByRfcId,
  findMessage,
  flaggedMessages,
  hasSuspicious,
  idsInFolder,
  idsWith,
  insertMessage,
  listMessages,
  lockMessage,
  measureFolder,
  messagesByIds,
  messagesOfThread,
  saveChange,
} from './message-store.ts';
import {
  FLAG_NAMES,
  type Folder,
  flagsOf,
  type ListedMessage,
  type Message,
  type MessageFilter,
} from './message-table.ts';
import { foundIn, safetyIn, screenedOf } from './screened-mail.ts';
import { maskedHead, maySeeCodes, type Parts, shown } from './shown-mail.ts';

/** What other features read and write of messages. */
export {
  copiesOf,
  findByRfcId,
  findMessage,
  flaggedMessages,
  hasSuspicious,
  idsInFolder,
  idsWith,
  insertMessage,
  lockMessage,
  measureFolder,
  messagesByIds,
  messagesOfThread,
};

export interface MessagePage<M = ListedMessage> {
  messages: M[];
  hasMore: boolean;
  nextCursor: string | null;
}

export interface ListQuery extends Omit<MessageFilter, 'search'> {
  address: string;
  /** The search as the client wrote it. `parseSearch` documents the syntax. */
  q?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

/** Labels on one message. */
export const LABELS_MAX = 20;

/** Marks the cursor of a search: it holds a position in the index, which means nothing in other lists. */
const SEARCH_CURSOR = 'q';
const PLACE = /^(?:msg_[0-9a-z]{26}|\d{1,16})$/;

/** The position that a cursor names. @throws ApiError `invalid_cursor` */
export function placeBefore(cursor: string, isSearch: boolean): string {
  const keys = decodeCursor(cursor, isSearch ? ['string', 'string'] : ['string']);
  const place = String(keys?.at(-1));
  const isOurs = isSearch ? keys?.[0] === SEARCH_CURSOR && PLACE.test(place) : isId('msg', place);
  if (!isOurs) throw new ApiError('invalid_cursor');
  return place;
}

/** The cursor of a page that ends at a position. */
export const pageCursor = (place: string): string => encodeCursor([place]);

/** A page of an inbox, newest first. @throws ApiError `invalid_cursor`, `invalid_request` for a search without words */
export async function readInbox(reader: Reader, query: ListQuery): Promise<MessagePage> {
  const { q, cursor, limit, ...filter } = query;
  const search = q === undefined ? undefined : parseSearch(q);
  const before = cursor === undefined ? undefined : placeBefore(cursor, search !== undefined);
  const rows = await listMessages(reader, { ...filter, search, before, limit: limit + 1 });
  const keysOf = ({ place }: { place: string }) => (search ? [SEARCH_CURSOR, place] : [place]);
  const { rows: messages, hasMore, nextCursor } = pageOf(rows, limit, keysOf);
  return { messages, hasMore, nextCursor };
}

/** A message of an address by our id or by its RFC 5322 Message-ID, newest first. @throws ApiError `not_found` */
export async function requireMessage(reader: Reader, address: string, id: string, folder?: 'trash'): Promise<Message> {
  const message = isId('msg', id)
    ? await findMessage(reader, address, id, folder)
    : // The trash is searched by our ids alone.
      folder === undefined && (await findByRfcId(reader, address, id.startsWith('<') ? id : `<${id}>`));
  if (message) return message;
  throw noSuchMessage();
}

/** A message of one of these addresses by our id. @throws ApiError `not_found` */
export async function requireAnyMessage(
  reader: Reader,
  addresses: readonly string[],
  id: string,
  folder?: 'trash',
): Promise<Message> {
  for (const address of addresses) {
    const message = await findMessage(reader, address, id, folder);
    if (message) return message;
  }
  throw noSuchMessage();
}

const noSuchMessage = (): ApiError => new ApiError('not_found', { message: 'There is no such message in this inbox.' });

/** What a message holds beyond its list entry, for those who may see codes. */
export async function readParts(reader: Reader, message: Message): Promise<Parts> {
  const body = await readBody(reader, message.contentId);
  const attachments = message.attachments > 0 ? await listAttachments(reader, message.contentId) : [];
  const text = body?.text ?? '';
  const screened = screenedOf(message, body);
  const visibleText = screened && (screened.visibleText ?? text);
  return {
    text,
    visibleText,
    replyText: visibleText === null ? null : stripQuoted(visibleText),
    html: body?.html ?? null,
    parsed: body?.state === 'parsed',
    problem: body?.problem ?? null,
    found: foundIn(message, screened),
    safety: safetyIn(message, screened),
    hidden: screened?.findings.hidden ?? null,
    findings: screened?.findings ?? null,
    attachments,
  };
}

/** Characters that {@link readShownReply} reads of a body, and that it returns. */
const EXCERPT_CHARS = { read: 20_000, returned: 10_000 };

/** A message and its text without quoted history, which is null when sealed, as the caller may see them. */
export async function readShownReply(reader: Reader, caller: Pick<Principal, 'scopes'>, message: Message) {
  const { contentId, encryption } = message;
  const { read, returned } = EXCERPT_CHARS;
  const head = maySeeCodes(caller)
    ? {
        message: await shown(reader, caller, message),
        text: encryption ? '' : await readBodyHead(reader, contentId, read),
      }
    : await maskedHead(reader, message, read);
  const text = encryption ? null : stripQuoted(head.text).slice(0, returned).toWellFormed();
  return { message: head.message, text };
}

const noSuchAttachment = () =>
  new ApiError('not_found', { message: 'The message has no attachment with this number.' });

export async function requireAttachment(reader: Reader, message: Message, n: number) {
  const attachment = await readAttachment(reader, message.contentId, n);
  if (!attachment) throw noSuchAttachment();
  return attachment;
}

/** The same for a reply, as a stream if it is large. */
export async function requireAttachmentBody(reader: Reader, message: Message, n: number) {
  const attachment = await openAttachment(reader, message.contentId, n);
  if (!attachment) throw noSuchAttachment();
  return attachment;
}

export async function requireRawBody(reader: Reader, message: Message) {
  const raw = await openRaw(reader, message.contentId);
  if (!raw) throw new ApiError('not_found');
  return raw;
}

export async function requireRaw(reader: Reader, message: Message): Promise<Uint8Array> {
  const raw = await readRaw(reader, message.contentId);
  if (!raw) throw new ApiError('not_found');
  return raw;
}

/** The fields of a message that identify it and never change. */
type MessageKey = Pick<Message, 'address' | 'id'>;

/** Locks a message of the caller, and its address, until the transaction ends. @throws ApiError `not_found` */
export async function lockOwn(
  tx: Tx,
  principal: Limited,
  { address, id }: MessageKey,
  folder?: 'trash',
): Promise<Message> {
  await lockAddresses(tx, [address]);
  const message = await lockMessage(tx, address, id, folder);
  if (message === null || !mayUse(principal, message)) throw noSuchMessage();
  return message;
}

/** The labels of a message after a change. @throws ApiError `invalid_request` when there would be more than `max` */
function changedLabels(current: readonly string[], change: Omit<MessageChange, 'folder'>, max: number) {
  const { labels: replaced = current, add_labels: more = [], remove_labels: fewer = [] } = change;
  const wanted = [...new Set([...replaced, ...more])].filter((label) => !fewer.includes(label));
  const path = more.length > 0 ? '/body/add_labels' : '/body/labels';
  if (wanted.length > max) throw invalidField(path, 'too_many', `A message can have at most ${max} labels.`);
  const isChanged = wanted.length !== current.length || wanted.some((label) => !current.includes(label));
  return { labels: wanted, isRelabelled: isChanged };
}

/** A change, and the folder to move the message to. */
export type MessageMove = Omit<MessageChange, 'folder'> & { folder?: Folder | undefined; trashedAt?: number };

/**
 * Sets flags, labels, metadata and folder, and updates the counters of the address and the thread. Setting the same value again
 * changes nothing. A message that moves is no longer archived.
 * @param from `trash`: the message is there
 * @returns the message after the change, and whether it differs from before
 * @throws ApiError `not_found` when it has been deleted meanwhile, `invalid_request` for too many labels, `metadata_too_large`
 */
export async function changeMessage(
  tx: Tx,
  principal: Limited,
  key: MessageKey,
  change: MessageMove,
  from?: 'trash',
): Promise<{ message: Message; isChanged: boolean }> {
  const before = await lockOwn(tx, principal, key, from);
  const { labels, isRelabelled } = changedLabels(before.labels, change, LABELS_MAX);
  const metadata = changedMetadata(before.metadata, change.metadata);
  const { folder = before.folder, trashedAt = null } = change;
  const isMoved = folder !== before.folder;
  const flags = flagsOf(before, isMoved ? { archived: false, ...change } : change);
  const message = { ...before, ...flags, labels, metadata, folder, trashedAt: isMoved ? trashedAt : before.trashedAt };
  const isFlagged = FLAG_NAMES.some((flag) => message[flag] !== before[flag]);
  const isNoted = JSON.stringify(metadata) !== JSON.stringify(before.metadata);
  if (!isMoved && !isFlagged && !isRelabelled && !isNoted) return { message: before, isChanged: false };
  await saveChange(tx, before, message);
  await recount(tx, before, message);
  return { message, isChanged: true };
}

/**
 * Sets the flag of a message that a mail answers. It may have been deleted since. The last lock of its transaction: who changes
 * a message locks the address first.
 */
export async function markAnswered(tx: Tx, address: string, id: string | null): Promise<void> {
  const message = id && (await lockMessage(tx, address, id));
  if (message && !message.answered) await saveChange(tx, message, { ...message, answered: true });
}

/**
 * Deletes a message for good, and its content with the last copy.
 * @throws ApiError `not_found` when it is deleted already
 */
export async function removeMessage(tx: Tx, principal: Limited, key: MessageKey, from?: 'trash'): Promise<void> {
  const message = await lockOwn(tx, principal, key, from);
  await deleteMessage(tx, message);
  await recount(tx, message, null);
  await releaseContent(tx, message.contentId);
}
