import { type Endpoint, endpoint, type Reply } from '../../api/endpoint.ts';
import { oneOf, record, text } from '../../api/fields.ts';
import { Type } from '../../base/schema.ts';
import { type DocumentSources, operationNames, tagNames } from '../documents.ts';
import { requireName, type ServedDocuments } from '../served-documents.ts';

interface Choice {
  format?: 'index' | 'full';
  tag?: string;
  operation?: string;
}

/** @throws ApiError `not_found`: no such tag or operation */
function chosenPath({ format, tag, operation }: Choice, sources: DocumentSources): string {
  if (operation !== undefined) return `/api?operation=${requireName('operation', operation, operationNames(sources))}`;
  if (tag !== undefined) return `/api?tag=${requireName('tag', tag, tagNames(sources))}`;
  return format === undefined ? '/api' : `/api?format=${format}`;
}

const replies = {
  200: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    contentMediaType: 'application/json',
    description: 'The document, with a strong `ETag`. `format=index` is `text/plain`.',
  }),
  304: Type.Null({ description: 'The copy named by `If-None-Match` is current.' }),
};

/** `GET /api`, and the same document under the name that tools look for. */
export function apiRoutes(documents: ServedDocuments): Endpoint[] {
  const answer = async (path: string, header: (name: string) => string | undefined) =>
    (await documents.reply(path, header)) as Reply<200, Record<string, unknown>> | Reply<304, null>;
  return [
    endpoint({
      method: 'GET',
      path: '/api',
      operation: 'getApiDescription',
      tag: 'Service',
      summary: 'Get the OpenAPI 3.1 document of this API',
      description: 'Ask for a part when you have little room: the index first, then single operations.',
      auth: 'none',
      effect: 'none',
      query: record({
        format: Type.Optional(
          oneOf(['index', 'full'], {
            description:
              '`index`: all operations by job, as text. `full`: the document with all that it says elsewhere.',
          }),
        ),
        tag: Type.Optional(text(100, { description: 'Only the operations of this tag.' })),
        operation: Type.Optional(text(100, { description: 'Only the operation with this `operationId`.' })),
      }),
      replies,
      errors: ['not_found'],
      handle: async ({ query, header }) => answer(chosenPath(query, documents.sources()), header),
    }),
    endpoint({
      method: 'GET',
      path: '/openapi.json',
      operation: 'getOpenApiFile',
      tag: 'Service',
      summary: 'Get the document of `GET /api`',
      description: 'Tools look for it under this name.',
      auth: 'none',
      effect: 'none',
      replies,
      errors: [],
      handle: async ({ header }) => answer('/api', header),
    }),
  ];
}
