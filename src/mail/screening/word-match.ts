import { lazy } from '../../base/lazy.ts';
import { headsOf, type Places, placesIn, WordStarts } from './word-start.ts';

/** Scripts that put spaces between words: a match in them must not begin or end inside a word. */
const SPACED = '\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}';
const IS_SPACED = new RegExp(`^(?:\\(\\?:|\\[|\\\\d|\\(\\?|%|\\W)*[${SPACED}\\d]`, 'u');

/** Turns an entry of a word table into a regular expression: see code-words.ts for its form. */
const sourceOf = (entry: string): string =>
  entry
    // A stem, or a group of stems, takes any ending.
    .replace(/([\p{L}\p{M}\])])\*/gu, '$1\\p{L}*')
    .replace(/ \?/g, '[\\s-]{0,3}')
    .replace(/ /g, "[\\s'\u2019-]{1,3}");

/** For text in ASCII: the classes of all alphabets would take V8 a tenth of a second more to compile. */
const inAscii = (source: string): string => source.replaceAll(SPACED, 'a-z').replaceAll('\\p{L}', '[a-z]');

/** The expressions of some entries: of words that stand between others, and of the rest. */
function sourcesOf(entries: readonly string[]): { spaced: string[]; others: string[] } {
  const spaced: string[] = [];
  const others: string[] = [];
  for (const entry of entries) (IS_SPACED.test(entry) ? spaced : others).push(sourceOf(entry));
  return { spaced, others };
}

/** One expression for some entries. */
function expressionOf(entries: readonly string[], flags: 'giu' | 'gi' | 'iy'): RegExp {
  const { spaced, others } = sourcesOf(entries);
  const parts = [
    ...(spaced.length > 0 ? [`(?<![${SPACED}\\d])(?:${spaced.join('|')})(?![${SPACED}])`] : []),
    ...others,
  ];
  // Without entries it matches nothing.
  const source = parts.join('|') || '(?!)';
  return new RegExp(flags === 'giu' ? source : inAscii(source), flags);
}

/**
 * Characters of a table that one expression holds for text in any alphabet. V8 compiles it in 10 to 15 ms, during which
 * its thread does nothing else. For text in ASCII a whole table takes less.
 */
const PART_CHARS = 2500;

/** The expressions of a table for text in any alphabet. They match as one that has all entries in this order would. */
function expressionsOf(entries: readonly string[]): RegExp[] {
  const isSpaced = (entry: string): boolean => IS_SPACED.test(entry);
  const parts: string[][] = [[]];
  let chars = 0;
  for (const entry of [...entries.filter(isSpaced), ...entries.filter((one) => !isSpaced(one))]) {
    chars += entry.length;
    if (chars > PART_CHARS) {
      parts.push([]);
      chars = entry.length;
    }
    parts.at(-1)?.push(entry);
  }
  return parts.map((part) => expressionOf(part, 'giu'));
}

const ASCII = /^[\0-\x7f]*$/;

/** Whether an entry needs a character outside ASCII, whatever its groups, classes and optional characters match. */
function needsMoreThanAscii(entry: string): boolean {
  let rest = entry.replace(/\[[^\]]*\]\??/g, '');
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replace(/\((?:\?:)?[^()]*\)\??/g, '');
  }
  return !rest.includes('|') && !ASCII.test(rest.replace(/.(?:\?|\{0,\d*\})/gu, ''));
}

/** A match in a text: where it begins and where it ends. */
export interface Span {
  start: number;
  end: number;
}

const tables: Words[] = [];

/** A table of words, compiled at its first use to find them anywhere in normalised text. */
export class Words {
  readonly #any: () => RegExp[];
  /** For text in ASCII, as most is: without the words of other alphabets, and tried only where one can begin. */
  readonly #ascii: () => { sticky: RegExp; starts: WordStarts } | { global: RegExp };
  #isCompiled = false;

