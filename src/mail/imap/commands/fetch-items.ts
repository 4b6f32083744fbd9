import { BadCommand, type Cursor } from '../imap-cursor.ts';
import type { FetchWants } from '../imap-store.ts';
import type { Section } from '../mail-section.ts';

/** From where, and at most how many bytes: `<0.1024>`. */
export type ByteRange = readonly [offset: number, length: number] | null;

const PLAIN = ['FLAGS', 'UID', 'MODSEQ', 'INTERNALDATE', 'RFC822.SIZE', 'EMAILID', 'THREADID'] as const;
const OUTLINED = ['ENVELOPE', 'BODY', 'BODYSTRUCTURE'] as const;

/** What FETCH asks of each mail (RFC 9051 6.4.5). */
export type FetchItem =
  | { kind: (typeof PLAIN)[number] | (typeof OUTLINED)[number] | 'PREVIEW' }
  /** `label`: how the response names it. */
  | { kind: 'section'; label: string; section: Section; partial: ByteRange; peek: boolean }
  | { kind: 'binary'; label: string; path: readonly number[]; partial: ByteRange; peek: boolean }
  | { kind: 'binarySize'; label: string; path: readonly number[] };

const ITEMS_MAX = 100;
const FIELDS_MAX = 200;
const DEPTH_MAX = 50;

const NAME = /[A-Z0-9.]+/iy;
const PATH = /\d{1,6}(?:\.\d{1,6})*/y;
const WHAT = /HEADER\.FIELDS\.NOT|HEADER\.FIELDS|HEADER|TEXT|MIME/iy;
const PARTIAL = /<(\d{1,10})\.(\d{1,10})>/y;

const MACROS: Record<string, readonly string[]> = {
  FAST: ['FLAGS', 'INTERNALDATE', 'RFC822.SIZE'],
  ALL: ['FLAGS', 'INTERNALDATE', 'RFC822.SIZE', 'ENVELOPE'],
  FULL: ['FLAGS', 'INTERNALDATE', 'RFC822.SIZE', 'ENVELOPE', 'BODY'],
};

const WHOLE: Section = { path: [], what: 'all', fields: [] };

/** Reads one item, a list of them or a macro. @throws BadCommand */
export function fetchItems(cursor: Cursor): FetchItem[] {
  if (!cursor.sees('(')) {
    const name = nameAt(cursor);
    const macro = Object.hasOwn(MACROS, name) ? MACROS[name] : undefined;
    return macro === undefined ? [itemOf(name, cursor)] : macro.map((each) => itemOf(each, cursor));
  }
  const items = cursor.list(() => itemOf(nameAt(cursor), cursor));
  if (items.length === 0 || items.length > ITEMS_MAX) throw new BadCommand('No items, or too many');
  return items;
}

function nameAt(cursor: Cursor): string {
  const found = cursor.match(NAME);
  if (found === null) throw new BadCommand('Expected an item');
  return found[0].toUpperCase();
}

function itemOf(name: string, cursor: Cursor): FetchItem {
  if (cursor.sees('[')) return sectionItem(name, cursor);
  const plain = [...PLAIN, ...OUTLINED].find((kind) => kind === name);
  if (plain !== undefined) return { kind: plain };
  switch (name) {
    case 'PREVIEW':
      // RFC 8970 4.1: how long to wait is the server's choice.
      if (cursor.skip(' (')) {
        if (cursor.word() !== 'LAZY') throw new BadCommand('Unknown modifier of PREVIEW');
        cursor.expect(')');
      }
      return { kind: 'PREVIEW' };
    case 'RFC822':
      return { kind: 'section', label: name, section: WHOLE, partial: null, peek: false };
    case 'RFC822.HEADER':
      return { kind: 'section', label: name, section: { ...WHOLE, what: 'header' }, partial: null, peek: true };
    case 'RFC822.TEXT':
      return { kind: 'section', label: name, section: { ...WHOLE, what: 'text' }, partial: null, peek: false };
    default:
      throw new BadCommand('Unknown item');
  }
}

