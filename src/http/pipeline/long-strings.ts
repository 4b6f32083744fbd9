import { isAscii } from 'node:buffer';
import { randomBytes } from 'node:crypto';

/** Only attached files are longer: every other text has a smaller limit. */
const LONG_BYTES = 2_097_152;
const BACKSLASH = 92;

/**
 * Parses JSON whose very long strings are ASCII without escapes, such as base64. They are cut out and put back behind the
 * parser, which takes ten times as long for each byte and would hold the thread. What is allowed in them is for the reader
 * of the field to say.
 * @param strings where strings are: the places of their quotes, two and two
 */
export function parseWithLongStrings(body: Buffer, strings: readonly number[]): unknown {
  // Stands for a string that was cut out. A client cannot guess it.
  const mark = `cut-${randomBytes(18).toString('base64url')}-`;
  const parts: string[] = [];
  const cut: string[] = [];
  let end = 0;
  for (let i = 0; i + 1 < strings.length; i += 2) {
    const [from, to] = [(strings[i] as number) + 1, strings[i + 1] as number];
    const text = body.subarray(from, to);
    if (!isAscii(text) || text.includes(BACKSLASH)) continue;
    parts.push(body.toString('utf8', end, from), mark + cut.length);
    cut.push(text.toString('latin1'));
    end = to;
  }
  parts.push(body.toString('utf8', end));
  const whole = (value: unknown): unknown =>
    typeof value === 'string' && value.startsWith(mark) ? cut[Number(value.slice(mark.length))] : value;
  return JSON.parse(parts.join(''), (_name, value) => whole(value));
}

/** Whether a string from one quote to the other is worth cutting out. */
export const isLongString = (from: number, to: number): boolean => to - from > LONG_BYTES;
