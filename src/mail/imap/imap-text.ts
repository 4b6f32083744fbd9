/** How values are written (RFC 9051 9). Every text that leaves has one character a byte. */

import { type NumberRange, setOfRanges } from './number-ranges.ts';

const PRINTABLE = /^[ -~]*$/;
const WORD_BYTES = 45;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
export const DAY_MS = 86_400_000;

/** The bytes of a text as UTF-8, one character each. */
const binary = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** An `nstring`: quoted where that is possible, else a literal. `utf8`: the client reads quoted strings in UTF-8 (IMAP4rev2). */
export function imapString(text: string | null, utf8 = false): string {
  if (text === null) return 'NIL';
  if (PRINTABLE.test(text)) return quoted(text);
  const bytes = binary(text.replaceAll('\0', ''));
  if (utf8 && !/[\r\n]/.test(bytes)) return quoted(bytes);
  return `{${bytes.length}}\r\n${bytes}`;
}

/** A decoded text of a header: as RFC 2047 words unless the client reads UTF-8. */
export const headerString = (text: string | null, utf8: boolean): string =>
  imapString(text === null || utf8 ? text : encodedWords(text), utf8);

/** RFC 2047: a text as words of at most 75 characters. */
function encodedWords(text: string): string {
  if (PRINTABLE.test(text) && !text.includes('=?')) return text;
  const words: string[] = [];
  let word = '';
  let bytes = 0;
  for (const character of text.toWellFormed()) {
    const length = Buffer.byteLength(character);
    if (bytes + length > WORD_BYTES) {
      words.push(word);
      word = '';
      bytes = 0;
    }
    word += character;
    bytes += length;
  }
  words.push(word);
  return words.map((part) => `=?utf-8?B?${Buffer.from(part, 'utf8').toString('base64')}?=`).join(' ');
}

/** `" 7-Jul-1996 02:44:25 +0000"`. */
export function internalDate(ms: number): string {
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = String(date.getUTCDate()).padStart(2, ' ');
  const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(':');
  return `"${day}-${MONTHS[date.getUTCMonth()]}-${String(date.getUTCFullYear()).padStart(4, '0')} ${time} +0000"`;
}

/** The first millisecond of `7-Jul-1996`, UTC; null if there is no such day. */
export function dayOf(text: string): number | null {
  const found = /^ ?(\d{1,2})-([a-z]{3})-(\d{4})$/i.exec(text);
  const month = MONTHS.findIndex((name) => name.toLowerCase() === found?.[2]?.toLowerCase());
  if (found === null || month < 0) return null;
  const day = Number(found[1]);
  const date = new Date(0);
  date.setUTCFullYear(Number(found[3]), month, day);
  return date.getUTCDate() === day ? date.getTime() : null;
}

/** The moment of ` 7-Jul-1996 02:44:25 -0700`; null if there is none. */
export function momentOf(text: string): number | null {
  const found = /^([ \d]\d-[a-z]{3}-\d{4}) ([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60) ([+-])(\d\d)([0-5]\d)$/i.exec(text);
  const day = found === null ? null : dayOf(found[1] ?? '');
  if (found === null || day === null) return null;
  const [hours, minutes, seconds, zoneHours, zoneMinutes] = [2, 3, 4, 6, 7].map((n) => Number(found[n]));
  const zone = ((zoneHours ?? 0) * 60 + (zoneMinutes ?? 0)) * 60_000 * (found[5] === '-' ? -1 : 1);
  return day + (((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000 - zone;
}

/** Numbers as a set, in the order in which they are: `1:3,7`. */
export function setOf(numbers: Iterable<number>): string {
  const ranges: NumberRange[] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && number === last[1]) last[1] += 1;
    else ranges.push([number, number + 1]);
  }
  return setOfRanges(ranges);
}

/** Flags in parentheses. */
export const imapFlags = (flags: readonly string[]): string => `(${flags.join(' ')})`;
