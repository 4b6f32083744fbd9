import type { Endpoint } from '../../api/endpoint.ts';
import { escaped } from '../../api/page-frame.ts';
import { lazy } from '../../base/lazy.ts';
import type { ApiDocument } from '../openapi/openapi-document.ts';
import { pageNames, pageText } from '../pages/document-pages.ts';
import { docsHtml, type Section } from './docs-html.ts';
import { docsLayout, type Link, type MenuLink } from './docs-layout.ts';
import { docsMenu, QUICKSTARTS } from './docs-menu.ts';
import { DocsSearch, type Entry, type Found } from './docs-search.ts';
import type { Marked } from './found-words.ts';
import { operationHtml } from './operation-html.ts';

/** Every page of the documentation as HTML, and its search. */

const operationPath = (operation: string): string => `/docs/api/${operation}`;

const linkList = (links: readonly Link[]): string =>
  `<ul class="links">${links
    .map(({ path, title, text }) => {
      const more = text === undefined ? '' : ` <span>${escaped(text)}</span>`;
      return `<li><a href="${path}">${escaped(title)}</a>${more}</li>`;
    })
    .join('')}</ul>`;

/** The words that were found, marked. */
const markedHtml = (parts: Marked): string =>
  parts.map((part, i) => (i % 2 === 0 ? escaped(part) : `<mark>${escaped(part)}</mark>`)).join('');

const resultList = (found: readonly Found[]): string =>
  `<ol class="results">${found
    .map(({ url, context, title_parts: title, passage_parts: text }) => {
      const passage = text.join('') === '' ? '' : `<p>${markedHtml(text)}</p>`;
      return `<li><a href="${url}">${markedHtml(title)}</a> <span>${escaped(context)}</span>${passage}</li>`;
    })
    .join('')}</ol>`;

const outlineOf = (sections: readonly Section[]) => sections.filter(({ depth }) => depth === 2);

export class DocsSite {
  readonly #endpoints: readonly Endpoint[];
  readonly #baseUrl: string;
  /** The OpenAPI document. */
  readonly #api: () => ApiDocument;
  readonly #pages = docsMenu();
  readonly #operations: readonly MenuLink[];
  readonly #search = lazy(() => new DocsSearch(this.#entries()));

  constructor(endpoints: readonly Endpoint[], baseUrl: string, api: () => ApiDocument) {
    this.#endpoints = endpoints;
    this.#baseUrl = baseUrl;
    this.#api = api;
    this.#operations = [...Map.groupBy(endpoints, ({ tag }) => tag)].map(([title, group]) => ({
      title,
      links: group.map(({ operation, summary, method, path }) => ({
        path: operationPath(operation),
        title: summary,
        text: `${method} ${path}`,
      })),
    }));
  }

  /** The start of the documentation. */
  start(): string {
    const jobs: readonly [string, string][] = [
      ['/docs/for-agents', 'Give an agent this address and let it read'],
      ['/docs/mail#wait-for-mail', 'Wait for a verification code'],
      ['/docs/vault', 'Keep a secret that only the agent can read'],
      ['/docs/budgets', 'Cap what an agent can spend, and approve what exceeds it'],
      ['/docs/operators', 'Decide as the operator of your agents'],
      ['/docs/operator', 'Run Signet on your own machine'],
    ];
    const quick = QUICKSTARTS.map(([name, title]) => ({ path: `/docs/${name}`, title }));
    const groups = this.#pages
      .slice(1)
      .map(({ title, links }) => `<h2>${escaped(title)}</h2>${linkList(links)}`)
      .join('\n');
    const html =
      '<h1>Documentation</h1><p class="lead">Signet gives an AI agent an identity: keys, mail, a vault, a budget, ' +
      'signed tokens and an audit log. Everything is one HTTP API.</p>' +
      `<h2>From nothing to a first result</h2>${linkList(quick)}` +
      `<h2>Common jobs</h2>${linkList(jobs.map(([path, title]) => ({ path, title })))}${groups}` +
      '<h2>For programs</h2>' +
      linkList([
        { path: '/docs/api', title: 'API reference', text: 'a page for each operation' },
        { path: '/openapi.json', title: 'openapi.json', text: 'the same as OpenAPI 3.1' },
        { path: '/llms.txt', title: 'llms.txt', text: 'the start for agents, as text' },
      ]);
    return docsLayout({ title: 'Documentation', html, path: '/docs', menu: this.#pages });
  }

  /** A page of docs/. @param name one of {@link pageNames} */
  page(name: string): string {
    const { html, sections } = docsHtml(pageText(name, this.#baseUrl));
    const path = `/docs/${name}`;
    const title = sections[0]?.title ?? name;
    return docsLayout({ title, html, path, menu: this.#pages, outline: outlineOf(sections), markdown: `${path}.md` });
  }

  /** The list of all operations. */
  reference(): string {
    const groups = this.#operations.map(({ title, links }) => `<h2>${escaped(title)}</h2>${linkList(links)}`);
    const html =
      '<h1>API reference</h1><p class="lead">Every operation, with its fields, errors and an example. ' +
      `The base URL is <code>${escaped(this.#baseUrl)}</code>.</p>${groups.join('\n')}`;
    return docsLayout({ title: 'API reference', html, path: '/docs/api', menu: this.#operations });
  }

  /** The page of an operation. */
  operation(endpoint: Endpoint): string {
    const { html, sections } = operationHtml(this.#api(), endpoint, this.#baseUrl);
    const path = operationPath(endpoint.operation);
    return docsLayout({
      title: endpoint.summary,
      html,
      path,
      menu: this.#operations,
      outline: outlineOf(sections),
      markdown: `${path}.md`,
    });
  }

  /** Answers a search. */
  find(question: string): Found[] {
    return this.#search().find(question);
  }

  results(question: string): string {
    const found = question.trim() === '' ? [] : this.find(question);
    const said =
      found.length > 0
        ? resultList(found)
        : '<p>Nothing found. Try other words, or browse the <a href="/docs/api">API reference</a>.</p>';
    const html = `<h1>Search</h1><p class="lead">${found.length} results for “${escaped(question)}”.</p>${said}`;
    return docsLayout({ title: 'Search', html, path: '/docs/search', menu: this.#pages, question });
  }

  #entries(): Entry[] {
    const operations = this.#endpoints.map(({ operation, summary, description = '', method, path, tag }) => ({
      url: operationPath(operation),
      title: summary,
      context: `${method} ${path}`,
      names: `${operation} ${path} ${tag}`,
      text: description,
    }));
    const sections = pageNames().flatMap((name) => {
      const { sections: parts } = docsHtml(pageText(name, this.#baseUrl));
      const page = parts[0]?.title ?? name;
      return parts.map(({ anchor, title, depth, text }) => ({
        url: depth === 1 ? `/docs/${name}` : `/docs/${name}#${anchor}`,
        title,
        context: depth === 1 ? 'Guide' : page,
        names: depth === 1 ? name : '',
        text,
      }));
    });
    return [...operations, ...sections];
  }
}
