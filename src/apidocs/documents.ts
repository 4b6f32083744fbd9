import type { Endpoint } from '../api/endpoint.ts';
import { lazy } from '../base/lazy.ts';
import { openApiDocument } from './openapi/openapi-document.ts';
import { apiIndex, apiOperation, apiPart, apiShort } from './openapi/openapi-parts.ts';
import { llmsFullText, llmsText, pageNames, pageText, skillIndex, skillText } from './pages/document-pages.ts';
import { operationPage } from './pages/operation-page.ts';

/** Every document that describes the service, by its path: the API and its parts, texts for agents, pages for people. */

const JSON_TYPE = 'application/json; charset=utf-8';
const PLAIN = 'text/plain; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const HTML = 'text/html; charset=utf-8';

/** What the documents are made of. */
export function documentSources(endpoints: readonly Endpoint[], baseUrl: string) {
  const api = lazy(() => openApiDocument(endpoints, baseUrl));
  const site = lazy(async () => {
    // It brings the packages for Markdown and search.
    const { DocsSite } = await import('./site/docs-site.ts');
    return new DocsSite(endpoints, baseUrl, api);
  });
  return { endpoints, baseUrl, api, site };
}
export type DocumentSources = ReturnType<typeof documentSources>;

/** Documents of one kind. */
interface Kind {
  /** `*` stands for the name of a document. */
  path: string;
  type: string;
  /** Absent: there is one, without a name. */
  names?(sources: DocumentSources): readonly string[];
  make(sources: DocumentSources, name: string): string | Promise<string>;
}

export const operationNames = ({ endpoints }: DocumentSources): string[] => endpoints.map(({ operation }) => operation);
export const tagNames = ({ endpoints }: DocumentSources): string[] => [...new Set(endpoints.map(({ tag }) => tag))];

const operationNamed = ({ endpoints }: DocumentSources, name: string): Endpoint =>
  endpoints.find(({ operation }) => operation === name) as Endpoint;

const KINDS: readonly Kind[] = [
  { path: '/api', type: JSON_TYPE, make: ({ api }) => JSON.stringify(apiShort(api())) },
  { path: '/api?format=full', type: JSON_TYPE, make: ({ api }) => JSON.stringify(api()) },
  { path: '/api?format=index', type: PLAIN, make: ({ endpoints }) => apiIndex(endpoints) },
  {
    path: '/api?tag=*',
    type: JSON_TYPE,
    names: tagNames,
    make: ({ api, endpoints }, name) =>
      JSON.stringify(
        apiPart(
          api(),
          endpoints.filter(({ tag }) => tag === name),
        ),
      ),
  },
  {
    path: '/api?operation=*',
    type: JSON_TYPE,
    names: operationNames,
    make: (sources, name) => apiOperation(sources.api(), operationNamed(sources, name)),
  },
  { path: '/llms.txt', type: PLAIN, make: ({ baseUrl }) => llmsText(baseUrl) },
  { path: '/llms-full.txt', type: PLAIN, make: ({ baseUrl }) => llmsFullText(baseUrl) },
  { path: '/skill.md', type: MARKDOWN, make: ({ baseUrl }) => skillText(baseUrl) },
  { path: '/.well-known/agent-skills/index.json', type: JSON_TYPE, make: ({ baseUrl }) => skillIndex(baseUrl) },
  { path: '/docs/*.md', type: MARKDOWN, names: pageNames, make: ({ baseUrl }, name) => pageText(name, baseUrl) },
  {
    path: '/docs/api/*.md',
    type: MARKDOWN,
    names: operationNames,
    make: (sources, name) => operationPage(sources.api(), operationNamed(sources, name), sources.baseUrl),
  },
  { path: '/docs', type: HTML, make: async ({ site }) => (await site()).start() },
  { path: '/docs/*', type: HTML, names: pageNames, make: async ({ site }, name) => (await site()).page(name) },
  { path: '/docs/api', type: HTML, make: async ({ site }) => (await site()).reference() },
  {
    path: '/docs/api/*',
    type: HTML,
    names: operationNames,
    make: async (sources, name) => (await sources.site()).operation(operationNamed(sources, name)),
  },
];

export interface Document {
  type: string;
  make(): string | Promise<string>;
}

/** Lists all documents by their paths. */
export const listDocuments = (sources: DocumentSources): ReadonlyMap<string, Document> =>
  new Map(
    KINDS.flatMap(({ path, type, names, make }) =>
      (names?.(sources) ?? ['']).map((name) => [
        path.replace('*', () => name),
        { type, make: () => make(sources, name) },
      ]),
    ),
  );
