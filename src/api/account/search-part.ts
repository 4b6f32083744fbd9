import type { Principal } from '../principal.ts';
import { hasScope } from '../scopes.ts';
import type { Reader } from '../transaction.ts';

/** What a search finds. Of equal matches, the kinds of which an account has few come first. */
export const SEARCH_KINDS = [
  'agent',
  'address',
  'domain',
  'pod',
  'key',
  'webhook',
  'secret',
  'event',
  'draft',
  'mail',
  'sent_mail',
  'charge',
] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

export interface SearchQuery {
  /** The accounts in which it is looked for. */
  accountIds: readonly string[];
  caller: Principal;
  /** In lower case. All of them must occur. */
  words: readonly string[];
  limit: number;
}

export interface FoundThing {
  id: string;
  /** The account that has it. */
  accountId: string;
  title: string;
  /** Milliseconds. */
  at: number;
  /** Its page of the console: the name of the page, and what follows. */
  place: readonly string[];
  /** Where the words must occur, as the caller may see it, beside the title. Null: an index found them. */
  texts: readonly string[] | null;
}

/** Finds things of one kind, newest first, with a bounded number of statements and rows, however many accounts there are. */
export interface SearchPart {
  kind: SearchKind;
  find(reader: Reader, query: SearchQuery): Promise<FoundThing[]>;
}

/** The parameters of a statement that looks for words in the newest rows of each account. */
export interface SearchParams {
  /** The accounts, as the JSON of `isAmong`. */
  ids: string;
  /** So many rows of each account are looked at. */
  each: number;
  word0: string;
  word1: string;
  word2: string;
}

/** Rows of one kind that a search looks at. */
const ROWS_MAX = 1000;
const ROWS_EACH_LEAST = 5;
/** Characters of each text that a statement looks at. */
export const SEARCHED_CHARS = 1000;

/**
 * The part of a word that a statement looks for; {@link hasWords} looks closer. The engines disagree about letters beyond
 * ASCII in upper case, and JSON escapes quotes.
 */
const plainPart = (word: string): string =>
  (word.match(/[!#-[\]-~]+/g) ?? []).reduce((longest, part) => (part.length > longest.length ? part : longest), '');

export function searchParams({ accountIds, words }: Pick<SearchQuery, 'accountIds' | 'words'>): SearchParams {
  const [word0 = '', word1 = '', word2 = ''] = words.map(plainPart);
  const each = Math.max(ROWS_EACH_LEAST, Math.floor(ROWS_MAX / Math.max(1, accountIds.length)));
  return { ids: JSON.stringify(accountIds.map((id) => [id])), each, word0, word1, word2 };
}

/** Whether all words occur in texts. */
export function hasWords(words: readonly string[], texts: readonly string[]): boolean {
  const all = texts.join('\n').toLowerCase();
  return words.every((word) => all.includes(word));
}

/** Whether the caller may see what is of an address, or of each of several. Null: it is of the whole account. */
export const seesAddress = ({ addresses }: Principal, of: string | readonly string[] | null): boolean =>
  addresses === null || (of !== null && [of].flat().every((address) => addresses.includes(address)));

/** Whether codes in what is found are hidden from the caller. */
export const isMasked = (caller: Principal): boolean => !hasScope(caller, 'mail:codes');
