import { type Declarations, MarkupFloodError, type Matchable, StyleSheet } from '../../../../mail/look/css.ts';
import { declarationsOf, isHiddenElement, type Look, lookOf, ROOT_LOOK } from '../../../../mail/look/element-look.ts';
import { withoutTurning } from '../plain-text.ts';
import { type Drawn, dress, isReadable } from './mail-style.ts';

/**
 * Builds a mail anew in the document of its frame: elements and attributes from a list, and what its style may say. What
 * the sender hides is shown on a tint: the rule is that of the service, which screens mail by it.
 */

/** Pictures as `data:` addresses: attached ones by content id, those of other hosts by their address. */
export type Pictures = ReadonlyMap<string, string>;

/** For private use in Unicode, so that no name of HTML has it. A mail that has it loses it before it is read. */
export const MARK = '\uE000';
export const unmarked = (text: string): string => text.replaceAll(MARK, '');

const attributeIn = (element: Element, name: string): string | undefined => {
  const value = element.getAttribute(name === 'style' ? `style${MARK}` : name);
  return value === null ? undefined : unmarked(value);
};

/** Their content is no text for a reader, or text that is read as markup. */
export const DROPPED: ReadonlySet<string> = new Set(
  `script style noframes link meta base title template noscript iframe frame frameset object embed applet portal input
  button select textarea audio video canvas source track svg math xmp noembed plaintext head`.split(/\s+/),
);
/** Drawn as what they are. Every other element is drawn as a box or as a part of a line; `mark` too, which has colours. */
const DRAWN = new Set(
  `abbr b blockquote br caption cite code col colgroup dd del div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i ins
  kbd li ol p pre q s samp section small span strong sub sup table tbody td tfoot th thead tr u ul wbr`.split(/\s+/),
);
const BOXES = new Set(
  'address article aside center details dialog dir fieldset footer form header legend main nav summary'.split(' '),
);
/** Labels cannot stand in these: they stand before them, or in their cells. */
const LISTS = new Set(['table', 'ul', 'ol', 'dl']);
const ROWS = new Set(['tbody', 'thead', 'tfoot', 'tr', 'colgroup', 'col']);
/** By `rowspan` cells could lie over each other. A `title` in a link would stand where people look for its target. */
const KEPT = ['title', 'colspan', 'dir', 'lang', 'start'];
const PICTURE = /^data:image\/(png|jpeg|gif|webp);/i;

/** More than a mail has that people read, and as deep as browsers nest. */
const NODES_MAX = 20_000;
const DEPTH_MAX = 400;
const NO_WORDS = /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u;
const LABEL = 'Hidden by the sender';

/** The content id that an image names (RFC 2392). */
export const contentIdIn = (src: string): string | null => {
  try {
    return /^cid:/i.test(src) ? decodeURIComponent(src.slice(4)) : null;
  } catch {
    return null;
  }
};

export const sourceOf = (image: Element): string => attributeIn(image, 'src') ?? '';

/** A node as the rule judges it. */
interface Judged {
  node: Element | null;
  /** Of a text, or of a picture that is not shown. */
  text: string;
  /** The source of a picture that is shown. */
  picture: string | null;
  declared: Declarations;
  look: Look;
  /** Whether something in it shows, and whether words in it are hidden. */
  isSeen: boolean;
  isLost: boolean;
  children: Judged[];
}

interface Around extends Pick<Judged, 'look'> {
  frame: Matchable | null;
  isHidden: boolean;
  depth: number;
}

const NOTHING: Declarations = new Map();

/** Reads what a mail holds, and judges what of it shows. */
class Judge {
  readonly #styles: StyleSheet | null;
  readonly #pictures: Pictures;
  #nodesLeft = NODES_MAX;

