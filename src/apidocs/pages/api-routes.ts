import { type Endpoint, endpoint, type Reply } from '../../api/endpoint.ts';
import { ApiError } from '../../api/errors.ts';
import { oneOf, record, text } from '../../api/fields.ts';
import { nearestWord } from '../../base/nearest-word.ts';
import { Type } from '../../base/schema.ts';
import { Documents, documentReply, type StaticDocument } from '../../http/pipeline/static-document.ts';
import { type ApiDocument, openApiDocument } from '../openapi/openapi-document.ts';
import { apiIndex, apiOperation, apiPart, apiWhole } from '../openapi/openapi-parts.ts';

export interface ApiPorts {
  baseUrl(): string;
  /** All endpoints of the service. */
  endpoints(): readonly Endpoint[];
}

interface Choice {
  format?: 'index';
  tag?: string;
  operation?: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** @throws ApiError `not_found` with the name that is most like the unknown one */
function unknownName(name: 'tag' | 'operation', given: string, known: readonly string[]): ApiError {
  const suggestion = nearestWord(given, known);
  const message = `There is no ${name} of this name. Did you mean ${suggestion}?`;
  return new ApiError('not_found', { message, fields: { suggestion } });
}

/** The API description and its parts. Each is made and compressed once, when it is first asked for. */
class Description {
  readonly #ports: ApiPorts;
  readonly #documents = new Documents();
  #whole: ApiDocument | undefined;

  constructor(ports: ApiPorts) {
    this.#ports = ports;
  }

  /** @throws ApiError `not_found`: no such tag or operation */
  choose({ format, tag, operation }: Choice): StaticDocument {
    const endpoints = this.#ports.endpoints();
    if (operation !== undefined) {
      const found = endpoints.find((one) => one.operation === operation);
      if (!found)
        throw unknownName(
          'operation',
          operation,
          endpoints.map((one) => one.operation),
        );
      return this.#json(`operation ${operation}`, () => apiOperation(this.#document(), found));
    }
    if (tag !== undefined) {
      const found = endpoints.filter((one) => one.tag.toLowerCase() === tag.toLowerCase());
      if (found.length === 0) throw unknownName('tag', tag, [...new Set(endpoints.map((one) => one.tag))]);
      return this.#json(`tag ${found[0]?.tag}`, () => apiPart(this.#document(), found));
    }
    if (format !== undefined) return this.#documents.get('index', TEXT_TYPE, () => apiIndex(endpoints));
    return this.#json('whole', () => apiWhole(this.#document()));
  }

  #document(): ApiDocument {
    this.#whole ??= openApiDocument(this.#ports.endpoints(), this.#ports.baseUrl());
    return this.#whole;
  }

  #json(name: string, make: () => ApiDocument): StaticDocument {
    return this.#documents.get(name, JSON_TYPE, () => JSON.stringify(make()));
  }
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
export function apiRoutes(ports: ApiPorts): Endpoint[] {
  const description = new Description(ports);
  const answer = (choice: Choice, header: (name: string) => string | undefined) =>
    documentReply(description.choose(choice), header) as Reply<200, Record<string, unknown>> | Reply<304, null>;
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
        format: Type.Optional(oneOf(['index'], { description: 'One line of text for each operation.' })),
        tag: Type.Optional(text(100, { description: 'Only the operations of this tag.' })),
        operation: Type.Optional(text(100, { description: 'Only the operation with this `operationId`.' })),
      }),
      replies,
      errors: ['not_found'],
      handle: async ({ query, header }) => answer(query, header),
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
      handle: async ({ header }) => answer({}, header),
    }),
  ];
}
