import { type Endpoint, endpoint } from '../../api/endpoint.ts';
import { media, record, text } from '../../api/fields.ts';
import { Type } from '../../base/schema.ts';
import { operationNames } from '../documents.ts';
import { requireName, type ServedDocuments } from '../served-documents.ts';
import { areaNames, jobNames } from './document-pages.ts';

const COMMON = { method: 'GET', tag: 'Documents', auth: 'none', effect: 'none' } as const;

const current = () => Type.Null({ description: 'The copy named by `If-None-Match` is current.' });

/** A document of JSON is an object to its readers. */
const documentSchema = (contentMediaType: string) =>
  Type.Unsafe<Buffer>({
    type: contentMediaType === 'application/json' ? 'object' : 'string',
    contentMediaType,
    description: 'The document.',
  });

const FIXED = [
  {
    path: '/llms.txt',
    operation: 'getLlmsText',
    type: 'text/plain',
    summary: 'Get the introduction for agents',
    description: 'At most 6 KB: how to start, examples, the pages of jobs, and links.',
  },
  {
    path: '/llms-full.txt',
    operation: 'getLlmsFullText',
    type: 'text/plain',
    summary: 'Get all documentation in one file',
    description: 'Every page, one after the other.',
  },
  {
    path: '/skill.md',
    operation: 'getSkill',
    type: 'text/markdown',
    summary: 'Get the agent skill',
    description: 'How an agent uses this service.',
  },
  {
    path: '/.well-known/agent-skills/index.json',
    operation: 'listAgentSkills',
    type: 'application/json',
    summary: 'List the agent skills',
    description: 'With URL and SHA-256 digest (Agent Skills Discovery 0.2.0).',
  },
];

/** Documents for agents: how to start, the pages of docs/ and a page for each operation, all as Markdown. */
export function documentRoutes(documents: ServedDocuments): Endpoint[] {
  const fixed = ({ type, ...about }: (typeof FIXED)[number]): Endpoint =>
    endpoint({
      ...COMMON,
      ...about,
      replies: { 200: documentSchema(type), 304: current() },
      errors: [],
      handle: async ({ header }) => documents.reply(about.path, header),
    });
  const docsPage = endpoint({
    ...COMMON,
    path: '/docs/{page}.md',
    operation: 'getDocsPage',
    summary: 'Get a page of the documentation',
    description: 'The same text that people read, in Markdown.',
    params: record({ page: text(100, { examples: ['mail'] }) }),
    replies: { 200: media('text/markdown', 'The page.'), 304: current() },
    errors: ['not_found'],
    handle: async ({ params: { page }, header }) =>
      documents.reply(`/docs/${requireName('page', page, areaNames())}.md`, header),
  });
  const jobPage = endpoint({
    ...COMMON,
    path: '/docs/jobs/{job}.md',
    operation: 'getJobPage',
    summary: 'Get the calls of a job',
    description: 'At most 1 KB, with commands to copy.',
    params: record({ job: text(100, { examples: ['code'] }) }),
    replies: { 200: media('text/markdown', 'The page.'), 304: current() },
    errors: ['not_found'],
    handle: async ({ params: { job }, header }) =>
      documents.reply(`/docs/jobs/${requireName('job', job, jobNames())}.md`, header),
  });
  const operationDocs = endpoint({
    ...COMMON,
    path: '/docs/api/{operationId}.md',
    operation: 'getOperationPage',
    summary: 'Get the page of an operation',
    description: 'Its parameters, fields and errors, in at most 6 KB.',
    params: record({ operationId: text(100, { examples: ['register'] }) }),
    replies: { 200: media('text/markdown', 'The page.'), 304: current() },
    errors: ['not_found'],
    handle: async ({ params: { operationId }, header }) =>
      documents.reply(`/docs/api/${requireName('page', operationId, operationNames(documents.sources()))}.md`, header),
  });
  return [...FIXED.map(fixed), docsPage, jobPage, operationDocs];
}
