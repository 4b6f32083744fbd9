/**
 * Converts untrusted HTML to plain text, in one pass and linear time: every character is read once, and a search that
 * finds nothing is never repeated. Not a browser: it keeps what a reader needs, including link targets.
 */
import { cut } from './mime-fields.ts';
import { LINES, PARAGRAPHS, TextBuilder } from './text-builder.ts';

/** How much HTML of one mail is still read. The text made from more would be cut anyway; a megabyte has no more tags. */
export interface HtmlRoom {
  chars: number;
  tags: number;
}
export const htmlRoom = (): HtmlRoom => ({ chars: 4_194_304, tags: 350_000 });

const ATTRIBUTE_CHARS = 8192;
const HREF_CHARS = 2048;
const LINKS_MAX = 200;
export const UNSEEN_CHARS = 20_000;

/** Attributes that hold words. */
export const WORDY = ['alt', 'title', 'aria-label', 'content', 'summary', 'placeholder'];
const WORDY_ATTRIBUTE = new RegExp(`(?:^|\\s)(${WORDY.join('|')})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'gi');

/** Elements whose content is not text for a reader. */
export const DROPPED = new Set(['script', 'style', 'title', 'template', 'noframes', 'iframe', 'object', 'svg']);
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', copy: '\u00a9', reg: '\u00ae', trade: '\u2122',
  hellip: '\u2026', mdash: '\u2014', ndash: '\u2013', lsquo: '\u2018', rsquo: '\u2019', ldquo: '\u201c',
  rdquo: '\u201d', laquo: '\u00ab', raquo: '\u00bb', bull: '\u2022', middot: '\u00b7', euro: '\u20ac',
  pound: '\u00a3', yen: '\u00a5', cent: '\u00a2', sect: '\u00a7', para: '\u00b6', deg: '\u00b0', times: '\u00d7',
  divide: '\u00f7', plusmn: '\u00b1', frac12: '\u00bd', larr: '\u2190', rarr: '\u2192', ensp: ' ', emsp: ' ',
  thinsp: ' ', shy: '', zwnj: '', zwj: '', auml: '\u00e4', ouml: '\u00f6', uuml: '\u00fc', Auml: '\u00c4',
  Ouml: '\u00d6', Uuml: '\u00dc', szlig: '\u00df', eacute: '\u00e9', egrave: '\u00e8', agrave: '\u00e0',
  ccedil: '\u00e7', ntilde: '\u00f1', oacute: '\u00f3',
}; // biome-ignore format: a table reads best filled.

/** Text with its character references resolved; unknown ones stay as they are. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d+)|#[xX]([0-9a-fA-F]+)|([a-zA-Z]{2,8}\d{0,2}));?/g, (match, dec, hex, name) => {
    if (name !== undefined) return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? match) : match;
    const code = dec !== undefined ? Number.parseInt(dec, 10) : Number.parseInt(hex, 16);
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : '\ufffd';
  });
}

/** A link of a mail: its target and what a reader sees of it. */
export interface ShownLink {
  url: string;
  text: string;
}

export interface LinearText {
  text: string;
  links: ShownLink[];
  /** What no page shows as text: comments, descriptions of pictures, titles. At most {@link UNSEEN_CHARS}. */
  unseen: string;
}

/**
 * The readable text of an HTML document, at most `maxChars` UTF-16 units. Scripts, styles and comments are dropped; a
 * link whose text is not its address is followed by the address in brackets.
 */
export const htmlToText = (html: string, maxChars: number, room = htmlRoom()): string =>
  new LinearReader(html, room, false).read(maxChars).text;

/** The same with its links beside it, and with the words that are not text of the page. */
export const readLinearly = (html: string, maxChars: number): LinearText =>
  new LinearReader(html, htmlRoom(), true).read(maxChars);

class LinearReader {
  readonly #source: string;
  readonly #room: HtmlRoom;
  readonly #takesAll: boolean;
  readonly #out = new TextBuilder();
  readonly #links: ShownLink[] = [];
  #link: { href: string; start: number } | null = null;
  readonly #unseen: string[] = [];
  #unseenLeft = UNSEEN_CHARS;

  constructor(html: string, room: HtmlRoom, takesAll: boolean) {
    this.#source = cut(html, room.chars);
    this.#room = room;
    room.chars -= this.#source.length;
    this.#takesAll = takesAll;
  }

  read(maxChars: number): LinearText {
    const source = this.#source;
    const tags = new TagScanner(source);
    const isOver = (): boolean => this.#room.tags <= 0 || this.#out.length > maxChars;
    let start = 0;
    let open = source.indexOf('<');
    for (let tag: Tag | null; open >= 0 && !isOver(); open = source.indexOf('<', tag?.end ?? open + 1)) {
      tag = tags.read(open);
      if (tag === null) continue;
      this.#room.tags -= 1;
      this.#text(start, open);
      if (this.#takesAll) this.#noteWords(tag, open);
      this.#apply(tag);
      start = tag.end;
    }
    if (!isOver()) this.#text(start, source.length);
    this.#closeLink();
    return { text: cut(this.#out.finish(), maxChars), links: this.#links, unseen: this.#unseen.join('\n') };
  }

  #text(from: number, to: number): void {
    if (from < to) this.#out.text(decodeEntities(this.#source.slice(from, to)));
  }

  #apply(tag: Tag): void {
    const out = this.#out;
    if (tag.name === 'a') {
      // A link that begins ends the one before: none is inside another.
      this.#closeLink();
      if (!tag.closing) this.#link = { href: hrefOf(tag.attributes), start: out.length };
    } else if (tag.name === 'br') out.lineBreak(true);
    else if (tag.name === 'hr') out.rule();
    else if (tag.name === 'li') {
      out.lineBreak(false);
      if (!tag.closing) out.bullet();
    } else if (tag.name === 'td' || tag.name === 'th') out.space();
    else if (PARAGRAPHS.has(tag.name)) {
      out.paragraph();
      if (tag.name === 'pre') out.preformatted(!tag.closing);
    } else if (LINES.has(tag.name)) out.lineBreak(false);
  }

  #closeLink(): void {
    const link = this.#link;
    this.#link = null;
    if (link === null || !/^(?:https?|mailto):/i.test(link.href)) return;
    const text = this.#out.since(link.start, HREF_CHARS).trim();
    const bare = link.href.replace(/^mailto:/i, '');
    if (this.#links.length < LINKS_MAX) this.#links.push({ url: link.href, text });
    if (!this.#takesAll && text !== link.href && text !== bare) this.#out.text(` (${bare})`);
  }

  #noteWords(tag: Tag, open: number): void {
    if (this.#unseenLeft === 0) return;
    if (tag.name !== '') {
      if (!tag.attributes.includes('=')) return;
      for (const [, , quoted, single] of tag.attributes.slice(0, ATTRIBUTE_CHARS).matchAll(WORDY_ATTRIBUTE))
        this.#note(decodeEntities(quoted ?? single ?? ''));
    } else if (!/^<(?:style|script)/i.test(this.#source.slice(open, open + 7))) {
      const start = this.#source.startsWith('<!--', open) ? open + 4 : open;
      this.#note(this.#source.slice(start, Math.min(tag.end, start + UNSEEN_CHARS)).replace(/<[^<>]{0,500}>/g, ' '));
    }
  }

  #note(words: string): void {
    const kept = words.slice(0, this.#unseenLeft);
    if (kept.trim() === '') return;
    this.#unseenLeft -= kept.length;
    this.#unseen.push(kept);
  }
}

function hrefOf(attributes: string): string {
  const match = /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(attributes.slice(0, ATTRIBUTE_CHARS));
  const value = match?.[1] ?? match?.[2] ?? match?.[3] ?? '';
  return cut(decodeEntities(value).replace(/\s+/g, ''), HREF_CHARS);
}

type Tag = { name: string; closing: boolean; attributes: string; end: number };

const TAG_NAME = /<(\/?)([a-zA-Z][a-zA-Z0-9:-]{0,30})/y;

/** Finds where tags end. A search that reaches the end of the document is not repeated. */
class TagScanner {
  readonly #source: string;
  /**
   * False once reading quoted attribute values ran off the end: quotes are then ignored, or each tag would run again.
   */
  #quotesAware = true;
  #hasMoreEnds = true;

  constructor(source: string) {
    this.#source = source;
  }

  /** The tag that begins at `open`, or null when the `<` is text. Comments and dropped elements have no name. */
  read(open: number): Tag | null {
    const source = this.#source;
    if (source.startsWith('<!--', open)) return this.#until(source.indexOf('-->', open + 2), 3);
    const next = source.charCodeAt(open + 1);
    if (next === 0x21 || next === 0x3f) return this.#until(source.indexOf('>', open), 1);
    TAG_NAME.lastIndex = open;
    const name = TAG_NAME.exec(source);
    if (name === null) return null;
    const nameEnd = open + name[0].length;
    const end = this.#endOf(nameEnd);
    if (end < 0) return null;
    const tag = {
      name: (name[2] ?? '').toLowerCase(),
      closing: name[1] === '/',
      attributes: source.slice(nameEnd, end - 1),
      end,
    };
    if (tag.closing || !DROPPED.has(tag.name)) return tag;
    // HTML honours the self-closing form only in foreign content: `<script/>` opens a script.
    if (tag.name === 'svg' && tag.attributes.endsWith('/')) return tag;
    return this.#afterElement(tag);
  }

  /** A nameless tag up to a found mark; a comment that never ends hides the rest, as it does in a browser. */
  #until(mark: number, length: number): Tag {
    return { name: '', closing: false, attributes: '', end: mark < 0 ? this.#source.length : mark + length };
  }

  #afterElement(tag: Tag): Tag {
    const closing = new RegExp(`</${tag.name}(?=[\\s/>])`, 'gi');
    closing.lastIndex = tag.end;
    const match = closing.exec(this.#source);
    return this.#until(match === null ? -1 : this.#source.indexOf('>', match.index), 1);
  }

  /** The position after the `>` that ends a tag, -1 if there is none. */
  #endOf(from: number): number {
    if (!this.#hasMoreEnds) return -1;
    const source = this.#source;
    for (let i = from; this.#quotesAware && i < source.length; i += 1) {
      const c = source.charCodeAt(i);
      if (c === 0x3e) return i + 1;
      // A quote opens a value only after `=`; anywhere else it is a stray character.
      if ((c === 0x22 || c === 0x27) && /=\s*$/.test(source.slice(Math.max(from, i - 8), i))) {
        const close = source.indexOf(c === 0x22 ? '"' : "'", i + 1);
        if (close < 0) break;
        i = close;
      }
    }
    this.#quotesAware = false;
    const end = source.indexOf('>', from);
    if (end < 0) this.#hasMoreEnds = false;
    return end + 1 || -1;
  }
}
