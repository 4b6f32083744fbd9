import type { ApiDocument } from '../openapi/openapi-document.ts';
import type { Json } from '../openapi/openapi-schemas.ts';

/** What an operation takes and gives, as a tree of fields, for pages that show it. */

export interface Field {
  name: string;
  type: string;
  isRequired: boolean;
  isDeprecated: boolean;
  description: string;
  /** Those of an object, of each object in a list, or of the branches of a union. */
  fields: readonly Field[];
}

export interface Parameter extends Field {
  place: 'path' | 'query';
}

/** The reply of one status: fields, another type than JSON, or nothing. */
export interface ReplyShape {
  status: string;
  type: string | null;
  fields: readonly Field[];
}

export interface OperationShape {
  parameters: readonly Parameter[];
  /** Null: it takes no JSON. */
  body: readonly Field[] | null;
  replies: readonly ReplyShape[];
}

type Content = Record<string, { schema: Json }>;

class ShapeReader {
  readonly #components: ApiDocument['components'];

  constructor(components: ApiDocument['components']) {
    this.#components = components;
  }

  read({ parameters, requestBody, responses }: Json): OperationShape {
    const body = (requestBody as { content?: Content } | undefined)?.content?.['application/json'];
    const given = ((parameters ?? []) as Json[]).map((one) => this.#resolve(one));
    return {
      parameters: given.flatMap((one) => (one.in === 'header' ? [] : [this.#parameter(one)])),
      body: body ? this.#fields(body.schema) : null,
      replies: Object.entries(responses as Record<string, Json>).flatMap(([status, reply]) =>
        status === 'default' ? [] : [this.#reply(status, reply)],
      ),
    };
  }

  #parameter({ name, in: place, required, description, schema }: Json): Parameter {
    const about = { ...this.#resolve(schema as Json), ...(description ? { description } : {}) };
    return { ...this.#field(`${name}`, about, required === true), place: place as Parameter['place'] };
  }

  #reply(status: string, { content = {} }: Json): ReplyShape {
    const [type = null, found] = Object.entries(content as Content)[0] ?? [];
    return { status, type, fields: type === 'application/json' && found ? this.#fields(found.schema) : [] };
  }

  #resolve(node: Json | undefined): Json {
    const { $ref, ...own } = node ?? {};
    if (typeof $ref !== 'string') return own;
    const [, , kind = '', name = ''] = $ref.split('/');
    return { ...this.#resolve(this.#components[kind]?.[name] as Json | undefined), ...own };
  }

  #fields(node: Json): Field[] {
    const schema = this.#resolve(node);
    const required = new Set((schema.required ?? []) as string[]);
    const own = Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([name, property]) =>
      this.#field(name, this.#resolve(property), required.has(name)),
    );
    const branches = ((schema.anyOf ?? []) as Json[]).flatMap((branch) => this.#fields(branch));
    return [...(schema.items ? this.#fields(schema.items as Json) : []), ...branches, ...own];
  }

  #field(name: string, schema: Json, isRequired: boolean): Field {
    return {
      name,
      type: this.#typeOf(schema),
      isRequired,
      isDeprecated: schema.deprecated === true,
      description: typeof schema.description === 'string' ? schema.description : '',
      fields: this.#fields(schema),
    };
  }

  #typeOf(node: Json): string {
    const schema = this.#resolve(node);
    if (Array.isArray(schema.enum)) return schema.enum.map((word) => JSON.stringify(word)).join(' or ');
    if ('const' in schema) return JSON.stringify(schema.const);
    if (Array.isArray(schema.anyOf))
      return [...new Set((schema.anyOf as Json[]).map((branch) => this.#typeOf(branch)))].join(' or ');
    if (schema.type === 'array') return `list of ${this.#typeOf((schema.items ?? {}) as Json)}`;
    return Array.isArray(schema.type) ? schema.type.join(' or ') : String(schema.type ?? 'any');
  }
}

/** @param document the OpenAPI document, or the part of it with this operation */
export const readShape = ({ components }: ApiDocument, operation: Json): OperationShape =>
  new ShapeReader(components).read(operation);
