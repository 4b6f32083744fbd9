import { BRAND, escaped, pageFrame } from '../../api/page-frame.ts';

/** The frame of the documentation: masthead with search, menu, the page, and the headings of the page. */

export interface DocsPage {
  title: string;
  /** HTML of the page, with its `h1`. */
  html: string;
  /** The path of this page. */
  path: string;
  menu: readonly MenuLink[];
  /** The headings of the page. */
  outline?: readonly { anchor: string; title: string }[];
  /** What the reader searched for. */
  question?: string;
  /** The path of the same page as Markdown. */
  markdown?: string;
}

export interface Link {
  path: string;
  title: string;
  /** What a list of links shows beside it. */
  text?: string;
}

/** A group of the menu with its links. */
export interface MenuLink {
  title: string;
  links: readonly Link[];
}

function menuHtml(menu: readonly MenuLink[], path: string): string {
  const groups = menu.map(({ title, links }) => {
    const isOpen = menu.length <= 10 || links.some((link) => link.path === path);
    const items = links
      .map((link) => {
        const current = link.path === path ? ' aria-current="page"' : '';
        return `<li><a href="${link.path}"${current}>${escaped(link.title)}</a></li>`;
      })
      .join('');
    return `<details${isOpen ? ' open' : ''}><summary>${escaped(title)}</summary><ul>${items}</ul></details>`;
  });
  return groups.join('\n');
}

/** The pages before and after this one in the menu. */
function neighbours(menu: readonly MenuLink[], path: string): string {
  const links = menu.flatMap((group) => group.links);
  const at = links.findIndex((link) => link.path === path);
  if (at < 0) return '';
  const link = (found: Link | undefined, side: string) =>
    found ? `<a class="${side}" href="${found.path}" rel="${side}">${escaped(found.title)}</a>` : '';
  return `<nav class="neighbours" aria-label="Next pages">${link(links[at - 1], 'prev')}${link(links[at + 1], 'next')}</nav>`;
}

const section = (path: string, start: string, label: string, isHere: boolean): string =>
  `<a href="${path}"${isHere ? ` aria-current="${path === start ? 'page' : 'true'}"` : ''}>${label}</a>`;

function masthead(path: string, question: string): string {
  const isApi = path.startsWith('/docs/api');
  return `    <a class="skip" href="#page">Skip to the page</a>
    <header class="masthead">
      ${BRAND}
      <nav aria-label="Main">${section('/docs', path, 'Docs', !isApi)}${section('/docs/api', path, 'API reference', isApi)}</nav>
      <form class="search" action="/docs/search" role="search">
        <label class="visually-hidden" for="q">Search the documentation</label>
        <input id="q" name="q" type="search" placeholder="Search, or ask a question" maxlength="200" autocomplete="off" value="${escaped(question)}">
        <kbd aria-hidden="true">/</kbd>
      </form>
    </header>`;
}

function outlineHtml(outline: NonNullable<DocsPage['outline']>): string {
  if (outline.length < 2) return '';
  const items = outline.map(({ anchor, title }) => `<li><a href="#${anchor}">${escaped(title)}</a></li>`).join('');
  return `<nav class="outline" aria-label="On this page"><p>On this page</p><ul>${items}</ul></nav>`;
}

export function docsLayout({ title, html, path, menu, outline = [], question = '', markdown }: DocsPage): string {
  const alternate = markdown ? `\n    <link rel="alternate" type="text/markdown" href="${markdown}">` : '';
  const asMarkdown = markdown ? `<p class="fine"><a href="${markdown}">This page as Markdown</a></p>` : '';
  return pageFrame({
    title,
    kind: 'docs',
    styles: ['docs'],
    head: `${alternate}\n    <script src="/assets/theme.js"></script>\n    <script type="module" src="/assets/docs.js"></script>`,
    body: `${masthead(path, question)}
    <div class="columns">
      <nav class="menu" aria-label="Pages">
        <details class="drawer" open><summary>Menu</summary>
${menuHtml(menu, path)}
        </details>
      </nav>
      <main id="page" tabindex="-1">
${html}
${neighbours(menu, path)}
${asMarkdown}
      </main>
      ${outlineHtml(outline)}
    </div>
    <p class="visually-hidden" id="status" role="status" aria-live="polite"></p>`,
  });
}
