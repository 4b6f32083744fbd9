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

/** Compiles a table of words to one expression that finds them anywhere in normalised text. */
export function compileWords(entries: readonly string[]): RegExp {
  const spaced: string[] = [];
  const others: string[] = [];
  for (const entry of entries) (IS_SPACED.test(entry) ? spaced : others).push(sourceOf(entry));
  const parts = [
    ...(spaced.length > 0 ? [`(?<![${SPACED}\\d])(?:${spaced.join('|')})(?![${SPACED}])`] : []),
    ...others,
  ];
  return new RegExp(parts.join('|'), 'giu');
}

/** A match in a text: where it begins and where it ends. */
export interface Span {
  start: number;
  end: number;
}

/** Finds every match of a compiled table. */
export function spansOf(words: RegExp, text: string): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(words))
    if (match[0].length > 0) spans.push({ start: match.index, end: match.index + match[0].length });
  return spans;
}
