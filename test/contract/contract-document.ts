import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { listEndpoints } from '../../tools/endpoint-list.ts';
import { wholeDocument } from '../../tools/operation-snapshot.ts';

/** The document of `GET /api`, read like a client. This file does not use the schemas of the code. */

export interface SchemaNode {
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, SchemaNode>;
  required?: string[];
  additionalProperties?: unknown;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
  allOf?: SchemaNode[];
  $ref?: string;
  default?: unknown;
  maximum?: number;
  'x-guidance'?: boolean;
}

interface MediaType {
  schema: SchemaNode;
}

export interface DocumentedReply {
  description: string;
  content?: Record<string, MediaType>;
}

export interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  required?: boolean;
  schema?: SchemaNode;
}

export interface Operation {
  operationId: string;
  /** Undefined: the document's. */
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, DocumentedReply>;
}

/** What operations of a method have without naming it. */
interface MethodDefaults {
  parameters: Parameter[];
}

export interface ApiDocument {
  openapi: string;
  info: { version: string };
  servers: { url: string }[];
  security: unknown[];
  /** The messages of the codes, by status. */
  'x-error-codes': Record<string, Record<string, string>>;
  'x-methods': Record<string, MethodDefaults>;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, SchemaNode>; responses: { Error: unknown } };
}

/** What the whole document with all texts says of errors: `GET /api` leaves the codes of each operation to its parts. */
interface ErrorDocument {
  /** The codes of each group. */
  'x-error-groups': Record<string, string[]>;
  'x-methods': Record<string, { 'x-error-groups': string[] }>;
  paths: Record<string, Record<string, { 'x-errors'?: string[]; 'x-error-groups'?: string[]; 'x-dry-run'?: false }>>;
}
const kept = wholeDocument(listEndpoints()) as unknown as ErrorDocument;

/** Every error code of an operation. */
export function errorCodesOf({ method, path }: { method: string; path: string }): string[] {
  const name = method.toLowerCase();
  const operation = kept.paths[path]?.[name] ?? {};
  const { 'x-errors': own = [], 'x-error-groups': groups = kept['x-methods'][name]?.['x-error-groups'] ?? [] } =
    operation;
  const implied = ['every', ...(operation['x-dry-run'] === false ? ['no_dry_run'] : [])];
  return [...own, ...[...implied, ...groups].flatMap((group) => kept['x-error-groups'][group] ?? [])];
}

/** Objects of replies are open in the document, because they may gain fields. A test knows every field of today. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closed(value)]));
  return 'properties' in inner && inner.type !== undefined ? { additionalProperties: false, ...inner } : inner;
}

/** An operation with what its method and the document add, and with closed replies. */
function completed(operation: Operation, usual: MethodDefaults, error: DocumentedReply): Operation {
  const responses = Object.entries(operation.responses).map(([status, response]) => [
    status,
    status === 'default' ? response : closed(response),
  ]);
  return {
    ...operation,
    parameters: [...(operation.parameters ?? []), ...usual.parameters],
    responses: { default: error, ...Object.fromEntries(responses) },
  };
}

/**
 * The document with every reference resolved, and with operations that name all they have. A description beside a
 * reference takes precedence.
 */
export function resolved(document: ApiDocument): ApiDocument {
  const at = (pointer: string): unknown =>
    pointer
      .slice(2)
      .split('/')
      .reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], document);
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    const { $ref, ...own } = node as Record<string, unknown>;
    const rest = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, walk(value)]));
    return typeof $ref === 'string' ? { ...(walk(at($ref)) as object), ...rest } : rest;
  };
  const error = walk(document.components.responses.Error) as DocumentedReply;
  const usual = walk(document['x-methods']) as ApiDocument['x-methods'];
  const paths = Object.entries(walk(document.paths) as ApiDocument['paths']).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([method, one]) => [
        method,
        completed(one, usual[method] as MethodDefaults, error),
      ]),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}

