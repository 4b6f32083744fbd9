import type { TSchema } from 'typebox';
import type { Endpoint } from '../src/api/endpoint.ts';
import { errorsOf } from '../src/apidocs/openapi/openapi-document.ts';
import { FORMER_NAMES, methodNames } from './method-names.ts';

/** An endpoint as the clients see it: its request, its input and its replies. */

export interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  then?: Schema;
  else?: Schema;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  patternProperties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  description?: string;
  deprecated?: boolean;
  contentMediaType?: string;
  default?: unknown;
  'x-guidance'?: boolean;
  'x-name'?: string;
}

export interface ClientOperation {
  endpoint: Endpoint;
  /** The name of its types: `SendEmail`. */
  type: string;
  /** Where the clients have it: `email` and `send` make `signet.email.send`. */
  group: string;
  method: string;
  /** Earlier names in the same group, which stay. */
  formerly: readonly string[];
  /** Whether it can be tried without effect. */
  dryRun: boolean;
  /** The fields of path, query and body together. */
  input: Schema;
  /** Its replies without errors, by status. */
  replies: [status: number, schema: Schema][];
  repeatable: boolean;
  query: string[];
  body: 'none' | 'fields' | 'whole';
  reply: 'json' | 'bytes' | 'text' | 'location';
  page: Page | undefined;
  /** The field that takes the only address of the account when it is left out. */
  own: 'address' | 'from' | undefined;
  errors: string[];
}

interface Page {
  items: string;
  cursor: string;
  next: string[];
  /** The schema of an entry. */
  entry: Schema;
}

export const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const schemaOf = (schema: TSchema | undefined): Schema => (schema ?? {}) as Schema;

/** The alternatives of a schema, one by one. */
export function branchesOf(schema: Schema): Schema[] {
  if (schema.anyOf) return schema.anyOf.flatMap(branchesOf);
  if (Array.isArray(schema.type)) return schema.type.map((type) => ({ ...schema, type }));
  return [schema];
}

/** What browsers and readers open. */
const NOT_FOR_PROGRAMS: readonly string[] = ['Pages', 'Documents'];

/**
 * Whether the clients have a method for it. They have none for pages and documents, for a second path to what another
 * operation does, and for streams, which do not end with a reply: those have methods written by hand.
 */
function isCallable({ operation, tag, replies }: Endpoint): boolean {
  const media = schemaOf(replies[200]).contentMediaType ?? '';
  const isAlias = operation.endsWith('Alias');
  return !(101 in replies || isAlias || NOT_FOR_PROGRAMS.includes(tag) || /^text\/(html|event-stream)/.test(media));
}

/** Fields are arguments beside each other, except if the body is not a plain object or repeats a name of the path. */
function bodyForm(endpoint: Endpoint): ClientOperation['body'] {
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

function inputOf(endpoint: Endpoint): Schema {
  const form = bodyForm(endpoint);
  const query = schemaOf(endpoint.query);
  const inputs = [...queryOf(endpoint)].map(([input, name]) => [input, query.properties?.[name]]);
  const renamed = new Map([...queryOf(endpoint)].map(([input, name]) => [name, input]));
  const required = (query.required ?? []).map((name) => renamed.get(name) ?? name);
  const parts: Schema[] = [schemaOf(endpoint.params), { properties: Object.fromEntries(inputs), required }];
  if (form === 'fields') parts.push(schemaOf(endpoint.body));
  if (form === 'whole') parts.push({ properties: { body: schemaOf(endpoint.body) }, required: ['body'] });
  const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {}));
  return { type: 'object', properties, required: parts.flatMap((part) => part.required ?? []) };
}

/** A 304 only replies to `if-none-match`, and `call` handles it. */
const repliesOf = ({ replies }: Endpoint): [number, Schema][] =>
  Object.entries(replies).flatMap(([name, schema]) => {
    const status = Number(name);
    return status < 400 && status !== 304 ? [[status, schema as Schema]] : [];
  });

function replyForm(endpoint: Endpoint): ClientOperation['reply'] {
  const replies = repliesOf(endpoint);
  const media = replies
    .map(([, schema]) => schema.contentMediaType)
    .find((type) => type !== undefined && type !== 'application/json');
  if (media) return media.startsWith('text/') ? 'text' : 'bytes';
  return replies.some(([status]) => status === 302) ? 'location' : 'json';
}

/** How to page through a list: the reply has a cursor, and the query accepts it. */
function pageOf(endpoint: Endpoint): Page | undefined {
  const query = endpoint.query?.properties ?? {};
  const cursor = ['cursor', 'after'].find((name) => name in query);
  const properties = schemaOf(endpoint.replies[200]).properties ?? {};
  const [holder] =
    Object.entries(properties).find(([, { properties: inner }]) => inner && 'next_cursor' in inner) ?? [];
  const next = 'next_cursor' in properties ? ['next_cursor'] : holder ? [holder, 'next_cursor'] : undefined;
  if (!cursor || !next) return undefined;
  // The first list of objects has the entries. Lists of words, such as labels, describe the whole.
  const items = Object.keys(properties).find((name) => {
    const { type, items: item } = properties[name] as Schema;
    return type === 'array' && item?.type !== 'string';
  });
  if (items === undefined) throw new Error(`${endpoint.operation} has a cursor and lists nothing`);
  return { items, cursor, next, entry: properties[items]?.items ?? {} };
}

function ownFieldOf({ path, method, query, body }: Endpoint): ClientOperation['own'] {
  if (!path.startsWith('/v1/email/')) return undefined;
  if (schemaOf(query).required?.includes('address')) return 'address';
  return method === 'POST' && schemaOf(body).required?.includes('from') ? 'from' : undefined;
}

/** Every operation that the clients have a method for. */
export function clientOperations(endpoints: readonly Endpoint[]): ClientOperation[] {
  const all = endpoints.filter(isCallable);
  const names = methodNames(all);
  return all.map((endpoint) => {
    const { method, effect, operation } = endpoint;
    return {
      endpoint,
      type: pascal(operation),
      ...(names.get(operation) as { group: string; method: string }),
      formerly: FORMER_NAMES[operation] ?? [],
      dryRun: endpoint.dryRun === true,
      input: inputOf(endpoint),
      replies: repliesOf(endpoint),
      repeatable: method === 'POST' || method === 'PUT' || (method === 'GET' && effect !== 'write'),
      query: [...queryOf(endpoint)].map(([input, name]) => (input === name ? name : `${input}:${name}`)),
      body: bodyForm(endpoint),
      reply: replyForm(endpoint),
      page: pageOf(endpoint),
      own: ownFieldOf(endpoint),
      errors: errorsOf(endpoint),
    };
  });
}

/** The operations of each group, by its name. */
export function groupsOf(operations: readonly ClientOperation[]): [group: string, operations: ClientOperation[]][] {
  const groups = Map.groupBy(operations, ({ group }) => group);
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}
