import { ERRORS, type ErrorCode } from '../kernel/errors.ts';

/** A schema or a part of one, as JSON. */
type Json = Record<string, unknown>;

/** The schemas of one document that have names, and what refers to them. */
export interface SchemaNames {
  /** The schema as it stands in an operation: a reference where it, or a part of it, has a name. */
  place(schema: unknown): unknown;
  /** The same for a parameter, whose schema's name is that of the parameter. */
  placeParameter(parameter: Json & { schema: unknown }): Json;
  /** What goes into `components`, by name. */
  readonly schemas: Json;
  readonly parameters: Json;
}

/** Collects the schemas marked with {@link named}; one name must always mean the same schema. */
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
    // What a schema is for differs from place to place, so its description stays beside the reference.
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

/** What every refusal looks like. */
const ERROR = {
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string', description: 'Machine-readable code.' },
    message: { type: 'string', description: 'For people.', 'x-guidance': true },
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
      description: 'The limit that refused. Where it is a number, `quota` says the rest.',
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

/** A shared reply for each status of the error table, named by the status. Its `x-errors` and `x-error-groups` say which codes an operation answers. */
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
