/** The header of a mail or of a part of it: its fields as they came, and the texts in them decoded. */

import { createRequire } from 'node:module';
import type { Address } from 'postal-mime';
import { lazy } from '../../base/lazy.ts';
import type { ImapAddress, ImapEnvelope } from './imap-store.ts';

const require = createRequire(import.meta.url);
const library = lazy(() => require('postal-mime') as typeof import('postal-mime'));
const headerValues = lazy(() => require('nodemailer/lib/mime-funcs') as typeof import('nodemailer/lib/mime-funcs'));

/** As much of a header is read. Its end is found however long it is. */
export const READ_BYTES_MAX = 262_144;
/** As much of a field is decoded. */
const VALUE_CHARS_MAX = 65_536;
/** Of a field with addresses. They take longer. */
const ADDRESS_CHARS_MAX = 32_768;
/** Addresses of an envelope. */
export const ADDRESSES_MAX = 1000;

/** What ends a header after a line. */
const EMPTY_LINES = [Buffer.from('\n\r\n'), Buffer.from('\n\n')] as const;
const WINDOW_BYTES = 65_536;
const [LF, CR] = [10, 13];

/** Where a header ends that begins at `start`: behind its empty line. Without one, all is header. */
export function headerEnd(bytes: Buffer, start: number, end: number): number {
  if (bytes[start] === LF && start < end) return start + 1;
  if (bytes[start] === CR && bytes[start + 1] === LF && start + 1 < end) return start + 2;
  for (let at = start; at < end; at += WINDOW_BYTES) {
    const window = bytes.subarray(at, Math.min(end, at + WINDOW_BYTES + 2));
    const [crlf, lf] = [window.indexOf(EMPTY_LINES[0]), window.indexOf(EMPTY_LINES[1])];
    if (lf >= 0 && (crlf < 0 || lf < crlf)) return at + lf + 2;
    if (crlf >= 0) return at + crlf + 3;
  }
  return end;
}

/** A field of a header. */
export interface HeaderField {
  /** In lower case. */
  name: string;
  /** Its lines as they came, a character for each byte, without the last line end. */
  value: string;
}

/** A line that begins a field, and those that continue it (RFC 5322 2.2.3). A CR alone ends no line. */
const FIELD = /(?<![^\n])([!-9;-~]+)[ \t]*:([^\n]*(?:\n[ \t][^\n]*)*)/g;

/** The fields of a header, in their order. @param wanted their names in lower case; without it, all of them */
export function fieldsOf(header: Buffer, wanted?: ReadonlySet<string>): HeaderField[] {
  const fields: HeaderField[] = [];
  for (const [, name = '', value = ''] of header.toString('latin1', 0, READ_BYTES_MAX).matchAll(FIELD)) {
    const lower = name.toLowerCase();
    if (wanted === undefined || wanted.has(lower)) fields.push({ name: lower, value });
  }
  return fields;
}

