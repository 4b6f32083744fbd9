import type { Endpoint } from '../kernel/endpoint.ts';
import { type ApiDocument, errorsOf } from './openapi.ts';
import { errorTable, type Json } from './openapi-schemas.ts';
import { namedWebhooks, shortWebhooks } from './openapi-webhooks.ts';

/** Parts of the OpenAPI document for readers with little room: an index, the operations of a tag, one operation. */

/** The most bytes of the index. */
const INDEX_BYTES = 12 * 1024;

const lineOf = ({ method, path, operation, summary }: Endpoint, summaryChars: number): string => {
  const short = summary.length > summaryChars ? `${summary.slice(0, summaryChars - 1).trimEnd()}…` : summary;
  return `${method} ${path} ${operation} ${short}\n`;
};

/** One line for each operation: method, path, operationId and summary. Long summaries are cut to fit 12 KB. */
export function apiIndex(endpoints: readonly Endpoint[]): string {
  const indexOf = (chars: number) => endpoints.map((one) => lineOf(one, chars)).join('');
  let chars = Math.max(...endpoints.map(({ summary }) => summary.length));
  while (chars > 1 && Buffer.byteLength(indexOf(chars)) > INDEX_BYTES) chars -= 1;
  return indexOf(chars);
}

const POINTER = /^#\/components\/([^/]+)\/([^/]+)$/;

/** The components that a part refers to, also through other components. */
function componentsFor(part: unknown, components: ApiDocument['components']): ApiDocument['components'] {
  const found: ApiDocument['components'] = {};
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const [, kind, name] = POINTER.exec(String((node as Json).$ref ?? '')) ?? [];
    if (kind !== undefined && name !== undefined && found[kind]?.[name] === undefined) {
      const component = components[kind]?.[name];
      found[kind] = { ...found[kind], [name]: component };
      visit(component);
    }
    for (const value of Object.values(node)) visit(value);
  };
  visit(part);
  return found;
}

/** The codes of an error table without their messages: `{"404": ["not_found"]}`. */
const codesByStatus = (endpoint: Endpoint): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(errorTable(errorsOf(endpoint))).map(([status, codes]) => [status, Object.keys(codes)]),
  );

/** A document of some operations. It needs no other, and names every parameter and error of each operation. */
export function apiPart(document: ApiDocument, endpoints: readonly Endpoint[]): ApiDocument {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const method = endpoint.method.toLowerCase();
    const { 'x-error-groups': _, ...operation } = (document.paths[endpoint.path] as Record<string, Json>)[
      method
    ] as Json;
    const usual = (document['x-methods'] as Record<string, { parameters: Json[] }>)[method]?.parameters ?? [];
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [method]: {
        ...operation,
        parameters: [...((operation.parameters as Json[] | undefined) ?? []), ...usual],
        'x-errors': codesByStatus(endpoint),
      },
    };
  }
  const { openapi, info, servers, security } = document;
  const { title, version } = info as Json;
  const description = '`x-errors` of an operation lists its error codes by status.';
  const webhooks = endpoints.length > 1 && endpoints.every(({ tag }) => tag === 'Webhooks') ? document.webhooks : null;
  const used = componentsFor([paths, webhooks], document.components);
  const { securitySchemes } = document.components;
  return {
    ...{ openapi, servers, security, paths },
    info: { title, version, description },
    ...(webhooks ? { webhooks } : {}),
    components: { securitySchemes: securitySchemes ?? {}, ...used },
  };
}

/** The most bytes of the whole document. */
const WHOLE_BYTES = 250 * 1024;

const isTooLarge = (document: ApiDocument): boolean => Buffer.byteLength(JSON.stringify(document)) > WHOLE_BYTES;

/** The document with each operation changed. */
function withOperations(document: ApiDocument, change: (operation: Json) => Json): ApiDocument {
  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, one]) => [method, change(one as Json)])),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}

const withNote = (document: ApiDocument, note: string): ApiDocument => ({
  ...document,
  info: { ...(document.info as Json), description: `${(document.info as Json).description} ${note}` },
});

