import { isAscii, isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { ApiError, invalidField } from '../../api/errors.ts';

const DEPTH_MAX = 32;
/** Of all objects and arrays in a body. */
const MEMBERS_MAX = 5_000;
/** Only attached files are longer: every other text has a smaller limit. */
const LONG_BYTES = 2_097_152;
const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = [34, 92, 44, 91, 123] as const;

/**
 * Parses a request body, and refuses what JSON allows but no honest client sends.
 * @throws ApiError `invalid_json` or `invalid_request`
 */
export function parseJsonBody(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  if (!isUtf8(body))
    throw new ApiError('invalid_json', { message: 'The request body is not valid UTF-8 (RFC 8259 8.1).' });
  const long = refuseManyMembers(body);
  let value: unknown;
  try {
    value = long.length > 0 ? parseWithLongStrings(body, long) : JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new ApiError('invalid_json', { cause });
  }
  refuseHostileValues(value, '/body', 0);
  return value;
}

/**
 * Parses JSON whose very long strings are ASCII without escapes, such as base64. They are cut out and put back behind the
 * parser, which takes ten times as long for each byte and would hold the thread. What is allowed in them is for the reader
 * of the field to say.
 * @param strings where strings are: the places of their quotes, two and two
 */
function parseWithLongStrings(body: Buffer, strings: readonly number[]): unknown {
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

/** The place of the quote that ends the string which begins at `start`; the end of the body if there is none. */
function endOfString(body: Buffer, start: number): number {
  for (let quote = body.indexOf(QUOTE, start + 1); quote !== -1; quote = body.indexOf(QUOTE, quote + 1)) {
    let before = quote - 1;
    while (body[before] === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 1) return quote;
  }
  return body.length;
}

/**
 * Counts members before they are parsed: 9,900 of them cost 20 to 45 ms to parse and check.
 * @returns the places of the quotes of very long strings, two and two
 */
function refuseManyMembers(body: Buffer): number[] {
  const long: number[] = [];
  if (body.length <= MEMBERS_MAX) return long;
  let members = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === QUOTE) {
      const end = endOfString(body, at);
      if (end - at > LONG_BYTES) long.push(at, end);
      at = end;
    } else if (byte === COMMA || byte === BRACKET || byte === BRACE) members += 1;
    if (members > MEMBERS_MAX)
      throw invalidField(
        '/body',
        'too_many_members',
        `A body can have at most ${MEMBERS_MAX} members and items in all.`,
      );
  }
  return long;
}

/**
 * Refuses text that databases cannot store (NUL, lone surrogates), keys that would reach an object's prototype, numbers
 * that lost digits in parsing (above 2^53, RFC 8259 6), and nesting that could exhaust the stack.
 */
export function refuseHostileValues(value: unknown, path: string, depth: number): void {
  if (typeof value === 'string') {
    refuseHostileText(value, path);
    return;
  }
  if (typeof value === 'number') {
    if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) return;
    throw invalidField(path, 'out_of_range', `${path} is too large for an exact number. Send it as a string.`);
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth >= DEPTH_MAX)
    throw invalidField(path.slice(0, 80), 'too_deep', `The body is nested more than ${DEPTH_MAX} levels deep.`);
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__')
      throw invalidField(path, 'unknown_field', `${path} must not have a field named __proto__.`);
    refuseHostileText(name, path);
    refuseHostileValues(member, `${path}/${name}`, depth + 1);
  }
}

function refuseHostileText(text: string, path: string): void {
  if (text.includes('\0')) throw invalidField(path, 'invalid_text', `${path} contains a NUL character.`);
  if (!text.isWellFormed())
    throw invalidField(path, 'invalid_text', `${path} contains half of a surrogate pair, which is not Unicode text.`);
}
