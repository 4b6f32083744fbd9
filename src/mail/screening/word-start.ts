/**
 * With what the words of a table can begin, read from their regular expressions. Most words of a mail begin otherwise, and
 * need not be tried.
 */

/** Characters of a beginning. */
const CHARS = 3;

/** What a part of an expression can begin with: whole texts that more may follow, and beginnings after which anything may. */
interface Heads {
  whole: Set<string>;
  open: Set<string>;
}

/** Reads a regular expression from the left. What it does not know may be anything. */
class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Alternatives up to the end of the group. */
  alternatives(): Heads {
    const heads: Heads = { whole: new Set(), open: new Set() };
    do {
      const one = this.#sequence();
      for (const text of one.whole) heads.whole.add(text);
      for (const text of one.open) heads.open.add(text);
    } while (this.#takes('|'));
    return heads;
  }

  #takes(text: string): boolean {
    const isNext = this.#source.startsWith(text, this.#at);
    if (isNext) this.#at += text.length;
    return isNext;
  }

  #sequence(): Heads {
    let whole = new Set(['']);
    const open = new Set<string>();
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] as string)) {
      const atom = this.#atom();
      const count = this.#count();
      const next = new Set<string>(count.least === 0 ? whole : []);
      for (const text of whole) {
        for (const head of atom.open) open.add(cut(text + head));
        for (const head of atom.whole) {
          const longer = text + head;
          // What may repeat is not followed further.
          if (longer.length >= CHARS || count.most > 1) open.add(cut(longer));
          else next.add(longer);
        }
      }
      whole = next;
    }
    return { whole, open };
  }

  /** A character, a class or a group. `open: ['']`: anything. */
  #atom(): Heads {
    const isLook = ['(?=', '(?!', '(?<=', '(?<!'].some((sign) => this.#takes(sign));
    if (isLook || this.#takes('(?:')) {
      const inner = this.alternatives();
      if (!this.#takes(')')) throw new Error(`a group has no end: ${this.#source}`);
      // What is looked at takes no room, and narrows only what follows.
      return isLook ? { whole: new Set(['']), open: new Set() } : inner;
    }
    const unknown: Heads = { whole: new Set(), open: new Set(['']) };
    const rest = this.#source.slice(this.#at);
    const [token = ''] = /^(?:\[(?:\\.|[^\]\\])*\]|\\.|[^()])/u.exec(rest) ?? [];
    if (token === '') throw new Error(`not a form that a word has: ${this.#source}`);
    this.#at += token.length;
    if (token === '\\d') return { whole: new Set('0123456789'), open: new Set() };
    const isList = /^\[[\p{L}\p{N}]+\]$/u.test(token);
    if (isList) return { whole: new Set([...token.slice(1, -1)].map(lower)), open: new Set() };
    const isCharacter = /^(?:[^[\\.^$]|\\[^\p{L}\p{N}])$/u.test(token);
    return isCharacter ? { whole: new Set([lower(token.replace('\\', ''))]), open: new Set() } : unknown;
  }

  /** How often the atom that was read may stand there. */
  #count(): { least: number; most: number } {
    const [text = ''] = /^(?:[?*+]|\{\d*,?\d*\})\??/.exec(this.#source.slice(this.#at)) ?? [];
    this.#at += text.length;
    if (text === '') return { least: 1, most: 1 };
    if (text === '?') return { least: 0, most: 1 };
    return { least: text.startsWith('+') || /^\{[1-9]/.test(text) ? 1 : 0, most: 2 };
  }
}

const lower = (text: string): string => text.toLowerCase();
const cut = (text: string): string => text.slice(0, CHARS);

/**
 * The beginnings, of at most three characters, of all texts that an expression matches, in lower case. `''`: any text.
 * It knows the forms that tables of words use: characters, classes, `(?:…|…)` and repetition.
 */
export function headsOf(source: string): Set<string> {
  const { whole, open } = new Reader(source).alternatives();
  return new Set([...whole, ...open]);
}

/** Both cases of a letter have the same five lowest bits, and so have some other characters: they cost a try. */
const BITS = 5;
const VALUES = 1 << BITS;

/** The beginnings of words in ASCII, as one bit for each that is possible. */
export class WordStarts {
  readonly #bits = new Uint32Array(VALUES ** CHARS / 32);

  constructor(heads: Iterable<string>) {
    for (const head of heads) this.#add(head, 0, 0);
  }

  /** Whether a word may begin where a text has this key; see {@link placesIn}. */
  has(key: number): boolean {
    return ((this.#bits[key >>> 5] as number) & (1 << (key & 31))) !== 0;
  }

  /** Any character follows a beginning that is shorter. */
  #add(head: string, at: number, key: number): void {
    if (at === CHARS) {
      this.#bits[key >>> 5] = (this.#bits[key >>> 5] as number) | (1 << (key & 31));
      return;
    }
    const isKnown = at < head.length;
    const from = isKnown ? head.charCodeAt(at) & (VALUES - 1) : 0;
    const to = isKnown ? from : VALUES - 1;
    for (let value = from; value <= to; value += 1) this.#add(head, at + 1, (key << BITS) | value);
  }
}

/** A place of a text, and a key of the three characters there. */
export interface Places {
  at: number[];
  keys: number[];
}

/** Where no letter or digit stands before, in a text in ASCII. No word begins with a blank. */
export function placesIn(text: string): Places {
  const places: Places = { at: [], keys: [] };
  let key = 0;
  // Whether a word may begin one and two characters ago. The key of a place is known two characters later.
  let [isOne, isTwo, isInWord] = [false, false, false];
  for (let at = 0; at < text.length + CHARS - 1; at += 1) {
    // After the end, a character is NaN and counts as 0.
    const code = text.charCodeAt(at);
    key = ((key << BITS) | (code & (VALUES - 1))) & (VALUES ** CHARS - 1);
    if (isTwo) {
      places.at.push(at - 2);
      places.keys.push(key);
    }
    isTwo = isOne;
    isOne = !isInWord && code > 32;
    isInWord = (code > 96 && code < 123) || (code > 47 && code < 58) || (code > 64 && code < 91);
  }
  return places;
}
