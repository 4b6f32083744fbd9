import { ApiError } from '../../../../api/errors.ts';
import { decodeCursor, pageOf } from '../../../../api/page.ts';
import type { Principal } from '../../../../api/principal.ts';
import type { Reader, Tx } from '../../../../api/transaction.ts';
import { isId } from '../../../../base/ids.ts';
import { lockAddresses, mayUse } from '../../../account/addresses/address.ts';
import type { MailboxRules } from '../mailbox.ts';
import { changeMessage, messagesOfThread, readShownReply } from '../messages/message.ts';
import type { MessageChange } from '../messages/message-schema.ts';
import type { Message, Shown } from '../messages/message-table.ts';
import { type OutboxEntry, sentInThread, snippetOfSent } from '../messages/sent.ts';
import { maySeeCodes, shownText } from '../messages/shown-mail.ts';
import type { Thread } from './thread-table.ts';
import { findThread, listThreads, type ThreadFilter } from './threading.ts';

/** The part of the mailbox rules that conversations need. */
export type Mailboxes = Pick<MailboxRules, 'open' | 'openAll' | 'noteRead'>;

export interface ThreadQuery extends Omit<ThreadFilter, 'address' | 'before'> {
  addresses: readonly string[];
  cursor?: string | undefined;
}

/** A page of conversations, the one with the latest message first. @throws ApiError `invalid_cursor` */
export async function readThreads(reader: Reader, { addresses, cursor, limit, ...filter }: ThreadQuery) {
  const keys = cursor === undefined ? undefined : decodeCursor(cursor, ['number', 'string']);
  if (keys === null || (keys && !isId('thr', String(keys[1])))) throw new ApiError('invalid_cursor');
  const before = keys && { at: Number(keys[0]), id: String(keys[1]) };
  const pages = await Promise.all(
    addresses.map((address) => listThreads(reader, { ...filter, address, before, limit: limit + 1 })),
  );
  const newest = pages.flat().sort((a, b) => b.lastMessageAt - a.lastMessageAt || (a.id < b.id ? 1 : -1));
  return pageOf(newest.slice(0, limit + 1), limit, ({ lastMessageAt, id }) => [lastMessageAt, id]);
}

/** A conversation of the caller. @throws ApiError `not_found`, also for a conversation that the caller may not see */
export async function requireThread(reader: Reader, principal: Principal, id: string): Promise<Thread> {
  const thread = isId('thr', id) ? await findThread(reader, id) : null;
  if (thread === null || !mayUse(principal, thread) || thread.messages === 0)
    throw new ApiError('not_found', { message: 'There is no such conversation.' });
  return thread;
}

/** A message in a thread, received or sent. */
export type ThreadEntry =
  | { direction: 'received'; message: Shown<Message>; text: string | null }
  | { direction: 'sent'; sent: OutboxEntry & { masked?: true }; snippet: string };
type Found = { direction: 'received'; message: Message } | { direction: 'sent'; sent: OutboxEntry };

/** A sent mail as the caller may see it. */
function sentEntry(caller: Principal, mail: OutboxEntry) {
  const { text: excerpt, ...shown } = shownText(caller, mail.subject, mail.excerpt);
  const sent = { ...mail, ...shown, excerpt };
  return { sent, snippet: snippetOfSent(sent) };
}

/** A conversation as the caller may see it. Its subject and snippet may be those of a mail that is not shown. */
export function shownThread(caller: Principal, thread: Thread): Thread & { masked?: true } {
  if (maySeeCodes(caller)) return thread;
  const { subject } = shownText(caller, thread.subject, null);
  return { ...thread, subject, snippet: '', masked: true };
}

const idOf = (entry: Found): string => (entry.direction === 'received' ? entry.message.id : entry.sent.id);
/** The time-ordered part of an id. Its prefix differs between received and sent messages. */
const placeOf = (entry: Found): string => idOf(entry).slice(4);
const PLACE = /^[0-9a-z]{26}$/;

/** A page of the messages of a conversation, received and sent, oldest first. @throws ApiError `invalid_cursor` */
export async function readEntries(
  reader: Reader,
  caller: Principal,
  threadId: string,
  cursor: string | undefined,
  limit: number,
) {
  const after = cursor === undefined ? '' : String(decodeCursor(cursor, ['string'])?.[0]);
  if (cursor !== undefined && !PLACE.test(after)) throw new ApiError('invalid_cursor');
  const received = await messagesOfThread(reader, { threadId }, { id: `msg_${after}` }, limit + 1);
  const sent = await sentInThread(reader, threadId, `out_${after}`, limit + 1);
  const entries: Found[] = [
    ...received.map((message) => ({ direction: 'received' as const, message })),
    ...sent.map((mail) => ({ direction: 'sent' as const, sent: mail })),
  ];
  entries.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  const page = pageOf(entries.slice(0, limit + 1), limit, (entry) => [placeOf(entry)]);
  const rows = await Promise.all(
    page.rows.map(async (entry) =>
      entry.direction === 'sent'
        ? { ...entry, ...sentEntry(caller, entry.sent) }
        : { ...entry, ...(await readShownReply(reader, caller, entry.message)) },
    ),
  );
  return { ...page, rows };
}

/** Messages that one call may change, because it changes them in one transaction. */
const MESSAGES_MAX = 500;

/**
 * Changes every message of a conversation. @returns the conversation as it is now, and how many were changed
 * @throws ApiError `not_found`, `invalid_request` for a conversation too long
 */
export async function changeMessages(tx: Tx, principal: Principal, { id, address }: Thread, change: MessageChange) {
  await lockAddresses(tx, [address]);
  const messages = await messagesOfThread(tx, { threadId: id }, { id: '' }, MESSAGES_MAX + 1);
  if (messages.length > MESSAGES_MAX)
    throw new ApiError('invalid_request', {
      message: `This conversation has more than ${MESSAGES_MAX} messages. Update the messages individually.`,
    });
  let changed = 0;
  for (const message of messages) {
    const { isChanged } = await changeMessage(tx, principal, message, change);
    if (isChanged) changed += 1;
  }
  const thread = await findThread(tx, id);
  if (!thread) throw new ApiError('not_found', { message: 'There is no such conversation.' });
  return { thread, changed };
}
