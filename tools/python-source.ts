import type { Endpoint } from '../src/api/endpoint.ts';
import { bodyForm, inputOf, isCallable, pageOf, pascal, queryNames, replyForm, type Schema } from './client-source.ts';
import { methodNames } from './method-names.ts';
import { ownFieldOf } from './method-source.ts';
import { KEYWORDS, replyTypeOf } from './python-types.ts';

/** Writes clients/python/signet_client/_operations.py: a row and a method for each operation. */

const HEADER = `# Made from the endpoint table by npm run generate: change the endpoint, not this file.
"""Every operation of the service: its request, and a method in its group."""

from __future__ import annotations

from typing import Any, Awaitable, Callable, Dict, List, Mapping, Optional, Sequence, Union

from . import replies
from ._types import UNSET, Json, Operation, Unset
`;

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const argumentOf = (field: string): string => (KEYWORDS.has(field) ? `${field}_` : field);
const isIdentifier = (field: string): boolean => /^[A-Za-z_]\w*$/.test(field);

/** Python text. JSON strings are Python strings too. */
const quoted = (text: string): string => JSON.stringify(text);
const listOf = (texts: readonly string[]): string => `[${texts.map(quoted).join(', ')}]`;

const UNIONS: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  object: 'Mapping[str, Any]',
};

const branchesOf = (schema: Schema): Schema[] => {
  if (schema.anyOf) return schema.anyOf.flatMap(branchesOf);
  if (Array.isArray(schema.type)) return schema.type.map((type) => ({ ...schema, type }));
  return [schema];
};

function typeOfBranch(branch: Schema): string {
  if (branch.type === 'array') {
    const items = Array.isArray(branch.items) ? undefined : branch.items;
    return items?.type === 'string' ? 'Sequence[str]' : 'Sequence[Any]';
  }
  const isText = [branch.const, branch.enum?.[0]].some((value) => typeof value === 'string');
  return typeof branch.type === 'string' ? (UNIONS[branch.type] ?? 'Any') : isText ? 'str' : 'Any';
}

interface Argument {
  field: string;
  name: string;
  type: string;
  isRequired: boolean;
  isNullable: boolean;
}

function argumentsOf(endpoint: Endpoint): Argument[] {
  const { properties = {}, required = [] } = inputOf(endpoint);
  const own = ownFieldOf(endpoint);
  return Object.entries(properties)
    .filter(([field]) => isIdentifier(field))
    .map(([field, schema]) => {
      const branches = branchesOf(schema);
      const types = [...new Set(branches.filter(({ type }) => type !== 'null').map(typeOfBranch))];
      return {
        field,
        name: argumentOf(field),
        type:
          types.includes('Any') || types.length === 0
            ? 'Any'
            : types.length > 1
              ? `Union[${types.join(', ')}]`
              : (types[0] as string),
        isRequired: required.includes(field) && field !== own,
        isNullable: branches.some(({ type }) => type === 'null'),
      };
    });
}

function returnOf(endpoint: Endpoint): string {
  const form = replyForm(endpoint);
  return form === 'bytes' ? 'bytes' : form === 'text' ? 'str' : `replies.${replyTypeOf(endpoint)}`;
}

function parameterOf({ name, type, isRequired, isNullable }: Argument): string {
  if (isRequired) return `${name}: ${isNullable && type !== 'Any' ? `Optional[${type}]` : type}`;
  if (isNullable) return `${name}: Union[${type}, None, Unset] = UNSET`;
  return `${name}: Optional[${type}] = None`;
}

