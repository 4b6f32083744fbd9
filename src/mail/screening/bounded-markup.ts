import { createRequire } from 'node:module';
import type { DefaultTreeAdapterMap, DefaultTreeAdapterTypes, Parser, Token } from 'parse5';
import { lazy } from '../../base/lazy.ts';
import { MarkupFloodError } from '../look/css.ts';

const require = createRequire(import.meta.url);
const library = lazy(() => require('parse5') as typeof import('parse5'));

/** Loads what {@link parseBounded} needs, which takes 15 ms once. */
export const loadHtmlParser = (): void => void library();

/** More markup than a page has that people read. */
const MARKUP_MAX = {
  /** Elements and comments of the tree, also those that the parser adds by itself. */
  nodes: 50_000,
  /** Elements inside each other. */
  depth: 512,
  /** Of those, elements such as `<b>`, which the parser opens again in each paragraph. */
  formatting: 64,
  /** Characters in tags. */
  tagChars: 262_144,
  /** Attributes of one tag. */
  attributes: 256,
} as const;
/** HTML, 13.2.4.3: the list of active formatting elements. */
const FORMATTING = new Set(
  ['a', 'b', 'big', 'code', 'em', 'font', 'i', 'nobr', 's', 'small', 'strike', 'strong', 'tt', 'u'],
); // biome-ignore format: a list of words reads best filled.

/** Refuses what goes beyond {@link MARKUP_MAX} as soon as it does. */
class MarkupCount {
  readonly #counts = { nodes: 0, depth: 0, formatting: 0, tagChars: 0, attributes: 0 };

  add(what: keyof typeof MARKUP_MAX, n = 1): void {
    this.#counts[what] += n;
    if (this.#counts[what] > MARKUP_MAX[what]) throw new MarkupFloodError(what);
  }

  addTag({ tagName, attrs }: Token.TagToken): void {
    this.#counts.attributes = 0;
    this.add('attributes', attrs.length);
    const chars = attrs.reduce((sum, { name, value }) => sum + name.length + value.length + 2, tagName.length + 3);
    this.add('tagChars', chars);
  }

  /** An element was opened or closed. */
  addOpen(node: DefaultTreeAdapterTypes.ParentNode, n: 1 | -1): void {
    this.add('depth', n);
    if ('tagName' in node && FORMATTING.has(node.tagName)) this.add('formatting', n);
  }
}

type BoundedParser = new (count: MarkupCount) => Parser<DefaultTreeAdapterMap>;

const boundedParser = lazy((): BoundedParser => {
  const { Parser, defaultTreeAdapter } = library();
  return class extends Parser<DefaultTreeAdapterMap> {
    readonly #count: MarkupCount;

    constructor(count: MarkupCount) {
      const treeAdapter: typeof defaultTreeAdapter = {
        ...defaultTreeAdapter,
        createElement: (...element) => {
          count.add('nodes');
          return defaultTreeAdapter.createElement(...element);
        },
        createCommentNode: (data) => {
          count.add('nodes');
          return defaultTreeAdapter.createCommentNode(data);
        },
        onItemPush: (node) => count.addOpen(node, 1),
        onItemPop: (node) => count.addOpen(node, -1),
      };
      super({ treeAdapter });
      this.#count = count;
    }

    override onStartTag(token: Token.TagToken): void {
      this.#count.addTag(token);
      super.onStartTag(token);
    }

    override onEndTag(token: Token.TagToken): void {
      this.#count.addTag(token);
      super.onEndTag(token);
    }
  };
});

/**
 * Parses HTML as a browser does, up to {@link MARKUP_MAX}. It counts what the parser itself reads and makes, so no markup
 * can look like less to the count than it is to the parser.
 * @throws {MarkupFloodError}
 */
export function parseBounded(html: string): DefaultTreeAdapterTypes.ChildNode[] {
  const parser = new (boundedParser())(new MarkupCount());
  parser.tokenizer.write(html, true);
  return parser.document.childNodes;
}
