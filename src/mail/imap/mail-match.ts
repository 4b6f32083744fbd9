/** Whether a mail is what SEARCH looks for (RFC 9051 6.4.4). */

import type { ImapAddress, ImapEnvelope, SearchKey } from './imap-store.ts';
import { decoded, unfolded } from './mail-outline-header.ts';
import { valuesIn } from './mail-section.ts';

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

const holds = (text: string, part: string): boolean => folded(text).includes(folded(part));

/** An address as people write it. */
const written = ({ name, mailbox, host }: ImapAddress): string =>
  host === null ? `${mailbox ?? ''}` : `${name ?? ''} <${mailbox ?? ''}@${host}>`;

function inEnvelope(envelope: ImapEnvelope | null, name: EnvelopeText, text: string): boolean {
  if (envelope === null) return false;
  if (name === 'subject') return holds(envelope.subject ?? '', text);
  return envelope[name].some((address) => holds(written(address), text));
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

/** Whether a mail fits a key. Texts are parts of those of the mail, in any case; `body` and `text` are words of the index. */
export function matches(key: SearchKey, mail: SearchedMail): boolean {
  switch (key.key) {
    case 'all':
      return true;
    case 'and':
      return key.of.every((each) => matches(each, mail));
    case 'or':
      return key.of.some((each) => matches(each, mail));
    case 'not':
      return !matches(key.of, mail);
    case 'uids':
      return key.ranges.some(([from, to]) => mail.uid >= from && mail.uid <= to);
    case 'flag':
      return mail.flags.some((flag) => flag.toLowerCase() === key.flag.toLowerCase());
    case 'body':
    case 'text':
      return mail.hasWords(key.key, key.text);
    case 'header':
      return (
        mail.header !== null &&
        valuesIn(mail.header, key.name).some((value) => holds(decoded(unfolded(value)), key.text))
      );
    case 'internalDate':
      return isWithin(mail.internalDate, key);
    case 'sent':
      return isWithin(sentDay(mail.envelope?.date ?? null), key);
    case 'larger':
      return mail.size > key.bytes;
    case 'smaller':
      return mail.size < key.bytes;
    case 'modSeq':
      return mail.modSeq >= key.least;
    case 'emailId':
      return mail.emailId === key.id;
    case 'threadId':
      return mail.threadId === key.id;
    default:
      return inEnvelope(mail.envelope, key.key, key.text);
  }
}
