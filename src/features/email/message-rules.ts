import { ApiError } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { decodeCursor, pageOf } from '../../kernel/page.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { stripQuoted } from '../../mail/reply-text.ts';
import { addToCounters } from '../addresses/address-rules.ts';
import { listAttachments, readAttachment, readBody, readRaw, releaseContent } from './content-store.ts';
import type { Message } from './message-data.ts';
import {
  deleteMessage,
  findByRfcId,
  findMessage,
  listMessages,
  lockMessage,
  markArchived,
  markRead,
} from './message-store.ts';
import { addToThread } from './thread-store.ts';

export interface MessagePage {
  messages: Message[];
  hasMore: boolean;
  nextCursor: string | null;
}

export interface ListQuery {
  address: string;
  archived: boolean;
  unread?: boolean | undefined;
  cursor?: string | undefined;
  limit: number;
}

/** A page of an inbox, newest first. @throws ApiError `invalid_cursor` */
export async function readInbox(reader: Reader, query: ListQuery): Promise<MessagePage> {
  const keys = query.cursor === undefined ? [undefined] : decodeCursor(query.cursor, ['string']);
  if (keys === null || (query.cursor !== undefined && !isId('msg', String(keys[0]))))
    throw new ApiError('invalid_cursor');
  const { address, archived, unread, limit } = query;
  const rows = await listMessages(reader, {
    address,
    archived,
    unread,
    before: keys[0] as string | undefined,
    limit: limit + 1,
  });
  const { rows: messages, hasMore, nextCursor } = pageOf(rows, limit, (message) => [message.id]);
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

/**
 * Sets flags and keeps the counters of address and thread true. Setting what is set already changes nothing.
 * @returns the message as it is now
 * @throws ApiError `not_found` when it has been deleted meanwhile
 */
export async function flagMessage(
  tx: Tx,
  { address, id }: MessageKey,
  flags: { read?: boolean | undefined; archived?: boolean | undefined },
): Promise<Message> {
  const before = await lockMessage(tx, address, id);
  if (!before) throw noSuchMessage();
  const { read = before.read, archived = before.archived } = flags;
  const after = { ...before, read, archived };
  if (read !== before.read) await markRead(tx, id, read);
  if (archived !== before.archived) await markArchived(tx, id, archived);
  await addToCounters(tx, address, totalOf(after) - totalOf(before), unreadOf(after) - unreadOf(before));
  const threadUnread = Number(before.read) - Number(after.read);
  if (before.threadId && threadUnread !== 0)
    await addToThread(tx, before.threadId, { messages: 0, unread: threadUnread, at: 0 });
  return after;
}

/** What a message adds to the counters of its address. */
const totalOf = ({ archived }: Message): number => (archived ? 0 : 1);
const unreadOf = ({ read, archived }: Message): number => (read || archived ? 0 : 1);

/** Removes a message for good, and its content with the last copy. @throws ApiError `not_found` when another call was first */
export async function removeMessage(tx: Tx, { address, id }: MessageKey): Promise<void> {
  const message = await lockMessage(tx, address, id);
  if (!message) throw noSuchMessage();
  await deleteMessage(tx, id);
  await addToCounters(tx, address, -totalOf(message), -unreadOf(message));
  if (message.threadId) await addToThread(tx, message.threadId, { messages: -1, unread: message.read ? 0 : -1, at: 0 });
  await releaseContent(tx, message.contentId);
}