  constructor(entries: readonly string[]) {
    this.#any = lazy(() => expressionsOf(entries));
    this.#ascii = lazy(() => {
      const plain = entries.filter((entry) => !needsMoreThanAscii(entry));
      const starts = startsOf(plain);
      return starts ? { sticky: expressionOf(plain, 'iy'), starts } : { global: expressionOf(plain, 'gi') };
    });
    tables.push(this);
  }

  isIn(text: string | SearchedText): boolean {
    return this.#find(text, true).length > 0;
  }

  /** Finds every match. */
  spansIn(text: string | SearchedText): Span[] {
    return this.#find(text, false);
  }

  /** See {@link compileWords}. */
  *compile(onlyAscii: boolean): Generator<void> {
    const ascii = this.#ascii();
    const expressions = onlyAscii ? ['sticky' in ascii ? ascii.sticky : ascii.global] : this.#any();
    for (const expression of expressions)
      for (const text of LONG_TEXTS) {
        expression.lastIndex = 0;
        expression.test(text);
        yield;
      }
    if (!onlyAscii) this.#isCompiled = true;
  }

  #find(searched: string | SearchedText, isFirstEnough: boolean): Span[] {
    const { text, isAscii, places } = typeof searched === 'string' ? new SearchedText(searched) : searched;
    if (!isAscii) return this.#findInAny(text);
    const ascii = this.#ascii();
    if ('global' in ascii) return spansOf(ascii.global, text);
    const { sticky, starts } = ascii;
    const spans: Span[] = [];
    let end = 0;
    const { at, keys } = places();
    for (let i = 0; i < at.length; i += 1) {
      const start = at[i] as number;
      if (!starts.has(keys[i] as number) || start < end) continue;
      sticky.lastIndex = start;
      if (!sticky.test(text)) continue;
      end = sticky.lastIndex;
      spans.push({ start, end });
      if (isFirstEnough) break;
    }
    return spans;
  }

  #findInAny(text: string): Span[] {
    if (!this.#isCompiled) Array.from(this.compile(false));
    const [first, ...others] = this.#any() as [RegExp, ...RegExp[]];
    return others.length === 0 ? spansOf(first, text) : spansOfAll([first, ...others], text);
  }
}

/** The beginnings of the words of some entries in ASCII. Null: one may begin anyhow, or within a word. */
function startsOf(entries: readonly string[]): WordStarts | null {
  const { spaced, others } = sourcesOf(entries);
  const heads = spaced.flatMap((source) => [...headsOf(inAscii(source))]);
  const inside = others.flatMap((source) => [...headsOf(inAscii(source))]);
  const isFree = heads.includes('') || inside.some((head) => ASCII.test(head));
  return isFree ? null : new WordStarts(heads.filter((head) => ASCII.test(head)));
}

/** A text in which several tables are looked for. Where its words begin is found once. */
export class SearchedText {
  readonly text: string;
  readonly isAscii: boolean;
  /** Where a word can begin, if the text is in ASCII. */
  readonly places: () => Places;

  constructor(text: string) {
    this.text = text;
    this.isAscii = ASCII.test(text);
    this.places = lazy(() => placesIn(text));
  }
}

/**
 * Of so many characters, V8 compiles an expression to machine code at once. For shorter ones it first compiles it for its
 * interpreter, which takes four times as long. It does so anew for strings of one and of two bytes a character.
 */
const LONG_TEXTS = [' '.repeat(1000), '\u2002'.repeat(1000)];

/**
 * Compiles all tables for a kind of text, an expression with each step. A step takes up to 15 ms; all take 50 ms for text
 * in ASCII, and 250 ms for other text. Without it the first mail does the same at once, in three times as long.
 */
export function* compileWords({ onlyAscii }: { onlyAscii: boolean }): Generator<void> {
  for (const table of tables) yield* table.compile(onlyAscii);
}

/** Finds what one expression with all these as its alternatives would: the first match, of the first that has one there. */
function spansOfAll(expressions: readonly RegExp[], text: string): Span[] {
  const next = expressions.map((expression) => spanFrom(expression, text, 0));
  const spans: Span[] = [];
  for (;;) {
    let first: Span | null = null;
    for (const span of next) if (span !== null && span.start < (first?.start ?? Number.POSITIVE_INFINITY)) first = span;
    if (first === null) return spans;
    spans.push(first);
    const from = Math.max(first.end, first.start + 1);
    for (const [i, span] of next.entries())
      if (span !== null && span.start < from) next[i] = spanFrom(expressions[i] as RegExp, text, from);
  }
}

/** The first match that begins at `from` or later. */
function spanFrom(expression: RegExp, text: string, from: number): Span | null {
  expression.lastIndex = from;
  const match = expression.exec(text);
  return match && { start: match.index, end: match.index + match[0].length };
}

/** Finds every match of an expression with the flag `g`. `matchAll` would compile a copy of the expression each time. */
export function spansOf(expression: RegExp, text: string): Span[] {
  const spans: Span[] = [];
  expression.lastIndex = 0;
  for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
    const { length } = match[0];
    if (length > 0) spans.push({ start: match.index, end: match.index + length });
    else expression.lastIndex += 1;
  }
  return spans;
}
