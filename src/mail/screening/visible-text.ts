import type { DefaultTreeAdapterTypes } from 'parse5';
import { MarkupFloodError, StyleSheet } from '../look/css.ts';
import { declarationsOf, isHiddenElement, type Look, lookOf, ROOT_LOOK } from '../look/element-look.ts';
import { DROPPED, readLinearly, type ShownLink, UNSEEN_CHARS, WORDY } from '../mime/html-text.ts';
import { LINES, PARAGRAPHS, TextBuilder } from '../mime/text-builder.ts';
import { parseBounded } from './bounded-markup.ts';
import { modelTalkOf } from './model-text.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** What a person would see of an HTML part, and what was hidden. */
export interface VisibleText {
  text: string;
  /** Text that the page hides: by style, by colour, in comments. */
  hidden: string;
  /** How many characters are hidden, also beyond those kept. */
  hiddenChars: number;
  /** What no page shows as text: descriptions of pictures, titles, data for machines. */
  unseen: string;
  links: ShownLink[];
  /** The page was too costly to be read as a person sees it: the text is all of it, and nothing is known to be hidden. */
  isFlood?: true;
}

const HTML_CHARS = 1_048_576;
const HIDDEN_CHARS = UNSEEN_CHARS;
const LINKS_MAX = 200;
const LINK_TEXT_CHARS = 300;
const UNREAD = new Set([...DROPPED, 'head', 'noscript', 'select', 'textarea', 'math']);
/** A description of a picture that is longer is not one. */
const ALT_CHARS = 100;

/** An element on the way from the root, with what is in force inside it. */
interface Frame {
  tag: string;
  id: string;
  classes: readonly string[];
  attribute(name: string): string | undefined;
  parent: Frame | null;
  look: Look;
  isHidden: boolean;
}

const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((attr) => attr.name === name)?.value;

class Reader {
  readonly #out = new TextBuilder();
  readonly #styles: StyleSheet;
  readonly links: ShownLink[] = [];
  #hidden: string[] = [];
  #hiddenKept = 0;
  hiddenChars = 0;
  #unseen: string[] = [];
  #unseenKept = 0;
  /** The links that are open, innermost last. */
  #open: { url: string; start: number }[] = [];

  constructor(styles: StyleSheet) {
    this.#styles = styles;
  }

  get result(): VisibleText {
    return {
      text: this.#out.finish(),
      hidden: this.#hidden.join(' ').trim(),
      hiddenChars: this.hiddenChars,
      unseen: this.#unseen.join('\n'),
      links: this.links,
    };
  }

  /** Walks without recursion: a hostile mail nests deeper than the stack. */
  read(root: Node[], top: Frame): void {
    const stack: ({ node: Node; frame: Frame } | { leave: Element; frame: Frame })[] = root
      .map((node) => ({ node, frame: top }))
      .reverse();
    for (let step = stack.pop(); step; step = stack.pop()) {
      if ('leave' in step) this.#leave(step.leave, step.frame);
      else {
        const inner = this.#enter(step.node, step.frame);
        if (!inner) continue;
        const element = step.node as Element;
        stack.push({ leave: element, frame: inner });
        for (let i = element.childNodes.length - 1; i >= 0; i -= 1)
          stack.push({ node: element.childNodes[i] as Node, frame: inner });
      }
    }
  }

