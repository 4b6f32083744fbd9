import { ApiError } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { decodeCursor, pageOf } from '../../kernel/page.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { stripQuoted } from '../../mail/reply-text.ts';
import { addToCounters } from '../addresses/address-rules.ts';
import { listAttachments, readAttachment, readBody, readRaw, releaseContent } from './content-store.ts';
import type { Message } from './message-data.ts';
import { deleteMessage, findByRfcId, findMessage, listMessages, markArchived, markRead } from './message-store.ts';
import { addToThread } from './thread-store.ts';

export type { Message };

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
  if (keys === null) throw new ApiError('invalid_cursor');
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
  throw new ApiError('not_found', { message: 'There is no such message in this inbox.' });
}

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

/** Sets flags and keeps the counters of address and thread true. Setting what is set already changes nothing. */
export async function flagMessage(
  tx: Tx,
  message: Message,
  flags: { read?: boolean | undefined; archived?: boolean | undefined },
): Promise<void> {
  const before = { read: message.read, archived: message.archived };
  const after = { ...before };
  if (flags.read !== undefined && (await markRead(tx, message.id, flags.read))) after.read = flags.read;
  if (flags.archived !== undefined && (await markArchived(tx, message.id, flags.archived)))
    after.archived = flags.archived;
  const total = (state: typeof before): number => (state.archived ? 0 : 1);
  const unread = (state: typeof before): number => (state.archived || state.read ? 0 : 1);
  await addToCounters(tx, message.address, total(after) - total(before), unread(after) - unread(before));
  const threadUnread = Number(before.read) - Number(after.read);
  if (message.threadId && threadUnread !== 0)
    await addToThread(tx, message.threadId, { messages: 0, unread: threadUnread, at: 0 });
}

/** Removes a message for good, and its content with the last copy. @throws ApiError `not_found` when another call was first */
export async function removeMessage(tx: Tx, message: Message): Promise<void> {
  if (!(await deleteMessage(tx, message.id))) throw new ApiError('not_found');
  await addToCounters(tx, message.address, message.archived ? 0 : -1, message.archived || message.read ? 0 : -1);
  if (message.threadId) await addToThread(tx, message.threadId, { messages: -1, unread: message.read ? 0 : -1, at: 0 });
  await releaseContent(tx, message.contentId);
}
