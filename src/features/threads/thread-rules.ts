import { ApiError } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { decodeCursor, pageOf } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';
import { lockAddresses } from '../addresses/address-rules.ts';
import type { MailboxRules } from '../mailboxes/mailbox-rules.ts';
import type { Message } from '../mailboxes/message-data.ts';
import { changeMessage, type MessageChange, messagesOfThread, readReplyText } from '../mailboxes/message-rules.ts';
import { type OutboxEntry, sentInThread, snippetOfSent } from '../mailboxes/sent-rules.ts';
import type { Thread } from '../mailboxes/thread-data.ts';
import { findThread, listThreads } from '../mailboxes/threading-rules.ts';

/** What a conversation needs of the mailbox it is in. */
export type Mailboxes = Pick<MailboxRules, 'open'>;

export interface ThreadQuery {
  address: string;
  archived: boolean;
  unread?: boolean | undefined;
  label?: string | undefined;
  cursor?: string | undefined;
  limit: number;
}

/** A page of conversations, that with the latest message first. @throws ApiError `invalid_cursor` */
export async function readThreads(reader: Reader, { cursor, limit, ...filter }: ThreadQuery) {
  const keys = cursor === undefined ? undefined : decodeCursor(cursor, ['number', 'string']);
  if (keys === null || (keys && !isId('thr', String(keys[1])))) throw new ApiError('invalid_cursor');
  const before = keys && { at: Number(keys[0]), id: String(keys[1]) };
  const rows = await listThreads(reader, { ...filter, before, limit: limit + 1 });
  return pageOf(rows, limit, ({ lastMessageAt, id }) => [lastMessageAt, id]);
}

/** A conversation of the caller. @throws ApiError `not_found`, alike for another account's and for none */
export async function requireThread(reader: Reader, { accountId }: Principal, id: string): Promise<Thread> {
  const thread = isId('thr', id) ? await findThread(reader, id) : null;
  if (thread?.accountId !== accountId || thread.messages === 0)
    throw new ApiError('not_found', { message: 'There is no such conversation.' });
  return thread;
}

export type Turn =
  | { direction: 'received'; message: Message; text: string | null }
  | { direction: 'sent'; entry: OutboxEntry; snippet: string };

const idOf = (turn: Turn): string => (turn.direction === 'received' ? turn.message.id : turn.entry.id);
/** What is time-ordered in an id, behind its prefix, which differs between what was received and sent. */
const placeOf = (turn: Turn): string => idOf(turn).slice(4);
const PLACE = /^[0-9a-z]{26}$/;

/** A page of what was said in a conversation, oldest first. @throws ApiError `invalid_cursor` */
export async function readTurns(reader: Reader, threadId: string, cursor: string | undefined, limit: number) {
  const after = cursor === undefined ? '' : String(decodeCursor(cursor, ['string'])?.[0]);
  if (cursor !== undefined && !PLACE.test(after)) throw new ApiError('invalid_cursor');
  const received = await messagesOfThread(reader, threadId, `msg_${after}`, limit + 1);
  const sent = await sentInThread(reader, threadId, `out_${after}`, limit + 1);
  const turns: Turn[] = [
    ...received.map((message) => ({ direction: 'received' as const, message, text: null })),
    ...sent.map((entry) => ({ direction: 'sent' as const, entry, snippet: snippetOfSent(entry) })),
  ];
  turns.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  const page = pageOf(turns.slice(0, limit + 1), limit, (turn) => [placeOf(turn)]);
  const rows = await Promise.all(
    page.rows.map(async (turn) =>
      turn.direction === 'sent' ? turn : { ...turn, text: await readReplyText(reader, turn.message) },
    ),
  );
  return { ...page, rows };
}

/** Messages that one call may change: they are changed in one transaction. */
const MESSAGES_MAX = 500;

/**
 * Changes every message of a conversation. @returns the conversation as it is now, and how many were changed
 * @throws ApiError `not_found`, `invalid_request` for a conversation too long
 */
export async function changeMessages(tx: Tx, { id, address }: Thread, change: MessageChange) {
  await lockAddresses(tx, [address]);
  const messages = await messagesOfThread(tx, id, '', MESSAGES_MAX + 1);
  if (messages.length > MESSAGES_MAX)
    throw new ApiError('invalid_request', {
      message: `A conversation of more than ${MESSAGES_MAX} messages is changed message by message.`,
    });
  let changed = 0;
  for (const message of messages) {
    const after = await changeMessage(tx, message, change);
    if (isChanged(message, after)) changed += 1;
  }
  const thread = await findThread(tx, id);
  if (!thread) throw new ApiError('not_found', { message: 'There is no such conversation.' });
  return { thread, changed };
}

const isChanged = (a: Message, b: Message): boolean =>
  a.read !== b.read || a.archived !== b.archived || a.labels.join('\n') !== b.labels.join('\n');
