/** Makes untrusted header values safe to store; shared by the full parser and by the header-only fallback. */

import { createRequire } from 'node:module';
import type { Address } from 'postal-mime';
import { lazy } from '../../base/lazy.ts';
import type { MailAddress, MailProblem, ParsedMail } from './parsed-mail.ts';
import { MAIL_LIMITS } from './parsed-mail.ts';

const require = createRequire(import.meta.url);
const library = lazy(() => require('postal-mime') as typeof import('postal-mime'));

export type Header = { key: string; value: string };

/** Characters that reorder text on screen: `gpj.exe` shown as `exe.jpg`. They are not allowed in a name. */
const BIDI_OVERRIDES = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Well-formed Unicode without NUL: PostgreSQL refuses both U+0000 and lone surrogates in text. */
export const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** The first `max` UTF-16 units, one less where that would cut a character in half. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max);
}

/** One line: controls and line breaks become a space, at most `max` UTF-16 units. */
export const cleanLine = (text: string, max: number = MAIL_LIMITS.headerValueChars): string =>
  cut(text.replace(CONTROLS, ' ').trim(), max).trim().toWellFormed();

/** A name to show in a list and to offer for a download: no path, no control, no text direction trick. */
export function cleanFilename(name: string | null, fallback: string): string {
  const line = cleanLine((name ?? '').replace(BIDI_OVERRIDES, ''), MAIL_LIMITS.headerValueChars);
  const base = line.slice(Math.max(line.lastIndexOf('/'), line.lastIndexOf('\\')) + 1).trim();
  if (base === '' || base === '.' || base === '..') return fallback;
  return cleanLine(base, MAIL_LIMITS.filenameChars);
}

/** `type/subtype` in lower case; anything else is `application/octet-stream` (RFC 2045 5.2). */
export function cleanContentType(value: string): string {
  const type = value.toLowerCase();
  return /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/.test(type) ? type : 'application/octet-stream';
}

/** The first header with that name; later ones are ignored. */
export const firstHeader = (headers: readonly Header[], key: string): string | null =>
  headers.find((header) => header.key === key)?.value ?? null;

/**
 * The mailboxes of the given header values, groups flattened, entries without an address dropped.
 * Adds `too_many_addresses` to `problems` when there are more than the limit.
 */
function readAddresses(values: readonly string[], problems: Set<MailProblem>): MailAddress[] {
  const found: MailAddress[] = [];
  const add = (list: readonly Address[]): void => {
    for (const entry of list) {
      if (found.length > MAIL_LIMITS.addressesPerHeader) return;
      if (entry.group !== undefined) add(entry.group);
      else if (isPlausibleAddress(entry.address)) {
        found.push({ address: cleanLine(entry.address), name: cleanLine(entry.name, MAIL_LIMITS.nameChars) });
      }
    }
  };
  for (const value of values) add(library().addressParser(value));
  if (found.length > MAIL_LIMITS.addressesPerHeader) problems.add('too_many_addresses');
  return found.slice(0, MAIL_LIMITS.addressesPerHeader);
}

/** The addresses of a field, one for each entry: '' where an entry has none or is a group. Reading costs more than its length. */
export const addressesIn = (value: string): string[] =>
  library()
    .addressParser(value)
    .map((entry) => (entry.group === undefined && isPlausibleAddress(entry.address) ? cleanLine(entry.address) : ''));

function isPlausibleAddress(address: string): boolean {
  const at = address.lastIndexOf('@');
  return at > 0 && at < address.length - 1 && address.length <= MAIL_LIMITS.addressChars && !/\s/.test(address);
}

/** A text with its encoded words (RFC 2047) decoded, also where they stand in quotes. */
export const withWordsDecoded = (value: string): string => library().decodeWords(value);

/** A decoded unstructured header. */
const readText = (value: string | null): string => (value === null ? '' : cleanLine(withWordsDecoded(value)));

/**
 * The message ids of a header, in order, each in angle brackets (RFC 5322 3.6.4). Missing brackets are
 * accepted if the token looks like an id.
 */
