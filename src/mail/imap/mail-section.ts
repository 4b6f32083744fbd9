/** The pieces of a mail that FETCH can name: `BODY[…]` (RFC 9051 6.4.5) and `BINARY[…]` (RFC 3516). */

import type { ImapPart } from './imap-store.ts';
import { fieldsOf, headerEnd } from './mail-outline-header.ts';

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
export function sectionOf(bytes: Uint8Array, body: ImapPart, { path, what, fields }: Section): Uint8Array | null {
  const part = partOf(body, path);
  if (part === null) return null;
  if (what === 'mime') return path.length === 0 ? null : bytes.subarray(part.headerAt, part.bodyAt);
  if (what === 'all') return path.length === 0 ? bytes : bytes.subarray(part.bodyAt, part.endAt);
  const mail = path.length === 0 ? body : part.message?.body;
  if (mail === undefined) return null;
  if (what === 'text') return bytes.subarray(mail.bodyAt, mail.endAt);
  const header = bytes.subarray(mail.headerAt, mail.bodyAt);
  return what === 'header' ? header : fieldsIn(header, fields, what === 'fields');
}

/**
 * The fields of a header with these names, or without them, as they came, and the empty line that ends it.
 * @param header with its empty line
 */
function fieldsIn(header: Uint8Array, names: readonly string[], areWanted: boolean): Uint8Array {
  const all = Buffer.from(header.buffer, header.byteOffset, header.byteLength);
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const lines = all.toString('latin1', 0, emptyLineOf(all)).match(/[^\n]*(?:\n[ \t][^\n]*)*(?:\n|$)/g) ?? [];
  const kept = lines.filter((line) => {
    const name = /^([!-9;-~]+)[ \t]*:/.exec(line)?.[1]?.toLowerCase();
    return areWanted === (name !== undefined && wanted.has(name));
  });
  return Buffer.concat([Buffer.from(kept.join(''), 'latin1'), all.subarray(emptyLineOf(all))]);
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

/** Characters that are not of the alphabet are left out (RFC 2045 6.8). */
function fromBase64(body: Uint8Array): Uint8Array {
  // Node's decoder takes `-` and `_` for letters, and stops at the first padding, which some programs put into each line.
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1').replace(/[-_]+/g, '');
  const padding = text.indexOf('=');
  if (padding < 0 || !/[A-Za-z0-9+/]/.test(text.slice(padding))) return Buffer.from(text, 'base64');
  const bytes = Buffer.allocUnsafe(Math.ceil((text.length * 3) / 4));
  let size = 0;
  for (const [run] of text.matchAll(/[^=]+/g)) size += bytes.write(run, size, 'base64');
  return bytes.subarray(0, size);
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

/** The values of a field of a header, a character for each byte. */
export const valuesIn = (header: Uint8Array, name: string): string[] =>
  fieldsOf(Buffer.from(header.buffer, header.byteOffset, header.byteLength), new Set([name.toLowerCase()])).map(
    ({ value }) => value,
  );
