import type { Candidate } from './code-candidate.ts';
import {
  ADDRESSES,
  BEFORE_NUMBERS,
  CODE_PHRASES,
  CODE_WORDS,
  COUNTED,
  NUMBERS,
  OFFERS,
  OTHER_NUMBERS,
  PURPOSES,
  TYPE_VERBS,
  TYPED_PHRASES,
} from './code-words.ts';
import { type Span, Words } from './word-match.ts';

/**
 * Decides whether a number near the words of a code is another one all the same: it has another label, belongs to a
 * postal address or an offer, or counts something.
 */

/** Where a candidate stands: the text before and after it, and the other part of the mail, the subject or the text. */
export interface Place extends Pick<Candidate, 'value' | 'isWord' | 'isAlone'> {
  before: string;
  after: string;
  beside: string;
}

/** What names a one-time code, and hardly anything else. */
export const phrases = new Words(CODE_PHRASES);
export const words = new Words(CODE_WORDS);
export const purposes = new Words(PURPOSES);
export const typed = new Words(TYPED_PHRASES);
export const verbs = new Words(TYPE_VERBS);
const numbers = new Words(NUMBERS);
const beforeNumbers = new Words(BEFORE_NUMBERS);
const others = new Words(OTHER_NUMBERS);
const offers = new Words(OFFERS);
const counted = new Words(COUNTED);
const addresses = new Words(ADDRESSES);

const LABEL_REACH = 40;
const NEXT_REACH = 34;
/** The end of a sentence. */
export const END = /[.!?\u3002\uff01\uff1f]\s|\n\s*\n/;

const lastLine = (text: string): string => text.slice(text.lastIndexOf('\n') + 1);
const firstLine = (text: string): string => text.split('\n', 1)[0] as string;

/** The line above, when the candidate begins its own. */
function lineAbove(before: string): string {
  const at = before.lastIndexOf('\n');
  if (at < 0 || /[\p{L}\p{N}]/u.test(before.slice(at))) return '';
  return lastLine(before.slice(0, at).trimEnd());
}

/** Whether the label of another number stands before it, with no number and no word of a code between. */
function hasOtherLabel(before: string): boolean {
  let scope = lastLine(before);
  let label = others.spansIn(scope).at(-1);
  if (!label) {
    scope = lineAbove(before);
    label = others.spansIn(scope).at(-1);
  }
  if (!label || scope.length - label.end > LABEL_REACH || /\d/.test(scope.slice(label.end))) return false;
  const code = phrases.spansIn(scope).at(-1);
  const word = words.spansIn(scope).at(-1);
  return (code === undefined || label.end > code.end) && (word === undefined || label.end >= word.start);
}

/** Whether it is called a number right before it, and not one to type. */
function isCalledNumber(before: string): boolean {
  const line = lastLine(before);
  const label = numbers.spansIn(line).at(-1);
  if (!label || line.length - label.end > 12 || /[\d,;]/.test(line.slice(label.end))) return false;
  const isCode = [phrases, typed].some((table) => (table.spansIn(line).at(-1)?.end ?? 0) >= label.end);
  // As in "PIN number".
  const isWord = ({ start, end }: Span) => start <= label.start && end >= label.start - 1 && end < label.end;
  return !isCode && !words.spansIn(line).some(isWord) && !verbs.isIn(line);
}

const TIME = /^(?:[01]\d|2[0-3])[0-5]\d$/;
const AT = /(?<!\p{L})(?:at|by|until|till|um|bis|kl|klo|om|\u00e0|alle|\u0432|\u0434\u043e)\.? $/iu;

/** Whether the word right before it says so: a time of the day, a round count, the number of an account. */
function isAfterOtherWord({ before, value }: Place): boolean {
  const line = lastLine(before);
  const word = beforeNumbers.spansIn(line).at(-1);
  return (TIME.test(value) && AT.test(line)) || (word !== undefined && line.slice(word.end).trim() === '');
}

/** Whether what follows in the same sentence is what the number counts, or its label. */
function isCount(after: string): boolean {
  const rest = firstLine(after).split(/[.!?\u3002\uff01\uff1f]/, 1)[0] as string;
  const next = others.spansIn(rest)[0];
  if (next && next.start <= 14) return !phrases.spansIn(rest).some(({ start }) => start <= next.start);
  const things = counted.spansIn(rest)[0];
  // With at most two words between, as in "4812 happy new customers", and no "to" or "in".
  return things !== undefined && /^ (?:\p{L}[\p{L}-]{3,} ){0,2}$/u.test(rest.slice(0, things.start));
}

