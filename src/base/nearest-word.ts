/** The number of letters to insert, remove or replace to get from one word to the other (Levenshtein). */
export function wordDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (row[column - 1] as number) + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] as number) + 1, (next[column - 1] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}

/** The word of a list that is most like a given one, without case. @param words not empty */
export function nearestWord(given: string, words: readonly string[]): string {
  const wanted = given.slice(0, 100).toLowerCase();
  const byDistance = words.map((word) => ({ word, far: wordDistance(wanted, word.toLowerCase()) }));
  return byDistance.reduce((best, one) => (one.far < best.far ? one : best)).word;
}
