/** Scripts that put spaces between words: a match in them must not begin or end inside a word. */
const SPACED = '\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}';
const IS_SPACED = new RegExp(`^(?:\\(\\?:|\\[|\\\\d|\\(\\?|%|\\W)*[${SPACED}\\d]`, 'u');

/** Turns an entry of a word table into a regular expression: see code-words-data.ts for its form. */
const sourceOf = (entry: string): string =>
  entry
    // A stem, or a group of stems, takes any ending.
    .replace(/([\p{L}\p{M}\])])\*/gu, '$1\\p{L}*')
    .replace(/ \?/g, '[\\s-]{0,3}')
    .replace(/ /g, "[\\s'\u2019-]{1,3}");

/** One expression for some entries. */
function expressionOf(entries: readonly string[]): RegExp {
  const spaced: string[] = [];
  const others: string[] = [];
  for (const entry of entries) (IS_SPACED.test(entry) ? spaced : others).push(sourceOf(entry));
  const parts = [
    ...(spaced.length > 0 ? [`(?<![${SPACED}\\d])(?:${spaced.join('|')})(?![${SPACED}])`] : []),
    ...others,
  ];
  // Without entries it matches nothing.
  return new RegExp(parts.join('|') || '(?!)', 'giu');
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

/** A table of words, compiled to find them anywhere in normalised text. */
export class Words {
  readonly #any: RegExp;
  /** For text in ASCII, as most is: without the words of other alphabets it takes a third of the time. */
  readonly #ascii: RegExp;

  constructor(entries: readonly string[]) {
    this.#any = expressionOf(entries);
    this.#ascii = expressionOf(entries.filter((entry) => !needsMoreThanAscii(entry)));
  }

  isIn(text: string): boolean {
    return text.search(this.#for(text)) >= 0;
  }

  /** Finds every match. */
  spansIn(text: string): Span[] {
    return spansOf(this.#for(text), text);
  }

  #for(text: string): RegExp {
    return ASCII.test(text) ? this.#ascii : this.#any;
  }
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
