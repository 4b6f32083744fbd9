import { BadCommand, type Cursor, type SequenceSet, textOf } from '../imap-cursor.ts';
import { ImapRefusal, type SearchKey } from '../imap-store.ts';
import { DAY_MS, dayOf } from '../imap-text.ts';

const KEYS_MAX = 1000;
/** Of them, those that look for a text in every mail. */
const TEXTS_MAX = 200;
const DEPTH_MAX = 100;
/** Before and after all times. */
const [FIRST_MS, LAST_MS] = [-8.64e15, 8.64e15];

const FLAG_KEYS: Record<string, string> = {
  ANSWERED: '\\Answered',
  DELETED: '\\Deleted',
  DRAFT: '\\Draft',
  FLAGGED: '\\Flagged',
  SEEN: '\\Seen',
};
const TEXT_KEYS = ['FROM', 'TO', 'CC', 'BCC', 'SUBJECT', 'BODY', 'TEXT'] as const;
const MOD_SEQ_ENTRY = /"(?:[^"\\\r\n]|\\["\\]){1,200}" (?:priv|shared|all) /iy;

const ALL: SearchKey = { key: 'all' };
const NONE: SearchKey = { key: 'not', of: ALL };

/** Reads the keys of a search (RFC 9051 6.4.4). Bounded in number and depth, whatever is sent. */
export class SearchKeys {
  readonly #cursor: Cursor;
  readonly #uidRanges: (set: SequenceSet, byUid: boolean) => [from: number, to: number][];
  readonly #now: number;
  #count = 0;
  #depth = 0;
  #texts = 0;
  /** Whether a key names a mod-sequence: then the answer has one too (RFC 7162 3.1.5). */
  hasModSeq = false;

  /** @param uidRanges the UIDs of a set, from and to included */
  constructor(
    cursor: Cursor,
    uidRanges: (set: SequenceSet, byUid: boolean) => [from: number, to: number][],
    now: number,
  ) {
    this.#cursor = cursor;
    this.#uidRanges = uidRanges;
    this.#now = now;
  }

  /** All keys up to the end. @throws BadCommand @throws ImapRefusal `BADCHARSET (UTF-8)`, `LIMIT` */
  read(): SearchKey {
    if (this.#cursor.skipWord('CHARSET')) {
      const charset = this.#cursor.astring().toUpperCase();
      if (charset !== 'UTF-8' && charset !== 'US-ASCII') throw new ImapRefusal('BADCHARSET (UTF-8)', 'Use UTF-8');
      this.#cursor.space();
    }
    return this.#several();
  }

  #several(): SearchKey {
    const of: SearchKey[] = [];
    do of.push(this.#key());
    while (this.#cursor.skip(' ') && !this.#cursor.atEnd);
    const [first] = of;
    return of.length === 1 && first !== undefined ? first : { key: 'and', of };
  }

  #key(): SearchKey {
    this.#count += 1;
    this.#depth += 1;
    if (this.#count > KEYS_MAX || this.#depth > DEPTH_MAX) throw new BadCommand('Too many search keys');
    const key = this.#keyAt();
    this.#depth -= 1;
    return key;
  }

  #keyAt(): SearchKey {
    const cursor = this.#cursor;
    if (cursor.skip('(')) {
      const inner = this.#several();
      cursor.expect(')');
      return inner;
    }
    if (cursor.sees('$') || /[\d*]/.test(cursor.next())) return this.#set(false);
    const name = cursor.word();
    return this.#flagKey(name) ?? this.#withArgument(name);
  }

  #set(byUid: boolean): SearchKey {
    return { key: 'uids', ranges: this.#uidRanges(this.#cursor.sequenceSet(), byUid) };
  }

  #flagKey(name: string): SearchKey | null {
    const flag = Object.hasOwn(FLAG_KEYS, name) ? FLAG_KEYS[name] : undefined;
    if (flag !== undefined) return { key: 'flag', flag };
    if (name.startsWith('UN') && name !== 'UNKEYWORD') {
      const of = this.#flagKey(name.slice(2));
      return of === null ? null : { key: 'not', of };
    }
    if (name === 'ALL' || name === 'OLD') return ALL;
    // No mail is \Recent here, as in IMAP4rev2.
    return name === 'RECENT' || name === 'NEW' ? NONE : null;
  }

  #withArgument(name: string): SearchKey {
    const cursor = this.#cursor;
    cursor.space();
    const text = TEXT_KEYS.find((key) => key === name);
    if (text !== undefined || name === 'HEADER') this.#countText();
    if (text !== undefined) {
      return { key: text.toLowerCase() as Lowercase<typeof text>, text: textOf(cursor.astringBytes()) };
    }
    switch (name) {
      case 'UID':
        return this.#set(true);
      case 'NOT':
        return { key: 'not', of: this.#key() };
      case 'OR': {
        const left = this.#key();
        cursor.space();
        return { key: 'or', of: [left, this.#key()] };
      }
      case 'KEYWORD':
        return { key: 'flag', flag: cursor.flag() };
      case 'UNKEYWORD':
        return { key: 'not', of: { key: 'flag', flag: cursor.flag() } };
      case 'HEADER': {
        const field = cursor.astring();
        cursor.space();
        return { key: 'header', name: field, text: cursor.astring() };
      }
      case 'LARGER':
        return { key: 'larger', bytes: cursor.number() };
      case 'SMALLER':
        return { key: 'smaller', bytes: cursor.number() };
      case 'EMAILID':
        return { key: 'emailId', id: cursor.astring() };
      case 'THREADID':
        return { key: 'threadId', id: cursor.astring() };
      case 'MODSEQ':
        this.hasModSeq = true;
        cursor.match(MOD_SEQ_ENTRY);
        return { key: 'modSeq', least: cursor.number() };
      default:
        return this.#time(name);
    }
  }

  #countText(): void {
    this.#texts += 1;
    if (this.#texts > TEXTS_MAX) throw new ImapRefusal('LIMIT', `A search looks for at most ${TEXTS_MAX} texts`);
  }

  #time(name: string): SearchKey {
    // RFC 5032: seconds.
    if (name === 'YOUNGER' || name === 'OLDER') {
      const moment = this.#now - this.#cursor.number() * 1000;
      return name === 'YOUNGER'
        ? { key: 'internalDate', from: moment, before: LAST_MS }
        : { key: 'internalDate', from: FIRST_MS, before: moment + 1 };
    }
    const sent = name.startsWith('SENT');
    const key = sent ? 'sent' : 'internalDate';
    const which = sent ? name.slice(4) : name;
    if (which !== 'BEFORE' && which !== 'ON' && which !== 'SINCE') throw new BadCommand('Unknown search key');
    const day = dayOf(this.#cursor.astring());
    if (day === null) throw new BadCommand('No such day');
    if (which === 'BEFORE') return { key, from: FIRST_MS, before: day };
    return { key, from: day, before: which === 'ON' ? day + DAY_MS : LAST_MS };
  }
}
