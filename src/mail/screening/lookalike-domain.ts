import { domainToUnicode } from 'node:url';
import { getDomain, getDomainWithoutSuffix } from 'tldts';
import { wordDistance } from '../../base/nearest-word.ts';
import { BRANDS } from './brands.ts';
import { isFreeMail } from './free-mail.ts';

/** Letters of other scripts that look like a Latin one, after UTS #39 (confusables.txt). */
const TWINS: Readonly<Record<string, string>> = {
  a: '\u0430\u03b1\u0251\u1d00', b: '\u0432\u044c', c: '\u0441\u1d04', d: '\u0501', e: '\u0435\u03b5\u1d07', g: '\u0261', h: '\u04bb\u043d\u0570', i: '\u0456\u03b9\u0131\u026a\u2170', j: '\u0458', k: '\u043a\u03ba\u1d0b', l: '\u04cf\u01c0\u217c\u029f', m: '\u043c\u1d0d', n: '\u043f\u0578\u0274', o: '\u043e\u03bf\u0585\u1d0f', p: '\u0440\u03c1', q: '\u051b\u0566', r: '\u0433\u0280', s: '\u0455', t: '\u0442\u03c4\u1d1b', u: '\u057d\u03c5\u1d1c', v: '\u03bd\u1d20', w: '\u051d\u03c9\u1d21', x: '\u0445\u03c7', y: '\u0443\u03b3', z: '\u1d22',
}; // biome-ignore format: a table reads best filled.
const LETTERS = new Map(
  Object.entries(TWINS).flatMap(([letter, twins]) => [...twins].map((twin) => [twin, letter] as const)),
);

/** The form that two names share when a person would confuse them. */
const skeletonOf = (name: string): string =>
  [
    ...name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[\u0300-\u036f]/g, ''),
  ]
    .map((letter) => LETTERS.get(letter) ?? letter)
    .join('')
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
    .replace(/[1|i!]/g, 'l')
    .replace(/0/g, 'o')
    .replace(/5/g, 's')
    .replace(/3/g, 'e')
    .replace(/-/g, '');

const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u];

/** Whether a word mixes letters of scripts that are mistaken for each other. */
export const isMixed = (word: string): boolean => SCRIPTS.filter((script) => script.test(word)).length > 1;

/** Whether all letters of a foreign name have Latin twins, so that it passes for a Latin name. */
const isDisguised = (label: string): boolean =>
  /[^\p{ASCII}]/u.test(label) &&
  !/\p{Script=Latin}/u.test(label) &&
  [...label].every((letter) => LETTERS.has(letter) || /[\d-]/.test(letter));

/** Whether two names differ by one letter: another, two swapped, or one doubled. */
function isOneOff(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false;
  const at = [...a].findIndex((letter, i) => letter !== b[i]);
  if (at < 0) return false;
  if (a.length === b.length) {
    if (a.slice(at + 1) === b.slice(at + 1)) return true;
    return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
  }
  const [long, short] = a.length > b.length ? [a, b] : [b, a];
  const doubled = [...long].findIndex((letter, i) => letter !== short[i]);
  return doubled > 0 && long[doubled] === long[doubled - 1] && long.slice(doubled + 1) === short.slice(doubled);
}

/** The name that an organisation registered, without its public suffix, as a person reads it. */
const labelOf = (domain: string): string => domainToUnicode(getDomainWithoutSuffix(domain) ?? domain) || domain;

interface Known {
  label: string;
  skeleton: string;
}
const knownOf = (domain: string): Known => ({ label: labelOf(domain), skeleton: skeletonOf(labelOf(domain)) });
const BRAND_NAMES = Object.keys(BRANDS).map((domain) => ({ domain, ...knownOf(domain) }));

/** The companies that own a domain by our list: none for most. */
export const brandOf = (domain: string): string | null => {
  const own = getDomain(domain) ?? domain;
  const label = labelOf(domain);
  for (const { domain: brand, label: name } of BRAND_NAMES)
    if (own === brand || label === name || BRANDS[brand]?.includes(own)) return brand;
  return null;
};

/** The company that a text names as a word, such as "PayPal Support". */
export function brandNamedIn(text: string): string | null {
  const words = new Set(skeletonWords(text));
  for (const { domain, label, skeleton } of BRAND_NAMES) if (label.length >= 4 && words.has(skeleton)) return domain;
  return null;
}
const skeletonWords = (text: string): string[] => (text.match(/[\p{L}\p{N}]{3,40}/gu) ?? []).map(skeletonOf);

/**
 * How likely a domain is made to be mistaken for another: for that of a known company, or for one of `own`, the domains
 * that the receiver uses.
 * @returns 0 for none
 */
export function lookalikeOf(domain: string, own: readonly string[]): number {
  const label = labelOf(domain);
  const isAsciiEnd = /^[\p{ASCII}]*$/u.test(domainToUnicode(domain).split('.').at(-1) ?? '');
  if (isMixed(label) || (isAsciiEnd && isDisguised(label))) return 0.65;
  const registered = getDomain(domain) ?? domain;
  const skeleton = skeletonOf(label);
  const owned = own.filter((other) => (getDomain(other) ?? other) !== registered).map(knownOf);
  const isOwn = owned.length < own.length;
  if (isOwn || brandOf(domain) !== null) return 0;
  for (const other of [...BRAND_NAMES, ...owned]) {
    if (other.label === label) continue;
    if (other.skeleton === skeleton && other.label.length >= 4) return 0.6;
    if (other.label.length >= 6 && isOneOff(label, other.label)) return 0.4;
  }
  // `paypal-security.example`: a company's name as a part of another one.
  const parts = label.split('-');
  return parts.length > 1 &&
    parts.some((part) => part.length >= 5 && BRAND_NAMES.some((brand) => brand.skeleton === skeletonOf(part)))
    ? 0.3
    : 0;
}

/** Providers so large that a domain one letter off is most likely a typing error. Shorter names are near to too many others. */
const LARGE = [
  'gmail.com',
  'googlemail.com',
  'outlook.com',
  'hotmail.com',
  'yahoo.com',
  'icloud.com',
  'protonmail.com',
  'fastmail.com',
];

/** The large provider that a domain is one letter off: more, less, another, or two swapped. Undefined: it is none of them. */
export const providerMeant = (domain: string): string | undefined =>
  isFreeMail(domain) ? undefined : LARGE.find((one) => isOneOff(one, domain) || wordDistance(one, domain) === 1);