/** Words of a code right before it, with no more than a word such as "is" between. */
function isNamedBefore(before: string): boolean {
  const line = lastLine(before);
  const word = words.spansIn(line).at(-1) ?? phrases.spansIn(line).at(-1);
  return word !== undefined && /^[\s"'*([:\uff1a-]*(?:\p{L}{1,3}\s)?$/u.test(line.slice(word.end));
}

/** The name of a code right after it, as in "123456 is your login code", whatever stands before. */
const isNamedNext = (after: string): boolean => {
  const rest = firstLine(after).split(END, 1)[0] as string;
  return (
    /^[\s"'*)\]]{0,3}(?:[-:\u2013\u2014]|is|ist|est|es|\u00e9|\u00e8|jest|to|\u00e4r|er|on|je|este|adalah|l\u00e0)\s/u.test(
      rest,
    ) && (phrases.spansIn(rest)[0]?.start ?? Number.POSITIVE_INFINITY) <= NEXT_REACH
  );
};

/** A state of the USA before a ZIP code. */
const STATE =
  /(?:^|[\s,])(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]),? $/;
/** The label of a postcode in India. */
const PIN_CODE = /\bpin(?: ?code)?\b/i;
/** It is a place that something goes to: nothing goes to a code. */
const TO_PIN_CODE = /\b(?:to|at|in|near|from|around) pin ?codes?[\s:]{0,2}$/i;
/** The number of a house. */
const HOUSE = /\d/;

/** Whether it is the postcode of an address: right after a street, or on a line below one. */
function isPostcode({ before, after, value, isWord }: Place): boolean {
  const line = lastLine(before);
  if (/^\d{5}$/.test(value) && STATE.test(line)) return true;
  if (/^\d{6}$/.test(value) && TO_PIN_CODE.test(line)) return true;
  const street = addresses.spansIn(line).at(-1);
  if (street && HOUSE.test(line) && line.length - street.end <= LABEL_REACH) {
    const between = line.slice(street.end);
    return !words.isIn(between) && !phrases.isIn(between);
  }
  // On a separate line, or beside no more than the name of a town.
  const own = `${line} ${firstLine(after)}`.replace(PIN_CODE, '');
  if (
    isWord ||
    /\d/.test(own) ||
    words.isIn(own) ||
    phrases.isIn(own) ||
    own.trim().split(/\s+/).length > 4 ||
    own.length > LABEL_REACH
  )
    return false;
  const [second = '', first = ''] = before.split('\n').slice(-3, -1);
  const above = first.trim() === '' ? [] : [first, second];
  return above.some((one) => HOUSE.test(one) && addresses.isIn(one) && one.length <= 2 * LABEL_REACH);
}

/** A word and a number, such as `SAVE20`. */
const VANITY = /^[A-Z]{3,}\d{1,4}$/i;

/** Whether it is for a shop: an offer stands near, and no word of a login. */
function isOffer({ before, after, beside, value, isWord }: Place): boolean {
  const sentence = `${before.split(END).at(-1) ?? ''} ${after.split(END, 1)[0] ?? ''}`;
  const isNamed = phrases.isIn(sentence);
  if (offers.isIn(sentence)) return isWord || !isNamed;
  if (isNamed) return false;
  const around = `${beside}\n${before}\n${after}`;
  if (phrases.isIn(around)) return false;
  if (VANITY.test(value)) return true;
  const count = purposes.isIn(sentence) ? 0 : offers.spansIn(around).length;
  return count > 1 || (count > 0 && !purposes.isIn(around));
}

/** Whether a candidate near the words of a code is another number. */
export const isOtherNumber = (place: Place): boolean =>
  (!isNamedNext(place.after) &&
    (hasOtherLabel(place.before) ||
      isCalledNumber(place.before) ||
      (isCount(place.after) && !isNamedBefore(place.before)))) ||
  isAfterOtherWord(place) ||
  isPostcode(place) ||
  isOffer(place);