  constructor(styles: StyleSheet | null, pictures: Pictures) {
    [this.#styles, this.#pictures] = [styles, pictures];
  }

  /** Whether the mail has more than is shown. */
  get isCut(): boolean {
    return this.#nodesLeft < 0;
  }

  element(node: Element, around: Around): Judged {
    const { look: outer, frame: parent, depth } = around;
    const frame: Matchable = {
      tag: node.localName,
      id: attributeIn(node, 'id') ?? '',
      classes: (attributeIn(node, 'class') ?? '').split(/\s+/).slice(0, 20),
      parent,
      attribute: (name) => attributeIn(node, name),
    };
    const declared = this.#styles === null ? NOTHING : declarationsOf(this.#styles, frame);
    const look = lookOf(declared, outer, frame.tag);
    const isHidden = around.isHidden || (this.#styles !== null && isHiddenElement(frame, declared));
    const inner = { frame, look, isHidden, depth: depth + 1 };
    if (frame.tag === 'img') return this.#image(node, { ...inner }, declared);
    const children =
      depth > DEPTH_MAX
        ? [this.#words(node.textContent, inner)]
        : [...node.childNodes].flatMap((child) => this.#child(child, inner));
    const [isSeen, isLost] = [children.some((one) => one.isSeen), children.some((one) => one.isLost)];
    return { node, text: '', picture: null, declared, look, isSeen, isLost, children };
  }

  #child(node: ChildNode, inner: Around): Judged[] {
    this.#nodesLeft -= 1;
    if (this.isCut) return [];
    if (node instanceof Text) return [this.#words(node.data, inner)];
    return node instanceof Element && !DROPPED.has(node.localName) ? [this.element(node, inner)] : [];
  }

  #words(given: string, { look, isHidden }: Around): Judged {
    const text = withoutTurning(unmarked(given));
    const [hasWords, shows] = [!NO_WORDS.test(text), look.isVisible && !isHidden];
    const [isSeen, isLost] = [hasWords && shows, hasWords && !shows];
    return { node: null, text, picture: null, declared: NOTHING, look, isSeen, isLost, children: [] };
  }

  #image(node: Element, inner: Around, declared: Declarations): Judged {
    const src = sourceOf(node);
    const found = this.#pictures.get(contentIdIn(src) ?? src) ?? src;
    if (!PICTURE.test(found)) return this.#words(attributeIn(node, 'alt') ?? '', inner);
    const { look, isHidden } = inner;
    const picture = isHidden ? null : found;
    return { node, text: '', picture, declared, look, isSeen: !isHidden, isLost: false, children: [] };
  }
}

/** What older attributes say about the place of an element. */
function placed(node: Element, declared: Declarations): Declarations {
  const all = new Map(declared);
  const { localName: tag } = node;
  const add = (name: string, value: string | undefined): void =>
    void (value !== undefined && !all.has(name) && all.set(name, value.toLowerCase()));
  const align = attributeIn(node, 'align');
  if (tag === 'table' && align === 'center') for (const side of ['left', 'right']) add(`margin-${side}`, 'auto');
  else if (tag === 'center') add('text-align', 'center');
  else add('text-align', align);
  add('vertical-align', attributeIn(node, 'valign'));
  if (/^(table|td|th|col|hr)$/.test(tag)) add('width', attributeIn(node, 'width')?.replace(/^\d+$/, '$&px'));
  // The look has their values.
  if (tag === 'mark') for (const name of ['color', 'background-color']) add(name, '');
  return all;
}

/** Draws what was judged into a document. */
class Painter {
  readonly #page: Document;
  /** Whether the mail chose a colour. */
  isColored = false;

  constructor(page: Document) {
    this.#page = page;
  }

  make(tag: string, kind = '', text = ''): HTMLElement {
    const made = this.#page.createElement(tag);
    if (kind !== '') made.className = kind;
    if (text !== '') made.textContent = text;
    return made;
  }

  #label = (): HTMLElement => this.make('b', 'label', LABEL);

  #text({ text, isLost, isSeen }: Judged, around: Drawn): Node {
    if (isLost) {
      const tint = this.make('span', 'unseen');
      tint.append(this.#label(), ` ${text}`);
      return tint;
    }
    return isSeen && !isReadable(around) ? this.make('span', 'legible', text) : this.#page.createTextNode(text);
  }

  #bare(judged: Judged): HTMLElement {
    const { node, picture } = judged;
    const tag = node?.localName ?? 'span';
    const made = this.make(picture !== null ? 'img' : DRAWN.has(tag) ? tag : BOXES.has(tag) ? 'div' : 'span');
    if (node === null) return made;
    for (const name of KEPT) {
      const value = attributeIn(node, name);
      if (value === undefined || (name === 'dir' && !/^(ltr|rtl|auto)$/i.test(value))) continue;
      if (name === 'title' && node.closest('a') !== null) continue;
      const spanned = name === 'colspan' ? Math.min(Number.parseInt(value, 10) || 1, 50) : null;
      made.setAttribute(name, spanned === null ? withoutTurning(value) : String(spanned));
    }
    if (picture !== null) {
      made.setAttribute('src', picture);
      made.setAttribute('alt', withoutTurning(attributeIn(node, 'alt') ?? ''));
      for (const name of ['width', 'height']) {
        const value = attributeIn(node, name);
        if (value !== undefined && /^\d{1,4}$/.test(value)) made.setAttribute(name, value);
      }
    }
    // Links cannot be followed here. Their target shows as a tooltip, and below the mail.
    const href = tag === 'a' ? attributeIn(node, 'href') : undefined;
    if (href !== undefined) {
      made.className = 'link';
      made.title = withoutTurning(href);
    }
    return made;
  }

  /** What the sender hides, as words without any of its styles. */
  #plain(judged: Judged): Node[] {
    if (judged.node === null) return [this.#page.createTextNode(judged.text)];
    if (judged.node.localName === 'img') return [];
    const made = this.#bare(judged);
    made.append(...judged.children.flatMap((child) => this.#plain(child)));
    return [made];
  }

  #unseen(judged: Judged, tag: string): Node {
    const [made] = this.#plain(judged) as [HTMLElement];
    if (!LISTS.has(tag)) {
      made.classList.add('unseen');
      made.prepend(this.#label(), ' ');
      return made;
    }
    const box = this.make('div', 'unseen');
    box.append(this.#label(), made);
    return box;
  }

  draw(judged: Judged, around: Drawn): Node[] {
    const { node, isSeen, isLost, children } = judged;
    if (node === null) return [this.#text(judged, around)];
    const { localName: tag } = node;
    if (tag === 'img' && judged.picture === null) return [];
    if (isLost && !isSeen && !ROWS.has(tag)) return [this.#unseen(judged, tag)];
    const made = this.#bare(judged);
    const drawn = this.dressed(made, judged, around);
    made.append(...children.flatMap((child) => this.draw(child, drawn)));
    return [made];
  }

  dressed(made: HTMLElement, { node, declared, look }: Judged, around: Drawn): Drawn {
    const drawn = node === null ? around : dress(made.style, placed(node, declared), look, around);
    if (made.style.color !== '' || made.style.backgroundColor !== '') this.isColored = true;
    return drawn;
  }
}

const cssIn = (mail: Document): string =>
  [...mail.querySelectorAll('noframes')]
    .filter((one) => one.hasAttribute(MARK))
    .map((one) => unmarked(one.textContent))
    .join('\n');

/** @returns null when judging the styles costs more than those of any mail that people read */
function judged(mail: Document, pictures: Pictures, styles: StyleSheet | null): [Judged[], Judge] | null {
  const judge = new Judge(styles, pictures);
  const top = { frame: null, look: ROOT_LOOK, isHidden: false, depth: 0 };
  // A mail whose body was a set of frames has none.
  const body = mail.querySelector('body');
  if (body === null) return [[], judge];
  try {
    // What the root says is in force in the body.
    const root = judge.element(mail.documentElement, top);
    return [[root], judge];
  } catch (err) {
    if (err instanceof MarkupFloodError) return null;
    throw err;
  }
}

/** Draws a mail into the empty document of its frame. */
export function copyMail(mail: Document, page: Document, pictures: Pictures): void {
  const found = judged(mail, pictures, new StyleSheet(cssIn(mail)));
  const [[root], judge] = found ?? (judged(mail, pictures, null) as [Judged[], Judge]);
  const painter = new Painter(page);
  const note = (text: string): void => page.body.prepend(painter.make('p', 'note', text));
  if (root !== undefined) {
    const white = { color: ROOT_LOOK.color, background: [255, 255, 255, 1] } as const;
    const outside = painter.dressed(page.documentElement, root, white);
    for (const body of root.children.filter((one) => one.node?.localName === 'body'))
      if (body.isLost && !body.isSeen) page.body.append(...painter.draw(body, outside));
      else {
        const drawn = painter.dressed(page.body, body, outside);
        page.body.append(...body.children.flatMap((child) => painter.draw(child, drawn)));
      }
  }
  page.documentElement.classList.toggle('bare', !painter.isColored);
  if (found === null) note('This message has too many styles to tell what its sender hides. None are shown.');
  if (judge.isCut) note('This message is too long for this view. Its end is not shown.');
}