function sectionItem(name: string, cursor: Cursor): FetchItem {
  cursor.expect('[');
  const path = (cursor.match(PATH)?.[0] ?? '').split('.').filter(Boolean).map(Number);
  if (path.length > DEPTH_MAX || path.includes(0)) throw new BadCommand('No such part');
  const written = path.join('.');
  if (name === 'BODY' || name === 'BODY.PEEK') {
    const { section, text } = sectionAt(path, cursor);
    cursor.expect(']');
    const partial = partialAt(cursor);
    const label = `BODY[${written}${path.length > 0 && text !== '' ? '.' : ''}${text}]${originOf(partial)}`;
    return { kind: 'section', label, section, partial, peek: name === 'BODY.PEEK' };
  }
  cursor.expect(']');
  if (name === 'BINARY.SIZE') return { kind: 'binarySize', label: `BINARY.SIZE[${written}]`, path };
  if (name !== 'BINARY' && name !== 'BINARY.PEEK') throw new BadCommand('Unknown item');
  const partial = partialAt(cursor);
  const label = `BINARY[${written}]${originOf(partial)}`;
  return { kind: 'binary', label, path, partial, peek: name === 'BINARY.PEEK' };
}

const originOf = (partial: ByteRange): string => (partial === null ? '' : `<${partial[0]}>`);

/** What stands behind the numbers of the part. `text`: as the response repeats it */
function sectionAt(path: readonly number[], cursor: Cursor): { section: Section; text: string } {
  const dotted = path.length > 0 && cursor.skip('.');
  const word = cursor.match(WHAT)?.[0].toUpperCase();
  if (word === undefined && dotted) throw new BadCommand('No such section');
  if (word === undefined) return { section: { path, what: 'all', fields: [] }, text: '' };
  if ((path.length > 0 && !dotted) || (word === 'MIME' && path.length === 0)) throw new BadCommand('No such section');
  if (word === 'HEADER' || word === 'TEXT' || word === 'MIME') {
    const what = word.toLowerCase() as 'header' | 'text' | 'mime';
    return { section: { path, what, fields: [] }, text: word };
  }
  cursor.space();
  const fields = cursor.list(() => cursor.astring());
  if (fields.length === 0 || fields.length > FIELDS_MAX) throw new BadCommand('No fields, or too many');
  if (!fields.every((field) => /^[!-9;-~]{1,200}$/.test(field))) throw new BadCommand('No such field');
  const what = word === 'HEADER.FIELDS' ? 'fields' : 'fields.not';
  return { section: { path, what, fields }, text: `${word} (${fields.map(fieldText).join(' ')})` };
}

const fieldText = (field: string): string => (/^[\w-]+$/.test(field) ? field : `"${field.replace(/["\\]/g, '\\$&')}"`);

function partialAt(cursor: Cursor): ByteRange {
  const found = cursor.match(PARTIAL);
  if (found === null) return null;
  if (Number(found[2]) === 0) throw new BadCommand('No bytes asked for');
  return [Number(found[1]), Number(found[2])];
}

/** Whether a FETCH of these reads the mail (RFC 9051 2.3.2). */
export const marksSeen = (items: readonly FetchItem[]): boolean =>
  items.some((item) => (item.kind === 'section' || item.kind === 'binary') && !item.peek);

/** What of a mail these items need; null: its UID and flags alone. */
export function wantsOf(items: readonly FetchItem[]): FetchWants | null {
  const wants: FetchWants = {};
  for (const item of items) {
    if (item.kind === 'section') {
      const { path, what } = item.section;
      // The header of the whole mail is kept apart.
      if (path.length === 0 && what !== 'all' && what !== 'text') wants.header = true;
      else wants.bytes = true;
    } else if (item.kind === 'binary' || item.kind === 'binarySize') wants.bytes = true;
    else if (item.kind === 'PREVIEW') wants.preview = true;
    else if (OUTLINED.some((kind) => kind === item.kind)) wants.outline = true;
    else if (item.kind !== 'FLAGS' && item.kind !== 'UID' && item.kind !== 'MODSEQ') wants.dates = true;
  }
  return Object.keys(wants).length === 0 ? null : wants;
}
