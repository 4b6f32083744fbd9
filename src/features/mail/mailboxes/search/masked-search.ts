import type { Principal } from '../../../../api/principal.ts';
import type { Reader } from '../../../../api/transaction.ts';
import { type ListQuery, type MessagePage, pageCursor, placeBefore, readInbox } from '../messages/message.ts';
import { listMessages } from '../messages/message-store.ts';
import type { ListedMessage, Shown } from '../messages/message-table.ts';
import { allShown, maskedHead, maySeeCodes } from '../messages/shown-mail.ts';
import { BODY_CHARS, parseSearch, searchWordsOf } from './mail-search.ts';
import type { SearchTerm, SearchWords } from './search-words.ts';

/** Messages that one call looks through, and characters of their texts. The cursor of its reply goes on. */
const MESSAGES_MAX = 100;
const CHARS_MAX = 262_144;
/** Messages that one statement reads. */
const STEP = 25;

/** Whether the words of a mail have a term: its words in a row, the last one perhaps only as a beginning. */
export function hasTerm(fields: SearchWords, { field, words, isPrefix }: SearchTerm): boolean {
  const last = words.length - 1;
  const isAt = (all: readonly (string | null)[], at: number): boolean =>
    words.every((word, i) => {
      const found = all[at + i];
      return i === last && isPrefix ? found?.startsWith(word) === true : found === word;
    });
  const searched = field === null ? Object.values(fields) : [fields[field]];
  return searched.some((all) => all.some((_, at) => isAt(all, at)));
}

/** A message without its codes, the words of what is shown of it, and how much was read. */
export async function maskedWords(reader: Reader, listed: ListedMessage) {
  const { message, text } = await maskedHead(reader, listed, BODY_CHARS);
  const bare = (address: string) => ({ address, name: '' });
  const words = searchWordsOf(
    {
      from: { address: message.fromAddress, name: message.fromName ?? '' },
      to: message.recipients.to.map(bare),
      cc: message.recipients.cc.map(bare),
      subject: message.subject,
      text,
      attachments: [],
    },
    1,
  );
  return { message, words, chars: text.length };
}

/** The same; null in place of a message that does not have every term. */
async function found(reader: Reader, listed: ListedMessage, terms: readonly SearchTerm[]) {
  const { message, words, chars } = await maskedWords(reader, listed);
  return { message: terms.every((term) => hasTerm(words, term)) ? message : null, chars };
}

/**
 * Searches what the caller may see, message by message. The index holds every word: whatever it was asked, its answer,
 * and where it stops, would tell what the masks hide.
 */
async function searchMasked(reader: Reader, { q, cursor, limit, ...filter }: ListQuery & { q: string }) {
  const terms = parseSearch(q);
  const messages: Shown[] = [];
  let before = cursor === undefined ? undefined : placeBefore(cursor, false);
  for (let [seen, chars] = [0, 0]; ; ) {
    const rows = await listMessages(reader, { ...filter, before, limit: STEP + 1 });
    for (const [at, row] of rows.slice(0, STEP).entries()) {
      const result = await found(reader, row, terms);
      if (result.message) messages.push(result.message);
      before = row.place;
      seen += 1;
      chars += result.chars;
      const isOver = messages.length >= limit || seen >= MESSAGES_MAX || chars >= CHARS_MAX;
      if (isOver && at + 1 < rows.length) return { messages, hasMore: true, nextCursor: pageCursor(before) };
    }
    if (rows.length <= STEP) return { messages, hasMore: false, nextCursor: null };
  }
}

/** A page of an inbox as the caller may see it, newest first. @throws ApiError as {@link readInbox} */
export async function readShownInbox(
  reader: Reader,
  caller: Pick<Principal, 'scopes'>,
  query: ListQuery,
): Promise<MessagePage<Shown>> {
  const { q } = query;
  if (q !== undefined && !maySeeCodes(caller)) return searchMasked(reader, { ...query, q });
  const page = await readInbox(reader, query);
  return { ...page, messages: await allShown(reader, caller, page.messages) };
}
