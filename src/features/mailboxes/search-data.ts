import { hash } from 'node:crypto';
import { base32 } from '../../kernel/ids.ts';

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
const markOf = (address: string): string => base32(hash('sha256', address, 'buffer').readUIntBE(0, 5), 8);

/** A word without a mark, which no query can find. */
const GAP = '0';

/** A column of SQLite's FTS5. */
function fts5Column(words: readonly (string | null)[], address: string): string {
  const mark = markOf(address);
  return words.map((word) => (word === null ? GAP : mark + word)).join(' ');
}

/** PostgreSQL's weights, which serve as columns. */
const WEIGHTS: Record<SearchField, string> = { sender: 'A', recipients: 'B', subject: 'C', body: 'D' };

/** The text of a tsvector. Positions count through all fields, with a gap between two, so that no phrase spans fields. */
function tsVector(words: SearchWords, address: string): string {
  const mark = markOf(address);
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

/**
 * A row of the index on either engine: SQLite stores `rowid` and the four fields, PostgreSQL `message_id` and `words`. A
 * text is built only when its engine reads it.
 */
export class IndexedWords {
  readonly rowid: number;
  readonly message_id: string;
  readonly #words: SearchWords;
  readonly #address: string;

  constructor(rowid: number, messageId: string, words: SearchWords, address: string) {
    this.rowid = rowid;
    this.message_id = messageId;
    this.#words = words;
    this.#address = address;
  }

  get sender(): string {
    return fts5Column(this.#words.sender, this.#address);
  }
  get recipients(): string {
    return fts5Column(this.#words.recipients, this.#address);
  }
  get subject(): string {
    return fts5Column(this.#words.subject, this.#address);
  }
  get body(): string {
    return fts5Column(this.#words.body, this.#address);
  }
  get words(): string {
    return tsVector(this.#words, this.#address);
  }
}
