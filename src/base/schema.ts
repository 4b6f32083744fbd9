import type { Type as Library, TObject, TProperties, TSchema } from 'typebox';

type Name =
  | 'Array'
  | 'Boolean'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Partial'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unknown'
  | 'Unsafe';

type Options = Readonly<Record<string, unknown>>;

/** The library's mark, which no copy (`{ ...schema }`) and no document shows. */
const OPTIONAL = '~optional';

const optional = (schema: TSchema): TSchema =>
  Object.defineProperty({ ...schema }, OPTIONAL, { value: true }) as TSchema;

function object(properties: TProperties, options: Options = {}): TSchema {
  const required = Object.keys(properties).filter((name) => !(OPTIONAL in (properties[name] as TSchema)));
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options } as TSchema;
}

function partial({ type: _, required: __, properties, ...options }: TObject): TSchema {
  const entries = Object.entries(properties).map(([name, schema]) => [name, optional(schema)] as const);
  return object(Object.fromEntries(entries), options);
}

/**
 * Builds JSON Schemas with the types of TypeBox. The library's own builder is 373 files; a start that loads them takes
 * 90 ms of processor time and 10 MB more. Its types cost nothing. See docs/adr/0091-what-a-start-loads.md.
 */
export const Type = {
  Array: (items: TSchema, options?: Options) => ({ type: 'array', items, ...options }),
  Boolean: (options?: Options) => ({ type: 'boolean', ...options }),
  Integer: (options?: Options) => ({ type: 'integer', ...options }),
  Literal: (value: string | number | boolean, options?: Options) => ({ type: typeof value, const: value, ...options }),
  Null: (options?: Options) => ({ type: 'null', ...options }),
  Number: (options?: Options) => ({ type: 'number', ...options }),
  Object: object,
  Optional: optional,
  Partial: partial,
  Record: (_key: TSchema, value: TSchema, options?: Options) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  String: (options?: Options) => ({ type: 'string', ...options }),
  Union: (anyOf: readonly TSchema[], options?: Options) => ({ anyOf, ...options }),
  Unknown: (options?: Options) => ({ ...options }),
  Unsafe: (schema: Options) => ({ ...schema }),
} as unknown as Pick<typeof Library, Name>;
