import { Marked, type Tokens } from 'marked';
import { escaped } from '../../api/page-frame.ts';

/** Markdown of our own pages as HTML. Markup inside a page is shown as text, so a page can only be what Markdown can say. */

/** Names of the languages of code blocks, as a reader knows them. */
const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'curl',
  ts: 'TypeScript',
  js: 'JavaScript',
  python: 'Python',
  cli: 'Command line',
  json: 'JSON',
  http: 'HTTP',
  console: 'Terminal',
  text: 'Text',
};

/** Blocks in these languages that follow each other say the same thing, so a reader chooses one. */
const SPOKEN = new Set(['sh', 'ts', 'js', 'python', 'cli']);

/** A part of a page, from one heading to the next. */
export interface Section {
  /** The id of the heading; empty for the start of the page. */
  anchor: string;
  title: string;
  depth: number;
  /** As Markdown. */
  text: string;
}

/** The ids of headings, made as GitHub makes them. */
class Anchors {
  readonly #seen = new Map<string, number>();

  of(heading: string): string {
    const plain = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '');
    const base = plain.trim().replace(/\s/g, '-');
    const count = this.#seen.get(base) ?? 0;
    this.#seen.set(base, count + 1);
    return count === 0 ? base : `${base}-${count}`;
  }
}

/** The text of a heading without its marks. */
const plainHeading = (text: string): string => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');

/** `/docs/mail.md#threads` is `/docs/mail#threads` for a reader of HTML. */
const pageLink = (href: string): string => href.replace(/^(\/docs\/[\w/-]+)\.md(?=#|$)/, '$1');

const codeBlock = ({ text, lang = '' }: Tokens.Code, label: string): string =>
  `<figure class="code" data-language="${escaped(lang)}"><figcaption>${escaped(label)}</figcaption>` +
  `<pre tabindex="0" aria-label="${escaped(label)}"><code>${escaped(text)}</code></pre></figure>\n`;

const labelOf = ({ lang = '' }: Tokens.Code, alone: boolean): string =>
  alone && lang === 'sh' ? 'Shell' : (LANGUAGES[lang] ?? 'Text');

function renderer(anchors: Anchors): Marked {
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = anchors.of(plainHeading(text));
        const inner = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1 id="${id}">${inner}</h1>\n`;
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${inner}</a></h${depth}>\n`;
      },
      code: (token) => codeBlock(token, labelOf(token, true)),
      html: ({ text }) => escaped(text),
      image: ({ text }) => escaped(text),
      link({ href, tokens }) {
        const isWeb = /^(https?:\/\/|mailto:|\/|#)/.test(href);
        const inner = this.parser.parseInline(tokens);
        return isWeb ? `<a href="${escaped(pageLink(href))}">${inner}</a>` : inner;
      },
      table(token) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
        const head = `<thead><tr>${cells(token.header, 'th')}</tr></thead>`;
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>${rows}</tbody></table></div>\n`;
      },
    },
  });
}

/** The blocks of one call in several languages, next to each other. */
const tabs = (blocks: readonly Tokens.Code[]): string =>
  `<div class="languages">${blocks.map((block) => codeBlock(block, labelOf(block, false))).join('')}</div>\n`;

/** How many blocks from `at` on say the same in different languages. */
function spokenFrom(tokens: readonly Tokens.Generic[], at: number): { blocks: Tokens.Code[]; end: number } {
  const blocks: Tokens.Code[] = [];
  let end = at;
  for (let next = at; next < tokens.length; next += 1) {
    const token = tokens[next] as Tokens.Generic;
    if (token.type === 'space') continue;
    const { lang = '' } = token as Tokens.Code;
    const isNew = blocks.every((block) => block.lang !== lang);
    if (token.type !== 'code' || !SPOKEN.has(lang) || !isNew) break;
    blocks.push(token as Tokens.Code);
    end = next + 1;
  }
  return { blocks, end };
}

/** Writes a page as HTML, with the headings below its title. */
export function docsHtml(markdown: string): { html: string; sections: Section[] } {
  const marked = renderer(new Anchors());
  const tokens = marked.lexer(markdown) as Tokens.Generic[];
  let html = '';
  for (let at = 0; at < tokens.length; ) {
    const { blocks, end } = spokenFrom(tokens, at);
    if (blocks.length > 1) {
      html += tabs(blocks);
      at = end;
    } else {
      html += marked.parser([tokens[at] as Tokens.Generic]);
      at += 1;
    }
  }
  return { html, sections: sectionsOf(tokens) };
}

function sectionsOf(tokens: readonly Tokens.Generic[]): Section[] {
  const anchors = new Anchors();
  const sections: Section[] = [];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const title = plainHeading((token as Tokens.Heading).text);
      sections.push({ anchor: anchors.of(title), title, depth: (token as Tokens.Heading).depth, text: '' });
    } else if (sections.length > 0) (sections[sections.length - 1] as Section).text += token.raw;
  }
  return sections;
}
