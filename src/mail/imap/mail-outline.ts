/**
 * The parts of a mail, with their places in its bytes (RFC 2045, RFC 2046), and what ENVELOPE and BODYSTRUCTURE say of
 * them (RFC 9051 7.5.2). It takes what hostile senders make: it never throws, and its time grows with the mail alone.
 */

import type { ImapPart, MailOutline } from './imap-store.ts';
import {
  ADDRESSES_MAX,
  decoded,
  ENVELOPE_NAMES,
  envelopeOf,
  fieldsOf,
  type HeaderField,
  headerEnd,
  parameterized,
  unfolded,
} from './mail-outline-header.ts';

/** Parts in parts. What is deeper is one part of bytes. */
export const DEPTH_MAX = 50;
/** Parts of a mail. What follows them belongs to none. */
export const PARTS_MAX = 500;
/** As much is read of the headers of all of its parts together. */
const HEADERS_BYTES_MAX = 1_048_576;
/** How often the bytes of a mail may be looked through: nested parts are, once for each level. */
const LOOKS_MAX = 8;
const SMALL_BYTES = 65_536;
const LINE_END = Buffer.from('\n');
const [LF, CR, SPACE, TAB, DASH] = [10, 13, 32, 9, 45];

const MIME_NAMES: ReadonlySet<string> = new Set([
  ...['content-type', 'content-transfer-encoding', 'content-disposition', 'content-id', 'content-description'],
  ...['content-md5', 'content-language', 'content-location'],
]);
const MESSAGE_NAMES: ReadonlySet<string> = new Set([...MIME_NAMES, ...ENVELOPE_NAMES]);