/** Leaves the descriptions of reply fields to the parts. */
function withoutReplyDescriptions(document: ApiDocument): ApiDocument {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as Json[]);
  const asked = operations.map(({ requestBody, parameters }) => [requestBody, parameters]);
  const { schemas = {}, parameters } = document.components;
  const inRequests = componentsFor([asked, parameters], document.components).schemas ?? {};
  const short = withOperations(document, withTerseReplies);
  const components = { ...document.components, schemas: withTerseSchemas(schemas, inRequests) };
  return withNote({ ...short, components }, '`?tag=` and `?operation=` describe the fields of replies.');
}

/** Names the response of every error once. */
function withoutErrorResponses(document: ApiDocument): ApiDocument {
  const short = withOperations(document, (operation) => {
    const { default: _, ...responses } = operation.responses as Json;
    return { ...operation, responses };
  });
  return withNote(short, '`components.responses.Error` is the response of every error.');
}

/** Keeps the first sentence of what an operation does. */
function withShortOperations(document: ApiDocument): ApiDocument {
  const short = withOperations(document, ({ description, ...operation }) =>
    typeof description === 'string'
      ? { ...operation, description: /^.*?\.(?= |$)/s.exec(description)?.[0] ?? description }
      : operation,
  );
  return withNote(short, 'They have the whole text of long descriptions too.');
}

/** An operation whose request fields have no descriptions. */
const withTerseRequest = (operation: Json): Json =>
  'requestBody' in operation ? { ...operation, requestBody: withoutDescriptions(operation.requestBody) } : operation;

/** Leaves what events mean to the part of the tag. */
const withShortWebhooks = (document: ApiDocument): ApiDocument =>
  withNote(
    { ...document, webhooks: shortWebhooks(document.webhooks) },
    '`webhooks` has the `data` of each `DeliveredEvent`; `?tag=Webhooks` says when it is sent.',
  );

/** Leaves the shape of events to the part of the tag. */
const withNamedWebhooks = (document: ApiDocument): ApiDocument =>
  withNote({ ...document, webhooks: namedWebhooks(document.webhooks) }, 'And what it holds.');

/** Leaves what error codes mean to the parts and the errors themselves. */
function withoutErrorMeanings(document: ApiDocument): ApiDocument {
  const table = Object.entries(document['x-error-codes'] as Json).map(([status, codes]) => [
    status,
    Object.fromEntries(Object.keys(codes as Json).map((code) => [code, ''])),
  ]);
  return withNote({ ...document, 'x-error-codes': Object.fromEntries(table) }, 'Each error says what it means.');
}

/** Leaves the descriptions of request fields to the parts. */
function withoutRequestDescriptions(document: ApiDocument): ApiDocument {
  const short = withOperations(document, withTerseRequest);
  const schemas = withoutDescriptions(document.components.schemas) as Json;
  return withNote({ ...short, components: { ...document.components, schemas } }, 'And the fields of requests.');
}

/** Leaves the descriptions of parameters to the parts. */
function withoutParameterDescriptions(document: ApiDocument): ApiDocument {
  const short = withOperations(document, (operation) =>
    'parameters' in operation ? { ...operation, parameters: withoutDescriptions(operation.parameters) } : operation,
  );
  const parameters = withoutDescriptions(document.components.parameters) as Json;
  return withNote({ ...short, components: { ...document.components, parameters } }, 'And the parameters.');
}

/** Leaves the examples of fields to the parts. */
const withoutExamples = (document: ApiDocument): ApiDocument =>
  withNote(
    {
      ...document,
      ...(withoutLists('examples', { paths: document.paths, components: document.components }) as Json),
    } as ApiDocument,
    'And the examples of fields.',
  );

/** Leaves what an operation does, beyond its summary, to its part. */
const withSummaries = (document: ApiDocument): ApiDocument =>
  withNote(
    withOperations(document, ({ description: _, ...operation }) => operation),
    'And what operations do, beyond their summary.',
  );

