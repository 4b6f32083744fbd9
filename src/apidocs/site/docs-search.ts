import MiniSearch from 'minisearch';
import { type Marked, marked, passage } from './found-words.ts';

/** The search of the documentation: every operation and every section of a page, found by its own or by ordinary words. */

export interface Entry {
  /** Where a result leads. */
  url: string;
  title: string;
  /** `GET /v1/…` of an operation, the title of the page of a section. */
  context: string;
  /** Other words for it, such as an operationId. */
  names: string;
  text: string;
}

export interface Found extends Pick<Entry, 'url' | 'title' | 'context'> {
  /** The title with the words that were found. */
  title_parts: Marked;
  /** The part of the text with the most of them. */
  passage_parts: Marked;
}

/** Words of a question that say nothing about its subject. */
const FILLERS = new Set(
  'a about an and any are as at be by can could did do does for from get has have how i if in into is it its make me my need of on or please should so some tell that the their them then there this to use using want was way we what when where which who why will with would you your'.split(
    ' ',
  ),
);

/** Words that readers use for words of the pages. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  otp: ['code'],
  '2fa': ['code'],
  verification: ['code', 'verify'],
  password: ['secret', 'vault'],
  inbox: ['mail'],
  email: ['mail'],
  message: ['mail'],
  pay: ['charge', 'payment'],
  spend: ['charge', 'budget'],
  limit: ['cap'],
  signup: ['register'],
  sign: ['register'],
  answer: ['reply'],
  remove: ['delete'],
  stolen: ['secure', 'stolen'],
  leaked: ['secure', 'stolen'],
  hacked: ['secure', 'stolen'],
  human: ['operator', 'person'],
  boss: ['operator'],
  selfhost: ['run'],
  install: ['run', 'start'],
};

/** The stem of an English word, near enough to find its other forms. */
function stem(word: string): string {
  if (word.length < 4) return word;
  return word
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x)es$/, '$1')
    .replace(/([^su])s$/, '$1')
    .replace(/(\w{3,})(?:ing|ed)$/, '$1')
    .replace(/(\w{3,})e$/, '$1');
}

/** `waitForMail` is also `wait`, `For` and `Mail`. */
const words = (text: string): string[] =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

const asTerm = (word: string): string | null => (FILLERS.has(word) ? null : stem(word));

/** The terms of a question: its words, and those that the pages use for them. */
const terms = (text: string): string[] => words(text).flatMap((word) => [word, ...(SYNONYMS[word] ?? [])]);

const MOST_RESULTS = 20;

/** A result, with the words marked that have one of the terms. */
function shown({ url, title, context, text }: Entry, found: ReadonlySet<string>): Found {
  const isFound = (word: string): boolean =>
    words(word).some((part) => {
      const term = asTerm(part);
      return term !== null && found.has(term);
    });
  return { url, title, context, title_parts: marked(title, isFound), passage_parts: passage(text, isFound) };
}

export class DocsSearch {
  readonly #entries: readonly Entry[];
  readonly #index: MiniSearch<Entry & { id: number }>;
  /** What has exactly this name or title, by its place among the entries. */
  readonly #named: ReadonlyMap<string, number[]>;

  constructor(entries: readonly Entry[]) {
    this.#entries = entries;
    this.#index = new MiniSearch<Entry & { id: number }>({
      fields: ['title', 'names', 'text'],
      tokenize: words,
      processTerm: asTerm,
      searchOptions: { tokenize: terms, boost: { title: 4, names: 3 }, prefix: (term) => term.length > 3 },
    });
    this.#index.addAll(entries.map((entry, id) => ({ ...entry, id })));
    const named = entries.flatMap(({ title, names }, id) =>
      [title, names.split(' ')[0] ?? ''].map((name) => [name.toLowerCase(), id] as const),
    );
    const byName = Map.groupBy(named, ([name]) => name);
    this.#named = new Map([...byName].map(([name, found]) => [name, [...new Set(found.map(([, id]) => id))]]));
  }

  /** The best results first. What has exactly this name or title comes before them. */
  find(question: string): Found[] {
    const exact = this.#named.get(question.trim().toLowerCase()) ?? [];
    const results = this.#index.search(question);
    const matched = new Map(results.map(({ id, terms: found }) => [id as number, found]));
    const best = results.slice(0, MOST_RESULTS).map(({ id }) => id as number);
    return [...new Set([...exact, ...best])].map((id) =>
      shown(this.#entries[id] as Entry, new Set(matched.get(id) ?? [])),
    );
  }
}
