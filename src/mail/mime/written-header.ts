/**
 * The header of a mail that a program made, read strictly. What two readers could understand in two ways is refused: who
 * checks a mail before it leaves must see what its recipients see.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isMisleadingName } from '../address/mail-address.ts';
import { addressesIn, withWordsDecoded } from './mime-fields.ts';
import { MAIL_LIMITS } from './parsed-mail.ts';

/** A mail that is not well-formed. The message says why. */
export class MalformedMail extends Error {
  override readonly name = 'MalformedMail';
}

/** A header field, unfolded. */
export interface WrittenField {
  /** In lower case. */
  name: string;
  value: string;
}

/** RFC 5322 3.6 and RFC 2045: these come once. Readers disagree about which of two they show. */
const ONCE = new Set([
  ...['from', 'sender', 'reply-to', 'message-id', 'in-reply-to', 'references', 'subject', 'date'],
  ...['mime-version', 'content-type', 'content-transfer-encoding', 'content-disposition'],
]);

const [CR, LF] = [0x0d, 0x0a];
/** How much is looked through at once. */
const SLICE_BYTES = 524_288;

/**
 * Refuses what a mail server must not pass on: a CR or LF alone (RFC 5321 2.3.8), by which a second mail can be hidden in
 * the first on its way (CVE-2023-51764), and NUL.
 * @throws MalformedMail
 */
export async function requireCleanLines(bytes: Buffer): Promise<void> {
  for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
    const end = Math.min(start + SLICE_BYTES, bytes.length);
    const slice = bytes.subarray(start, end);
    if (slice.includes(0)) throw new MalformedMail('The mail has a NUL character');
    for (let at = slice.indexOf(LF); at >= 0; at = slice.indexOf(LF, at + 1))
      if (bytes[start + at - 1] !== CR) throw new MalformedMail('Lines must end with CR LF');
    for (let at = slice.indexOf(CR); at >= 0; at = slice.indexOf(CR, at + 1))
      if (bytes[start + at + 1] !== LF) throw new MalformedMail('Lines must end with CR LF');
    if (end < bytes.length) await nextTurn();
  }
}

/** Reads the fields of a mail with clean lines, in their order. @throws MalformedMail */
export function writtenFields(bytes: Buffer): WrittenField[] {
  const blank = bytes.subarray(0, 2).equals(Buffer.from('\r\n')) ? 0 : bytes.indexOf('\r\n\r\n') + 2;
  const length = blank === 1 ? bytes.length : blank;
  if (length > MAIL_LIMITS.headerBytes) throw new MalformedMail('The header is too large');
  const fields: WrittenField[] = [];
  for (const line of bytes.toString('utf8', 0, length).split('\r\n')) {
    if (line === '') continue;
    const last = fields.at(-1);
    const isFolded = line.startsWith(' ') || line.startsWith('\t');
    // Some take a line of spaces for the end of the header.
    if (isFolded && (last === undefined || line.trim() === ''))
      throw new MalformedMail('A header line is folded badly');
    if (isFolded && last) {
      last.value += line;
      continue;
    }
    const [, name, value] = /^([\x21-\x39\x3b-\x7e]+)[ \t]*:(.*)$/s.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new MalformedMail('A line of the header is no field');
    fields.push({ name: name.toLowerCase(), value });
  }
  const seen = new Set<string>();
  for (const { name } of fields) {
    if (ONCE.has(name) && seen.has(name)) throw new MalformedMail(`The field ${name} is there twice`);
    seen.add(name);
  }
  return fields;
}

/** RFC 5322 2.1.1. A longer one is no single mailbox. */
const MAILBOX_CHARS = 998;

/** Quoted texts and comments, in one pass: a quote in a comment begins no text, and the other way about. */
const ASIDES = /"(?:[^"\\]|\\.)*"|\((?:[^()\\]|\\.)*\)/g;
const ADDRESS = String.raw`[^<>@,;:"()\\\s]+@[^<>@,;:"()\\\s]+`;
const PLAIN = new RegExp(String.raw`^[^<>@,;:"()\\]*<${ADDRESS}>\s*$|^\s*${ADDRESS}\s*$`);

/**
 * The only mailbox of a From or Sender field. Null: there is none, or several, or text that some readers take for another
 * one: no group, outside of quotes and comments one address alone, and a name that is allowed for an address here.
 */
export function onlyMailbox(value: string): string | null {
  if (value.length > MAILBOX_CHARS) return null;
  // A quoted text is a word: beside a bare address, or in it, some take it for a part of that.
  if (!PLAIN.test(value.replace(ASIDES, (aside) => (aside.startsWith('"') ? 'word ' : ' ')))) return null;
  const [only, ...others] = addressesIn(value);
  if (only === undefined || others.length > 0) return null;
  // Some programs write the address as the name too.
  const name = withWordsDecoded(value).replaceAll('\t', ' ').replaceAll(only, '').replace('<>', '');
  return isMisleadingName(name) ? null : only;
}

/** The texts of a header as readers see them: encoded words (RFC 2047) decoded, so that they can be searched. */
export const decodedWords = (value: string): string =>
  value
    .replace(/\?=[ \t]+(?==\?)/g, '?=')
    .replace(/=\?[^?\s]{1,64}\?([bq])\?([^?\s]*)\?=/gi, (_word, how: string, text: string) =>
      how.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('latin1')
        : text
            .replaceAll('_', ' ')
            .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    );
