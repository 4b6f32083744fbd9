/** The pieces of a mail that FETCH can name: `BODY[…]` (RFC 9051 6.4.5) and `BINARY[…]` (RFC 3516). */

import type { ImapPart } from './imap-store.ts';
import { headerEnd, READ_BYTES_MAX } from './mail-outline-header.ts';
import type { NumberRange } from './number-ranges.ts';

/** What is between the brackets of `BODY[…]`. */
export interface Section {
  /** The numbers of parts, from 1. */
  path: readonly number[];
  what: 'all' | 'header' | 'text' | 'mime' | 'fields' | 'fields.not';
  /** Names of header fields. */
  fields: readonly string[];
}

/** The part that a path names; null where there is none. An empty path names the mail. */
export function partOf(body: ImapPart, path: readonly number[]): ImapPart | null {
  let found = body;
  // The body of a mail that is no multipart is its part 1.
  let isMail = true;
  for (const n of path) {
    const mail = isMail ? found : (found.message?.body ?? null);
    const parts = mail === null || mail.type === 'multipart' ? (mail ?? found).parts : [mail];
    const next = parts[n - 1];
    if (next === undefined) return null;
    found = next;
    isMail = false;
  }
  return found;
}

/** A section of a mail; null where there is no such part. @param body of the outline of these bytes */
export function sectionOf(
  bytes: Uint8Array,
  body: ImapPart,
  { path, what, fields }: Section,
  headers = new HeaderReader(),
): Uint8Array | null {
  const part = partOf(body, path);
  if (part === null) return null;
  if (what === 'mime') return path.length === 0 ? null : bytes.subarray(part.headerAt, part.bodyAt);
  if (what === 'all') return path.length === 0 ? bytes : bytes.subarray(part.bodyAt, part.endAt);
  const mail = path.length === 0 ? body : part.message?.body;
  if (mail === undefined) return null;
  if (what === 'text') return bytes.subarray(mail.bodyAt, mail.endAt);
  const header = bytes.subarray(mail.headerAt, mail.bodyAt);
  return what === 'header' ? header : headers.fieldsIn(header, fields, what === 'fields');
}

/** A field, with where its lines begin and end in bytes. Without a name: lines that are no field. */
interface FieldAt {
  name: string;
  from: number;
  to: number;
}

/** Picks fields from headers. It remembers the last header: a command may ask for many of its fields. */
export class HeaderReader {
  #header: Buffer = Buffer.alloc(0);
  #fields: FieldAt[] = [];

