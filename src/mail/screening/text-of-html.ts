/** Characters that show nothing: zero-width, joiners, bidirectional controls, variation selectors, tags. */
const IGNORABLE = /[\p{Default_Ignorable_Code_Point}\u2800]+/gu;
/** Hyphens and dashes that stand for `-`. */
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63]/g;
/** Spaces that stand for one: no-break, figure, thin and so on. */
const SPACES = /[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const OTHER_DIGIT = /[^\P{Nd}0-9]/gu;
const VALUES = new Map<string, number>();
const IS_DIGIT = /^\p{Nd}$/u;

/** The value of a decimal digit of any script. Unicode keeps each script's ten digits in order (UAX #44, Numeric_Value). */
function digitValue(digit: string): number {
  const known = VALUES.get(digit);
  if (known !== undefined) return known;
  const point = digit.codePointAt(0) as number;
  let value = 0;
  while (value < 9 && IS_DIGIT.test(String.fromCodePoint(point - value - 1))) value += 1;
  VALUES.set(digit, value);
  return value;
}

/** Text that has its form already, as most has. */
const IS_PLAIN = /^[\n\x20-\x7e]*$/;

/** Brings text to one form for matching: NFKC, ASCII digits, plain hyphens and spaces, nothing invisible. */
export const plainText = (text: string): string => (IS_PLAIN.test(text) ? text : normalized(text));

const normalized = (text: string): string =>
  text
    // The wide punctuation of Chinese and Japanese takes the room of its space.
    .replace(/[\uff0c\uff1a\uff1b\u3002\u3001\uff01\uff1f]/g, '$& ')
    .normalize('NFKC')
    .replace(IGNORABLE, '')
    // Its lower case is two characters, so that no expression that ignores case finds it.
    .replaceAll('\u0130', 'I')
    .replace(DASHES, '-')
    .replace(SPACES, ' ')
    .replace(OTHER_DIGIT, (digit) => String(digitValue(digit)))
    .replace(/\r\n?/g, '\n');
