import type { Endpoint } from '../../api/endpoint.ts';
import { withoutFields } from '../../base/without-fields.ts';
import { type ApiDocument, errorsOf } from './openapi-document.ts';
import { ERROR_SCHEMAS, errorTable, type Json } from './openapi-schemas.ts';
import { shortWebhooks, WEBHOOK_SCHEMAS } from './openapi-webhooks.ts';
import { exampleOf } from './operation-example.ts';

/** Parts of the OpenAPI document for readers with little room: an index, the operations of a tag, one operation. */

/** What is about the service itself stands last in the index. */
const ABOUT_THE_SERVICE = ['Service', 'Documents', 'Discovery', 'Pages'];

const INDEX_NOTE =
  'By job: paths, and of each path its operations: method, operationId, summary. A path goes on from the one that it is indented under. What an operation takes and gives: /docs/api/{operationId}.md';

/** A path, and the paths that go on from it. */
interface PathTree {
  operations: Endpoint[];
  below: Map<string, PathTree>;
}

function pathTree(endpoints: readonly Endpoint[]): PathTree {
  const root: PathTree = { operations: [], below: new Map() };
  for (const endpoint of endpoints) {
    let at = root;
    for (const part of endpoint.path.split('/').slice(1)) {
      const next = at.below.get(part) ?? { operations: [], below: new Map() };
      at.below.set(part, next);
      at = next;
    }
    at.operations.push(endpoint);
  }
  return root;
}

function treeLines(path: string, { operations, below }: PathTree, depth: number): string[] {
  const [first] = below;
  // One line for a path with nothing on its way.
  if (first && below.size === 1 && operations.length === 0) return treeLines(`${path}/${first[0]}`, first[1], depth);
  const told = operations.map(({ method, operation, summary }) => `${method} ${operation} ${summary}`).join('; ');
  const inner = [...below].flatMap(([part, tree]) => treeLines(`/${part}`, tree, path === '' ? depth : depth + 1));
  return path === '' ? inner : [`${' '.repeat(depth)}${path} ${told}`.trimEnd(), ...inner];
}

/** Every operation by its job (its tag), as a tree of paths. */
export function apiIndex(endpoints: readonly Endpoint[]): string {
  const jobs = [...Map.groupBy(endpoints, ({ tag }) => tag)];
  const isLast = ([job]: (typeof jobs)[number]) => ABOUT_THE_SERVICE.includes(job);
  const sorted = [...jobs.filter((job) => !isLast(job)), ...jobs.filter(isLast)];
  const lines = sorted.flatMap(([job, its]) => [`# ${job}`, ...treeLines('', pathTree(its), 0)]);
  return `${[INDEX_NOTE, ...lines].join('\n')}\n`;
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
    openapi,
    servers,
    security,
    paths,
    info: { title, version, description },
    ...(webhooks ? { webhooks } : {}),
    components: { securitySchemes: securitySchemes ?? {}, ...used },
  };
}

/** What the short document leaves out. */
const SHORT_NOTE =
  'This document has names and types alone. What operations, fields, parameters and events mean, how long and how large values may be, which fields a reply always has, and the error codes of each operation stand in `?tag=` and `?operation=`, and for all operations in `?format=full`. A request has no fields but those named here. An event always has all of its fields. The message of an error says what its code means.';

/** Keywords that limit the values of a type. A refusal names the limit. */
const LIMITS = new Set(
  'maxItems maxLength maximum minItems minLength minProperties minimum pattern uniqueItems'.split(' '),
);

/** Without its descriptions. A field may have the name too. */
const withoutDescriptions = (node: unknown): unknown =>
  withoutFields(node, (name, value) => name === 'description' && typeof value === 'string');

/** Without its lists of this name, such as `required`. A field may have the name too. */
const withoutLists = (left: string, node: unknown): unknown =>
  withoutFields(node, (name, value) => name === left && Array.isArray(value));

/** The names of the fields of a JSON reply, without their types. */
const fieldNames = (content: unknown): unknown =>
  mapValues(content as Record<string, { schema: Json }>, ({ schema, ...rest }) =>
    schema.properties === undefined
      ? { ...rest, schema }
      : { ...rest, schema: { type: 'object', required: Object.keys(schema.properties as Json) } },
  );

/** Names and types. A field may have the name of a keyword too; then its value is an object. */
const terse = (node: unknown): unknown =>
  withoutFields(node, (name, value) => {
    if (name === 'description') return typeof value === 'string';
    if (name === 'examples') return Array.isArray(value);
    return name === 'additionalProperties' ? value === false : LIMITS.has(name) && typeof value !== 'object';
  });

/** The same without the fields that are always there. */
const terser = (node: unknown): unknown => withoutLists('required', terse(node));

