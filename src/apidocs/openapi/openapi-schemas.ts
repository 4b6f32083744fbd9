import { ERRORS, type ErrorCode } from '../../api/errors.ts';

/** A schema or a part of one, as JSON. */
export type Json = Record<string, unknown>;

/** Whether unknown fields stay forbidden: in requests they do. A reply may gain fields, so clients ignore unknown ones. */
export type Side = 'request' | 'reply';

/** The named schemas and parameters of one document. */
export interface SchemaNames {
  /** Returns the schema for an operation, with references for the named parts. */
  place(schema: unknown, side: Side): unknown;
  /** The same for a parameter. The name of its schema becomes the name of the parameter. */
  placeParameter(parameter: Json & { schema: unknown }): Json;
  /** Contents of `components`, by name. */
  readonly schemas: Json;
  readonly parameters: Json;
}

export const isObject = (node: unknown): node is Json =>
  typeof node === 'object' && node !== null && !Array.isArray(node);

/** A value or null in the short form: `{type: ['string', 'null']}` instead of an `anyOf` of two schemas. */
function merged(node: Json): Json {
  const [first, second, third] = Array.isArray(node.anyOf) ? (node.anyOf as Json[]) : [];
  if (!first || third || JSON.stringify(second) !== '{"type":"null"}') return node;
  const { anyOf: _, ...outer } = node;
  const isPlain = typeof first.type === 'string' && !('const' in first) && !('$ref' in first);
  if (!isPlain || ('description' in first && 'description' in outer)) return node;
  const values = Array.isArray(first.enum) ? { enum: [...first.enum, null] } : {};
  return { ...first, ...outer, type: [first.type, 'null'], ...values };
}

const asOpen = (shape: unknown): string =>
  JSON.stringify(shape, (name, value) => (name === 'additionalProperties' && value === false ? undefined : value));

/** Collects the schemas marked with {@link named}. @throws Error if two different schemas have the same name */
export function createSchemaNames(): SchemaNames {
  const schemas: Json = {};
  const parameters: Json = {};

  function keep(kind: Json, name: string, shape: Json, side: Side): void {
    const known = kind[name];
    if (known !== undefined && asOpen(known) !== asOpen(shape)) throw new Error(`two components are named ${name}`);
    // A schema of requests and replies has the form of requests.
    if (known === undefined || side === 'request') kind[name] = shape;
  }

  function walk(node: unknown, side: Side): unknown {
    if (Array.isArray(node)) return node.map((item) => walk(item, side));
    if (!isObject(node)) return node;
    // Of no use to callers: what the audit log keeps.
    const { 'x-name': name, 'x-audit': _, ...rest } = node;
    const isKept = ([key, value]: [string, unknown]) =>
      side === 'request' || key !== 'additionalProperties' || value !== false;
    const entries = Object.entries(rest).filter(isKept);
    const inner = Object.fromEntries(entries.map(([key, value]) => [key, walk(value, side)]));
    if (typeof name !== 'string') return merged(inner);
    // The description depends on the place of use, so it stays beside the reference.
    const { description, ...shape } = inner;
    keep(schemas, name, merged(shape), side);
    return { $ref: `#/components/schemas/${name}`, ...(description === undefined ? {} : { description }) };
  }

  function placeParameter({ schema, ...rest }: Json & { schema: unknown }): Json {
    const { 'x-name': name, ...unnamed } = JSON.parse(JSON.stringify(schema)) as Json;
    const { description, ...inner } = walk(unnamed, 'request') as Json;
    const parameter = { ...rest, ...(description === undefined ? {} : { description }), schema: inner };
    if (typeof name !== 'string') return parameter;
    keep(parameters, name, parameter, 'request');
    return { $ref: `#/components/parameters/${name}` };
  }

  return {
    place: (schema, side) => walk(JSON.parse(JSON.stringify(schema)), side),
    placeParameter,
    schemas,
    parameters,
  };
}

/** The body of every error. */
const ERROR = {
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string', description: 'The error code, for programs.' },
    code: { type: 'string', description: 'The same as `error`.', deprecated: true },
    docs_url: { type: 'string' },
    suggestion: { type: 'string', description: 'What you probably meant.' },
    message: { type: 'string', description: 'The error in words, for people.', 'x-guidance': true },
    details: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'code'],
        properties: {
          path: { type: 'string' },
          code: { type: 'string' },
          suggestion: { type: 'string' },
          allowed: { type: 'array', items: {}, description: 'The words to choose from.' },
          message: { type: 'string', 'x-guidance': true },
        },
      },
    },
    limit: {
      description: 'The limit that was reached. If it is a number, `quota` has the details.',
      anyOf: [{ $ref: '#/components/schemas/LimitReached' }, { type: 'integer' }],
    },
    quota: { $ref: '#/components/schemas/LimitReached' },
  },
};

const LIMIT_REACHED = {
  type: 'object',
  required: ['name', 'used', 'max'],
  properties: { name: { type: 'string' }, used: { type: 'integer' }, max: { type: 'integer' } },
};

export const ERROR_SCHEMAS = { Error: ERROR, LimitReached: LIMIT_REACHED };

/**
 * The response of every error, as the `default` response of each operation: `x-errors` and `x-error-groups` list the
 * codes of an operation, and {@link errorTable} says what a code means.
 */
export const ERROR_RESPONSE = {
  description: 'An error. `error` is its code.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

/** The codes and their messages by status: `{"404": {"not_found": "…"}}`. */
export function errorTable(codes: readonly ErrorCode[] = Object.keys(ERRORS) as ErrorCode[]): Record<string, Json> {
  const table: Record<string, Json> = {};
  for (const code of codes) {
    const { status, message } = ERRORS[code];
    table[status] = { ...table[status], [code]: message };
  }
  return table;
}