const TYPE = /^([a-z0-9!#$%&'*+.^_`{|}~-]{1,127})\/([a-z0-9!#$%&'*+.^_`{|}~-]{1,127})$/;

/** What is known of a part before its body is read. */
type Described = Omit<ImapPart, 'headerAt' | 'bodyAt' | 'endAt' | 'lines' | 'parts' | 'message'>;

/** What the header of a part says. @param type what it is where it says nothing */
function described(fields: readonly HeaderField[], type: string): Described {
  const first = (name: string): string | null => {
    const found = fields.find((field) => field.name === name);
    return found === undefined ? null : unfolded(found.value);
  };
  const content = first('content-type');
  const { value, params } = content === null ? { value: type, params: [] } : parameterized(content);
  // RFC 2045 5.2: what cannot be read is text.
  const [, major = 'text', minor = 'plain'] = TYPE.exec(value) ?? [];
  const disposed = first('content-disposition');
  const disposition = disposed === null ? null : parameterized(disposed);
  const description = first('content-description');
  const language = first('content-language');
  return {
    type: major,
    subtype: minor,
    params,
    id: first('content-id')?.toWellFormed() ?? null,
    description: description === null ? null : decoded(description),
    encoding: encodingIn(first('content-transfer-encoding')),
    md5: first('content-md5')?.toWellFormed() ?? null,
    disposition: disposition?.value ? { type: disposition.value, params: disposition.params } : null,
    language:
      language === null
        ? []
        : language
            .toWellFormed()
            .split(/[\s,]+/)
            .filter((tag) => tag !== ''),
    location: first('content-location')?.replace(/ /g, '').toWellFormed() ?? null,
  };
}

const encodingIn = (line: string | null): string =>
  /^(?:\([^()]*\) *)?([a-z0-9!#$%&'*+.^_`{|}~-]{1,40})/i.exec(line ?? '')?.[1]?.toLowerCase() ?? '7bit';

/** A part without a header. */
const bare = (at: number, endAt: number, lines: number): ImapPart => ({
  ...described([], 'text/plain'),
  headerAt: at,
  bodyAt: at,
  endAt,
  lines,
  parts: [],
  message: null,
});

class Outliner {
  readonly #bytes: Buffer;
  readonly #room = { addresses: ADDRESSES_MAX };
  #partsLeft = PARTS_MAX;
  #headersLeft = HEADERS_BYTES_MAX;
  #looksLeft: number;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#looksLeft = LOOKS_MAX * bytes.length + SMALL_BYTES;
  }

  /** A mail, at the top or in a `message/rfc822`. */
  message(start: number, end: number, depth: number): MailOutline {
    const bodyAt = headerEnd(this.#bytes, start, end);
    const fields = this.#fields(start, bodyAt, MESSAGE_NAMES);
    const envelope = envelopeOf(
      fields.filter(({ name }) => ENVELOPE_NAMES.has(name)),
      this.#room,
    );
    return { envelope, body: this.#withBody(described(fields, 'text/plain'), start, bodyAt, end, depth) };
  }

  #part(start: number, end: number, type: string, depth: number): ImapPart {
    const bodyAt = headerEnd(this.#bytes, start, end);
    const fields = this.#fields(start, bodyAt, MIME_NAMES);
    return this.#withBody(described(fields, type), start, bodyAt, end, depth);
  }

  #fields(start: number, bodyAt: number, names: ReadonlySet<string>): HeaderField[] {
    const header = this.#bytes.subarray(start, Math.min(bodyAt, start + this.#headersLeft));
    this.#headersLeft -= header.length;
    return fieldsOf(header, names);
  }

  #withBody(of: Described, headerAt: number, bodyAt: number, endAt: number, depth: number): ImapPart {
    const { type, subtype } = of;
    const place = { headerAt, bodyAt, endAt, lines: 0, parts: [], message: null };
    if (type === 'multipart') {
      const parts = depth < DEPTH_MAX ? this.#parts(of, bodyAt, endAt, depth) : [];
      // The grammar of BODYSTRUCTURE wants one at least.
      return { ...of, ...place, parts: parts.length > 0 ? parts : [bare(bodyAt, endAt, this.#lines(bodyAt, endAt))] };
    }
    if (type === 'message' && subtype === 'rfc822') {
      if (depth >= DEPTH_MAX || !this.#take()) return { ...of, ...place, type: 'application', subtype: 'octet-stream' };
      const lines = this.#lines(bodyAt, endAt);
      return { ...of, ...place, lines, message: this.message(bodyAt, endAt, depth + 1) };
    }
    return { ...of, ...place, lines: type === 'text' ? this.#lines(bodyAt, endAt) : 0 };
  }

  /** The parts of a multipart; none without a boundary. */
  #parts({ subtype, params }: Described, bodyAt: number, endAt: number, depth: number): ImapPart[] {
    const boundary = params.find(([name]) => name === 'boundary')?.[1] ?? '';
    if (boundary === '' || !this.#look(endAt - bodyAt)) return [];
    const type = subtype === 'digest' ? 'message/rfc822' : 'text/plain';
    const delimiters = this.#delimiters(Buffer.from(`--${boundary}`), bodyAt, endAt);
    const parts: ImapPart[] = [];
    let begin: number | null = null;
    for (const { before, after, isLast } of delimiters) {
      if (begin !== null) parts.push(this.#part(begin, Math.max(begin, before), type, depth + 1));
      begin = isLast || !this.#take() ? null : after;
      if (begin === null) break;
    }
    // Its end is missing, as in a mail that was cut.
    if (begin !== null) parts.push(this.#part(begin, endAt, type, depth + 1));
    return parts;
  }

  /** The lines between parts (RFC 2046 5.1.1): where what is before one ends, and what follows it begins. */
  *#delimiters(delimiter: Buffer, bodyAt: number, endAt: number) {
    const bytes = this.#bytes.subarray(0, endAt);
    // With the line end before it: a boundary of `-` is found at each byte of a line of them.
    const line = Buffer.concat([LINE_END, delimiter]);
    const isFirst = bytes.subarray(bodyAt, bodyAt + delimiter.length).equals(delimiter);
    for (let at = isFirst ? bodyAt : bytes.indexOf(line, bodyAt) + 1; at > 0; at = bytes.indexOf(line, at) + 1) {
      let next = at + delimiter.length;
      const isLast = bytes[next] === DASH && bytes[next + 1] === DASH;
      if (isLast) next += 2;
      while (bytes[next] === SPACE || bytes[next] === TAB) next += 1;
      if (bytes[next] === CR) next += 1;
      if (next < endAt && bytes[next] !== LF) continue;
      // The line end before it belongs to it.
      const lineEnd = at <= bodyAt ? 0 : bytes[at - 2] === CR && at - 1 > bodyAt ? 2 : 1;
      yield { before: at - lineEnd, after: Math.min(next + 1, endAt), isLast };
    }
  }

  #take(): boolean {
    this.#partsLeft -= 1;
    return this.#partsLeft >= 0;
  }

  #look(many: number): boolean {
    this.#looksLeft -= many;
    return this.#looksLeft >= 0;
  }

  #lines(start: number, end: number): number {
    if (!this.#look(end - start)) return 0;
    let lines = 0;
    for (let at = start; at < end; at += 1) if (this.#bytes[at] === LF) lines += 1;
    return lines;
  }
}

/** What ENVELOPE and BODYSTRUCTURE say of a mail, and where its parts are. Any bytes have an outline. */
export function outlineOf(bytes: Uint8Array): MailOutline {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return new Outliner(all).message(0, all.length, 0);
}
