import type { Endpoint } from '../src/api/endpoint.ts';
import { EVENT_TYPES, EVENTS } from '../src/api/events.ts';
import { isCallable, pascal, replyForm, type Schema, successOf } from './client-source.ts';

/** Writes clients/python/signet_client/replies.py: the type of every reply, and of every event. */

const HEADER = `# Made from the endpoint table by npm run generate: change the endpoint, not this file.
"""The replies as they are typed: dicts at run time, with the fields of the table for type checkers and editors.

Each operation has one: \`GetBudgetReply\` is what \`getBudget\` returns. \`Event\` is told apart by \`event["type"]\`.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union
`;

/** What Python cannot have as the name of a field of a class. */
export const KEYWORDS: ReadonlySet<string> = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);
const isAttribute = (field: string): boolean => /^[A-Za-z_]\w*$/.test(field) && !KEYWORDS.has(field);

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

const words = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map(pascal)
    .join('');
const literal = (value: unknown): string =>
  value === null ? 'None' : typeof value === 'boolean' ? pascal(String(value)) : JSON.stringify(value);

/** A docstring of one line. Its text cannot end it. */
function docstring(text: string | undefined, indent: string): string {
  if (!text) return '';
  const safe = text.replaceAll('\n', ' ').replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '" ');
  return `${indent}"""${safe}"""\n`;
}

const unionOf = (types: readonly string[]): string => {
  const all = [...new Set(types)];
  if (all.includes('Any')) return 'Any';
  const literals = all.filter((type) => type.startsWith('Literal['));
  const merged = `Literal[${literals.map((type) => type.slice('Literal['.length, -1)).join(', ')}]`;
  const others = all.filter((type) => !literals.includes(type) && type !== 'None');
  const parts = literals.length > 0 ? [merged, ...others] : others;
  const one = parts.length > 1 ? `Union[${parts.join(', ')}]` : (parts[0] ?? 'None');
  return all.includes('None') && one !== 'None' ? `Optional[${one}]` : one;
};

interface Field {
  name: string;
  type: string;
  isOptional: boolean;
  description: string | undefined;
}

/** The classes of one file, each declared before it is used. Two schemas with the same fields share a class. */
class Declarations {
  readonly #texts: string[] = [];
  readonly #names = new Map<string, string>();
  readonly #bodies = new Map<string, string>();

  get text(): string {
    return this.#texts.join('\n\n');
  }

  /** Declares `name` as another type. */
  alias(name: string, type: string): void {
    if (!this.#claim(name, type)) throw new Error(`two types of replies are named ${name}`);
    this.#texts.push(`${name} = ${type}\n`);
  }

  /** The type of a schema. `name` is for a class that the schema does not name itself. */
  typeOf(schema: Schema, name: string): string {
    if ('const' in schema) return schema.const === null ? 'None' : `Literal[${literal(schema.const)}]`;
    if (schema.enum) return this.#wordsOf(schema.enum, schema['x-name']);
    const branches = schema.anyOf ?? (schema.then && schema.else ? [schema.then, schema.else] : undefined);
    if (branches) return unionOf(branches.map((branch) => this.typeOf(branch, schema['x-name'] ?? name)));
    if (Array.isArray(schema.type)) return unionOf(schema.type.map((type) => this.typeOf({ ...schema, type }, name)));
    if (schema.type === 'array') return `List[${this.#itemOf(schema.items, name)}]`;
    if (schema.type !== 'object') return SIMPLE[schema.type ?? ''] ?? 'Any';
    return schema.properties ? this.#objectOf(schema, name) : this.#mapOf(schema, name);
  }

  /** Declares a class, or finds the one that has these fields. @returns its name */
  declare(name: string, fields: readonly Field[], about?: string): string {
    const body = fields.map((field) => JSON.stringify([field.name, field.type, field.isOptional])).join();
    const known = this.#bodies.get(body);
    if (known !== undefined) return known;
    const free = this.#claim(name, body) ? name : `${name}2`;
    if (free !== name && !this.#claim(free, body)) throw new Error(`two types of replies are named ${free}`);
    this.#bodies.set(body, free);
    this.#texts.push(this.#classOf(free, fields, about));
    return free;
  }

  #claim(name: string, content: string): boolean {
    const isFree = !this.#names.has(name);
    if (isFree) this.#names.set(name, content);
    return isFree;
  }

  #wordsOf(values: readonly unknown[], name: string | undefined): string {
    const type = unionOf(values.map((value) => (value === null ? 'None' : `Literal[${literal(value)}]`)));
    if (name === undefined) return type;
    if (this.#claim(name, type)) this.#texts.push(`${name} = ${type}\n`);
    return this.#names.get(name) === type ? name : type;
  }

  #itemOf(items: Schema | Schema[] | undefined, name: string): string {
    const single = name.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');
    if (Array.isArray(items)) return unionOf(items.map((item) => this.typeOf(item, single)));
    return this.typeOf(items ?? {}, single);
  }

