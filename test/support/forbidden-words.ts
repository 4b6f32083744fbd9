/** What no page says, and where one word stands for each thing. */

const PHRASES: readonly RegExp[] = [
  /\b[Ss]ign(?:ed)? in\b/,
  /\bI kept it\b/,
  /\bLet .{1,40} in\?/,
  /\banswer goes to\b/,
  /\bLeave a sealed copy\b/,
  /\bcalls of this kind\b/,
  /\bHow much (?:of it|it)\b/,
  /\b[Nn]eeds you\b/,
  /\bLet in by\b/,
  /\bWrite a mail\b/,
  /\bChecked\.$/,
];

/** Texts that are one word, which other sentences may hold. */
const ALONE: ReadonlySet<string> = new Set(['Took', 'Work', 'Write', 'Stack', 'Stacks']);

/** Paths of a request, and names of fields; no id, key or token. */
const TECHNICAL =
  /\/body\b|\/v1\/|\b(?!(?:[a-z]{2,6}_[0-9a-z]{4,}|signet_\w+|session_\w+|whsec_\w+)\b)[a-z]+_[a-z]+\w*\b/;

/** @returns what of a text must not be said; null: nothing */
export function forbiddenIn(text: string): string | null {
  const words = text.trim();
  if (ALONE.has(words)) return words;
  const found = PHRASES.map((phrase) => phrase.exec(words)?.[0]).find((phrase) => phrase !== undefined);
  return found ?? null;
}

/** The same, and what only programs read. */
export const unreadableIn = (text: string): string | null => forbiddenIn(text) ?? TECHNICAL.exec(text)?.[0] ?? null;