  /**
   * The fields of a header with these names, or without them, as they came, and the empty line that ends it.
   * @param header with its empty line
   */
  fieldsIn(header: Uint8Array, names: readonly string[], areWanted: boolean): Uint8Array {
    this.#read(Buffer.from(header.buffer, header.byteOffset, header.byteLength));
    const wanted = new Set(names.map((name) => name.toLowerCase()));
    const kept: NumberRange[] = [];
    for (const { name, from, to } of this.#fields) {
      const last = kept.at(-1);
      if (wanted.has(name) !== areWanted) continue;
      if (last?.[1] === from) last[1] = to;
      else kept.push([from, to]);
    }
    const end = emptyLineOf(this.#header);
    return Buffer.concat([...kept, [end, this.#header.length]].map(([from, to]) => this.#header.subarray(from, to)));
  }

  #read(header: Buffer): void {
    const { buffer, byteOffset, length } = this.#header;
    if (header.buffer === buffer && header.byteOffset === byteOffset && header.length === length) return;
    this.#header = header;
    this.#fields = [];
    const end = emptyLineOf(header);
    const text = header.toString('latin1', 0, Math.min(end, READ_BYTES_MAX));
    let at = 0;
    for (const [lines] of text.matchAll(LINES)) {
      const name = /^([!-9;-~]+)[ \t]*:/.exec(lines)?.[1]?.toLowerCase() ?? '';
      this.#fields.push({ name, from: at, to: at + lines.length });
      at += lines.length;
    }
    const last = this.#fields.at(-1);
    if (last === undefined || at === end) return;
    last.to = endOfField(header, at - 1, end);
    // What is behind has no names.
    this.#fields.push({ name: '', from: last.to, to: end });
  }
}

/** A line, and those that continue it. */
const LINES = /[^\n]*\n(?:[ \t][^\n]*(?:\n|$))*|[^\n]+$/g;

/** Where a field ends that has a byte at `from`. */
function endOfField(header: Buffer, from: number, end: number): number {
  let at = header.indexOf(10, from);
  while (at >= 0 && (header[at + 1] === 0x20 || header[at + 1] === 9)) at = header.indexOf(10, at + 1);
  return at < 0 ? end : Math.min(at + 1, end);
}

/** Where the empty line begins that ends a header; its end without one. */
function emptyLineOf(header: Buffer): number {
  const isEnded = (at: number): boolean => at === 0 || header[at - 1] === 10;
  if (header.at(-1) !== 10) return header.length;
  const at = header.at(-2) === 13 ? header.length - 2 : header.length - 1;
  return isEnded(at) ? at : header.length;
}

/** The bytes of a part, its transfer encoding undone; null for an encoding that is not known (`NO [UNKNOWN-CTE]`). */
export function decodedPart(bytes: Uint8Array, { encoding, bodyAt, endAt }: ImapPart): Uint8Array | null {
  const body = bytes.subarray(bodyAt, endAt);
  switch (encoding) {
    case '7bit':
    case '8bit':
    case 'binary':
      return body;
    case 'base64':
      return fromBase64(body);
    case 'quoted-printable':
      return fromQuotedPrintable(body);
    default:
      return null;
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SIX_BITS = new Int8Array(256).fill(-1);
for (const [value, letter] of [...ALPHABET].entries()) SIX_BITS[letter.charCodeAt(0)] = value;

/** Characters that are not of the alphabet are left out (RFC 2045 6.8). */
function fromBase64(body: Uint8Array): Uint8Array {
  // Node's decoder takes `-` and `_` for letters, and stops at the first padding, which some programs put into each line.
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1').replace(/[-_]+/g, '');
  const padding = text.indexOf('=');
  if (padding < 0 || !/[A-Za-z0-9+/]/.test(text.slice(padding))) return Buffer.from(text, 'base64');
  const out = Buffer.allocUnsafe(Math.ceil((body.length * 3) / 4));
  let size = 0;
  let bits = 0;
  let many = 0;
  for (let at = 0; at < body.length; at += 1) {
    const value = SIX_BITS[body[at] as number] as number;
    if (body[at] === 0x3d) many = 0;
    if (value < 0) continue;
    bits = ((bits << 6) | value) & 0xffff;
    many += 6;
    if (many < 8) continue;
    many -= 8;
    out[size] = bits >> many;
    size += 1;
  }
  return out.subarray(0, size);
}

const HEX = new Int8Array(256).fill(-1);
for (const digit of '0123456789abcdefABCDEF') HEX[digit.charCodeAt(0)] = Number.parseInt(digit, 16);

/** RFC 2045 6.7. What is no code stays as it is. */
function fromQuotedPrintable(body: Uint8Array): Uint8Array {
  const out = Buffer.allocUnsafe(body.length);
  let size = 0;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] as number;
    if (byte === 0x3d) {
      const [high, low] = [HEX[body[at + 1] ?? 0] as number, HEX[body[at + 2] ?? 0] as number];
      if (high >= 0 && low >= 0) {
        out[size] = high * 16 + low;
        size += 1;
        at += 2;
        continue;
      }
      const next = endOfSpaces(body, at + 1);
      if (next >= body.length || body[next] === 10 || (body[next] === 13 && body[next + 1] === 10)) {
        at = body[next] === 13 ? next + 1 : next;
        continue;
      }
    } else if (byte === 0x20 || byte === 9) {
      const next = endOfSpaces(body, at);
      // Spaces at the end of a line were added on the way.
      if (next < body.length && (body[next] === 10 || (body[next] === 13 && body[next + 1] === 10))) {
        at = next - 1;
        continue;
      }
      while (at < next - 1) {
        out[size] = body[at] as number;
        size += 1;
        at += 1;
      }
    }
    out[size] = body[at] as number;
    size += 1;
  }
  return out.subarray(0, size);
}

function endOfSpaces(body: Uint8Array, from: number): number {
  let at = from;
  while (body[at] === 0x20 || body[at] === 9) at += 1;
  return at;
}

/** The header of a mail, with its empty line. */
export function headerOf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, headerEnd(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, bytes.length));
}
