import { branchesOf, type ClientOperation, pascal, type Schema } from './client-operation.ts';

/** A field of an object, as a language declares it. */
export interface Field {
  name: string;
  type: string;
  isOptional: boolean;
  description?: string | undefined;
  isDeprecated?: boolean | undefined;
}

/** In replies, `verbose: false` removes the fields for people, so they are optional. */
export type Side = 'input' | 'reply';

export const words = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map(pascal)
    .join('');
/** An operation with several replies has a type for each. */
const OUTCOMES: Readonly<Record<number, string>> = { 200: 'Done', 201: 'Created', 202: 'Accepted', 204: 'Empty' };

export const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/([^su])s$/, '$1');

/** Whether a field is a time, by its schema. */
export function isTimeText(schema: Schema): boolean {
  const isText = branchesOf(schema).every(({ type }) => type === 'string' || type === 'null');
  return isText && /"format":"date-time"|RFC 3339|"A time or /.test(JSON.stringify(schema));
}

/**
 * The types of a generated file, each declared before it is used: named as in the OpenAPI document where it has a name
 * there, else after its place. Schemas with the same content share a type. The service checks what a type cannot express
 * (lengths, patterns, ranges).
 */
export abstract class SchemaTypes {
  readonly #declared: string[] = [];
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();

  protected abstract readonly simple: Readonly<Record<string, string>>;
  protected abstract readonly unknown: string;
  protected abstract literal(value: unknown): string;
  protected abstract union(types: readonly string[]): string;
  protected abstract list(item: string): string;
  protected abstract map(value: string): string;
  /** Declares `name` as another type. */
  protected abstract alias(name: string, type: string): string;
  /** The type of an object, which may need a declaration. `isNamed`: by its schema. */
  protected abstract object(fields: readonly Field[], side: Side, name: string, isNamed: boolean): string;

  /** What was declared since the last call. */
  take(): string[] {
    return this.#declared.splice(0);
  }

  /** The type of a schema. `name` is for what the schema does not name itself. */
  typeOf(schema: Schema, side: Side, name: string): string {
    const own = schema['x-name'];
    if ('const' in schema) return this.literal(schema.const);
    if (schema.enum) {
      const type = this.union(schema.enum.map((value) => this.literal(value)));
      return own === undefined ? type : this.declare(own, type, (name) => this.alias(name, type), true);
    }
    const branches = schema.anyOf ?? (schema.then && schema.else ? [schema.then, schema.else] : undefined);
    if (branches) return this.union(branches.map((branch) => this.typeOf(branch, side, own ?? name)));
    const { type } = schema;
    if (Array.isArray(type)) return this.union(type.map((one) => this.typeOf({ ...schema, type: one }, side, name)));
    if (type === 'array') return this.list(this.typeOf(schema.items ?? {}, side, singular(name)));
    if (type !== 'object') return this.simple[type ?? ''] ?? this.unknown;
    const isClosed = schema.additionalProperties === false && !schema.patternProperties;
    if (!schema.properties && !isClosed) return this.#mapOf(schema, side, name);
    return this.object(this.fieldsOf(schema, side, own ?? name), side, own ?? name, own !== undefined);
  }

  fieldsOf(schema: Schema, side: Side, name: string): Field[] {
    const required = new Set(schema.required ?? []);
    return Object.entries(schema.properties ?? {}).map(([field, property]) => ({
      name: field,
      type: this.typeOf(property, side, `${name}${words(field)}`),
      isOptional: !required.has(field) || (side === 'reply' && property['x-guidance'] === true),
      description: property.description,
      isDeprecated: property.deprecated,
    }));
  }

  /**
   * Declares a type, unless one has this content; what is named by its schema has that name nevertheless.
   * @returns its name, which is another than wanted if that is taken
   */
  declare(wanted: string, content: string, write: (name: string) => string, isNamed = false): string {
    const key = isNamed ? `${wanted}: ${content}` : content;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    let name = wanted;
    for (let number = 2; this.#taken.has(name); number += 1) name = `${wanted}${number}`;
    this.#taken.add(name);
    for (const one of [key, content]) if (!this.#names.has(one)) this.#names.set(one, name);
    this.#declared.push(write(name));
    return name;
  }

  /** Declares a type under exactly this name, which may be another's too. */
  declareAs(name: string, type: string): void {
    if (type === name) return;
    if (this.#taken.has(name)) throw new Error(`two types are named ${name}`);
    this.#taken.add(name);
    this.#declared.push(this.alias(name, type));
  }

  /** Declares `SendEmailReply` and the like, the type of what an operation replies in JSON. */
  declareReply({ type, replies }: ClientOperation): void {
    const types = replies.map(([status, schema]) => {
      const name = replies.length > 1 ? `${type}${OUTCOMES[status] ?? status}` : `${type}Reply`;
      return this.typeOf(schema, 'reply', name);
    });
    this.declareAs(`${type}Reply`, this.union(types));
  }

  #mapOf(schema: Schema, side: Side, name: string): string {
    const { additionalProperties } = schema;
    const values = Object.values(schema.patternProperties ?? {});
    if (typeof additionalProperties === 'object') values.push(additionalProperties);
    const types = values.map((value) => this.typeOf(value, side, `${name}Value`));
    return this.map(types.length > 0 ? this.union(types) : this.unknown);
  }
}
