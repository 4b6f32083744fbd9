/**
 * Finds what may be a one-time code by its shape alone: digits, digits in equal groups, or capitals and digits. Shapes
 * that are dates, times, prices, phone numbers or parts of longer tokens are left out.
 */

/** What may be a code. Offsets are those of the line that it stands on. */
export interface Candidate {
  /** As a person would type it: digits without their separators, letters as they stand. */
  value: string;
  start: number;
  end: number;
  /** Letters alone, or letters and digits: such a candidate needs a word close to it. */
  isWord: boolean;
  /** Nothing but punctuation stands beside it on its line. */
  isAlone: boolean;
}

const CURRENCY_BEFORE = /(?:\p{Sc}|\b(?:usd|eur|gbp|chf|pln|sek|nok|dkk|czk|jpy|cny|inr|brl|rs|rmb|r\$|kr|us))\s?$/iu;
const CURRENCY_AFTER =
  /^\s?(?:\p{Sc}|(?:usd|eur|euros?|gbp|chf|pln|z\u0142|sek|nok|dkk|kr|k\u010d|czk|ft|huf|lei|ron|tl|try|jpy|cny|inr|brl|reais|rub|\u0440\u0443\u0431|\u0433\u0440\u043d|uah|dollars?|pesos?|usdc?|btc|eth|points?|miles|km|kg|gb|mb|tb|kwh|px|items?|views|followers|subscribers|likes|people|users|members|unread|messages|steps|kcal|cal)(?![\p{L}])|[\u5143\u5186\uc6d0\u5730\u4e2a\u500b\u4eba\u4ef6\u4f4d\u540d\uba85\uac74]|%|\u00b0|\u2103)/iu;
