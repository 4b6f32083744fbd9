import type { ListInboxReply, ListThreadsReply } from '../../../../client/generated/operations.ts';
import type { SignetClient } from '../../../../client/signet-client.ts';

/** What lists of received mail show: conversations, or single messages where a folder or a search has these. */

type Thread = ListThreadsReply['threads'][number];
type Letter = ListInboxReply['messages'][number];

export interface Row {
  /** Of the conversation or the message. */
  id: string;
  isThread: boolean;
  threadId: string | null;
  /** The address that received it. */
  address: string;
  /** The message that opens. */
  opens: string;
  who: string;
  /** Messages in it. */
  count: number;
  subject: string;
  snippet: string;
  at: string;
  isUnread: boolean;
  isStarred: boolean;
  isArchived: boolean;
  isSealed: boolean;
  hasFiles: boolean;
  danger: 'suspicious' | 'dangerous' | null;
  hasCode: boolean;
  isHeld: boolean;
}

export interface RowPage {
  all: Row[];
  /** Where each address goes on, as JSON; null at the end. */
  next: string | null;
}

const ofThread = (thread: Thread): Row => ({
  id: thread.thread_id,
  isThread: true,
  threadId: thread.thread_id,
  address: thread.address,
  opens: thread.latest_message_id ?? '',
  who: thread.from_name || thread.from || thread.participants[0] || '',
  count: thread.message_count,
  subject: thread.subject,
  snippet: thread.snippet,
  at: thread.last_message_at,
  isUnread: thread.unread_count > 0,
  isStarred: thread.starred,
  isArchived: thread.archived,
  isSealed: thread.e2e_encrypted ?? false,
  hasFiles: thread.has_attachments,
  danger: thread.danger,
  hasCode: thread.has_code,
  isHeld: thread.held,
});

export const rowOfLetter = (letter: Letter, address: string): Row => ({
  id: letter.message_id,
  isThread: false,
  threadId: letter.thread_id,
  address,
  opens: letter.message_id,
  who: letter.from_name || letter.from,
  count: 1,
  subject: letter.subject,
  snippet: letter.snippet,
  at: letter.received_at,
  isUnread: !letter.read,
  isStarred: letter.starred,
  isArchived: letter.archived,
  isSealed: letter.e2e_encrypted ?? false,
  hasFiles: letter.has_attachments,
  danger: letter.danger,
  hasCode: false,
  isHeld: false,
});

const LIMIT = 50;

interface ThreadsAsked {
  /** Null: of all addresses. */
  address: string | null;
  unread?: boolean;
  archived?: boolean;
}

/** A page of conversations, the one with the latest message first. */
export async function readThreads(
  service: SignetClient,
  { address, ...asked }: ThreadsAsked,
  cursor: string | null,
): Promise<RowPage> {
  const { threads, next_cursor: next } = await service.listThreads({
    ...asked,
    ...(address === null ? {} : { address }),
    received: true,
    limit: LIMIT,
    cursor: cursor ?? undefined,
  });
  return { all: threads.filter((one) => one.latest_message_id !== null).map(ofThread), next };
}

interface LettersAsked {
  folder?: 'spam' | 'trash';
  starred?: boolean;
  unread?: boolean;
  archived?: boolean;
  q?: string | undefined;
}

export const newestFirst = (rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => (a.at === b.at ? (a.id < b.id ? 1 : -1) : a.at < b.at ? 1 : -1));

/** A page of the messages of some addresses, each of which is read by itself. */
export async function readLetters(
  service: SignetClient,
  addresses: readonly string[],
  asked: LettersAsked,
  cursor: string | null,
): Promise<RowPage> {
  const from = cursor === null ? null : (JSON.parse(cursor) as Record<string, string>);
  const pages = await Promise.all(
    addresses
      .filter((address) => from === null || Object.hasOwn(from, address))
      .map(async (address) => {
        const found = await service.listInbox({ address, limit: LIMIT, cursor: from?.[address], ...asked });
        return { ...found, address };
      }),
  );
  const rest = pages.flatMap(({ address, next_cursor: next }) => (next === null ? [] : [[address, next] as const]));
  return {
    all: newestFirst(pages.flatMap(({ address, messages }) => messages.map((one) => rowOfLetter(one, address)))),
    next: rest.length === 0 ? null : JSON.stringify(Object.fromEntries(rest)),
  };
}
