/**
 * Whether a text has this many characters in a row without one of `ends`. Much cheaper than an expression that begins at
 * every character: it looks at one character of so many, and goes back to the last of `ends`.
 */
export function hasLongRun(text: string, characters: number, ends: readonly number[]): boolean {
  for (let last = characters - 1; last < text.length; ) {
    const stop = last - characters;
    let at = last;
    while (at > stop && !ends.includes(text.charCodeAt(at))) at -= 1;
    if (at === stop) return true;
    last = at + characters;
  }
  return false;
}

export const LINE_FEED = 10;
export const BLANK = 32;
