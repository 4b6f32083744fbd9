/** The longest text by an agent that a mail quotes, in characters. */
const CHARS_MAX = 200;

/** A dash, or what looks like one between the halves of a code. */
const DASH = '[\\p{Pd}\\u2212_.·•~=+*]';
/** Four and four letters or digits, as agents show codes to their operators: `XXXX-XXXX`. */
const HALVES = new RegExp(`(?<![\\p{L}\\p{N}])[\\p{L}\\p{N}]{4} ?${DASH} ?[\\p{L}\\p{N}]{4}(?![\\p{L}\\p{N}])`, 'gu');
/** Eight letters of our codes (consonants, RFC 8628 6.1) in any case, however they are spaced. */
const CODE = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:[BCDFGHJKLMNPQRSTVWXZ](?: |${DASH}){0,3}){7}[BCDFGHJKLMNPQRSTVWXZ](?![\\p{L}\\p{N}])`,
  'giu',
);
/** Words such as `self-care` stay. A code has no lower-case letters. */
const maskHalves = (text: string): string =>
  text.replace(HALVES, (found) => (/\p{N}/u.test(found) || !/\p{Ll}/u.test(found) ? '•••' : found));

/**
 * Quotes what an agent wrote, such as its name, for a mail or page of ours: one line of at most 200 characters, without
 * anything that a mail program turns into a link, and without anything in the shape of a user code. A person must be able
 * to tell our words from the agent's: put the quotation below our own text, and never into a subject.
 * @returns the words in quotation marks; `''` when nothing is left
 */
export function quoteWords(words: string, charsMax = CHARS_MAX): string {
  // Full-width and styled letters become plain ones, so that they are masked too.
  const letters = words
    .slice(0, 4000)
    .normalize('NFKC')
    .replace(/[\p{C}\p{Z}]+/gu, ' ');
  const plain = maskHalves(letters.replace(CODE, '•••'))
    // Quotation marks would end the quotation.
    .replace(/["\u201c\u201d\u201e\u201f\u00ab\u00bb<>]/g, "'")
    .replace(/:\/\//g, ': //')
    .replace(/\b(mailto|tel|sms|https?|ftp|data|javascript):/gi, '$1 :')
    .replace(/@/g, ' @ ')
    // Most mail programs turn a bare host name into a link.
    .replace(/(?<=[\p{L}\p{N}-])[.\u3002\uff0e\uff61](?=[\p{L}\p{N}-]*\p{L})/gu, ' .')
    .replace(/ {2,}/g, ' ')
    .trim();
  const characters = [...plain];
  const shown = characters.length > charsMax ? `${characters.slice(0, charsMax - 1).join('')}…` : plain;
  return shown === '' ? '' : `"${shown}"`;
}