  #mapOf(schema: Schema, name: string): string {
    const { additionalProperties } = schema;
    const values = Object.values(schema.patternProperties ?? {});
    if (typeof additionalProperties === 'object') values.push(additionalProperties);
    const types = values.map((value) => this.typeOf(value, `${name}Value`));
    return `Dict[str, ${types.length > 0 ? unionOf(types) : 'Any'}]`;
  }

  #objectOf(schema: Schema, name: string): string {
    const own = schema['x-name'];
    if (own === 'Event') return 'Event';
    const required = new Set(schema.required ?? []);
    const fields = Object.entries(schema.properties ?? {}).map(([field, property]) => ({
      name: field,
      type: this.typeOf(property, `${own ?? name}${words(field)}`),
      // `verbose=false` removes the fields for people.
      isOptional: !required.has(field) || property['x-guidance'] === true,
      description: property.description,
    }));
    return this.declare(own ?? name, fields);
  }

  /** Fields whose names are keywords need the other syntax; optional ones another class (`NotRequired` is of 3.11). */
  #classOf(name: string, fields: readonly Field[], about: string | undefined): string {
    const texts: string[] = [];
    const bases: string[] = [];
    for (const isOptional of [false, true]) {
      const odd = fields.filter((field) => !isAttribute(field.name) && field.isOptional === isOptional);
      if (odd.length === 0) continue;
      const base = `_${name}${isOptional ? 'Optional' : 'Required'}`;
      const entries = odd.map((field) => `${JSON.stringify(field.name)}: ${JSON.stringify(field.type)}`).join(', ');
      texts.push(`${base} = TypedDict("${base}", {${entries}}${isOptional ? ', total=False' : ''})\n`);
      bases.push(base);
    }
    const needed = fields.filter((field) => isAttribute(field.name) && !field.isOptional);
    const optional = fields.filter((field) => isAttribute(field.name) && field.isOptional);
    const classText = (own: string, parents: readonly string[], entries: readonly Field[], total: string, doc = '') =>
      `class ${own}(${[...(parents.length > 0 ? parents : ['TypedDict']), ...(total ? [total] : [])].join(', ')}):\n${doc}${
        entries.map((entry) => `    ${entry.name}: ${entry.type}\n${docstring(entry.description, '    ')}`).join('') ||
        (doc ? '' : '    pass\n')
      }`;
    if (optional.length > 0 && needed.length > 0) {
      texts.push(classText(`_${name}`, bases, needed, ''));
      bases.splice(0, bases.length, `_${name}`);
    }
    const [entries, total] = optional.length > 0 ? [optional, 'total=False'] : [needed, ''];
    texts.push(classText(name, bases, entries, total, docstring(about, '    ')));
    return texts.join('\n\n');
  }
}

/** Declares a class for each event type and the union of all. */
function declareEvents(declarations: Declarations): void {
  const required = (name: string, type: string, description?: string): Field => ({
    name,
    type,
    isOptional: false,
    description,
  });
  const types = EVENT_TYPES.map((type) => {
    const { summary, data } = EVENTS[type];
    const name = words(type);
    const fields = [
      required('id', 'str', 'Also a cursor.'),
      required('type', `Literal[${JSON.stringify(type)}]`),
      required('created_at', 'str'),
      required('data', declarations.typeOf(data as Schema, `${name}Data`)),
    ];
    return declarations.declare(`${name}Event`, fields, summary);
  });
  declarations.alias('Event', `Union[\n${types.map((type) => `    ${type},\n`).join('')}]`);
}

/** An operation with several replies has a type for each. */
const OUTCOMES: Readonly<Record<number, string>> = { 200: 'Done', 201: 'Created', 202: 'Accepted', 204: 'Empty' };

export const replyTypeOf = ({ operation }: Endpoint): string => `${pascal(operation)}Reply`;

/** Builds the text of replies.py from a table. */
export function pythonTypes(endpoints: readonly Endpoint[]): string {
  const declarations = new Declarations();
  declareEvents(declarations);
  declarations.declare('Location', [{ name: 'location', type: 'str', isOptional: false, description: undefined }]);
  for (const endpoint of endpoints.filter(isCallable)) {
    const form = replyForm(endpoint);
    const name = replyTypeOf(endpoint);
    if (form === 'bytes' || form === 'text') continue;
    const success = successOf(endpoint);
    const types = success.map(([status, schema]) =>
      declarations.typeOf(
        schema,
        success.length > 1 ? `${pascal(endpoint.operation)}${OUTCOMES[status] ?? status}` : name,
      ),
    );
    const type = form === 'location' ? 'Location' : unionOf(types);
    if (type !== name) declarations.alias(name, type);
  }
  return `${HEADER}\n\n${declarations.text}`;
}