/** An operation with its reply schemas changed. The description of each response is required and stays. */
function withReplies(operation: Json, change: (schema: unknown) => unknown): Json {
  const responses = mapValues(operation.responses as Record<string, Json>, ({ content, ...rest }) =>
    content === undefined ? rest : { ...rest, content: change(content) },
  );
  return { ...operation, responses };
}

function shortOperation(operation: Json): Json {
  const {
    description: _description,
    'x-errors': _errors,
    'x-error-groups': _groups,
    'x-signet-limit': _limit,
    ...rest
  } = operation;
  const short = withReplies(rest, terser);
  for (const name of ['parameters', 'requestBody']) if (name in short) short[name] = terse(short[name]);
  return short;
}

const mapValues = <V, W>(object: Record<string, V>, change: (value: V, name: string) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));

/** The short document: every operation, event, field and error code by name and type, for readers with little room. */
export function apiShort(document: ApiDocument): ApiDocument {
  const { info, paths, webhooks = {}, components, 'x-error-groups': _, ...rest } = document;
  const { description } = info as Json;
  const operations = Object.values(paths).flatMap((path) => Object.values(path) as Json[]);
  const asked = componentsFor(
    operations.map(({ parameters, requestBody }) => [parameters, requestBody]),
    components,
  ).schemas;
  return {
    ...rest,
    info: { ...(info as Json), description: `${description} ${SHORT_NOTE}` },
    'x-methods': mapValues(document['x-methods'] as Record<string, Json>, ({ parameters }) => ({ parameters })),
    'x-error-codes': mapValues(document['x-error-codes'] as Record<string, Json>, (codes) =>
      mapValues(codes, () => ''),
    ),
    paths: mapValues(paths, (path) => mapValues(path as Record<string, Json>, shortOperation)),
    webhooks: terser(shortWebhooks(webhooks)) as Json,
    components: {
      ...components,
      parameters: terse(components.parameters) as Json,
      schemas: mapValues(components.schemas as Json, (schema, name) =>
        name in { ...asked, ...ERROR_SCHEMAS, ...WEBHOOK_SCHEMAS } ? terse(schema) : terser(schema),
      ),
    },
  };
}

/** The most bytes of the document of one operation. */
const OPERATION_BYTES = 6 * 1024;

/** What an error has in the document of one operation. The whole document says more. */
const SHORT_ERROR = {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string' }, message: { type: 'string', 'x-guidance': true } },
};

/** The first text that fits, else the last. */
export function firstThatFits(texts: readonly (() => string)[], mostBytes: number): string {
  let text = '';
  for (const make of texts) {
    text = make();
    if (Buffer.byteLength(text) <= mostBytes) break;
  }
  return text;
}

/**
 * The document of one operation, at most 6 KB, so that an agent can ask for what it is about to call. Where its fields
 * say too much for that, the descriptions of the reply stay out, then those of the body, then which fields of a named
 * reply are always there, then all of the reply but the names of its fields, then the descriptions
 * of what many operations take: its Markdown page has all of it.
 */
export function apiOperation(document: ApiDocument, endpoint: Endpoint): string {
  const { components } = document;
  const whole = apiPart(
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
  const method = endpoint.method.toLowerCase();
  const operation: Json = { ...(whole.paths[endpoint.path]?.[method] as Json), 'x-example': exampleOf(endpoint) };
  const asked = componentsFor([operation.requestBody, operation.parameters], components).schemas ?? {};
  const changed =
    (shown: Json, change: (schema: unknown, isAsked: boolean) => unknown, more: object = {}) =>
    () =>
      JSON.stringify({
        ...whole,
        paths: { [endpoint.path]: { [method]: shown } },
        components: {
          ...whole.components,
          ...more,
          schemas: mapValues(componentsFor([shown], whole.components).schemas ?? {}, (schema, name) =>
            change(schema, name in asked),
          ),
        },
      });
  const shorter = withReplies(operation, withoutDescriptions);
  const shortest =
    'requestBody' in shorter ? { ...shorter, requestBody: withoutDescriptions(shorter.requestBody) } : shorter;
  const ladder = [
    changed(operation, (schema) => schema),
    changed(shorter, (schema, isAsked) => (isAsked ? schema : withoutDescriptions(schema))),
    changed(shortest, withoutDescriptions),
    changed(shortest, (schema, isAsked) => withoutDescriptions(isAsked ? schema : withoutLists('required', schema))),
    changed(withReplies(shortest, fieldNames), withoutDescriptions),
    changed(withReplies(shortest, fieldNames), withoutDescriptions, {
      parameters: withoutDescriptions(whole.components.parameters),
    }),
  ];
  return firstThatFits(ladder, OPERATION_BYTES);
}
