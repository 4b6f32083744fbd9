/** Whether a mail is what SEARCH looks for (RFC 9051 6.4.4). */

import type { ImapAddress, ImapEnvelope, SearchKey } from './imap-store.ts';
import { decoded, fieldsOf, unfolded } from './mail-outline-header.ts';

/** A mail, as far as a key asks for it: {@link readsOf} tells what that is. */
export interface SearchedMail {
  uid: number;
  modSeq: number;
  flags: readonly string[];
  /** Milliseconds. */
  internalDate: number;
  size: number;
  emailId: string;
  threadId: string | null;
  /** Null where it is not read. */
  envelope: ImapEnvelope | null;
  header: Uint8Array | null;
  /** Whether it has these words in its body, or anywhere. */
  hasWords(where: 'body' | 'text', text: string): boolean;
}

/** What a key reads of each mail. */
export interface KeyReads {
  envelope: boolean;
  header: boolean;
  /** What is looked for in the words of the index, each once. */
  words: readonly { where: 'body' | 'text'; text: string }[];
}

/** The fields that an envelope has. */
const IN_ENVELOPE = ['from', 'to', 'cc', 'bcc', 'subject'] as const;
type EnvelopeText = (typeof IN_ENVELOPE)[number];
const isInEnvelope = (name: string): name is EnvelopeText => (IN_ENVELOPE as readonly string[]).includes(name);

export function readsOf(key: SearchKey): KeyReads {
  const words = new Map<string, KeyReads['words'][number]>();
  let [envelope, header] = [false, false];
  const look = (each: SearchKey): void => {
    switch (each.key) {
      case 'and':
      case 'or':
        each.of.forEach(look);
        break;
      case 'not':
        look(each.of);
        break;
      case 'header':
        header = true;
        break;
      case 'body':
      case 'text':
        words.set(`${each.key} ${each.text}`, { where: each.key, text: each.text });
        break;
      case 'sent':
        envelope = true;
        break;
      default:
        if (isInEnvelope(each.key)) envelope = true;
    }
  };
  look(key);
  return { envelope, header, words: [...words.values()] };
}

/** In effect i;unicode-casemap (RFC 5051). */
const folded = (text: string): string => text.normalize('NFC').toLowerCase();

/** An address as people write it. */
const written = ({ name, mailbox, host }: ImapAddress): string =>
  host === null ? `${mailbox ?? ''}` : `${name ?? ''} <${mailbox ?? ''}@${host}>`;

/** A mail whose texts are folded once, and when a key first asks for them: a search may have many keys. */
export class FoldedMail {
  readonly mail: SearchedMail;
  readonly #envelope = new Map<EnvelopeText, readonly string[]>();
  #header: Map<string, string[]> | null = null;
  readonly #values = new Map<string, readonly string[]>();
  #flags: ReadonlySet<string> | null = null;

  constructor(mail: SearchedMail) {
    this.mail = mail;
  }

  get flags(): ReadonlySet<string> {
    this.#flags ??= new Set(this.mail.flags.map((flag) => flag.toLowerCase()));
    return this.#flags;
  }

  envelope(name: EnvelopeText): readonly string[] {
    const { envelope } = this.mail;
    if (envelope === null) return [];
    return cached(this.#envelope, name, () =>
      (name === 'subject' ? [envelope.subject ?? ''] : envelope[name].map(written)).map(folded),
    );
  }

  /** The values of a field. @param name in lower case */
  header(name: string): readonly string[] {
    return cached(this.#values, name, () => {
      this.#header ??= valuesByName(this.mail.header);
      return (this.#header.get(name) ?? []).map((value) => folded(decoded(unfolded(value))));
    });
  }
}

function cached<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}

function valuesByName(header: Uint8Array | null): Map<string, string[]> {
  const byName = new Map<string, string[]>();
  const fields = header === null ? [] : fieldsOf(Buffer.from(header.buffer, header.byteOffset, header.byteLength));
  for (const { name, value } of fields) cached(byName, name, () => []).push(value);
  return byName;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The day of a Date header, without its time and zone, as milliseconds; null where there is none. */
export function sentDay(date: string | null): number | null {
  const [, day, name, year] = /(?:^|[\s,])(\d{1,2})[\s-]+([a-z]{3})[a-z]*[\s-]+(\d{2,4})\b/i.exec(date ?? '') ?? [];
  const month = MONTHS.indexOf(name?.toLowerCase() ?? '');
  if (month < 0) return null;
  // RFC 5322 4.3: years of two and three digits.
  const written = Number(year);
  const full = year?.length === 2 && written < 50 ? written + 2000 : written < 1000 ? written + 1900 : written;
  return Date.UTC(full, month, Number(day));
}

const isWithin = (at: number | null, { from, before }: { from: number; before: number }): boolean =>
  at !== null && at >= from && at < before;

/** Whether a number is in one of some ranges, ends included, which are in order and apart. */
function isIn(ranges: readonly (readonly [from: number, to: number])[], number: number): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.[1] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return (ranges[low]?.[0] ?? Number.POSITIVE_INFINITY) <= number;
}

/** Whether a mail fits. */
export type Matcher = (mail: FoldedMail) => boolean;

/** What tells whether mails fit a key. Texts are parts of those of the mail, in any case; `body` and `text` are words of the index. */
export function matcherOf(key: SearchKey): Matcher {
  switch (key.key) {
    case 'all':
      return () => true;
    case 'and': {
      const all = key.of.map(matcherOf);
      return (mail) => all.every((each) => each(mail));
    }
    case 'or': {
      const some = key.of.map(matcherOf);
      return (mail) => some.some((each) => each(mail));
    }
    case 'not': {
      const fits = matcherOf(key.of);
      return (mail) => !fits(mail);
    }
    case 'uids':
      return ({ mail }) => isIn(key.ranges, mail.uid);
    case 'flag': {
      const flag = key.flag.toLowerCase();
      return ({ flags }) => flags.has(flag);
    }
    case 'body':
    case 'text':
      return ({ mail }) => mail.hasWords(key.key, key.text);
    case 'header': {
      const [name, part] = [key.name.toLowerCase(), folded(key.text)];
      return (mail) => mail.header(name).some((value) => value.includes(part));
    }
    case 'internalDate':
      return ({ mail }) => isWithin(mail.internalDate, key);
    case 'sent':
      return ({ mail }) => isWithin(sentDay(mail.envelope?.date ?? null), key);
    case 'larger':
      return ({ mail }) => mail.size > key.bytes;
    case 'smaller':
      return ({ mail }) => mail.size < key.bytes;
    case 'modSeq':
      return ({ mail }) => mail.modSeq >= key.least;
    case 'emailId':
      return ({ mail }) => mail.emailId === key.id;
    case 'threadId':
      return ({ mail }) => mail.threadId === key.id;
    default: {
      const part = folded(key.text);
      return (mail) => mail.envelope(key.key).some((text) => text.includes(part));
    }
  }
}