/** Whether a header has nothing but fields. */
export const isAllFields = (header: Buffer): boolean => /^[\r\n]*$/.test(header.toString('latin1').replace(FIELD, ''));

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A value in one line. Bytes beyond ASCII are UTF-8 (RFC 6532), or else Latin-1. */
export function unfolded(value: string): string {
  const line = value
    .slice(0, VALUE_CHARS_MAX)
    .replace(/\r?\n[ \t]+/g, ' ')
    .trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
  const text = line.replace(/[\0-\x08\n-\x1f\x7f]+/g, ' ');
  if (!/[\x80-\xff]/.test(text)) return text;
  try {
    return utf8.decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const CONTROLS = /[\0-\x1f\x7f]+/g;
const clean = (text: string): string => text.replace(CONTROLS, ' ').toWellFormed();

/** The text of a line, its encoded words decoded (RFC 2047). */
export const decoded = (line: string): string =>
  line.includes('=?') ? clean(library().decodeWords(line)) : line.toWellFormed();

/** A value with parameters (RFC 2045 5.1, RFC 2231). */
export interface ParameterizedValue {
  /** In lower case. */
  value: string;
  params: [name: string, value: string][];
}

/** As most programs write it: tokens, and quoted texts without escapes. */
const PLAIN_PARAM = /; *([a-z][a-z-]{0,40})=(?:([\w.+-]+)|"([^"\\\x7f-\uffff]*)")/gi;
const PLAIN_PARAMS = /^[\w.+-]+(?:\/[\w.+-]+)?(?:; *[a-z][a-z-]{0,40}=(?:[\w.+-]+|"[^"\\\x7f-\uffff]*")){0,8};?$/i;

export function parameterized(line: string): ParameterizedValue {
  if (PLAIN_PARAMS.test(line) && !line.includes('=?')) {
    const params = new Map<string, string>();
    for (const [, name = '', token, quoted] of line.matchAll(PLAIN_PARAM)) {
      const lower = name.toLowerCase();
      if (!params.has(lower)) params.set(lower, token ?? quoted ?? '');
    }
    return { value: line.split(';', 1)[0]?.toLowerCase() ?? '', params: [...params] };
  }
  const { value, params } = headerValues().parseHeaderValue(line, { stripComments: true });
  return {
    value: clean(value).trim().toLowerCase(),
    params: Object.entries(params).map(([name, text]) => [clean(name), decoded(clean(text))]),
  };
}

/** `local@domain`, as an envelope has it. What has no `@` is a mailbox of no host. */
function addressOf({ address, name }: { address: string; name: string }): ImapAddress | null {
  const [shown, box] = [clean(name).trim(), clean(address).trim()];
  if (box === '') return shown === '' ? null : { name: null, mailbox: shown, host: '' };
  const at = box.lastIndexOf('@');
  const [mailbox, host] = at < 0 ? [box, ''] : [box.slice(0, at), box.slice(at + 1)];
  return { name: shown || null, mailbox, host };
}

const GROUP_ENDS: ImapAddress = { name: null, mailbox: null, host: null };

/** As most programs write one: words, or a quoted name without escapes, and a plain address. */
const PLAIN_ADDRESS =
  /^(?:([A-Za-z0-9][A-Za-z0-9 .'_-]{0,100}?) *<|"([^"\\@=<>]{1,100})" *<|)([\w.+-]{1,64})@([\w.-]{1,255})(>?)$/;
/** Groups in groups are no addresses, and slow to read. */
const COLONS_MAX = 50;

function plainAddress(line: string): ImapAddress | null {
  const [, words, quoted, mailbox, host, end] = line.length > 400 ? [] : (PLAIN_ADDRESS.exec(line) ?? []);
  const name = words ?? quoted?.trim();
  if (mailbox === undefined || host === undefined || (name !== undefined) !== (end === '>')) return null;
  return { name: name || null, mailbox, host };
}

/** The addresses of a line, with the begin and end of groups (RFC 9051 7.5.2). At most `max`. */
export function addressesOf(line: string, max: number): ImapAddress[] {
  const plain = plainAddress(line);
  if (plain && max > 0) return [plain];
  if (line.split(':', COLONS_MAX + 2).length > COLONS_MAX + 1) return addressesOf(line.replaceAll(':', ','), max);
  const found: ImapAddress[] = [];
  const add = (entry: Address): void => {
    if (found.length >= max) return;
    if (entry.group === undefined) {
      const address = addressOf(entry);
      if (address) found.push(address);
      return;
    }
    found.push({ name: null, mailbox: clean(entry.name).trim(), host: null });
    entry.group.forEach(add);
    found.push(GROUP_ENDS);
  };
  library().addressParser(line).forEach(add);
  return found;
}

const ENVELOPE_FIELDS = [
  ...['date', 'subject', 'message-id', 'in-reply-to'],
  ...['from', 'sender', 'reply-to', 'to', 'cc', 'bcc'],
] as const;
type EnvelopeField = (typeof ENVELOPE_FIELDS)[number];
/** A mail has one of these (RFC 5322 3.6); of more the first counts, as for the API. */
const SINGLE: ReadonlySet<string> = new Set(['date', 'subject', 'message-id', 'in-reply-to', 'from', 'sender']);
export const ENVELOPE_NAMES: ReadonlySet<string> = new Set(ENVELOPE_FIELDS);

/** The envelope of a mail. @param room how many addresses it may have; what it has is taken from it */
export function envelopeOf(fields: readonly HeaderField[], room: { addresses: number }): ImapEnvelope {
  const lines = new Map<string, string>();
  for (const { name, value } of fields) {
    const known = lines.get(name);
    if (known === undefined) lines.set(name, unfolded(value));
    else if (!SINGLE.has(name)) lines.set(name, `${known}, ${unfolded(value)}`);
  }
  const line = (name: EnvelopeField): string | null => lines.get(name) ?? null;
  const people = (name: EnvelopeField): ImapAddress[] => {
    const text = line(name);
    if (!text || room.addresses === 0) return [];
    const found = addressesOf(text.slice(0, ADDRESS_CHARS_MAX), room.addresses);
    room.addresses = Math.max(0, room.addresses - found.length);
    return found;
  };
  const subject = line('subject');
  const from = people('from');
  const [sender, replyTo] = [people('sender'), people('reply-to')];
  return {
    date: line('date')?.toWellFormed() ?? null,
    subject: subject === null ? null : decoded(subject),
    from,
    sender: sender.length > 0 ? sender : from,
    replyTo: replyTo.length > 0 ? replyTo : from,
    to: people('to'),
    cc: people('cc'),
    bcc: people('bcc'),
    inReplyTo: line('in-reply-to')?.toWellFormed() ?? null,
    messageId: line('message-id')?.toWellFormed() ?? null,
  };
}
