import { isObject, type Json, type SchemaNames } from './openapi-schemas.ts';

/**
 * Moves what an OpenAPI document repeats into its components, so that it is small enough for an agent to read. Feature
 * files name what deserves a name; this finds the rest: parameters and schemas that occur more than once.
 */

/** A reference and the quotes around a name; what sharing costs at each place, and once. */
const REFERENCE_CHARS = 45;
const NAME_CHARS = 20;

const isReference = (node: Json): boolean => '$ref' in node;

const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** The keywords of a schema that hold a schema, a list of schemas, and schemas by name. */
const HOLDERS = ['items', 'additionalProperties', 'then', 'else'] as const;
const LISTS = ['anyOf', 'allOf'] as const;

/** Calls `visit` for each schema inside a schema, with the name of its field, and puts the result in its place. */
function replaceInner(schema: Json, field: string, visit: (inner: Json, field: string) => Json): void {
  for (const key of HOLDERS) if (isObject(schema[key])) schema[key] = visit(schema[key], field);
  for (const key of LISTS)
    if (Array.isArray(schema[key]))
      schema[key] = schema[key].map((inner: unknown) => (isObject(inner) ? visit(inner, field) : inner));
  const { properties } = schema;
  if (!isObject(properties)) return;
  for (const [name, inner] of Object.entries(properties)) if (isObject(inner)) properties[name] = visit(inner, name);
}

class Sharing {
  readonly #names: SchemaNames;
  /** How often each shape occurs outside shapes that were seen before. */
  readonly #counts = new Map<string, number>();
  readonly #shared = new Map<string, Json>();

  constructor(names: SchemaNames) {
    this.#names = names;
  }

  countSchema(schema: Json): Json {
    if (isReference(schema)) return schema;
    const isNew = this.#count(keyOf(schema));
    if (isNew) replaceInner(schema, '', (inner) => this.countSchema(inner));
    return schema;
  }

  countParameter(parameter: Json): Json {
    if (!isReference(parameter)) this.#count(JSON.stringify(parameter));
    return parameter;
  }

  shareSchema(schema: Json, operation: string, field: string): Json {
    if (isReference(schema)) return schema;
    const key = keyOf(schema);
    if (!this.#isWorthSharing(key)) {
      replaceInner(schema, field, (inner, name) => this.shareSchema(inner, operation, name));
      return schema;
    }
    const { description, ...shape } = schema;
    const long = `${pascal(operation)}${pascal(field)}`;
    // A whole body is named after its operation, a field by its own name where that is free.
    const candidates = field === 'Request' || field === 'Reply' ? [long] : [pascal(field), long];
    const reference = this.#share(this.#names.schemas, 'schemas', key, shape, candidates);
    return { ...reference, ...(description === undefined ? {} : { description }) };
  }

  shareParameter(parameter: Json, operation: string): Json {
    const key = JSON.stringify(parameter);
    if (isReference(parameter) || !this.#isWorthSharing(key)) return parameter;
    const name = String(parameter.name);
    return this.#share(this.#names.parameters, 'parameters', key, parameter, [name, `${operation}${pascal(name)}`]);
  }

  #count(key: string): boolean {
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count === 1;
  }

  #isWorthSharing(key: string): boolean {
    const count = this.#counts.get(key) ?? 0;
    return (count - 1) * key.length > count * REFERENCE_CHARS + NAME_CHARS;
  }

  /** Adds the shape to the components under the first name that is free, and returns the reference to it. */
  #share(kind: Json, place: string, key: string, shape: Json, names: readonly string[]): Json {
    const known = this.#shared.get(key);
    if (known) return known;
    const [last = ''] = names.slice(-1);
    let name = names.find((candidate) => candidate !== '' && !(candidate in kind)) ?? last;
    for (let number = 2; name in kind; number += 1) name = `${last}${number}`;
    const reference = { $ref: `#/components/${place}/${name}` };
    this.#shared.set(key, reference);
    // Taken before the inner schemas look for names.
    kind[name] = shape;
    if (place === 'schemas') replaceInner(shape, name, (inner, field) => this.shareSchema(inner, name, field));
    return reference;
  }
}

/** Two schemas that differ only in their description are the same: it stays at the place of use. */
const keyOf = ({ description: _, ...shape }: Json): string => JSON.stringify(shape);

interface Place {
  operation: string;
  /** `Request` or `Reply`. */
  part: string;
  /** Holds a schema. */
  media: { schema: unknown };
}

const operationsOf = (paths: Record<string, Json>): Json[] =>
  Object.values(paths).flatMap((path) => Object.values(path) as Json[]);

function placesOf(operation: Json): Place[] {
  const { operationId, requestBody, responses } = operation as { operationId: string; [name: string]: unknown };
  const mediaOf = (holder: unknown) =>
    Object.values((holder as { content?: Record<string, Place['media']> })?.content ?? {});
  return [
    ...mediaOf(requestBody).map((media) => ({ operation: operationId, part: 'Request', media })),
    ...Object.values(responses as Json)
      .flatMap(mediaOf)
      .map((media) => ({ operation: operationId, part: 'Reply', media })),
  ];
}

/** Replaces repeated parameters and schemas by references, and adds them to `names`. */
export function shareRepeats(paths: Record<string, Json>, names: SchemaNames): void {
  const sharing = new Sharing(names);
  const operations = operationsOf(paths);
  const places = operations.flatMap(placesOf);
  const named = Object.entries(names.schemas) as [string, Json][];
  const parametersOf = (operation: Json) => (operation.parameters ?? []) as Json[];

  for (const { media } of places) if (isObject(media.schema)) sharing.countSchema(media.schema);
  for (const [, schema] of named) replaceInner(schema, '', (inner) => sharing.countSchema(inner));
  for (const operation of operations) for (const one of parametersOf(operation)) sharing.countParameter(one);

  for (const { operation, part, media } of places)
    if (isObject(media.schema)) media.schema = sharing.shareSchema(media.schema, operation, part);
  for (const [name, schema] of named)
    replaceInner(schema, name, (inner, field) => sharing.shareSchema(inner, name, field));
  for (const operation of operations)
    if (operation.parameters)
      operation.parameters = parametersOf(operation).map((one) =>
        sharing.shareParameter(one, String(operation.operationId)),
      );
}
