import { createHash } from 'node:crypto';
import { type Endpoint, endpoint, type Reply } from '../../api/endpoint.ts';
import { ApiError } from '../../api/errors.ts';
import { media, record, text } from '../../api/fields.ts';
import { nearestWord } from '../../base/nearest-word.ts';
import { Type } from '../../base/schema.ts';
import { Documents, documentReply, type StaticDocument } from '../../http/pipeline/static-document.ts';
import { type ApiDocument, openApiDocument } from '../openapi/openapi-document.ts';
import { apiOperation } from '../openapi/openapi-parts.ts';
import { llmsFullText, llmsText, pageNames, pageText, skillHead, skillText } from './document-pages.ts';
import { operationPage } from './operation-page.ts';

export interface DocumentPorts {
  baseUrl(): string;
  /** All endpoints of the service. */
  endpoints(): readonly Endpoint[];
}

const MARKDOWN = 'text/markdown; charset=utf-8';
const PLAIN = 'text/plain; charset=utf-8';
const TAG = 'Documents';

type Header = (name: string) => string | undefined;
type DocumentReply = Reply<200, Buffer> | Reply<304, null>;

const current = () => Type.Null({ description: 'The copy named by `If-None-Match` is current.' });
const answer = (document: StaticDocument, header: Header) => documentReply(document, header) as DocumentReply;

/** @throws ApiError `not_found` with the name that is most like the unknown one */
function unknownPage(given: string, known: readonly string[]): ApiError {
  const suggestion = nearestWord(given, known);
  return new ApiError('not_found', {
    message: `There is no page of this name. Did you mean ${suggestion}?`,
    fields: { suggestion },
  });
}

/** A document of JSON is an object to its readers. */
function documentSchema(type: string) {
  const contentMediaType = type.split(';')[0] as string;
  const isJson = contentMediaType === 'application/json';
  return Type.Unsafe<Buffer>({ type: isJson ? 'object' : 'string', contentMediaType, description: 'The document.' });
}

interface FixedDocument {
  path: string;
  operation: string;
  summary: string;
  description: string;
  type: string;
  make(): string;
}

/** Documents for agents: how to start, the pages of docs/ and a page for each operation, all as Markdown. */
export function documentRoutes({ baseUrl, endpoints }: DocumentPorts): Endpoint[] {
  const documents = new Documents();
  let api: ApiDocument | undefined;
  const fixed = ({ path, operation, summary, description, type, make }: FixedDocument): Endpoint =>
    endpoint({
      method: 'GET',
      path,
      operation,
      summary,
      description,
      tag: TAG,
      auth: 'none',
      effect: 'none',
      replies: { 200: documentSchema(type), 304: current() },
      errors: [],
      handle: async ({ header }) => answer(documents.get(path, type, make), header),
    });
  const docsPage = endpoint({
    method: 'GET',
    path: '/docs/{page}.md',
    operation: 'getDocsPage',
    tag: TAG,
    auth: 'none',
    effect: 'none',
    summary: 'Get a page of the documentation',
    description: 'The same text that people read, in Markdown.',
    params: record({ page: text(100, { examples: ['mail'] }) }),
    replies: { 200: media('text/markdown', 'The page.'), 304: current() },
    errors: ['not_found'],
    handle: async ({ params: { page }, header }) => {
      const names = pageNames();
      if (!names.includes(page)) throw unknownPage(page, names);
      return answer(
        documents.get(page, MARKDOWN, () => pageText(page, baseUrl())),
        header,
      );
    },
  });
  const operationDocs = endpoint({
    method: 'GET',
    path: '/docs/api/{operationId}.md',
    operation: 'getOperationPage',
    tag: TAG,
    auth: 'none',
    effect: 'none',
    summary: 'Get the page of an operation',
    description: 'Its parameters, fields and errors, in at most 6 KB.',
    params: record({ operationId: text(100, { examples: ['register'] }) }),
    replies: { 200: media('text/markdown', 'The page.'), 304: current() },
    errors: ['not_found'],
    handle: async ({ params: { operationId }, header }) => {
      const found = endpoints().find((one) => one.operation === operationId);
      if (!found) {
        const names = endpoints().map((one) => one.operation);
        throw unknownPage(operationId, names);
      }
      api ??= openApiDocument(endpoints(), baseUrl());
      const document = api;
      const make = () => operationPage(apiOperation(document, found), found, baseUrl());
      return answer(documents.get(`api/${operationId}`, MARKDOWN, make), header);
    },
  });
  return [...fixedDocuments(baseUrl).map(fixed), docsPage, operationDocs];
}

function fixedDocuments(baseUrl: () => string): FixedDocument[] {
  return [
    {
      path: '/llms.txt',
      operation: 'getLlmsText',
      type: PLAIN,
      make: () => llmsText(baseUrl()),
      summary: 'Get the introduction for agents',
      description: 'At most 6 KB: how to start, an example for each job, and links.',
    },
    {
      path: '/llms-full.txt',
      operation: 'getLlmsFullText',
      type: PLAIN,
      make: () => llmsFullText(baseUrl()),
      summary: 'Get all documentation in one file',
      description: 'Every page, one after the other.',
    },
    {
      path: '/skill.md',
      operation: 'getSkill',
      type: MARKDOWN,
      make: () => skillText(baseUrl()),
      summary: 'Get the agent skill',
      description: 'How an agent uses this service.',
    },
    {
      path: '/.well-known/agent-skills/index.json',
      operation: 'listAgentSkills',
      summary: 'List the agent skills',
      description: 'With URL and SHA-256 digest (Agent Skills Discovery 0.2.0).',
      type: 'application/json; charset=utf-8',
      make: () => skillIndex(baseUrl()),
    },
  ];
}

/** The index of skills (Agent Skills Discovery 0.2.0), with the digest of the skill as it is served. */
function skillIndex(baseUrl: string): string {
  const digest = createHash('sha256').update(skillText(baseUrl)).digest('hex');
  return JSON.stringify({
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [{ ...skillHead(baseUrl), type: 'skill-md', url: `${baseUrl}/skill.md`, digest: `sha256:${digest}` }],
  });
}