  /** Takes a node. @returns the frame of its children, or null for none */
  #enter(node: Node, frame: Frame): Frame | null {
    if (node.nodeName === '#text') {
      this.#text((node as DefaultTreeAdapterTypes.TextNode).value, frame);
      return null;
    }
    if (node.nodeName === '#comment') {
      this.#hide((node as DefaultTreeAdapterTypes.CommentNode).data);
      return null;
    }
    if (!('tagName' in node)) return null;
    this.#noteWords(node);
    if (UNREAD.has(node.tagName)) {
      this.#noteDropped(node);
      return null;
    }
    const inner = this.#frameOf(node, frame);
    if (!inner.isHidden) this.#begin(node);
    return inner;
  }

  /** Keeps the words of invisible attributes, for the search for instructions. */
  #noteWords(element: Element): void {
    for (const { name, value } of element.attrs) if (value.length > 15 && WORDY.includes(name)) this.#note(value);
  }

  #note(text: string): void {
    if (this.#unseenKept >= HIDDEN_CHARS) return;
    this.#unseenKept += text.length;
    this.#unseen.push(text.slice(0, HIDDEN_CHARS));
  }

  /** Keeps the words of an element that shows no text. Programs are not words. */
  #noteDropped(element: Element): void {
    const isProgram =
      element.tagName === 'style' ||
      (element.tagName === 'script' && attribute(element, 'type') !== 'application/ld+json');
    if (isProgram) return;
    const stack: Node[] = [element];
    for (let node = stack.pop(); node && this.#unseenKept < HIDDEN_CHARS; node = stack.pop()) {
      if ('value' in node && node.nodeName === '#text') this.#note(node.value);
      else if ('data' in node) this.#note(node.data);
      if (node !== element && 'attrs' in node) this.#noteWords(node);
      if ('content' in node) for (const child of node.content.childNodes) stack.push(child);
      if ('childNodes' in node && !('tagName' in node && node.tagName === 'style'))
        for (const child of node.childNodes) stack.push(child);
    }
  }

  /** What stands for a picture. */
  #alt(element: Element): string {
    const alt = attribute(element, 'alt') ?? '';
    const isDot = [attribute(element, 'width'), attribute(element, 'height')].some((size) =>
      /^[01](?:px)?$/.test(size ?? ''),
    );
    return isDot || alt.length > ALT_CHARS || (alt.length > 15 && modelTalkOf(alt, true).weight > 0.2) ? '' : alt;
  }

  #frameOf(element: Element, parent: Frame): Frame {
    const id = attribute(element, 'id') ?? '';
    const classes = (attribute(element, 'class') ?? '').split(/\s+/).slice(0, 20);
    const frame: Frame = {
      tag: element.tagName,
      id,
      classes,
      parent,
      look: parent.look,
      isHidden: parent.isHidden,
      attribute: (name) => attribute(element, name),
    };
    const declarations = declarationsOf(this.#styles, frame);
    frame.look = lookOf(declarations, parent.look, frame.tag);
    frame.isHidden = parent.isHidden || isHiddenElement(frame, declarations);
    return frame;
  }

  #text(value: string, { isHidden, look }: Frame): void {
    if (isHidden || !look.isVisible) this.#hide(value);
    else this.#out.text(value);
  }

  #hide(value: string): void {
    const text = value.replace(/[\s\p{Default_Ignorable_Code_Point}\u2800]+/gu, ' ').trim();
    if (text === '') return;
    // Conditional comments of mail programs are layout (`[if mso]`).
    if (/^\[if |^<!\[endif|^\[endif/i.test(text)) {
      this.#note(text.replace(/<[^<>]{0,500}>/g, ' '));
      return;
    }
    this.hiddenChars += text.length;
    if (this.#hiddenKept >= HIDDEN_CHARS) return;
    this.#hiddenKept += text.length;
    this.#hidden.push(text.slice(0, HIDDEN_CHARS));
  }

  #begin(element: Element): void {
    const out = this.#out;
    const tag = element.tagName;
    if (tag === 'br') out.lineBreak(true);
    else if (tag === 'hr') out.rule();
    else if (tag === 'li') {
      out.lineBreak(false);
      out.bullet();
    } else if (tag === 'td' || tag === 'th') out.space();
    else if (tag === 'img') out.text(this.#alt(element));
    else if (tag === 'a')
      this.#open.push({ url: (attribute(element, 'href') ?? '').trim().slice(0, 2048), start: out.length });
    else this.#block(tag, true);
  }

  #block(tag: string, isStart: boolean): void {
    if (PARAGRAPHS.has(tag)) {
      this.#out.paragraph();
      if (tag === 'pre') this.#out.preformatted(isStart);
    } else if (LINES.has(tag)) this.#out.lineBreak(false);
  }

  #leave(element: Element, { isHidden }: Frame): void {
    if (isHidden) return;
    if (element.tagName === 'a') this.#closeLink();
    else if (element.tagName === 'li') this.#out.lineBreak(false);
    else this.#block(element.tagName, false);
  }

  #closeLink(): void {
    const link = this.#open.pop();
    if (!link || !/^(?:https?:|mailto:)/i.test(link.url) || this.links.length >= LINKS_MAX) return;
    this.links.push({ url: link.url, text: this.#out.since(link.start, LINK_TEXT_CHARS).trim() });
  }
}

function styleSheetOf(root: Node[]): StyleSheet {
  const css: string[] = [];
  const stack: Node[] = [...root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!('tagName' in node)) continue;
    if (node.tagName === 'style')
      css.unshift(node.childNodes.map((child) => ('value' in child ? child.value : '')).join(''));
    else for (const child of node.childNodes) stack.push(child);
  }
  return new StyleSheet(css.join('\n'));
}

function seenText(html: string): VisibleText {
  const childNodes = parseBounded(html);
  const reader = new Reader(styleSheetOf(childNodes));
  reader.read(childNodes, {
    tag: '#root',
    id: '',
    classes: [],
    parent: null,
    look: ROOT_LOOK,
    isHidden: false,
    attribute: () => undefined,
  });
  return reader.result;
}

/**
 * Reads HTML as a person would see it: by parsed declarations, never by looking for words. Hidden text is counted and
 * kept apart. What has more markup than a page that people read is read in one pass instead. See ADR 0120.
 */
export function visibleText(html: string): VisibleText {
  const source = html.slice(0, HTML_CHARS);
  try {
    return seenText(source);
  } catch (err) {
    if (!(err instanceof MarkupFloodError)) throw err;
    return { ...readLinearly(source, HTML_CHARS), hidden: '', hiddenChars: 0, isFlood: true };
  }
}
