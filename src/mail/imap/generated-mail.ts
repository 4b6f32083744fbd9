/**
 * Mails that this service writes for mail programs in place of one that it does not show, or does not have. The same input
 * gives the same bytes: what a UID names never changes (RFC 9051 2.3.1.1).
 */

import { createRequire } from 'node:module';
import { lazy } from '../../base/lazy.ts';

const require = createRequire(import.meta.url);
const words = lazy(() => require('nodemailer/lib/mime-funcs') as typeof import('nodemailer/lib/mime-funcs'));

const LINE_CHARS = 76;
const WORD_CHARS = 52;
/** RFC 5322 2.1.1, without its CRLF. */
const LINE_CHARS_MAX = 998;
/** In no text that is sent as it is, and in no base64. */
const BOUNDARY = '=_signet_';

/** A header line, folded. The value is as it is sent. */
const headerLine = (name: string, value: string): string => words().foldLines(`${name}: ${value}`, LINE_CHARS);

const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** ASCII of words that fit into a line, none of which looks encoded. */
const isPlainLine = (line: string): boolean =>
  /^[\x20-\x7e]*$/.test(line) && !line.includes('=?') && !/[^ ]{200}/.test(line);

const encoded = (line: string): string => words().encodeWord(line, 'B', WORD_CHARS);

/** A header of free text (RFC 5322 2.2.1), in encoded words if it needs them (RFC 2047). */
export function textLine(name: string, text: string): string {
  const line = oneLine(text);
  return headerLine(name, isPlainLine(line) ? line : encoded(line));
}

export interface NamedAddress {
  address: string;
  name?: string | null;
}

/** An address as a header has it. */
function written({ address, name }: NamedAddress): string {
  const [bare, shown] = [address.replace(/[<>\s\p{Cc}]/gu, ''), oneLine(name ?? '')];
  if (shown === '') return bare;
  const isAtoms = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/.test(shown);
  const isShort = isPlainLine(shown) && shown.length < 200;
  const phrase = isShort
    ? isAtoms
      ? shown
      : words().quoteString(shown)
    : encoded(shown).replaceAll('?= =?', '?=\r\n =?');
  return `${phrase} <${bare}>`;
}

/** A header of addresses; none for none. */
export const addressLines = (name: string, addresses: readonly NamedAddress[]): string[] =>
  addresses.length === 0 ? [] : [`${name}: ${addresses.map(written).join(',\r\n ')}`];

/** A header of message ids; none for none. */
export function idLines(name: string, ids: readonly string[]): string[] {
  const bare = ids.map((id) => id.replace(/[<>\s\p{Cc}]/gu, '')).filter((id) => id !== '');
  return bare.length === 0 ? [] : [`${name}: ${bare.map((id) => `<${id}>`).join('\r\n ')}`];
}

/** @param at milliseconds */
export const dateLine = (at: number): string => `Date: ${new Date(at).toUTCString().replace('GMT', '+0000')}`;

/** A part of a mail: its own header lines, and its body. */
export interface GeneratedPart {
  lines: readonly string[];
  body: Uint8Array;
}

const CRLF = Buffer.from('\r\n');

const BASE64_CHARS = 76;

/** In lines (RFC 2045 6.8). */
function base64Of(bytes: Uint8Array): Buffer {
  const text = Buffer.from(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'), 'latin1');
  const all = Buffer.allocUnsafe(text.length + 2 * Math.ceil(text.length / BASE64_CHARS));
  let at = 0;
  for (let from = 0; from < text.length; from += BASE64_CHARS) {
    at += text.copy(all, at, from, from + BASE64_CHARS);
    at += CRLF.copy(all, at);
  }
  return all;
}

const isPlainText = (text: string): boolean =>
  /^[\t\r\n\x20-\x7e]*$/.test(text) &&
  !text.includes(BOUNDARY) &&
  text.split('\r\n').every((line) => line.length <= LINE_CHARS_MAX);

/** A text in UTF-8. */
export function textPart(text: string, subtype: 'plain' | 'html' = 'plain'): GeneratedPart {
  const lines = `${text
    .toWellFormed()
    .replaceAll('\0', '')
    .replace(/\r\n|\r|\n/g, '\r\n')}`;
  const whole = lines.endsWith('\r\n') ? lines : `${lines}\r\n`;
  const isPlain = isPlainText(whole);
  return {
    lines: [
      `Content-Type: text/${subtype}; charset=utf-8`,
      `Content-Transfer-Encoding: ${isPlain ? '7bit' : 'base64'}`,
    ],
    body: isPlain ? Buffer.from(whole, 'latin1') : base64Of(Buffer.from(whole)),
  };
}

/** A value with parameters (RFC 2045 5.1, RFC 2231). */
const parameterLine = (name: string, value: string, params: Record<string, string>): string =>
  headerLine(name, words().buildHeaderValue({ value, params }));

export interface GeneratedFile {
  /** `type/subtype`. */
  contentType: string;
  params?: Record<string, string>;
  filename: string;
  content: Uint8Array;
  /** Further header lines. */
  lines?: readonly string[];
}

/** Bytes as a file. */
export function filePart({ contentType, params = {}, filename, content, lines = [] }: GeneratedFile): GeneratedPart {
  // A message in a mail may not be encoded (RFC 2046 5.2.1), and could then hold our boundary.
  const isType = /^(?!multipart|message)[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/i.test(contentType);
  return {
    lines: [
      parameterLine('Content-Type', isType ? contentType : 'application/octet-stream', params),
      parameterLine('Content-Disposition', 'attachment', { filename: oneLine(filename) || 'file' }),
      'Content-Transfer-Encoding: base64',
      ...lines,
    ],
    body: base64Of(content),
  };
}

/** Several parts as one; a single one is itself. */
export function multipart(subtype: 'mixed' | 'alternative', parts: readonly GeneratedPart[]): GeneratedPart {
  const [first, ...more] = parts;
  if (first !== undefined && more.length === 0) return first;
  const boundary = `${BOUNDARY}${subtype}`;
  const pieces = parts.flatMap(({ lines, body }) => [
    Buffer.from(`--${boundary}\r\n${lines.join('\r\n')}\r\n\r\n`),
    body,
    CRLF,
  ]);
  return {
    lines: [`Content-Type: multipart/${subtype}; boundary="${boundary}"`],
    body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

/** A whole mail. */
export const mailOf = (lines: readonly string[], part: GeneratedPart): Buffer =>
  Buffer.concat([Buffer.from(`${[...lines, 'MIME-Version: 1.0', ...part.lines].join('\r\n')}\r\n\r\n`), part.body]);
