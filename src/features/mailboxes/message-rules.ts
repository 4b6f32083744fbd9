import { ApiError } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { decodeCursor, pageOf } from '../../kernel/page.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { stripQuoted } from '../../mail/reply-text.ts';
import { addToCounters, lockAddresses } from '../addresses/address-rules.ts';
import { listAttachments, readAttachment, readBody, readBodyHead, readRaw, releaseContent } from './content-store.ts';
import { changedLabels, type LabelChange } from './label-data.ts';
import type { Message } from './message-data.ts';
import {
  addLabel,
  copiesOf,
  deleteMessage,
  findByRfcId,
  findMessage,
  insertMessage,
  listMessages,
  lockMessage,
  messagesOfThread,
  newestMessageOf,
  removeLabel,
  saveFlags,
} from './message-store.ts';
import { parseSearch } from './search-rules.ts';
import { snippetOfSent } from './sent-rules.ts';
import { newestSentOf } from './sent-store.ts';
import { changeThread } from './threading-rules.ts';

/** What the other features of mail read and write of messages. */
export { copiesOf, findByRfcId, findMessage, insertMessage, messagesOfThread };

export interface MessagePage {
  messages: Message[];
  hasMore: boolean;
  nextCursor: string | null;
}

export interface ListQuery {
  address: string;
  archived: boolean;
  unread?: boolean | undefined;
  label?: string | undefined;
  /** As the client wrote it; `parseSearch` says what it may hold. */
  q?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

/** The cursors of a search are places in an index, and of no use elsewhere. */
const SEARCH_CURSOR = 'q';
const PLACE = /^(?:msg_[0-9a-z]{26}|\d{1,16})$/;

function placeBefore(cursor: string, isSearch: boolean): string {
  const keys = decodeCursor(cursor, isSearch ? ['string', 'string'] : ['string']);
  const place = String(keys?.at(-1));
  const isOurs = isSearch ? keys?.[0] === SEARCH_CURSOR && PLACE.test(place) : isId('msg', place);
  if (!isOurs) throw new ApiError('invalid_cursor');
  return place;
}

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
export async function requireMessage(reader: Reader, address: string, id: string): Promise<Message> {
  if (isId('msg', id)) {
    const message = await findMessage(reader, address, id);
    if (message) return message;
  } else {
    const bracketed = id.startsWith('<') ? id : `<${id}>`;
    const message = await findByRfcId(reader, address, bracketed);
    if (message) return message;
  }
  throw noSuchMessage();
}

const noSuchMessage = (): ApiError => new ApiError('not_found', { message: 'There is no such message in this inbox.' });

/** What a message holds beyond its list entry. Sealed parts are base64url. */
export async function readParts(reader: Reader, message: Message) {
  const body = await readBody(reader, message.contentId);
  const attachments = message.attachments > 0 ? await listAttachments(reader, message.contentId) : [];
  const text = body?.text ?? '';
  return {
    text,
    replyText: message.encryption ? null : stripQuoted(text),
    html: body?.html ?? null,
    parsed: body?.state === 'parsed',
    problem: body?.problem ?? null,
    attachments,
  };
}

/** Characters of a body that are looked at for {@link readReplyText}, and of what is returned. */
const EXCERPT_CHARS = { read: 20_000, returned: 10_000 };

/** What a message adds to its conversation; null when sealed. */
export async function readReplyText(reader: Reader, { contentId, encryption }: Message): Promise<string | null> {
  if (encryption) return null;
  const head = await readBodyHead(reader, contentId, EXCERPT_CHARS.read);
  return stripQuoted(head).slice(0, EXCERPT_CHARS.returned).toWellFormed();
}

export async function requireAttachment(reader: Reader, message: Message, n: number) {
  const attachment = await readAttachment(reader, message.contentId, n);
  if (!attachment) throw new ApiError('not_found', { message: 'The message has no attachment of that number.' });
  return attachment;
}

export async function requireRaw(reader: Reader, message: Message): Promise<Uint8Array> {
  const raw = await readRaw(reader, message.contentId);
  if (!raw) throw new ApiError('not_found');
  return raw;
}

/** A message by what never changes of it. */
type MessageKey = Pick<Message, 'address' | 'id'>;

/** What a client may change of a message. */
export interface MessageChange extends LabelChange {
  read?: boolean | undefined;
  archived?: boolean | undefined;
}

/**
 * Sets flags and labels, and keeps the counters of address and thread true. Setting what is set already changes nothing.
 * @returns the message as it is now
 * @throws ApiError `not_found` when it has been deleted meanwhile, `invalid_request` for too many labels
 */
export async function changeMessage(tx: Tx, { address, id }: MessageKey, change: MessageChange): Promise<Message> {
  await lockAddresses(tx, [address]);
  const before = await lockMessage(tx, address, id);
  if (!before) throw noSuchMessage();
  const { read = before.read, archived = before.archived } = change;
  const { labels, added, removed } = changedLabels(before.labels, change);
  if (read === before.read && archived === before.archived && added.length + removed.length === 0) return before;
  const after = { ...before, read, archived, labels };
  await saveFlags(tx, after);
  for (const label of removed) await removeLabel(tx, after, label);
  for (const label of added) await addLabel(tx, after, label);
  await addToCounters(tx, address, totalOf(after) - totalOf(before), unreadOf(after) - unreadOf(before));
  await changeThread(tx, before.threadId, {
    unread: Number(before.read) - Number(after.read),
    archived: Number(after.archived) - Number(before.archived),
    labelsAdded: added,
    labelsRemoved: removed,
  });
  return after;
}

/** What a message adds to the counters of its address. */
const totalOf = ({ archived }: Message): number => (archived ? 0 : 1);
const unreadOf = ({ read, archived }: Message): number => (read || archived ? 0 : 1);

/** Removes a message for good, and its content with the last copy. @throws ApiError `not_found` when another call was first */
export async function removeMessage(tx: Tx, { address, id }: MessageKey): Promise<void> {
  await lockAddresses(tx, [address]);
  const message = await lockMessage(tx, address, id);
  if (!message) throw noSuchMessage();
  await deleteMessage(tx, message);
  await addToCounters(tx, address, -totalOf(message), -unreadOf(message));
  const { threadId, read, archived, labels } = message;
  const latest = threadId === null ? null : await latestOf(tx, threadId);
  const counts = { messages: -1, received: -1, unread: read ? 0 : -1, archived: archived ? -1 : 0 };
  await changeThread(tx, threadId, { ...counts, labelsRemoved: labels, ...(latest ? { becomes: latest } : {}) });
  await releaseContent(tx, message.contentId);
}

/** What a thread shows of its latest message: nothing may be left there of one that was deleted. */
async function latestOf(tx: Tx, threadId: string): Promise<{ at: number; snippet: string } | null> {
  const received = await newestMessageOf(tx, threadId);
  const sent = await newestSentOf(tx, threadId);
  if (received && (!sent || received.receivedAt >= sent.queuedAt))
    return { at: received.receivedAt, snippet: received.snippet };
  return sent && { at: sent.queuedAt, snippet: snippetOfSent(sent) };
}
