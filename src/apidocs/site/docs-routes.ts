import { type Endpoint, endpoint, type Reply, reply } from '../../api/endpoint.ts';
import { ApiError } from '../../api/errors.ts';
import { media, record, text } from '../../api/fields.ts';
import { PLAIN_PAGE_HEADERS } from '../../api/page-frame.ts';
import { preferredType } from '../../base/negotiation.ts';
import { Type } from '../../base/schema.ts';
import { operationNames } from '../documents.ts';
import { areaNames, jobNames } from '../pages/document-pages.ts';
import type { ServedDocuments } from '../served-documents.ts';

/** The documentation as HTML. `Accept: text/markdown`, or `.md` at the end of the path, gets the same page as Markdown. */

/** The site's own script copies code and chooses languages. It makes no HTML from text. */
const HEADERS = {
  ...PLAIN_PAGE_HEADERS,
  'content-security-policy':
    `${PLAIN_PAGE_HEADERS['content-security-policy']}; script-src 'self'; connect-src 'self'; ` +
    "require-trusted-types-for 'script'; trusted-types 'none'",
};

type Header = (name: string) => string | undefined;
type PageReply = Reply<200, Buffer> | Reply<304, null>;

const COMMON = { method: 'GET', tag: 'Pages', auth: 'none', effect: 'none' } as const;
const VARY = { vary: 'accept, accept-encoding' };
const replies = { 200: media('text/html', 'The page.'), 304: Type.Null() };

const wantsMarkdown = (header: Header): boolean =>
  preferredType(header('accept'), ['text/html', 'text/markdown']) === 'text/markdown';

export function docsRoutes(documents: ServedDocuments): Endpoint[] {
  const asHtml = async (path: string, header: Header): Promise<PageReply> => {
    const made = await documents.reply(path, header);
    return { ...made, headers: { ...HEADERS, ...made.headers, ...VARY } };
  };
  const asMarkdown = async (path: string, header: Header): Promise<PageReply> => {
    const made = await documents.reply(path, header);
    // `/llms.txt` is plain text under its own name.
    const type = made.status === 200 ? { 'content-type': 'text/markdown; charset=utf-8' } : {};
    return { ...made, headers: { ...made.headers, ...type, ...VARY } };
  };
  const fixed = (path: string, operation: string, summary: string) =>
    endpoint({
      ...COMMON,
      path,
      operation,
      summary,
      replies,
      errors: [],
      handle: async ({ header }) => (wantsMarkdown(header) ? asMarkdown('/llms.txt', header) : asHtml(path, header)),
    });
  const page = (
    path: '/docs/{page}' | '/docs/jobs/{page}',
    operation: string,
    summary: string,
    names: () => string[],
  ) =>
    endpoint({
      ...COMMON,
      path,
      operation,
      summary,
      params: record({ page: text(100) }),
      replies,
      errors: ['not_found'],
      handle: async ({ params, header }) => {
        if (!names().includes(params.page)) throw new ApiError('not_found');
        const asked = path.replace('{page}', params.page);
        return wantsMarkdown(header) ? asMarkdown(`${asked}.md`, header) : asHtml(asked, header);
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
      if (!operationNames(documents.sources()).includes(operationId)) throw new ApiError('not_found');
      return asHtml(`/docs/api/${operationId}`, header);
    },
  });
  return [
    fixed('/docs', 'showDocs', 'Show the start of the documentation'),
    fixed('/docs/api', 'showReference', 'Show all operations'),
    search(documents),
    page('/docs/{page}', 'showDocsPage', 'Show a page of the documentation', areaNames),
    page('/docs/jobs/{page}', 'showJob', 'Show the calls of a job', jobNames),
    operation,
  ];
}

const search = (documents: ServedDocuments) =>
  endpoint({
    ...COMMON,
    path: '/docs/search',
    operation: 'searchDocs',
    compressed: true,
    summary: 'Search the documentation',
    query: record({ q: Type.Optional(text(200)) }),
    replies: { 200: media('*/*', 'The results.') },
    errors: [],
    handle: async ({ query: { q = '' }, header }) => {
      const site = await documents.sources().site();
      const headers = { ...HEADERS, vary: 'accept' };
      if (preferredType(header('accept'), ['text/html', 'application/json']) === 'text/html')
        return reply(200, site.results(q), { ...headers, 'content-type': 'text/html; charset=utf-8' });
      const body = JSON.stringify({ results: site.find(q) });
      return reply(200, body, { ...headers, 'content-type': 'application/json; charset=utf-8' });
    },
  });