export function operationOf(document: ApiDocument, { method, path }: { method: string; path: string }): Operation {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`GET /api does not list ${method} ${path}`);
  return operation;
}

/** The name of the response for a status: every error has the same. */
const responseName = (status: number | string): string => (Number(status) >= 400 ? 'default' : String(status));

const responseOf = ({ responses }: Operation, status: number | string): DocumentedReply | undefined =>
  responses[status] ?? responses[responseName(status)];

/** The schema of a JSON reply. Undefined for other replies. */
export const replySchema = (operation: Operation, status: number | string): SchemaNode | undefined =>
  responseOf(operation, status)?.content?.['application/json']?.schema;

/** Every field of a schema: `limits.stacks`, `keys[].prefix`. */
export function fieldNames(node: SchemaNode | undefined, place = ''): string[] {
  if (!node) return [];
  const branches = [...(node.anyOf ?? []), ...(node.allOf ?? [])].flatMap((branch) => fieldNames(branch, place));
  const items = fieldNames(node.items, `${place}[]`);
  const properties = Object.entries(node.properties ?? {}).flatMap(([name, property]) => {
    const at = place === '' ? name : `${place}.${name}`;
    return [at, ...fieldNames(property, at)];
  });
  return [...new Set([...branches, ...items, ...properties])];
}

/** Walks a schema and all schemas in it, with the name of the field that contains each. */
export function* everySchema(node: SchemaNode, name = ''): Generator<{ name: string; node: SchemaNode }> {
  yield { name, node };
  for (const branch of [...(node.anyOf ?? []), ...(node.allOf ?? [])]) yield* everySchema(branch, name);
  if (node.items) yield* everySchema(node.items, name);
  for (const [inner, property] of Object.entries(node.properties ?? {})) yield* everySchema(property, inner);
}

/** Checks replies against the document. @returns what is wrong, or null */
export function createDocumentCheck(document: ApiDocument) {
  const ajv = new Ajv2020({
    strict: false,
    // As the service writes times: UTC, milliseconds (spec, conventions 1).
    formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, email: /^[^@\s]+@[^@\s]+$/ },
  });
  ajv.addSchema(document, 'api');
  const compiled = new Map<string, ValidateFunction>();
  const escaped = (text: string): string => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));

  return (at: { method: string; path: string }, reply: { status: number; headers: object; body: unknown }) => {
    const operation = operationOf(document, at);
    const declared = responseOf(operation, reply.status);
    if (!declared) return `status ${reply.status} is not declared`;
    const { error } = (reply.body ?? {}) as { error?: unknown };
    if (reply.status >= 400 && typeof error === 'string' && !errorCodesOf(at).includes(error))
      return `error ${error} is not declared`;
    if (reply.status >= 400 && typeof error === 'string' && !(error in (document['x-error-codes'][reply.status] ?? {})))
      return `error ${error} does not have status ${reply.status}`;
    const [mediaType] = Object.keys(declared.content ?? {});
    if (mediaType === undefined) return reply.body === '' ? null : 'a body is not declared';
    const given = String((reply.headers as Record<string, string>)['content-type']);
    if (mediaType !== 'application/json')
      return mediaType === '*/*' || given.startsWith(mediaType) || given === 'application/octet-stream'
        ? null
        : `${given} is not ${mediaType}`;
    if (!given.startsWith('application/json')) return `${given} is not JSON`;
    const method = at.method.toLowerCase();
    const name = operation.responses[reply.status] ? String(reply.status) : responseName(reply.status);
    const pointer = ['paths', at.path, method, 'responses', name, 'content', mediaType, 'schema'];
    const id = `api#/${pointer.map(escaped).join('/')}`;
    const validate = compiled.get(id) ?? ajv.compile({ $ref: id });
    compiled.set(id, validate);
    return validate(reply.body) ? null : ajv.errorsText(validate.errors, { dataVar: 'reply' });
  };
}
