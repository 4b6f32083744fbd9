/** Which words of a text were found, and the passage of a long text that shows the most of them. */

/** A text in parts: what was found is every second one, so the first is empty when the text starts with a found word. */
export type Marked = readonly string[];

/** The length of a passage, in characters. A word at its end is not cut. */
const PASSAGE = 180;

/** Characters shown before the first found word of a passage. */
const BEFORE = 40;

interface Place {
  at: number;
  end: number;
  word: string;
}

const WORD = /[\p{L}\p{N}]+/gu;

function placesIn(text: string, isFound: (word: string) => boolean): Place[] {
  const places: Place[] = [];
  for (const { 0: word, index: at } of text.matchAll(WORD))
    if (isFound(word)) places.push({ at, end: at + word.length, word: word.toLowerCase() });
  return places;
}

/** @param isFound whether the search found this word; it gets whole words, such as `waitForMail` */
export function marked(text: string, isFound: (word: string) => boolean): Marked {
  const parts: string[] = [];
  let from = 0;
  for (const { at, end } of placesIn(text, isFound)) {
    parts.push(text.slice(from, at), text.slice(at, end));
    from = end;
  }
  return [...parts, text.slice(from)];
}

/** The start of the passage with the most different words; the earliest of several. */
function bestStart(places: readonly Place[]): number {
  let best = { at: 0, words: 0 };
  let last = 0;
  for (const [first, { at }] of places.entries()) {
    while (last < places.length && (places[last] as Place).end <= at + PASSAGE - BEFORE) last += 1;
    const words = new Set(places.slice(first, last).map(({ word }) => word)).size;
    if (words > best.words) best = { at, words };
  }
  return Math.max(0, best.at - BEFORE);
}

/** Markdown as a reader would say it: without fences, rules of tables, targets of links and marks. */
const spoken = (markdown: string): string =>
  markdown
    .replace(/^\s*(```.*|\|[-| :]+\||#+ .*)$/gm, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*(?:[-*>]|\d+\.)\s/gm, ' ')
    .replace(/\s*\|\s*/g, ' ')
    .replace(/[`]|\*\*/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** The part of a text in Markdown that a result shows; the beginning of a text that has none of the words. */
export function passage(text: string, isFound: (word: string) => boolean): Marked {
  const plain = spoken(text);
  let start = bestStart(placesIn(plain, isFound));
  if (start > 0) start = plain.indexOf(' ', start) + 1;
  const space = plain.lastIndexOf(' ', start + PASSAGE);
  const isWhole = plain.length <= start + PASSAGE;
  const end = isWhole ? plain.length : space > start ? space : start + PASSAGE;
  const shown = `${start > 0 ? '… ' : ''}${plain.slice(start, end)}${isWhole ? '' : ' …'}`;
  return marked(shown, isFound);
}
