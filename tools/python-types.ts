import type { Endpoint } from '../src/api/endpoint.ts';
import { EVENT_TYPES, EVENTS } from '../src/api/events.ts';
import { clientOperations, pascal, type Schema } from './client-operation.ts';
import { type Field, SchemaTypes, type Side, singular, words } from './schema-types.ts';

/** Writes clients/python/signet_client/replies.py: the type of every reply, and of every event. */

const HEADER = `# Made from the endpoint table by npm run generate: change the endpoint, not this file.
"""The replies as they are typed: dicts at run time, with the fields of the table for type checkers and editors.

Each operation has one: \`GetBudgetReply\` is what \`getBudget\` returns. \`Event\` is told apart by \`event["type"]\`.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class _Event(TypedDict):
    id: str
    """Also a cursor."""
    created_at: str


class Location(TypedDict):
    location: str
`;

/** What Python cannot have as the name of a field of a class. */
export const KEYWORDS: ReadonlySet<string> = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);
const isAttribute = (field: string): boolean => /^[A-Za-z_]\w*$/.test(field) && !KEYWORDS.has(field);

/** A docstring of one line. Its text cannot end it. */
function docstring(text: string | undefined): string {
  if (!text) return '';
  const safe = text.replaceAll('\n', ' ').replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '" ');
  return `    """${safe}"""\n`;
}

function classText(name: string, bases: readonly string[], fields: readonly Field[], about?: string): string {
  const lines = fields.map((field) => `    ${field.name}: ${field.type}\n${docstring(field.description)}`);
  return `class ${name}(${bases.join(', ')}):\n${docstring(about)}${lines.join('') || '    pass\n'}`;
}

class PythonTypes extends SchemaTypes {
  protected readonly simple = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' };
  protected readonly unknown = 'Any';
  protected list = (item: string): string => `List[${item}]`;
  protected map = (value: string): string => `Dict[str, ${value}]`;
  protected alias = (name: string, type: string): string => `${name} = ${type}\n`;

  protected literal(value: unknown): string {
    if (value === null) return 'None';
    return `Literal[${typeof value === 'boolean' ? pascal(String(value)) : JSON.stringify(value)}]`;
  }

  protected union(types: readonly string[]): string {
    const all = [...new Set(types)];
    if (all.includes('Any')) return 'Any';
    const literals = all.filter((type) => type.startsWith('Literal['));
    const merged = `Literal[${literals.map((type) => type.slice('Literal['.length, -1)).join(', ')}]`;
    const others = all.filter((type) => !literals.includes(type) && type !== 'None');
    const parts = literals.length > 0 ? [merged, ...others] : others;
    const one = parts.length > 1 ? `Union[${parts.join(', ')}]` : (parts[0] ?? 'None');
    return all.includes('None') && one !== 'None' ? `Optional[${one}]` : one;
  }

  /** Fields whose names are keywords need the other syntax; optional ones another class (`NotRequired` is of 3.11). */
  protected object(fields: readonly Field[], _side: Side, name: string, isNamed: boolean): string {
    if (isNamed && name === 'Event') return name;
    const content = fields.map((field) => JSON.stringify([field.name, field.type, field.isOptional])).join();
    const bases = [false, true].flatMap((isOptional) => {
      const odd = fields.filter((field) => !isAttribute(field.name) && field.isOptional === isOptional);
      const entries = odd.map((field) => `${JSON.stringify(field.name)}: ${JSON.stringify(field.type)}`).join(', ');
      const named = `{${entries}}${isOptional ? ', total=False' : ''}`;
      const base = (free: string) => `${free} = TypedDict("${free}", ${named})\n`;
      return odd.length > 0 ? [this.declare(`_${odd.map((field) => words(field.name)).join('')}`, named, base)] : [];
    });
    const own = bases.length > 0 ? bases : ['TypedDict'];
    const needed = fields.filter((field) => isAttribute(field.name) && !field.isOptional);
    const optional = fields.filter((field) => isAttribute(field.name) && field.isOptional);
    return this.declare(
      name,
      content,
      (free) => {
        if (optional.length === 0) return classText(free, own, needed);
        if (needed.length === 0) return classText(free, [...own, 'total=False'], optional);
        return `${classText(`_${free}`, own, needed)}\n\n${classText(free, [`_${free}`, 'total=False'], optional)}`;
      },
      isNamed,
    );
  }
}

/** Declares a class for each event type and the union of all. */
function declareEvents(types: PythonTypes): void {
  const events = EVENT_TYPES.map((type) => {
    const { summary, data } = EVENTS[type];
    const name = words(type);
    const fields = [
      { name: 'type', type: `Literal[${JSON.stringify(type)}]`, isOptional: false },
      { name: 'data', type: types.typeOf(data as Schema, 'reply', `${name}Data`), isOptional: false },
    ];
    return types.declare(`${name}Event`, type, (free) => classText(free, ['_Event'], fields, summary));
  });
  types.declareAs('Event', `Union[\n${events.map((event) => `    ${event},\n`).join('')}]`);
}

/** Builds the text of replies.py from a table. */
export function pythonTypes(endpoints: readonly Endpoint[]): string {
  const types = new PythonTypes();
  declareEvents(types);
  for (const operation of clientOperations(endpoints)) {
    if (operation.reply === 'json') types.declareReply(operation);
    const { page, type } = operation;
    if (page)
      types.declareAs(`${type}Item`, types.typeOf(page.entry, 'reply', singular(`${type}Reply${words(page.items)}`)));
    if (operation.reply === 'location') types.declareAs(`${operation.type}Reply`, 'Location');
  }
  const { classes = [], aliases = [] } = Object.groupBy(types.take(), (text) =>
    /^\w+ = (?!TypedDict)/.test(text) ? 'aliases' : 'classes',
  );
  return [HEADER, ...classes, aliases.join('')].join('\n\n');
}
