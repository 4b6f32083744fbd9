import { getDomain } from 'tldts';
import type { FoundCode } from '../mime/screening-result.ts';
import { type Candidate, candidatesOf } from './code-candidate.ts';
import { END, isOtherNumber, phrases, purposes, typed, verbs, words } from './code-veto.ts';
import { TIME_UNITS } from './code-words.ts';
import { BLANK, hasLongRun, LINE_FEED } from './long-run.ts';
import { plainText } from './text-of-html.ts';
import type { Span } from './word-match.ts';

/** What is searched for a one-time code. */
export interface CodeSource {
  subject: string;
  /** What a reader sees, without quoted history. */
  text: string;
  /** The value of the header `One-Time-Code`. */
  header?: string | null;
  /** The domain of the From address when DMARC proved it. */
  provenDomain?: string | null;
}

const TEXT_CHARS = 65_536;
const CANDIDATES_MAX = 64;
const REACH_BEFORE = 220;
const REACH_AFTER = 64;
/** A shop says what its code is for in the next sentence. */
const REACH_OF_OFFERS = 220;
const ENOUGH = 4;

/** "Your code … is", with the words of something else between. */
const COPULA = /(?:^|[^\p{L}])(?:is|are|lautet|lauten|ist|est|es|\u00e9|\u00e8|jest|\u00e4r|er|je|este)[\s:]{1,3}$/iu;
/** The beginning of a sentence that says what stood before it. */
const SAYS_WHAT =
  /^[\s.!)\]]{1,6}(?:(?:that|this|it)(?: is|['\u2019]s)|(?:das|dies|es) ist|c['\u2019]est|(?:este |esto )?es|(?:este |isto )?\u00e9|(?:questo )?\u00e8|(?:dit|dat) is|to|det (?:\u00e4r|er)|\u044d\u0442\u043e)\s/iu;

/** What holds digits that are no code: links, addresses, domains, ends of card and phone numbers, masked numbers. */
const NOISE =
  /(?<![a-z\d+.-])[a-z][a-z\d+.-]{1,20}:\/\/\S+|(?<![\p{L}\d])www\.\S+|(?<![\p{L}\d._%+-])[\p{L}\d._%+-]{1,64}@[\p{L}\d.-]{3,253}|(?<![\p{L}\d.-])(?:[a-z\d-]{1,63}\.){1,8}[a-z]{2,24}(?![\p{L}\d])(?:\/\S*)?|(?:ending (?:in|with)|last (?:4|four)(?: digits)?(?: (?:of|are|is))?|endet auf|endend auf|endziffern|se terminant par|finissant par|terminad[ao] en|que termina em|final|terminante con|eindigend op|\u5c3e\u53f7|\u5c3e\u865f|\u672b\u5c3e|\ub05d\uc790\ub9ac)[ :#]{0,3}\d{2,6}|(?<![*\u2022xX\u00b7#])[*\u2022xX\u00b7#]{2,24}[ -]?\d{2,6}|<#>/giu;

interface Scored {
  value: string;
  score: number;
}

/** The value of an origin-bound line, such as `@example.com #123456` (WICG origin-bound one-time codes). */
function ofOriginLine(text: string, provenDomain: string | null): string | null {
  const last = text.trimEnd().split('\n').at(-1) ?? '';
  const match = /^@([a-z\d.-]+) #([^\s%@]{3,32})(?:\s|$)/i.exec(last);
  return match && isOf(match[1] as string, provenDomain) ? (match[2] as string) : null;
}

/** The value of the header `One-Time-Code` (draft-wells-origin-bound-one-time-codes): a tag list with one `code`. */
function ofHeader(header: string, provenDomain: string | null): string | null {
  const tags = header.split(';').map((tag) => /^\s*([a-z-]+)\s*=\s*(\S+)\s*$/i.exec(tag));
  const valuesOf = (name: string): string[] =>
    tags.flatMap((tag) => (tag?.[1]?.toLowerCase() === name ? [tag[2] as string] : []));
  const [codes, origins] = [valuesOf('code'), valuesOf('origin')];
  const [code, origin] = [codes[0], origins[0]];
  if (codes.length !== 1 || code === undefined || !/^[\w-]{3,32}$/.test(code)) return null;
  return origin === undefined || isOf(origin, provenDomain) ? code : null;
}

/** Whether an origin is the proven domain of the sender, or one of the same organisation. */
const isOf = (origin: string, provenDomain: string | null): boolean =>
  provenDomain !== null && (origin.toLowerCase() === provenDomain || getDomain(origin) === getDomain(provenDomain));

const blank = (match: string): string => ' '.repeat(match.length);

/** A line of more than 900 characters as several. */
const brokenUp = (line: string): string => line.replace(/[^\n]{900}[^\n ]{0,99} /g, (part) => `${part.slice(0, -1)}\n`);

/** What each match of {@link NOISE} has. It stays within a line. */
const MAYBE_NOISE = /[\d@]|:\/\/|\.\S|<#>/;

const withoutNoise = (text: string): string =>
  MAYBE_NOISE.test(text)
    ? text
        .split('\n')
        .map((line) => (MAYBE_NOISE.test(line) ? line.replace(NOISE, blank) : line))
        .join('\n')
    : text;

/** Breaks up what is too long: words are left out. */
function withoutLongRuns(text: string): string {
  const short = hasLongRun(text, 400, [BLANK, LINE_FEED]) ? text.replace(/\S{400,}/g, blank) : text;
  // From the start of a line alone: tried at each character, it would take half the time of the search.
  return hasLongRun(short, 901, [LINE_FEED]) ? short.replace(/^[^\n]{901,}/gm, brokenUp) : short;
}

const withoutQuotes = (text: string): string =>
  text.includes('>') ? text.replace(/^[^\S\n]{0,20}>.*$/gm, blank) : text;

const EMPHASIS = /(?<![\p{L}\p{N}*_])([*_`]{1,3})([^*_`\n]{1,60})\1(?![\p{L}\p{N}*_])/gu;
const withoutEmphasis = (text: string): string =>
  /[*_`]/.test(text)
    ? text.replace(EMPHASIS, (_, mark: string, inner: string) => `${blank(mark)}${inner}${blank(mark)}`)
    : text;

/** What is left to search: no links, addresses and masked numbers, no marks of emphasis, no quoted history. */
const searchable = (text: string): string =>
  withoutEmphasis(withoutNoise(withoutQuotes(withoutLongRuns(text)))).replaceAll('|', ' ');

/** How near the words of a code are before a candidate. 0: none. */
function scoreBefore(before: string, { isAlone, isWord }: Candidate): number {
  const strong = lastOf(phrases.spansIn(before).at(-1), typed.spansIn(before).at(-1));
  const weak = words.spansIn(before).at(-1);
  const verb = verbs.spansIn(before).at(-1);
  // A word with digits in it is often a name: "privacy code GDPR2016".
  const doubt = isWord && !isAlone && !/[:=]\s*$/.test(before) ? 1.5 : 0;
  const sentence = COPULA.test(before) ? (before.split(/[.!?]\s|\n/).at(-1) ?? '') : '';
  return Math.max(
    isWord || sentence === ''
      ? 0
      : phrases.spansIn(sentence).length > 0
        ? 5
        : words.spansIn(sentence).length > 0
          ? 3.5
          : 0,
    strong ? nearness(before, strong, isAlone, 5) : 0,
    weak ? nearness(before, weak, isAlone, 3.5) - (before.length - weak.end > 32 ? 1.5 : 0) - doubt : 0,
    verb && before.length - verb.end <= 12 ? 3.5 - doubt : 0,
  );
}

const lastOf = (one: Span | undefined, other: Span | undefined): Span | undefined =>
  one && other ? (one.end >= other.end ? one : other) : (one ?? other);

function nearness(before: string, { end }: Span, isAlone: boolean, points: number): number {
  const between = before.slice(end);
  const isNext =
    /^[\s"'*_([<\u00ab\u201c\u300c\u3010]*(?:[:=\uff1a#\u2014>-]|is|ist|est|es|\u00e9|\u00e8|\u0454|jest|\u00e4r|er|on|je|este|:|\u662f|\u4e3a|\u70ba|\u306f|\u3067\u3059|\uc740|\ub294|l\u00e0|adalah|ialah|\u043e\u043c|\u05d4\u05d5\u05d0|\u0647\u0648|\u0639\u0628\u0627\u0631\u062a \u0627\u0633\u062a|\u0939\u0948|\u0e04\u0e37\u0e2d)?[\s"'*_:([\u00ab\u201c\u300c\u3010]*$/iu.test(
      between,
    );
  if (isNext) return points + 2;
  // Named in an earlier sentence, as in "never share your code": unless the next one asks to type it.
  const isOver = !isAlone && END.test(between) && !verbs.isIn(between);
  if (!between.includes('\n') && !isOver) return between.length <= 64 ? points : points - 2;
  return isAlone ? points + 0.5 : points - 2.5;
}

/** Points for words after a candidate, as in "123456 is your code", or below one that stands alone. */
function scoreAfter(after: string, isAlone: boolean): number {
  if (isAlone && phrases.spansIn(after).length > 0) return 3.5;
  if (SAYS_WHAT.test(after)) {
    const said = after.trimStart().slice(1);
    if (phrases.spansIn(said)[0]) return 4.5;
    if ((words.spansIn(said)[0]?.start ?? 64) <= 32) return 3.5;
  }
  const line = after.split('\n', 1)[0] as string;
  const strong = phrases.spansIn(line.split(END, 1)[0] as string)[0];
  const weak = words.spansIn(line)[0];
  if (strong && strong.start <= 48) return strong.start <= 34 ? 4.5 : 3.5;
  return weak && weak.start <= 26 ? 3.5 : 0;
}

/** Points for "enter … to sign in", and for "to sign in, enter …". */
function scoreTyped(before: string, after: string): number {
  const verb = verbs.spansIn(before).at(-1);
  if (!verb || /[\p{L}\p{N}]/u.test(before.slice(verb.end))) return 0;
  const rest = after.split(/[.!?]\s|\n/, 1)[0] as string;
  const start = before.slice(0, verb.start).split(END).at(-1) as string;
  return purposes.isIn(rest) || purposes.isIn(start) ? 5.5 : 0;
}

function scoreOf(candidate: Candidate, before: string, after: string, isInSubject: number): number {
  const near = Math.max(
    scoreBefore(before, candidate),
    scoreAfter(after, candidate.isAlone),
    scoreTyped(before, after),
  );
  const base = near > 0 ? near : candidate.isAlone ? isInSubject : 0;
  if (base <= 0) return 0;
  const { value, isWord, isAlone } = candidate;
  const shape = (isAlone ? 1.5 : 0) + (/^\d{6}$/.test(value) ? 1 : 0) - (isWord && !/\d/.test(value) ? 1.5 : 0);
  return base + shape + Math.min(isInSubject, 1);
}

/** Scores every candidate of a text. A value that repeats counts once, with its best score. */
function scoreAll(text: string, subjectPoints: number, beside: string, best: Map<string, Scored>): void {
  const plain = searchable(text);
  let seen = 0;
  let offset = 0;
  for (const line of plain.split('\n')) {
    for (const candidate of candidatesOf(line)) {
      if (++seen > CANDIDATES_MAX) return;
      const [start, end] = [offset + candidate.start, offset + candidate.end];
      const before = plain.slice(Math.max(0, start - REACH_BEFORE), start);
      const after = plain.slice(end, end + REACH_AFTER);
      const score = scoreOf(candidate, before, after, subjectPoints);
      const known = best.get(candidate.value.toUpperCase());
      if (score < ENOUGH || score <= (known?.score ?? 0)) continue;
      const place = { ...candidate, before, after: plain.slice(end, end + REACH_OF_OFFERS), beside };
      if (!isOtherNumber(place)) best.set(candidate.value.toUpperCase(), { value: candidate.value, score });
    }
    offset += line.length + 1;
  }
}

/** How much a subject says that the mail is about a code. */
const pointsOfSubject = (subject: string): number =>
  phrases.spansIn(subject).length > 0 ? 3 : words.spansIn(subject).length > 0 ? 1 : 0;

const TIMES = TIME_UNITS.map(
  ([seconds, units]) => [seconds, new RegExp(`(?<![\\d.,])(\\d{1,3}) ?(?:-?)(?:${units})`, 'iu')] as const,
);

function expiryOf(text: string): number | null {
  for (const [seconds, time] of TIMES) {
    const match = time.exec(text);
    if (match) return Number(match[1]) * seconds;
  }
  return null;
}

const marked = (code: string, method: FoundCode['method'], expiresIn: number | null): FoundCode => ({
  code,
  confidence: 1,
  method,
  candidates: [code],
  expiresIn,
});

/**
 * Finds the one-time code of a mail. Deterministic, bounded and without the network: a code that the sender marked
 * comes first, then the best of what stands near words for a code. Null: the mail has none.
 */
export function findCode({ subject, text, header = null, provenDomain = null }: CodeSource): FoundCode | null {
  const plain = plainText(text.slice(0, TEXT_CHARS));
  const title = plainText(subject.slice(0, 1000)).replace(/\n/g, ' ');
  const ofSender = header === null ? null : ofHeader(header, provenDomain);
  if (ofSender !== null) return marked(ofSender, 'header', expiryOf(plain));
  const bound = ofOriginLine(plain, provenDomain);
  if (bound !== null) return marked(bound, 'origin_line', expiryOf(plain));
  const best = new Map<string, Scored>();
  scoreAll(title, 0, plain.slice(0, REACH_OF_OFFERS), best);
  scoreAll(plain, pointsOfSubject(title.replace(NOISE, blank)), title, best);
  const ranked = [...best.values()].sort((a, b) => b.score - a.score);
  const [first, second] = ranked;
  if (!first) return null;
  // A list of codes, such as backup codes, is none to type now.
  const isList = ranked.filter(({ value }) => value.length === first.value.length).length >= 3;
  const isTie = isList || (second !== undefined && second.score === first.score);
  return {
    code: isTie ? null : first.value,
    confidence: Math.round(Math.min(1, first.score / 10) * 100) / 100,
    method: 'keyword',
    candidates: ranked.slice(0, 3).map(({ value }) => value),
    expiresIn: expiryOf(plain),
  };
}
