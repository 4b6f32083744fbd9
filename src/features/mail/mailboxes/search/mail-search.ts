import { invalidField } from '../../../../api/errors.ts';
import type { Tx } from '../../../../api/transaction.ts';
import type { ParsedMail } from '../../../../mail/mime/parsed-mail.ts';
import { insertSearchWords, lastSearchDoc } from '../messages/message-store.ts';
import type { Message } from '../messages/message-table.ts';
import { IndexedWords, type SearchTerm, type SearchWords } from './search-words.ts';

/** Limits on what the index stores of one copy of a mail (docs/mail.md, Search). */
export const BODY_CHARS = 65_536;
const BODY_WORDS = 8000;
/** A mail to many inboxes is indexed once for each. Together they get this many words of its body, but each gets some. */
const BODY_WORDS_SHARED = 24_000;
const BODY_WORDS_LEAST = 400;
const HEADER_WORDS = 400;
/** A longer word is cut to this length, in the index and in a query. */
const WORD_CHARS = 64;
/** PostgreSQL keeps 255 positions of a word. Both engines leave out further ones. */
const PLACES_OF_A_WORD = 255;

const TERMS_MAX = 20;
const QUERY_WORDS_MAX = 50;
const PREFIX_CHARS_LEAST = 2;

/** Scripts written without spaces: each character is a word, and a run of them in a query is a phrase. */
const UNSPACED = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}`;
const WORD = new RegExp(`(?=[\\p{L}\\p{N}\\p{M}])[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]$`, 'u');

/** Letters without a Unicode decomposition, as they are typed on a keyboard that does not have them. */
const PLAIN: Record<string, string> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  ı: 'i',
  ς: 'σ',
};
const UNDECOMPOSED = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');

/** Removes the differences of case, accents, ligatures and widths. */
function fold(text: string): string {
  const bare = text.normalize('NFKD').replace(/[\u0300-\u036f\u00ad\u200b-\u200d\ufeff]/g, '');
  return bare
    .normalize('NFC')
    .toLowerCase()
    .replace(UNDECOMPOSED, (letter) => PLAIN[letter] ?? letter);
}

const IS_ASCII = /^[\0-\x7f]*$/;

/** The first `max` words of a text, folded. */
function wordsOf(text: string, max: number): string[] {
  // As most text is: it takes a third of the time.
  if (IS_ASCII.test(text))
    return (text.toLowerCase().match(/[a-z\d]+/g) ?? []).slice(0, max).map((word) => word.slice(0, WORD_CHARS));
  const words: string[] = [];
  for (const [word] of fold(text).matchAll(WORD)) {
    if (words.length >= max) break;
    words.push(word.length > WORD_CHARS ? word.slice(0, WORD_CHARS).toWellFormed() : word);
  }
  return words;
}

/** Leaves out the further places of words that occur very often. */
function bounded(fields: SearchWords): SearchWords {
  if (!mayRepeat(Object.values(fields))) return fields;
  const places = new Map<string, number>();
  const kept = (words: SearchWords['body']): SearchWords['body'] =>
    words.map((word) => {
      if (word === null) return null;
      const count = (places.get(word) ?? 0) + 1;
      places.set(word, count);
      return count > PLACES_OF_A_WORD ? null : word;
    });
  return {
    sender: kept(fields.sender),
    recipients: kept(fields.recipients),
    subject: kept(fields.subject),
    body: kept(fields.body),
  };
}

/** Whether a word may have too many places. Counts words that look alike together, which takes a fifth of the time. */
function mayRepeat(fields: readonly SearchWords['body'][]): boolean {
  const counts = new Uint16Array(4096);
  for (const words of fields)
    for (const word of words) {
      if (word === null) continue;
      const { length } = word;
      const alike =
        (word.charCodeAt(0) ^ (word.charCodeAt(length >> 1) << 4) ^ (word.charCodeAt(length - 1) << 7)) & 4095;
      const count = (counts[alike] as number) + 1;
      if (count > PLACES_OF_A_WORD) return true;
      counts[alike] = count;
    }
  return false;
}

type SearchedMail = Pick<ParsedMail, 'from' | 'to' | 'cc' | 'subject' | 'text'> & {
  attachments: readonly { filename: string | null }[];
};

/** The words that find a mail. `copies`: how many inboxes get it at a time. */
export function searchWordsOf(mail: SearchedMail, copies: number): SearchWords {
  const people = (list: readonly { address: string; name: string }[]): string =>
    list.map(({ name, address }) => `${name} ${address}`).join(' ');
  const bodyWords = Math.max(BODY_WORDS_LEAST, Math.min(BODY_WORDS, Math.floor(BODY_WORDS_SHARED / copies)));
  const filenames = mail.attachments.map(({ filename }) => filename ?? '').join(' ');
  return bounded({
    sender: wordsOf(people(mail.from ? [mail.from] : []), HEADER_WORDS),
    recipients: wordsOf(people([...mail.to, ...mail.cc]), HEADER_WORDS),
    subject: wordsOf(mail.subject, HEADER_WORDS),
    // Names of attachments are found like words of the body, but no phrase spans both.
    body: [...wordsOf(filenames, HEADER_WORDS), null, ...wordsOf(mail.text.slice(0, BODY_CHARS), bodyWords)],
  });
}

const FIELDS: Record<string, SearchTerm['field']> = { from: 'sender', to: 'recipients', subject: 'subject' };

/** `field:` and an optional space, then a quoted phrase, whose last quote may be missing, or the text up to a space. */
const TERM = /(?:(from|to|subject):\s*(?=[^\s]))?(?:"([^"]*)"?(\*?)|([^\s"]+))/giu;

const refused = (code: string, message: string) => invalidField('/query/q', code, message);

/**
 * Parses a search: words that must all occur, "phrases", prefixes* and from:, to:, subject:. Anything else is text, so no
 * input can break the query of an engine.
 * @throws ApiError `invalid_request`
 */
export function parseSearch(q: string): SearchTerm[] {
  const terms: SearchTerm[] = [];
  for (const [, field, quoted, star, plain = ''] of q.matchAll(TERM)) {
    const words = wordsOf(quoted ?? plain, QUERY_WORDS_MAX + 1);
    const last = words.at(-1);
    if (last === undefined) continue;
    const isPrefix = (star === '*' || plain.endsWith('*')) && !IS_UNSPACED.test(last);
    if (isPrefix && [...last].length < PREFIX_CHARS_LEAST)
      throw refused('too_short', `Write at least ${PREFIX_CHARS_LEAST} letters before the "*" of a search.`);
    terms.push({ field: field === undefined ? null : (FIELDS[field.toLowerCase()] ?? null), words, isPrefix });
  }
  if (terms.length === 0) throw refused('not_searchable', 'q has no word to search for. Words are letters and digits.');
  const count = terms.reduce((sum, { words }) => sum + words.length, 0);
  if (terms.length > TERMS_MAX || count > QUERY_WORDS_MAX)
    throw refused('too_many', `A search has at most ${TERMS_MAX} terms and ${QUERY_WORDS_MAX} words.`);
  return terms;
}

/**
 * Parses what a person types to find anything, where no sign means something: all words must occur, of the last one the
 * beginning. Empty for a text without a word.
 */
export function termsOfText(text: string, field: SearchTerm['field']): SearchTerm[] {
  const pieces = text.split(/\s+/).map((piece) => wordsOf(piece, QUERY_WORDS_MAX));
  const terms = pieces.filter(({ length }) => length > 0).slice(0, TERMS_MAX);
  return terms.map((words, i) => {
    const last = words.at(-1) as string;
    const isPrefix = i === terms.length - 1 && !IS_UNSPACED.test(last) && [...last].length >= PREFIX_CHARS_LEAST;
    return { field, words, isPrefix };
  });
}

/** The words of a text, which must follow each other; null for a text without a word. */
export function phraseOf(text: string, field: SearchTerm['field']): SearchTerm | null {
  const words = wordsOf(text, QUERY_WORDS_MAX);
  return words.length === 0 ? null : { field, words, isPrefix: false };
}

/** Positions for one millisecond: more than a service can receive. */
const DOCS_PER_MS = 1024;

/**
 * The position of a message in the index, newest last. SQLite reads its index in this order and needs unique numbers,
 * which its single writer ensures. PostgreSQL only checks that there is one.
 */
export async function nextSearchDoc(tx: Tx, receivedAt: number): Promise<number> {
  for (let from = receivedAt * DOCS_PER_MS; ; from += DOCS_PER_MS) {
    const last = await lastSearchDoc(tx, from, from + DOCS_PER_MS);
    if (last === null) return from;
    if (last + 1 < from + DOCS_PER_MS) return last + 1;
  }
}

/** Indexes a message that has a position. */
export async function indexMessage(tx: Tx, message: Message, words: SearchWords): Promise<void> {
  const { id, address, searchDoc } = message;
  if (searchDoc !== null) await insertSearchWords(tx, new IndexedWords(searchDoc, id, words, address));
}
