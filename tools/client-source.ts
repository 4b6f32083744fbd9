import type { TSchema } from 'typebox';
import type { Endpoint } from '../src/api/endpoint.ts';
import { ERRORS } from '../src/api/errors.ts';
import { errorsOf } from '../src/apidocs/openapi/openapi-document.ts';

/** Writes src/client/generated/operations.ts from the endpoint table, so that the client always matches the service. */

export interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  allOf?: Schema[];
  then?: Schema;
  else?: Schema;
  items?: Schema | Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  patternProperties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  description?: string;
  contentMediaType?: string;
  default?: unknown;
  'x-guidance'?: boolean;
  'x-name'?: string;
}

const HEADER = `// Made from the endpoint table by \`npm run generate\`: change the endpoint, not this file.
import type { CallOptions, Operation } from '../operation.ts';
`;

export const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const nameOf = (field: string): string => (/^[A-Za-z_$][\w$]*$/.test(field) ? field : JSON.stringify(field));

/** A comment before a declaration. Its text cannot end it. */
export function comment(text: string | undefined, indent: string): string {
  if (!text) return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  return lines.length === 1
    ? `${indent}/** ${lines[0]} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} *${line ? ` ${line}` : ''}\n`).join('')}${indent} */\n`;
}

interface Side {
  /** For replies: `verbose: false` removes the fields for people, so they are optional. */
  isReply: boolean;
}

function objectType(schema: Schema, indent: string, side: Side): string {
  const inner = `${indent}  `;
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const isOptional = !required.has(name) || (side.isReply && property['x-guidance'] === true);
    const type = typeOf(property, inner, side);
    // An optional field may also be undefined, which is easier for callers that build objects.
    const orUndefined = isOptional && !side.isReply ? ' | undefined' : '';
    return `${comment(property.description, inner)}${inner}${nameOf(name)}${isOptional ? '?' : ''}: ${type}${orUndefined};\n`;
  });
  return fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('')}${indent}}`;
}

function arrayType(items: Schema | Schema[] | undefined, indent: string, side: Side): string {
  if (Array.isArray(items)) return `[${items.map((item) => typeOf(item, indent, side)).join(', ')}]`;
  const item = typeOf(items ?? {}, indent, side);
  const isSeveral = (items?.anyOf?.length ?? 0) > 1 || (/ [|&] /.test(item) && !item.startsWith('{'));
  return isSeveral ? `(${item})[]` : `${item}[]`;
}

function mapType(schema: Schema, indent: string, side: Side): string {
  const { additionalProperties } = schema;
  const values = Object.values(schema.patternProperties ?? {});
  if (typeof additionalProperties === 'object') values.push(additionalProperties);
  const types = [...new Set(values.map((value) => typeOf(value, indent, side)))];
  return `Record<string, ${types.join(' | ') || 'unknown'}>`;
}

/** A JSON Schema as a TypeScript type. The service checks what a type cannot express (lengths, patterns, ranges). */
export function typeOf(schema: Schema, indent: string, side: Side): string {
  const union = (types: string[]): string => [...new Set(types)].join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.anyOf) return union(schema.anyOf.map((branch) => typeOf(branch, indent, side)));
  if (schema.then && schema.else)
    return union([schema.then, schema.else].map((branch) => typeOf(branch, indent, side)));
  if (schema.allOf) return schema.allOf.map((branch) => `(${typeOf(branch, indent, side)})`).join(' & ');
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, indent, side)));
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return arrayType(schema.items, indent, side);
    case 'object': {
      const isClosed = schema.additionalProperties === false && !schema.patternProperties;
      return schema.properties || isClosed ? objectType(schema, indent, side) : mapType(schema, indent, side);
    }
    default:
      return 'unknown';
  }
}

export const schemaOf = (schema: TSchema | undefined): Schema => (schema ?? {}) as Schema;
/** A 304 only replies to `if-none-match`, and `call` handles it. */
export const successOf = ({ replies }: Endpoint): [number, Schema][] =>
  Object.entries(replies).flatMap(([name, schema]) => {
    const status = Number(name);
    return status < 400 && status !== 304 ? [[status, schema as Schema]] : [];
  });

/** Fields are arguments beside each other, except if the body is not a plain object or repeats a name of the path. */
export function bodyForm(endpoint: Endpoint): 'none' | 'fields' | 'whole' {
  if (!endpoint.body) return 'none';
  const body = schemaOf(endpoint.body);
  const inPath = Object.keys(endpoint.params?.properties ?? {});
  const isPlain = body.type === 'object' && body.properties !== undefined && !body.patternProperties;
  return isPlain && inPath.every((name) => !(name in (body.properties ?? {}))) ? 'fields' : 'whole';
}

/** The query parameters by their names in the input. One that the body has too is `query_…` there. */
function queryOf(endpoint: Endpoint): Map<string, string> {
  const body = bodyForm(endpoint) === 'fields' ? (schemaOf(endpoint.body).properties ?? {}) : {};
  const names = Object.keys(endpoint.query?.properties ?? {});
  return new Map(names.map((name) => [name in body ? `query_${name}` : name, name]));
}

/** As in the rows of operations: `name`, or `name in the input:name in the query`. */
export const queryNames = (endpoint: Endpoint): string[] =>
  [...queryOf(endpoint)].map(([input, name]) => (input === name ? name : `${input}:${name}`));

