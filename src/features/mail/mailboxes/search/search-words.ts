import { hash } from 'node:crypto';
import { base32 } from '../../../../base/ids.ts';

/**
 * How words are stored in the full-text index. Signet splits and folds them itself, so that a query finds the same mails
 * on both engines. Every word carries a mark of its address, `<mark><word>`: a look-up then reads only the entries of
 * this address, however many mails others have.
 */

/** The fields of a mail that can be searched, in the order of the index's columns. */
const SEARCH_FIELDS = ['sender', 'recipients', 'subject', 'body'] as const;
type SearchField = (typeof SEARCH_FIELDS)[number];

/** The words of a mail by field, in order. `null` keeps the place of a word that is not indexed. */
export type SearchWords = Record<SearchField, (string | null)[]>;

/** Words that must follow each other. With `isPrefix` the last one is only the beginning of a word. */
export interface SearchTerm {
  field: SearchField | null;
  words: string[];
  isPrefix: boolean;
}

/** 40 bits, 8 characters: a collision costs time only, because the message's address is compared as well. */
const markOf = (address: string): string => base32(Number.parseInt(hash('sha256', address, 'hex').slice(0, 10), 16), 8);

/** A word without a mark, which no query can find. */
const GAP = '0';

/** Of words of ordinary length, some 10 MB wait for a commit of 256 members. */
const LONG_WORDS = 1000;

/** A column of SQLite's FTS5. Words between gaps are joined at once: a text for each would take twice as long. */
function fts5Column(words: readonly (string | null)[], mark: string): string {
  const parts: string[] = [];
  for (let from = 0; from < words.length; ) {
    const gap = words.indexOf(null, from);
    const to = gap < 0 ? words.length : gap;
    if (to > from) parts.push(mark + words.slice(from, to).join(` ${mark}`));
    if (gap >= 0) parts.push(GAP);
    from = to + 1;
  }
  return parts.join(' ');
}

/** PostgreSQL's weights, which serve as columns. */
const WEIGHTS: Record<SearchField, string> = { sender: 'A', recipients: 'B', subject: 'C', body: 'D' };

/** The text of a tsvector. Positions count through all fields, with a gap between two, so that no phrase spans fields. */
function tsVector(words: SearchWords, mark: string): string {
  const lexemes: string[] = [];
  let position = 0;
  for (const field of SEARCH_FIELDS) {
    for (const word of words[field]) {
      position += 1;
      if (word !== null) lexemes.push(`'${mark}${word}':${position}${WEIGHTS[field]}`);
    }
    position += 1;
  }
  return lexemes.join(' ');
}

/** A query of FTS5. Words are only letters and digits, so none can be an operator. */
export function fts5Query(terms: readonly SearchTerm[], address: string): string {
  if (terms.length === 0) return '';
  const mark = markOf(address);
  return terms
    .map(({ field, words, isPrefix }) => {
      const phrase = `"${words.map((word) => mark + word).join(' ')}"${isPrefix ? '*' : ''}`;
      return field === null ? phrase : `{${field}} : ${phrase}`;
    })
    .join(' AND ');
}

/** The same as a tsquery. */
export function tsQuery(terms: readonly SearchTerm[], address: string): string {
  if (terms.length === 0) return '';
  const mark = markOf(address);
  return terms
    .map(({ field, words, isPrefix }) => {
      const weight = field === null ? '' : WEIGHTS[field];
      const last = words.length - 1;
      const lexemes = words.map((word, i) => {
        const flags = (isPrefix && i === last ? '*' : '') + weight;
        return `'${mark}${word}'${flags && `:${flags}`}`;
      });
      return `(${lexemes.join(' <-> ')})`;
    })
    .join(' & ');
}

/** A query of FTS5 for what is in any of these inboxes. */
export const fts5QueryOf = (terms: readonly SearchTerm[], addresses: readonly string[]): string =>
  addresses.map((address) => `(${fts5Query(terms, address)})`).join(' OR ');

/** The same as a tsquery. */
export const tsQueryOf = (terms: readonly SearchTerm[], addresses: readonly string[]): string =>
  addresses.map((address) => `(${tsQuery(terms, address)})`).join(' | ');

/**
 * A row of the index on either engine: SQLite stores `rowid` and the four fields, PostgreSQL `message_id` and `words`. A
 * text is built only when its engine reads it.
 */
export class IndexedWords {
  readonly rowid: number;
  readonly message_id: string;
  readonly #words: SearchWords;
  readonly #mark: string;

  constructor(rowid: number, messageId: string, words: SearchWords, address: string) {
    this.rowid = rowid;
    this.message_id = messageId;
    this.#words = words;
    this.#mark = markOf(address);
  }

  /** Whether there are more words than the members of a shared commit may keep in memory. */
  get isLong(): boolean {
    const { sender, recipients, subject, body } = this.#words;
    return sender.length + recipients.length + subject.length + body.length > LONG_WORDS;
  }
  get sender(): string {
    return fts5Column(this.#words.sender, this.#mark);
  }
  get recipients(): string {
    return fts5Column(this.#words.recipients, this.#mark);
  }
  get subject(): string {
    return fts5Column(this.#words.subject, this.#mark);
  }
  get body(): string {
    return fts5Column(this.#words.body, this.#mark);
  }
  get words(): string {
    return tsVector(this.#words, this.#mark);
  }
}