function methodOf(endpoint: Endpoint, method: string, isAsync: boolean): string {
  const all = argumentsOf(endpoint);
  const inPath = Object.keys(endpoint.params?.properties ?? {});
  const positional = all.filter(({ field }) => inPath.includes(field));
  const others = all
    .filter(({ field }) => !inPath.includes(field))
    .sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
  const isRepeatable = endpoint.method === 'POST' || endpoint.method === 'PUT';
  const keyed = isRepeatable && !all.some(({ name }) => name === 'idempotency_key');
  const named = [...others.map(parameterOf), ...(keyed ? ['idempotency_key: Optional[str] = None'] : [])];
  const parameters = ['self', ...positional.map(parameterOf), ...(named.length > 0 ? ['*', ...named] : [])];
  const input = all.map(({ field, name, isRequired, isNullable }) => {
    const value = isRequired || isNullable ? name : `UNSET if ${name} is None else ${name}`;
    return `            ${quoted(field)}: ${value},\n`;
  });
  const text = `${endpoint.summary}: ${endpoint.method} ${endpoint.path}`;
  const call = `self._call(${quoted(endpoint.operation)}, {${input.length > 0 ? `\n${input.join('')}        ` : ''}}, ${keyed ? 'idempotency_key' : 'None'})`;
  return [
    `\n    ${isAsync ? 'async ' : ''}def ${argumentOf(snake(method))}(${parameters.join(', ')}) -> ${returnOf(endpoint)}:\n`,
    `        """${text.replaceAll('\\', '\\\\').replaceAll('"""', "'''")}."""\n`,
    `        return ${isAsync ? 'await ' : ''}${call}\n`,
  ].join('');
}

function rowOf(endpoint: Endpoint): string {
  const { method, path, effect, operation } = endpoint;
  const repeatable = method === 'POST' || method === 'PUT' || (method === 'GET' && effect !== 'write');
  const page = pageOf(endpoint);
  const own = ownFieldOf(endpoint);
  const fields = [
    `method=${quoted(method)}`,
    `path=${quoted(path)}`,
    `repeatable=${repeatable ? 'True' : 'False'}`,
    `query=${listOf(queryNames(endpoint))}`,
    `body=${quoted(bodyForm(endpoint))}`,
    `reply=${quoted(replyForm(endpoint))}`,
    ...(page ? [`items=${quoted(page.items)}`, `cursor=${quoted(page.cursor)}`, `next=${listOf(page.next)}`] : []),
    ...(own ? [`own=${quoted(own)}`] : []),
  ];
  return `    ${quoted(operation)}: Operation(${fields.join(', ')}),\n`;
}

const classOf = (name: string, methods: readonly string[], isAsync: boolean): string => `

class ${isAsync ? 'Async' : ''}${name}Methods:
    def __init__(self, call: Callable[[str, Json, Optional[str]], ${isAsync ? 'Awaitable[Any]' : 'Any'}]) -> None:
        self._call = call
${methods.join('')}`;

function groupsOf(name: string, groups: readonly string[], isAsync: boolean): string {
  const prefix = isAsync ? 'Async' : '';
  const rows = groups.map((group) => `        self.${snake(group)} = ${prefix}${pascal(group)}Methods(call)\n`);
  return `\n\nclass ${name}:\n    """The groups of methods."""\n\n    def __init__(self, call: Callable[[str, Json, Optional[str]], ${isAsync ? 'Awaitable[Any]' : 'Any'}]) -> None:\n${rows.join('')}`;
}

/** Builds the text of _operations.py from a table. */
export function pythonSource(endpoints: readonly Endpoint[]): string {
  const all = endpoints.filter(isCallable);
  const names = methodNames(all);
  const groups = [...new Set([...names.values()].map(({ group }) => group))].sort();
  const methodsOf = (group: string, isAsync: boolean): string[] =>
    all.flatMap((endpoint) => {
      const name = names.get(endpoint.operation);
      return name?.group === group ? [methodOf(endpoint, name.method, isAsync)] : [];
    });
  return [
    HEADER,
    `\nOPERATIONS: Dict[str, Operation] = {\n${all.map(rowOf).join('')}}\n`,
    ...groups.flatMap((group) => [
      classOf(pascal(group), methodsOf(group, false), false),
      classOf(pascal(group), methodsOf(group, true), true),
    ]),
    groupsOf('Groups', groups, false),
    groupsOf('AsyncGroups', groups, true),
  ].join('');
}