/** Text of which a digit run is only the end: `+1 `, `#`, `.12`, `x`, `no. `. */
const PART_BEFORE = /(?:[+#@&=*\u2022_/\\]|[\p{Script=Latin}\p{N}][.,:/'-]?|[\p{N}][.,:/-]|\.{3}|\u2026)$/u;
const PART_AFTER = /^(?:[@&=*_/\\]|[\p{Script=Latin}\p{N}]|[.,:'-][\p{N}\p{Script=Latin}])/u;
const YEAR = /^(?:19|20)\d\d$/;
const COMPACT_DATE =
  /^(?:(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\d\d)$/;
const UNIT_WORD =
  /^\d+(?:st|nd|rd|th|h|hr|hrs|min|mins|s|sec|ms|gb|mb|kb|tb|px|pt|am|pm|k|m|x|d|km|kg|mg|ml|cm|mm|mah|hz|ghz|w|kw|kwh|v|gen|p|fps|bit|c|f)$/i;
const COMMON_WORD =
  /^(?:mp[34]|h26[45]|covid\d*|utf\d+|iso\d*|sha\d+|md5|aes\d+|ipv[46]|web[23]|b2[bc]|s3|ec2|k8s|q[1-4](?:\d{2,4})?|fy\d{2,4}|html5|css3|es\d+|rfc\d+|win\d+|ios\d+|4k|8k|5g|4g|2fa|3d|a[345]|m[1234]|usb[23]|wpa[23]|cve\d*|top\d+|vol\d+|v\d+|gpt\d*|ps[345])$/i;

/** A comma or a colon and a space end it: what follows is another number. */
const DIGIT_RUN = /\d(?:(?![,:] )[ .,:/()-]{0,2}\d)*/g;
const WORDS =
  /(?<![\p{L}\p{N}_-])(?:[a-z]{1,2}-\d{4,8}|[a-z\d]{3,5}(?:-[a-z\d]{3,5}){1,2}|[a-z\d]{4,10})(?![\p{Script=Latin}\p{N}_]|-[\p{L}\p{N}])/giu;

/** The digits of groups that people type as one code: one group, or equal groups with one separator. Null for others. */
function joined(run: string): string | null {
  if (/^\d{4,8}$/.test(run)) return run;
  const equalGroups =
    /^(?:\d{3}([ -])\d{3}|\d{4}([ -])\d{4}|\d{2}([ -])\d{2}\3\d{2}|\d([ -])\d(?:\4\d){2,6}|\d{3}([ -])\d{2}\5\d{3}|\d{2}([ -])\d{2})$/;
  return equalGroups.test(run) ? run.replace(/\D/g, '') : null;
}

const isAlone = (line: string, start: number, end: number): boolean =>
  !/[\p{L}\p{N}]/u.test(line.slice(0, start)) && !/[\p{L}\p{N}]/u.test(line.slice(end));

function isPart(line: string, start: number, end: number): boolean {
  const before = line.slice(Math.max(0, start - 12), start);
  const after = line.slice(end, end + 14);
  return (
    PART_BEFORE.test(before) || PART_AFTER.test(after) || CURRENCY_BEFORE.test(before) || CURRENCY_AFTER.test(after)
  );
}

/** Splits a run of digits into what may be codes: the whole run, or its groups between spaces. */
function piecesOf(run: string): { text: string; at: number }[] {
  if (joined(run) !== null) return [{ text: run, at: 0 }];
  // Nine and more digits in groups are a phone, card or account number.
  if (run.replace(/\D/g, '').length >= 11) return [];
  const pieces: { text: string; at: number }[] = [];
  for (const match of run.matchAll(/[^ ,]+(?:, ?)?/g))
    pieces.push({ text: match[0].replace(/[, ]+$/, ''), at: match.index });
  return pieces.filter(({ text }) => /^\d{4,8}$/.test(text));
}

function digitsOf(line: string): Candidate[] {
  const found: Candidate[] = [];
  for (const match of line.matchAll(DIGIT_RUN))
    for (const { text, at } of piecesOf(match[0])) {
      const start = match.index + at;
      const end = start + text.length;
      const value = joined(text) as string;
      const alone = isAlone(line, start, end);
      if (COMPACT_DATE.test(text) || (YEAR.test(text) && !alone)) continue;
      if (/^\(?\d{3}\) ?$/.test(line.slice(Math.max(0, start - 6), start)) || isPart(line, start, end)) continue;
      found.push({ value, start, end, isWord: false, isAlone: alone });
    }
  return found;
}

const hasEqualGroups = (text: string): boolean => new Set(text.split('-').map(({ length }) => length)).size === 1;

function wordsOf(line: string): Candidate[] {
  const found: Candidate[] = [];
  for (const match of line.matchAll(WORDS)) {
    const text = match[0];
    const start = match.index;
    const end = start + text.length;
    const digits = (text.match(/\d/g) ?? []).length;
    if (/^[\d-]+$/.test(text) || UNIT_WORD.test(text) || COMMON_WORD.test(text)) continue;
    const alone = isAlone(line, start, end);
    const isCapitals = text === text.toUpperCase();
    // Letters alone are a word of the language, except capitals that stand for themselves.
    const isGrouped = alone && /^([a-z]{3,5})-(?:[a-z]{3,5}-)[a-z]{3,5}$/.test(text) && hasEqualGroups(text);
    if (
      digits === 0 &&
      !isGrouped &&
      !(isCapitals && alone && (text.includes('-') || text.length >= 5) && text.length <= 9)
    )
      continue;
    if (!isCapitals && !isGrouped && !(text.length >= 5 && digits >= 1)) continue;
    if (isPart(line, start, end) && !/^[a-z]{1,2}-\d/i.test(text)) continue;
    found.push({ value: text, start, end, isWord: true, isAlone: alone });
  }
  return found;
}

/** Whether the letters of a line, and hyphens between them, stand in a row. */
function isOneWord(line: string): boolean {
  const [word = ''] = /^[^\p{L}\p{N}]*[\p{L}-]*/u.exec(line) ?? [];
  return !/[\p{L}\p{N}]/u.test(line.slice(word.length));
}

/** Lists what may be a code on one line of normalised text, in the order of the line. */
export function candidatesOf(line: string): Candidate[] {
  if (line.length > 2000) return [];
  // Letters alone are a candidate only where they stand alone.
  if (!/\d/.test(line)) return line !== '' && isOneWord(line) ? wordsOf(line) : [];
  return [...digitsOf(line), ...wordsOf(line)].sort((a, b) => a.start - b.start);
}
