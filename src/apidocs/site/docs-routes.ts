import { type Endpoint, endpoint, type Reply, reply } from '../../api/endpoint.ts';
import { ApiError } from '../../api/errors.ts';
import { media, record, text } from '../../api/fields.ts';
import { PLAIN_PAGE_HEADERS } from '../../api/page-frame.ts';
import { preferredType } from '../../base/negotiation.ts';
import { Type } from '../../base/schema.ts';
import { Documents, documentReply } from '../../http/pipeline/static-document.ts';
import { llmsText, pageNames, pageText } from '../pages/document-pages.ts';
import type { DocsSite } from './docs-site.ts';

/** The documentation as HTML. `Accept: text/markdown`, or `.md` at the end of the path, gets the same page as Markdown. */

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

/** The site's own script copies code and chooses languages. It makes no HTML from text. */
const HEADERS = {
  ...PLAIN_PAGE_HEADERS,
  'content-security-policy':
    `${PLAIN_PAGE_HEADERS['content-security-policy']}; script-src 'self'; connect-src 'self'; ` +
    "require-trusted-types-for 'script'; trusted-types 'none'",
};

type PageReply = Reply<200, Buffer> | Reply<304, null>;

const COMMON = { method: 'GET', tag: 'Pages', auth: 'none', effect: 'none' } as const;
const replies = { 200: media('text/html', 'The page.'), 304: Type.Null() };

export interface DocsRoutePorts {
  site(): Promise<DocsSite>;
  endpoints(): readonly Endpoint[];
  baseUrl(): string;
}

export function docsRoutes({ site, endpoints, baseUrl }: DocsRoutePorts): Endpoint[] {
  const documents = new Documents();
  const answer = (name: string, header: (name: string) => string | undefined, make: () => string): PageReply => {
    const made = documentReply(documents.get(name, HTML, make), header);
    return { ...made, headers: { ...HEADERS, ...made.headers, vary: 'accept, accept-encoding' } } as PageReply;
  };
  const asMarkdown = (
    name: string,
    header: (name: string) => string | undefined,
    make: () => string,
  ): PageReply | null => {
    if (preferredType(header('accept'), ['text/html', 'text/markdown']) === 'text/html') return null;
    const made = documentReply(documents.get(`${name}.md`, MARKDOWN, make), header);
    return { ...made, headers: { ...made.headers, vary: 'accept, accept-encoding' } } as PageReply;
  };
  const fixed = (path: string, operation: string, summary: string, make: (site: DocsSite) => string) =>
    endpoint({
      ...COMMON,
      path,
      operation,
      summary,
      replies,
      errors: [],
      handle: async ({ header }) => {
        const markdown = asMarkdown(path, header, () => llmsText(baseUrl()));
        if (markdown) return markdown;
        const made = await site();
        return answer(path, header, () => make(made));
      },
    });
  const page = endpoint({
    ...COMMON,
    path: '/docs/{page}',
    operation: 'showDocsPage',
    summary: 'Show a page of the documentation',
    params: record({ page: text(100) }),
    replies,
    errors: ['not_found'],
    handle: async ({ params: { page: name }, header }) => {
      if (!pageNames().includes(name)) throw new ApiError('not_found');
      const markdown = asMarkdown(name, header, () => pageText(name, baseUrl()));
      if (markdown) return markdown;
      const made = await site();
      return answer(name, header, () => made.page(name));
    },
  });
  const operation = endpoint({
    ...COMMON,
    path: '/docs/api/{operationId}',
    operation: 'showOperation',
    summary: 'Show an operation',
    params: record({ operationId: text(100) }),
    replies,
    errors: ['not_found'],
    handle: async ({ params: { operationId }, header }) => {
      const found = endpoints().find((one) => one.operation === operationId);
      if (!found) throw new ApiError('not_found');
      const made = await site();
      return answer(`api/${operationId}`, header, () => made.operation(found));
    },
  });
  return [
    fixed('/docs', 'showDocs', 'Show the start of the documentation', (made) => made.start()),
    fixed('/docs/api', 'showReference', 'Show all operations', (made) => made.reference()),
    search(site),
    page,
    operation,
  ];
}

const search = (site: DocsRoutePorts['site']) =>
  endpoint({
    ...COMMON,
    path: '/docs/search',
    operation: 'searchDocs',
    summary: 'Search the documentation',
    query: record({ q: Type.Optional(text(200)) }),
    replies: { 200: media('*/*', 'The results.') },
    errors: [],
    handle: async ({ query: { q = '' }, header }) => {
      const headers = { ...HEADERS, vary: 'accept' };
      if (preferredType(header('accept'), ['text/html', 'application/json']) === 'text/html')
        return reply(200, (await site()).results(q), { ...headers, 'content-type': HTML });
      const body = JSON.stringify({ results: (await site()).find(q) });
      return reply(200, body, { ...headers, 'content-type': 'application/json; charset=utf-8' });
    },
  });
