import { ERRORS, type ErrorCode } from '../kernel/errors.ts';

/** A schema or a part of one, as JSON. */
type Json = Record<string, unknown>;

/** The named schemas and parameters of one document. */
export interface SchemaNames {
  /** Returns the schema for an operation, with references for the named parts. */
  place(schema: unknown): unknown;
  /** The same for a parameter. The name of its schema becomes the name of the parameter. */
  placeParameter(parameter: Json & { schema: unknown }): Json;
  /** Contents of `components`, by name. */
  readonly schemas: Json;
  readonly parameters: Json;
}

/** Collects the schemas marked with {@link named}. @throws Error if two different schemas have the same name */
export function createSchemaNames(): SchemaNames {
  const schemas: Json = {};
  const parameters: Json = {};

  function keep(kind: Json, name: string, shape: Json): void {
    if (JSON.stringify(kind[name] ?? shape) !== JSON.stringify(shape))
      throw new Error(`two components are named ${name}`);
    kind[name] = shape;
  }

  function walk(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    const { 'x-name': name, ...rest } = node as Json;
    const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, walk(value)]));
    if (typeof name !== 'string') return inner;
    // The description depends on the place of use, so it stays beside the reference.
    const { description, ...shape } = inner;
    keep(schemas, name, shape);
    return { $ref: `#/components/schemas/${name}`, ...(description === undefined ? {} : { description }) };
  }

  function placeParameter({ schema, ...rest }: Json & { schema: unknown }): Json {
    const { 'x-name': name, ...unnamed } = JSON.parse(JSON.stringify(schema)) as Json;
    const { description, ...inner } = walk(unnamed) as Json;
    const parameter = { ...rest, ...(description === undefined ? {} : { description }), schema: inner };
    if (typeof name !== 'string') return parameter;
    keep(parameters, name, parameter);
    return { $ref: `#/components/parameters/${name}` };
  }

  return { place: (schema) => walk(JSON.parse(JSON.stringify(schema))), placeParameter, schemas, parameters };
}

/** The body of every error. */
const ERROR = {
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string', description: 'The error code, for programs.' },
    message: { type: 'string', description: 'The error in words, for people.', 'x-guidance': true },
    details: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'code'],
        properties: {
          path: { type: 'string' },
          code: { type: 'string' },
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

const codes = Object.keys(ERRORS) as ErrorCode[];

/**
 * Builds one shared response per status of the error table, named by the status. `x-errors` and `x-error-groups` of an
 * operation list its codes.
 */
export function errorResponses(): Json {
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const own = codes.filter((code) => ERRORS[code].status === status);
      const description = own.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join('\n\n');
      const schema = { allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { error: { enum: own } } }] };
      return [status, { description, content: { 'application/json': { schema } } }];
    }),
  );
}