/**
 * The whole document, at most 250 KB, so that new endpoints never make it too large for its readers: while it is
 * larger, it leaves to its parts what fewest readers of the whole need.
 */
export const apiWhole = (document: ApiDocument): ApiDocument =>
  [
    withoutReplyDescriptions,
    withoutErrorResponses,
    withShortOperations,
    withShortWebhooks,
    withoutErrorMeanings,
    withoutRequestDescriptions,
    withoutParameterDescriptions,
    withNamedWebhooks,
    withoutExamples,
    withSummaries,
  ].reduce((whole, shorten) => (isTooLarge(whole) ? shorten(whole) : whole), document);

/** Schemas without descriptions, except those that requests use. */
const withTerseSchemas = (schemas: Json, inRequests: Json): Json =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, name in inRequests ? schema : withoutDescriptions(schema)]),
  );

/** A document without the lists of this name, such as `required`. A field may have the name too. */
function withoutLists(left: string, node: unknown): unknown {
  if (Array.isArray(node)) return node.map((one) => withoutLists(left, one));
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(([name, value]) => name !== left || !Array.isArray(value));
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutLists(left, value)]));
}

/** A schema of a reply that does not say which fields are always there. */
const withoutRequired = (node: unknown): unknown => withoutLists('required', node);

/** The most bytes of the document of one operation. */
const OPERATION_BYTES = 6 * 1024;

/** What an error has in the document of one operation. The whole document says more. */
const SHORT_ERROR = {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string' }, message: { type: 'string', 'x-guidance': true } },
};

const withoutDescriptions = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(withoutDescriptions);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(([name, value]) => name !== 'description' || typeof value !== 'string');
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutDescriptions(value)]));
};

/** An operation whose reply schemas have no descriptions. The description of each response is required and stays. */
function withTerseReplies(operation: Json): Json {
  const responses = Object.entries(operation.responses as Record<string, Json>).map(([status, response]) => [
    status,
    'content' in response ? { ...response, content: withoutDescriptions(response.content) } : response,
  ]);
  return { ...operation, responses: Object.fromEntries(responses) };
}

/**
 * The document of one operation, at most 6 KB, so that an agent can ask for what it is about to call. Where its fields
 * say too much for that, the descriptions of the reply stay out, then those of the body, then which fields of a named
 * reply are always there: its Markdown page has all of it.
 */
export function apiOperation(document: ApiDocument, endpoint: Endpoint): ApiDocument {
  const { components } = document;
  const short = apiPart(
    {
      ...document,
      components: {
        ...components,
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
        schemas: { ...components.schemas, Error: SHORT_ERROR },
      },
    },
    [endpoint],
  );
  if (Buffer.byteLength(JSON.stringify(short)) <= OPERATION_BYTES) return short;
  const method = endpoint.method.toLowerCase();
  const operation = short.paths[endpoint.path]?.[method] as Json;
  const asked = componentsFor([operation.requestBody, operation.parameters], components).schemas ?? {};
  const terse = {
    ...short,
    paths: { [endpoint.path]: { [method]: withTerseReplies(operation) } },
    components: { ...short.components, schemas: withTerseSchemas(short.components.schemas ?? {}, asked) },
  };
  if (Buffer.byteLength(JSON.stringify(terse)) <= OPERATION_BYTES) return terse;
  const bare = {
    ...terse,
    paths: { [endpoint.path]: { [method]: withTerseRequest(withTerseReplies(operation)) } },
    components: { ...terse.components, schemas: withoutDescriptions(terse.components.schemas) as Json },
  };
  if (Buffer.byteLength(JSON.stringify(bare)) <= OPERATION_BYTES) return bare;
  const schemas = Object.entries(bare.components.schemas).map(([name, schema]) => [
    name,
    name in asked ? schema : withoutRequired(schema),
  ]);
  return { ...bare, components: { ...bare.components, schemas: Object.fromEntries(schemas) } };
}
