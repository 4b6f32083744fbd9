import type { WireReply } from './contract-client.ts';

/**
 * Recordings of replies: status, headers, and the body of a JSON reply as indented text, line by line. What differs between
 * services (ids, secrets, signatures) and every time is a numbered placeholder: `‹1›` for one word, `‹1…›` for any text. The
 * same number in one reply stands for the same value.
 */

/** Words, times in the two forms of the API, and secrets in base64, which have a slash here and there. */
const WORD = /\d{4}-\d\d-\d\dT[\d:.]+Z|whsec_[\w+/]+=*|[A-Za-z0-9_-]+|./gs;
const TIME = /^(?:\d{4}-\d\d-\d\dT[\d:.]+Z|1[67]\d{8}(?:\d{3})?)$/;
/** A line with a duration as measured, or a time left, which depends on what moved the clock of the tests before. */
const MEASURED = /^(?:\s*"(?:\w*_)?ms"|ratelimit-reset): /;

/** Of the connection, and of the clock of the machine. */
const UNRECORDED = new Set(['date', 'connection', 'keep-alive', 'content-length']);

/** @returns the lines of a reply, as they are compared. The API's description has tests that say more. */
export function linesOf({ status, headers, body }: WireReply): string[] {
  const named = Object.entries(headers).filter(([name]) => !UNRECORDED.has(name));
  const text = typeof body === 'object' && !('openapi' in body) ? JSON.stringify(body, null, 2) : '';
  const lines = [String(status), ...named.map(([name, value]) => `${name}: ${value}`), ...text.split('\n')];
  // The addresses of people in tests name the engine.
  return lines.map((line) => line.replace(/@(?:sqlite|postgres)\.example\.org/, '@example.org'));
}

const wordsOf = (line: string): string[] => line.match(WORD) ?? [];

/** The number of each value that differs between services, by what it is in each. */
class Numbers {
  readonly #byValue = new Map<string, number>();

  of(values: readonly string[]): number {
    const key = JSON.stringify(values);
    const number = this.#byValue.get(key) ?? this.#byValue.size + 1;
    this.#byValue.set(key, number);
    return number;
  }
}

/** Keeps the kind of an id: `acc_` of `acc_81fe2c`. */
function placeholder(values: readonly string[], numbers: Numbers): string {
  const kind = /^[a-z]+_/.exec(values[0] as string)?.[0] ?? '';
  const kept = values.every((value) => value.startsWith(kind)) ? kind : '';
  return `${kept}‹${numbers.of(values.map((value) => value.slice(kept.length)))}›`;
}

/** One line of the recording, from the same line of several services. */
function recordLine(variants: readonly string[], numbers: Numbers): string {
  const words = variants.map(wordsOf);
  const first = words[0] as string[];
  const differs = (at: number): boolean => words.some((one) => one[at] !== first[at]);
  if (words.every(({ length }) => length === first.length))
    return first
      .map((word, at) => {
        const isVariable =
          TIME.test(word) || differs(at) || (/^\d+$/.test(word) && MEASURED.test(variants[0] as string));
        return isVariable
          ? placeholder(
              words.map((one) => one[at] as string),
              numbers,
            )
          : word;
      })
      .join('');
  let from = 0;
  while (!differs(from)) from++;
  let behind = 0;
  while (words.every((one) => one.at(-1 - behind) === first.at(-1 - behind))) behind++;
  const middles = words.map((one) => one.slice(from, one.length - behind).join(''));
  return `${first.slice(0, from).join('')}‹${numbers.of(middles)}…›${first.slice(first.length - behind).join('')}`;
}

/** The recording of one reply, from the replies of several services. @throws Error if their lines are others */
export function record(replies: readonly string[][]): string[] {
  const [first = []] = replies;
  const numbers = new Numbers();
  if (replies.some(({ length }) => length !== first.length))
    throw new Error(`replies of other lengths:\n${first.join('\n')}`);
  return first.map((_, at) =>
    recordLine(
      replies.map((lines) => lines[at] as string),
      numbers,
    ),
  );
}

const PLACE = /‹(\d+)(…?)›/g;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What a line holds in its places, in their order. Null if it is another line. */
function valuesIn(recorded: string, line: string): string[] | null {
  const literal = recorded.split(PLACE).filter((_, at) => at % 3 === 0);
  const word = (before = '') =>
    before.endsWith('whsec_') ? '([\\w+/]+=*)' : '(\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z|[A-Za-z0-9_-]+)';
  const places = [...recorded.matchAll(PLACE)].map(([, , isLong], at) => (isLong ? '(.*?)' : word(literal[at])));
  const pattern = literal.map((text, at) => escaped(text) + (places[at] ?? '')).join('');
  return new RegExp(`^${pattern}$`, 's').exec(line)?.slice(1) ?? null;
}

/** @returns what is not as recorded: the lines that are others, and places of one number with unequal values */
export function departures(recorded: readonly string[], lines: readonly string[]): string[] {
  const known = new Map<string, string>();
  const faults: string[] = [];
  for (let at = 0; at < Math.max(recorded.length, lines.length); at++) {
    const [was = '(no line)', is = '(no line)'] = [recorded[at], lines[at]];
    const values = valuesIn(was, is);
    const numbers = [...was.matchAll(PLACE)].map(([, number]) => number as string);
    const isSame = values && numbers.every((number, i) => (known.get(number) ?? values[i]) === values[i]);
    numbers.forEach((number, i) => void known.set(number, known.get(number) ?? (values?.[i] as string)));
    if (!isSame) faults.push(`- ${was}`, `+ ${is}`);
  }
  return faults;
}