export function inputOf(endpoint: Endpoint): Schema {
  const form = bodyForm(endpoint);
  const query = schemaOf(endpoint.query);
  const inputs = [...queryOf(endpoint)].map(([input, name]) => [input, query.properties?.[name]]);
  const renamed = new Map([...queryOf(endpoint)].map(([input, name]) => [name, input]));
  const required = (query.required ?? []).map((name) => renamed.get(name) ?? name);
  const parts: Schema[] = [schemaOf(endpoint.params), { properties: Object.fromEntries(inputs), required }];
  if (form === 'fields') parts.push(schemaOf(endpoint.body));
  const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {}));
  const needed = parts.flatMap((part) => part.required ?? []);
  if (form !== 'whole') return { type: 'object', properties, required: needed };
  return {
    type: 'object',
    properties: { ...properties, body: schemaOf(endpoint.body) },
    required: [...needed, 'body'],
  };
}

export function replyForm(endpoint: Endpoint): 'json' | 'bytes' | 'text' | 'location' {
  const success = successOf(endpoint);
  const media = success
    .map(([, schema]) => schema.contentMediaType)
    .find((type) => type !== undefined && type !== 'application/json');
  if (media) return media.startsWith('text/') ? 'text' : 'bytes';
  return success.some(([status]) => status === 302) ? 'location' : 'json';
}

function replyType(endpoint: Endpoint): string {
  const form = replyForm(endpoint);
  if (form === 'bytes') return 'Uint8Array<ArrayBuffer>';
  if (form === 'text') return 'string';
  if (form === 'location') return '{ location: string }';
  const types = successOf(endpoint).map(([, schema]) => typeOf(schema, '', { isReply: true }));
  return [...new Set(types)].join(' | ');
}

interface Page {
  items: string;
  cursor: string;
  next: string[];
}

/** How to page through a list: the reply has a cursor, and the query accepts it. */
export function pageOf(endpoint: Endpoint): Page | undefined {
  const query = endpoint.query?.properties ?? {};
  const cursor = ['cursor', 'after'].find((name) => name in query);
  const reply = schemaOf(endpoint.replies[200]);
  const properties = reply.properties ?? {};
  const [holder] =
    Object.entries(properties).find(([, { properties: inner }]) => inner && 'next_cursor' in inner) ?? [];
  const next = 'next_cursor' in properties ? ['next_cursor'] : holder ? [holder, 'next_cursor'] : undefined;
  if (!cursor || !next) return undefined;
  // The first list of objects has the entries. Lists of words, such as labels, describe the whole.
  const items = Object.keys(properties).find((name) => {
    const { type, items: item } = properties[name] as Schema;
    return type === 'array' && !Array.isArray(item) && item?.type !== 'string';
  });
  if (items === undefined) throw new Error(`${endpoint.operation} has a cursor and lists nothing`);
  return { items, cursor, next };
}

function rowOf(endpoint: Endpoint): string {
  const { method, path, effect } = endpoint;
  const row = {
    method,
    path,
    repeatable: method === 'POST' || method === 'PUT' || (method === 'GET' && effect !== 'write'),
    query: queryNames(endpoint),
    body: bodyForm(endpoint),
    reply: replyForm(endpoint),
    page: pageOf(endpoint),
  };
  return `  ${endpoint.operation}: ${JSON.stringify(row)},\n`;
}

function methodOf(endpoint: Endpoint): string {
  const { operation, summary, description } = endpoint;
  const isOptional = (inputOf(endpoint).required ?? []).length === 0;
  const errors = errorsOf(endpoint).map((code) => `\`${code}\``);
  const text = [
    `${summary}: \`${endpoint.method} ${endpoint.path}\``,
    description,
    `@throws {SignetError} ${errors.join(', ')}`,
  ];
  const type = pascal(operation);
  return `${comment(text.filter((line) => line).join('\n\n'), '  ')}  ${operation}(input: ${type}Input${isOptional ? ' = {}' : ''}, options?: CallOptions): Promise<${type}Reply> {
    return this.perform('${operation}', input, options) as Promise<${type}Reply>;
  }
`;
}

/** Streams do not end with a reply. The client has separate methods for them. */
export const isCallable = ({ replies }: Endpoint): boolean =>
  !(101 in replies) && schemaOf(replies[200]).contentMediaType !== 'text/event-stream';

/** Builds the text of src/client/generated/operations.ts from a table. */
export function clientSource(endpoints: readonly Endpoint[]): string {
  const all = endpoints.filter(isCallable);
  const types = all.map((endpoint) => {
    const name = pascal(endpoint.operation);
    const input = inputOf(endpoint);
    const inputType = objectType(input, '', { isReply: false });
    return `\nexport type ${name}Input = ${inputType};\nexport type ${name}Reply = ${replyType(endpoint)};\n`;
  });
  const paged = all.flatMap((endpoint) => {
    const page = pageOf(endpoint);
    return page ? [`  ${endpoint.operation}: ${pascal(endpoint.operation)}Reply['${page.items}'][number];\n`] : [];
  });
  const map = all.map(
    ({ operation }) => `  ${operation}: { input: ${pascal(operation)}Input; reply: ${pascal(operation)}Reply };\n`,
  );
  return [
    HEADER,
    ...types,
    `\n/** Every error code of the service. */\nexport type SignetErrorCode =\n${Object.keys(ERRORS)
      .map((code) => `  | '${code}'\n`)
      .join('')
      .trimEnd()};\n`,
    `\n/** The input and output of each operation. */\nexport interface OperationTypes {\n${map.join('')}}\n`,
    '\nexport type OperationName = keyof OperationTypes;\n',
    `\n/** The entries of lists with pages. */\nexport interface PagedItems {\n${paged.join('')}}\n`,
    `\nexport const OPERATIONS = {\n${all.map(rowOf).join('')}} as const satisfies Record<OperationName, Operation>;\n`,
    '\n/** A method for each operation. */\nexport abstract class Operations {\n',
    '  protected abstract perform(name: OperationName, input: object, options?: CallOptions): Promise<unknown>;\n',
    ...all.map((endpoint) => `\n${methodOf(endpoint)}`),
    '}\n',
  ].join('');
}
