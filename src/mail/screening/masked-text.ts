import type { Findings } from '../mime/screening-result.ts';
import { withoutInvisible } from './invisible-text.ts';
import { findCode } from './mail-code.ts';
import { plainText } from './text-of-html.ts';

/** What stands for a code, and for what follows the host of a link. */
export const MASK = '•••';

/** The codes that were found in a mail, best first. */
export const codesOf = (findings: Findings | null): string[] =>
  [findings?.code, findings?.provenCode].flatMap((found) => found?.candidates ?? []);

/** Hides these codes in a text, however their characters are spaced. */
export function hideValues(text: string, values: Iterable<string>): string {
  let out = text;
  for (const value of new Set(values)) {
    if (!/[\p{L}\p{N}]/u.test(value)) continue;
    const spaced = [...value.replace(/[^\p{L}\p{N}]/gu, '')].join('[\\s\\p{Pd}_]{0,2}');
    const pattern = new RegExp(spaced, 'giu');
    out = out.replace(pattern, MASK);
    // Digits of another script, or with invisible characters between them.
    if (pattern.test(plainText(out))) return MASK;
  }
  return out;
}

/** A link with a scheme, also over several lines between `<` and `>`, or a host with a path. */
const LINK =
  /<[a-z][a-z\d+.-]{1,20}:\/\/[^<>]{1,4000}>|[a-z][a-z\d+.-]{1,20}:\/\/\S+|(?<![\p{L}\p{N}@.-])(?:[\p{L}\p{N}-]{1,63}\.){1,8}[\p{L}-]{2,24}(?::\d{1,5})?[/?#]\S+/giu;

/** A label of a host that is as likely a token as a name. */
const TOKEN_LABEL = /^(?=.*\d).{8,}$/;

function maskedLink(link: string): string {
  const bare = link.replace(/^<|>$/g, '');
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(bare)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') return `${scheme}://${MASK}`;
  const host = URL.parse(scheme === undefined ? `https://${bare}` : bare)?.hostname ?? '';
  const shown = host.split('.').map((label) => (TOKEN_LABEL.test(label) ? MASK : label));
  return `${scheme === undefined ? '' : `${scheme}://`}${host === '' ? '' : `${shown.join('.')}/`}${MASK}`;
}

/** Scripts without spaces, or whose words grow by endings: what stands beside a number in them is no part of it. */
const UNSPACED =
  '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}]';
const LETTER = `[[\\p{L}\\p{M}]--${UNSPACED}]`;

const DAY = '(?:0?[1-9]|[12]\\d|3[01])';
const MONTH = '(?:0?[1-9]|1[0-2])';
const YEAR = '(?:19|20)\\d\\d';
const TIME = '(?:[01]?\\d|2[0-3])[:.][0-5]\\d(?::[0-5]\\d)?';
const DATES = [
  `${YEAR}-${MONTH}-${DAY}(?:T${TIME}(?:\\.\\d{1,9})?(?:Z|[+\\-]\\d\\d:?\\d\\d)?)?`,
  `${YEAR}/${MONTH}/${DAY}`,
  `${YEAR}\\.${MONTH}\\.${DAY}`,
  `${DAY}\\.${MONTH}\\.(?:${YEAR}|\\d\\d)`,
  `${MONTH}/${DAY}/(?:${YEAR}|\\d\\d)`,
  `${DAY}/${MONTH}/(?:${YEAR}|\\d\\d)`,
  `${DAY}-${MONTH}-${YEAR}`,
  `${YEAR} ?[年년](?: ?${MONTH} ?[月월](?: ?${DAY} ?[日일])?)?`,
  TIME,
];
/** Thousands in groups or a fraction, as prices are written. */
const AMOUNT = "(?:\\d{1,3}(?:[.,\u2019\u202f']\\d{3})+(?:[.,]\\d\\d)?|\\d{1,3}(?: \\d{3})*[.,]\\d\\d)";
const PLAIN_AMOUNT = `(?:${AMOUNT}|\\d{1,5})`;
const CURRENCY =
  '(?:usdc?|eur|euros?|gbp|chf|pln|z\u0142|sek|nok|dkk|kr|k\u010d|czk|ft|huf|lei|ron|tl|try|jpy|cny|inr|brl|r\\$|reais|rub|\u0440\u0443\u0431|uah|\u0433\u0440\u043d|dollars?|[\u5143\u5186\uc6d0])';
const PRICES = [
  `(?:\\p{Sc}|r\\$) ?${PLAIN_AMOUNT}`,
  `${CURRENCY}\\.? ?${AMOUNT}`,
  `${PLAIN_AMOUNT}[ \u00a0\u202f]?\\p{Sc}(?! ?\\d)`,
  `${AMOUNT}[ \u00a0\u202f]?${CURRENCY}`,
];
const PHONE_WORDS =
  '(?:tel|phone|call|dial|fax|mobil|hotline|whatsapp|t[e\u00e9]l[e\u00e9]f|\u0442\u0435\u043b|\u96fb\u8a71|\u7535\u8bdd|\uc804\ud654)';
const PHONES = [
  '\\+\\d(?:[ \\(\\).\\-\\/\u00a0]{0,2}\\d){7,14}',
  `${PHONE_WORDS}\\p{L}{0,8}[.:]{0,2}\\s{0,2}\\(?\\d(?:[ \\(\\).\\-\\/\u00a0]{0,2}\\d){8,14}`,
];
/** Dates, times, prices and phone numbers, and no part of a longer run. */
const PLAIN_NUMBER = new RegExp(
  `(?<!${LETTER}|\\p{N}|\\p{N}[.,:\\/\u2019' \\-])(?:${[...PHONES, ...DATES, ...PRICES].join('|')})(?!${LETTER}|[.,:\\/\\-]?\\p{N})`,
  'giv',
);

/** The names of months, short and long, in the languages of most mails. */
const LANGUAGES = 'en de fr es pt it nl sv da nb fi pl cs sk hu ro tr el ru uk bg hr id vi'.split(' ');
let monthNames: ReadonlySet<string> | null = null;
function months(): ReadonlySet<string> {
  monthNames ??= new Set(
    LANGUAGES.flatMap((language) =>
      (['long', 'short'] as const).flatMap((month) => {
        const format = new Intl.DateTimeFormat(language, { month, day: 'numeric', timeZone: 'UTC' });
        return Array.from({ length: 12 }, (_, at) => format.formatToParts(Date.UTC(2026, at, 1)))
          .flat()
          .filter(({ type }) => type === 'month')
          .map(({ value }) => value.toLowerCase().replace('.', ''));
      }),
    ),
  );
  return monthNames;
}
const DAY_AND_YEAR = /^(?:\d{1,2}(?:st|nd|rd|th)?\s)?(?:19|20)\d\d$/i;

/** Whether what follows is the year of a date, as in "18 November 2026" and "Nov 18, 2026". */
function isYearOfDate(run: string, before: string): boolean {
  if (!DAY_AND_YEAR.test(run)) return false;
  const words =
    before
      .slice(-32)
      .toLowerCase()
      .match(/\p{L}+|\d{1,2}/gu) ?? [];
  return words.slice(-3).some((word, at, last) => {
    const isNext = last.slice(at + 1).every((other) => /^(?:\d+|de|of|st|nd|rd|th)$/.test(other));
    return isNext && months().has(word);
  });
}

const WORD = new RegExp(`(?:${LETTER}|\\p{N})+`, 'gv');
const HYPHEN = /^[\p{Pd}_]$/u;
const BETWEEN = /^[\s\p{Pd}\p{Po}\p{Ps}\p{Pe}\p{Sm}_|`]{1,3}$/u;
/** What ends a number: another one follows. */
const ENDS = /[,:;!?\u3002\uff0c\uff1a]/;
const HAS_DIGIT = /\p{N}/u;
const SHORT_CAPITALS = /^\p{Lu}{1,4}$/u;

interface Word {
  text: string;
  start: number;
  end: number;
  /** Whether spaces join it to others: it has a digit, or is a few capitals. */
  isGroup: boolean;
}

const wordsOf = (text: string): Word[] =>
  [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    text: word,
    start: index,
    end: index + word.length,
    isGroup: HAS_DIGIT.test(word) || SHORT_CAPITALS.test(word),
  }));

/** Whether two words are groups of one code: with a hyphen between, or as digits and capitals are spaced. */
function joins(text: string, one: Word, other: Word): boolean {
  const between = text.slice(one.end, other.start);
  if (HYPHEN.test(between)) return true;
  return one.isGroup && other.isGroup && (between === ' ' || (BETWEEN.test(between) && !ENDS.test(between)));
}

const lengthOf = (words: readonly Word[]): number =>
  words.reduce((sum, { text }) => sum + [...text.replace(/\p{M}/gu, '')].length, 0);

/** Four characters with a digit are what most codes have at least. */
const CODE_CHARS = 4;

/** Hides the runs of a part of a text. `before`: what stands before it; `isCut`: more may have followed its end. */
function hideRuns(part: string, before: string, isCut: boolean): string {
  if (!HAS_DIGIT.test(part)) return part;
  const words = wordsOf(part);
  let out = '';
  let at = 0;
  for (let first = 0; first < words.length; ) {
    let next = first + 1;
    while (next < words.length && joins(part, words[next - 1] as Word, words[next] as Word)) next += 1;
    const run = words.slice(first, next);
    first = next;
    const [start, end] = [(run[0] as Word).start, (run.at(-1) as Word).end];
    const text = part.slice(start, end);
    const isLong = lengthOf(run) >= CODE_CHARS || (isCut && end === part.length);
    if (!isLong || !HAS_DIGIT.test(text) || isYearOfDate(text, before + part.slice(0, start))) continue;
    out += part.slice(at, start) + MASK;
    at = end;
  }
  return out + part.slice(at);
}

/**
 * A text of a mail for those who may not read its codes: without runs of four or more characters with a digit, except in
 * dates, prices and phone numbers, and of links only the host. It needs no detector, so it hides what that misses.
 * @param codes what was found, which may be letters alone
 * @param isCut whether the text is the beginning of a longer one, whose last run may be cut
 */
export function maskCodes(text: string, codes: readonly string[] = [], isCut = false): string {
  const linkless = withoutInvisible(text).text.replace(LINK, maskedLink);
  let out = '';
  let at = 0;
  for (const { 0: number, index } of linkless.matchAll(PLAIN_NUMBER)) {
    out += hideRuns(linkless.slice(at, index), linkless.slice(Math.max(0, at - 32), at), false) + number;
    at = index + number.length;
  }
  out += hideRuns(linkless.slice(at), linkless.slice(Math.max(0, at - 32), at), isCut);
  return hideValues(out, codes);
}

/** The same for a mail of which no more is known than these texts. The text may be the beginning of a longer one. */
export function maskTexts(subject: string, text: string): { subject: string; text: string } {
  const codes = findCode({ subject, text })?.candidates ?? [];
  return { subject: maskCodes(subject, codes), text: maskCodes(text, codes, true) };
}
