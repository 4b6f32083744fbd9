/** Finds texts by words, as `find_operation` does. */

/** Words of questions that say nothing of an operation. */
const EMPTY = new Set(
  'about an and as at be by can do for from get how in into is it its many may me much my of on or our the this to up use what which with you your'.split(
    ' ',
  ),
);

/** What models say, and the words of the table for the same. By the beginning of the word, as {@link stemOf} cuts it. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  email: ['message'],
  mail: ['message'],
  money: ['budget', 'charge'],
  note: ['observation'],
  password: ['vault'],
  quota: ['usage', 'limit'],
  remov: ['delete'],
  renam: ['update', 'name'],
  search: ['inbox'],
  secret: ['vault'],
  spend: ['charge', 'budget'],
  verify: ['introspect'],
};

/** A word without its ending: `archived` and `archive` are one. */
function stemOf(word: string): string {
  const one = word
    .replace(/sses$/, 'ss')
    .replace(/ies$/, 'y')
    .replace(/([^s])s$/, '$1');
  const stem = one.replace(/(ation|ion|ing|ed|e)$/, '');
  return stem.length < 4 ? one : stem;
}

const stemsOf = (text: string): string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1 && !EMPTY.has(word))
    .map(stemOf);

const WORDS_MAX = 12;
/** What another word for the same counts. */
const SAME_PART = 0.8;

/** Lists of texts, each with the weight of its words. */
export class WordIndex {
  readonly #weights: readonly ReadonlyMap<string, number>[];

  constructor(entries: readonly (readonly (readonly [text: string, weight: number])[])[]) {
    this.#weights = entries.map((texts) => {
      const weights = new Map<string, number>();
      for (const [text, weight] of texts)
        for (const stem of stemsOf(text)) weights.set(stem, Math.max(weight, weights.get(stem) ?? 0));
      return weights;
    });
  }

  /** The places of the entries that fit the words, the best first. */
  find(query: string): number[] {
    const wanted = [...new Set(stemsOf(query))].slice(0, WORDS_MAX);
    const scores = this.#weights.map(() => 0);
    for (const stem of wanted) {
      const fits = this.#weights.map((weights) => fitOf(stem, weights));
      const found = fits.filter((fit) => fit > 0).length;
      // A word that few entries have says more.
      const rarity = Math.log(1 + fits.length / (1 + found));
      fits.forEach((fit, at) => {
        scores[at] = (scores[at] as number) + fit * rarity;
      });
    }
    const places = scores.flatMap((score, at) => (score > 0 ? [at] : []));
    return places.sort((one, other) => (scores[other] as number) - (scores[one] as number));
  }
}

function fitOf(stem: string, weights: ReadonlyMap<string, number>): number {
  const others = (SAME[stem] ?? []).map((word) => SAME_PART * (weights.get(stemOf(word)) ?? 0));
  return Math.max(weights.get(stem) ?? 0, ...others);
}
