import type { Principal } from '../../../../api/principal.ts';
import type { Reader } from '../../../../api/transaction.ts';
import { findingsWithCode } from '../content/content-store.ts';
import { latestOfThreads } from '../messages/message-store.ts';
import type { MarkedMessage } from '../messages/message-table.ts';
import { codeOf } from '../messages/screened-mail.ts';
import { threadsOfSent } from '../messages/sent-store.ts';
import { maySeeCodes } from '../messages/shown-mail.ts';

/** What a list shows of a conversation beside its text. */
export interface Marks {
  /** The latest message received. */
  latest: MarkedMessage | null;
  hasAttachments: boolean;
  /** The worst verdict about a message that is not clean. */
  danger: 'suspicious' | 'dangerous' | null;
  /** Whether the latest message received holds a code, for those who may see codes. */
  hasCode: boolean;
  /** Whether a mail from here waits for an operator. */
  isHeld: boolean;
  isStarred: boolean;
}

/** The held mails of an account, by their ids in the outbox. */
export type HeldMailsOf = (reader: Reader, accountId: string, now: number, limit: number) => Promise<string[]>;

/** The conversations of some held mails. */
async function conversationsOf(reader: Reader, held: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set(held.length === 0 ? [] : await threadsOfSent(reader, held));
}

/** Those of some messages that hold a code. */
async function coded(reader: Reader, messages: readonly MarkedMessage[]): Promise<ReadonlySet<MarkedMessage>> {
  if (messages.length === 0) return new Set();
  const found = await findingsWithCode(
    reader,
    messages.map(({ contentId }) => contentId),
  );
  return new Set(messages.filter(({ contentId, auth }) => codeOf(found.get(contentId) ?? null, auth) !== null));
}

/** The marks of some conversations of the caller's account, by their ids. @param heldMails of the account */
export async function marksOf(
  reader: Reader,
  caller: Principal,
  threads: readonly { id: string }[],
  heldMails: (accountId: string) => Promise<string[]>,
): Promise<(threadId: string) => Marks> {
  const threadIds = threads.map(({ id }) => id);
  if (threadIds.length === 0) return () => marksIn([], new Set(), false);
  const messages = Map.groupBy(await latestOfThreads(reader, threadIds), ({ threadId }) => threadId as string);
  const latest = [...messages.values()].flatMap((all) => newestOf(all) ?? []);
  const withCode = maySeeCodes(caller) ? await coded(reader, latest) : new Set<MarkedMessage>();
  const held = await conversationsOf(reader, await heldMails(caller.accountId));
  return (id) => marksIn(messages.get(id) ?? [], withCode, held.has(id));
}

const newestOf = (messages: readonly MarkedMessage[]): MarkedMessage | null =>
  messages.reduce<MarkedMessage | null>((newest, one) => (newest === null || one.id > newest.id ? one : newest), null);

function marksIn(messages: readonly MarkedMessage[], coded: ReadonlySet<MarkedMessage>, isHeld: boolean): Marks {
  const latest = newestOf(messages);
  const judged = (verdict: string): boolean => messages.some(({ safetyVerdict }) => safetyVerdict === verdict);
  return {
    latest,
    hasAttachments: messages.some(({ attachments }) => attachments > 0),
    danger: judged('dangerous') ? 'dangerous' : judged('suspicious') ? 'suspicious' : null,
    hasCode: latest !== null && coded.has(latest),
    isHeld,
    isStarred: messages.some(({ starred }) => starred),
  };
}