export function readMessageIds(value: string | null): string[] {
  if (value === null) return [];
  const ids: string[] = [];
  for (let open = value.indexOf('<'); open >= 0; open = value.indexOf('<', open + 1)) {
    const close = value.indexOf('>', open);
    if (close < 0) break;
    // The last opening bracket before the closing one: an id holds none itself.
    const start = value.lastIndexOf('<', close) + 1;
    const id = cleanLine(value.slice(start, close)).replace(/\s+/g, '');
    if (id !== '' && id.length <= MAIL_LIMITS.headerValueChars - 2) ids.push(`<${id}>`);
    open = close;
  }
  if (ids.length > 0) return ids;
  const bare = cleanLine(value)
    .split(' ')
    .filter((token) => /^[^\s@<>]+@[^\s@<>]+$/.test(token));
  return bare.map((token) => `<${token}>`);
}

/** Keeps the root of a thread and its newest ancestors, and leaves out those between. */
function boundReferences(ids: readonly string[], problems: Set<MailProblem>): string[] {
  const unique = [...new Set(ids)];
  if (unique.length <= MAIL_LIMITS.references) return unique;
  problems.add('too_many_references');
  return [...unique.slice(0, 1), ...unique.slice(1 - MAIL_LIMITS.references)];
}

/**
 * A Date header (RFC 5322 3.3) as ISO 8601 UTC, or null when it cannot be read. A date without a zone is read as UTC, so that the
 * result does not depend on where the service runs.
 */
function readDate(value: string | null): string | null {
  if (value === null || value.length > 200) return null;
  const comment = value.indexOf('(');
  const bare = cleanLine(comment < 0 ? value : value.slice(0, comment));
  const zoned = /(?:[+-]\d{4}|[A-Za-z])$/.test(bare) ? bare : `${bare} +0000`;
  const ms = Date.parse(zoned);
  if (Number.isNaN(ms)) return null;
  const text = new Date(ms).toISOString();
  return text.length === 24 ? text : null;
}

/**
 * Whether the message was sent automatically (RFC 3834 section 2), so that an automatic answer could start a loop.
 * The older signs of automatic mail count as well.
 */
function isAutoSubmitted(headers: readonly Header[]): boolean {
  const auto = firstHeader(headers, 'auto-submitted');
  if (auto !== null && !/^\s*no\b/i.test(auto)) return true;
  if (headers.some((header) => header.key === 'x-autoreply' || header.key === 'x-autorespond')) return true;
  return /^\s*(?:bulk|junk|auto_reply)\s*$/i.test(firstHeader(headers, 'precedence') ?? '');
}

/** Fills in what the headers of a mail say. */
export function readHeaders(mail: ParsedMail, headers: readonly Header[], problems: Set<MailProblem>): void {
  const all = (key: string): string[] => headers.filter((header) => header.key === key).map(({ value }) => value);
  const from = all('from');
  // RFC 5322 3.6 allows one. Readers disagree about which of two they show, so a second one is worth a flag.
  if (from.length > 1) problems.add('duplicate_from');
  mail.from = readAddresses(from.slice(0, 1), new Set())[0] ?? null;
  mail.to = readAddresses(all('to'), problems);
  mail.cc = readAddresses(all('cc'), problems);
  mail.bcc = readAddresses(all('bcc'), problems);
  mail.replyTo = readAddresses(all('reply-to'), problems);
  const subject = firstHeader(headers, 'subject');
  mail.subject = readText(subject);
  if (mail.subject.length >= MAIL_LIMITS.headerValueChars - 1) problems.add('subject_truncated');
  mail.date = readDate(firstHeader(headers, 'date'));
  mail.rfcMessageId = readMessageIds(firstHeader(headers, 'message-id'))[0] ?? null;
  mail.inReplyTo = readMessageIds(firstHeader(headers, 'in-reply-to'))[0] ?? null;
  mail.references = boundReferences(readMessageIds(firstHeader(headers, 'references')), problems);
  mail.autoSubmitted = isAutoSubmitted(headers);
  mail.receivedCount = all('received').length;
}
