import type { Endpoint } from '../src/api/endpoint.ts';
import { openApiDocument } from '../src/apidocs/openapi/openapi-document.ts';
import { WRITTEN_BASE_URL } from '../src/apidocs/pages/document-pages.ts';

interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
}
type Media = Record<string, { schema?: Schema }>;
interface Operation {
  operationId: string;
  parameters?: readonly (Schema & { name: string; in: string; required?: boolean; schema?: Schema })[];
  requestBody?: { required?: boolean; content: Media };
  responses: Record<string, { content?: Media; $ref?: string }>;
  'x-errors'?: readonly string[];
  'x-signet-scope'?: string;
}

const lastOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** A schema in one line: `{name!: string, tags?: string[]}`. `!` marks what is required. */
function shapeOf(schema: Schema = {}): string {
  const { $ref, enum: words, items, properties, additionalProperties, type } = schema;
  if ($ref !== undefined) return lastOf($ref);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (words) return words.map((word) => JSON.stringify(word)).join(' | ');
  for (const [parts, sign] of [
    [schema.anyOf, ' | '],
    [schema.oneOf, ' | '],
    [schema.allOf, ' & '],
  ] as const)
    if (parts) return parts.map(shapeOf).join(sign);
  if (properties) {
    const fields = Object.entries(properties).map(
      ([name, field]) => `${name}${schema.required?.includes(name) ? '!' : '?'}: ${shapeOf(field)}`,
    );
    return `{${fields.join(', ')}}`;
  }
  if (items) return `(${shapeOf(items)})[]`;
  if (typeof additionalProperties === 'object') return `{[name]: ${shapeOf(additionalProperties)}}`;
  return [type ?? 'any'].flat().join(' | ');
}

const shapesOf = (content: Media = {}): string =>
  Object.entries(content)
    .map(([type, { schema }]) => (type === 'application/json' ? shapeOf(schema) : type))
    .join(' or ');

function linesOf(method: string, path: string, operation: Operation, shared: Record<string, unknown>): string[] {
  const parameters = (operation.parameters ?? []).map((given) =>
    given.$ref === undefined ? given : (shared[lastOf(given.$ref)] as typeof given),
  );
  const body = operation.requestBody;
  return [
    `${method.toUpperCase()} ${path} ${operation.operationId} ${operation['x-signet-scope'] ?? ''}`.trimEnd(),
    ...parameters.map(
      ({ name, in: where, required, schema }) => `${where} ${name}${required ? '!' : '?'}: ${shapeOf(schema)}`,
    ),
    ...(body ? [`body${body.required ? '!' : '?'}: ${shapesOf(body.content)}`] : []),
    ...Object.entries(operation.responses)
      .filter(([status]) => status !== 'default')
      .map(([status, { content, $ref }]) => `${status}: ${$ref ? lastOf($ref) : shapesOf(content)}`.trimEnd()),
    ...(operation['x-errors'] ? [`errors: ${operation['x-errors'].join(', ')}`] : []),
  ];
}

/** The whole OpenAPI document, with every text. */
export const wholeDocument = (endpoints: readonly Endpoint[]) => openApiDocument(endpoints, WRITTEN_BASE_URL);

/** Operations, fields and statuses of the API, without texts: what a review of a change of the API looks at. */
export function operationSnapshot(endpoints: readonly Endpoint[]): string {
  const { paths, components } = wholeDocument(endpoints) as unknown as {
    paths: Record<string, Record<string, Operation>>;
    components: { parameters: Record<string, unknown>; schemas: Record<string, Schema> };
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const [head, ...lines] = linesOf(method, path, operation, components.parameters);
      return [head, ...lines.map((line) => `  ${line}`)].join('\n');
    }),
  );
  const schemas = Object.entries(components.schemas).map(([name, schema]) => `${name}: ${shapeOf(schema)}`);
  return ['Written by `npm run generate` from the endpoints.', ...operations, schemas.sort().join('\n'), '']
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}
