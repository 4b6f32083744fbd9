import type { Endpoint } from '../src/api/endpoint.ts';
import {
  branchesOf,
  type ClientOperation,
  clientOperations,
  groupsOf,
  pascal,
  type Schema,
} from './client-operation.ts';
import { KEYWORDS } from './python-types.ts';

/** Writes clients/python/signet_client/_operations.py: a row and a method for each operation. */

const HEADER = `# Made from the endpoint table by npm run generate: change the endpoint, not this file.
"""Every operation of the service: its request, and a method in its group."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Sequence, Union

from . import replies
from ._types import UNSET, Methods, Operation, Perform, Unset, or_unset
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

function typeOfBranch(branch: Schema): string {
  if (branch.type === 'array') return branch.items?.type === 'string' ? 'Sequence[str]' : 'Sequence[Any]';
  const isText = [branch.const, branch.enum?.[0]].some((value) => typeof value === 'string');
  return typeof branch.type === 'string' ? (UNIONS[branch.type] ?? 'Any') : isText ? 'str' : 'Any';
}

const unionOf = (types: readonly string[]): string => {
  const [only = 'Any', ...others] = types;
  return types.includes('Any') ? 'Any' : others.length > 0 ? `Union[${types.join(', ')}]` : only;
};

interface Argument {
  field: string;
  name: string;
  type: string;
  isRequired: boolean;
  isNullable: boolean;
}

function argumentsOf({ input: { properties = {}, required = [] }, own }: ClientOperation): Argument[] {
  return Object.entries(properties)
    .filter(([field]) => isIdentifier(field))
    .map(([field, schema]) => {
      const branches = branchesOf(schema);
      const types = [...new Set(branches.filter(({ type }) => type !== 'null').map(typeOfBranch))];
      return {
        field,
        name: argumentOf(field),
        type: unionOf(types),
        isRequired: required.includes(field) && field !== own,
        isNullable: branches.some(({ type }) => type === 'null'),
      };
    });
}

function returnOf({ reply, type }: ClientOperation): string {
  return reply === 'bytes' ? 'bytes' : reply === 'text' ? 'str' : `replies.${type}Reply`;
}

function parameterOf({ name, type, isRequired, isNullable }: Argument): string {
  if (isRequired) return `${name}: ${isNullable && type !== 'Any' ? `Optional[${type}]` : type}`;
  if (isNullable) return `${name}: Union[${type}, None, Unset] = UNSET`;
  return `${name}: Optional[${type}] = None`;
}

function methodOf(operation: ClientOperation, isAsync: boolean): string {
  const { operation: flat, method, path, summary, params } = operation.endpoint;
  const all = argumentsOf(operation);
  const inPath = Object.keys(params?.properties ?? {});
  const positional = all.filter(({ field }) => inPath.includes(field));
  const others = all
    .filter(({ field }) => !inPath.includes(field))
    .sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
  const isRepeatable = method === 'POST' || method === 'PUT';
  const keyed = isRepeatable && !all.some(({ name }) => name === 'idempotency_key');
  const named = [...others.map(parameterOf), ...(keyed ? ['idempotency_key: Optional[str] = None'] : [])];
  const parameters = ['self', ...positional.map(parameterOf), ...(named.length > 0 ? ['*', ...named] : [])];
  const input = all.map(
    ({ field, name, isRequired, isNullable }) =>
      `${quoted(field)}: ${isRequired || isNullable ? name : `or_unset(${name})`}`,
  );
  const text = `${summary}: ${method} ${path}`.replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  const call = `self._call(${quoted(flat)}, {${input.join(', ')}}, ${keyed ? 'idempotency_key' : 'None'})`;
  return [
    `\n    ${isAsync ? 'async ' : ''}def ${argumentOf(snake(operation.method))}(${parameters.join(', ')}) -> ${returnOf(operation)}:\n`,
    `        """${text}."""\n`,
    `        return ${isAsync ? 'await ' : ''}${call}\n`,
  ].join('');
}

function rowOf({ endpoint, repeatable, query, body, reply, page, own }: ClientOperation): string {
  const fields = [
    `method=${quoted(endpoint.method)}`,
    `path=${quoted(endpoint.path)}`,
    `repeatable=${repeatable ? 'True' : 'False'}`,
    `query=${listOf(query)}`,
    `body=${quoted(body)}`,
    `reply=${quoted(reply)}`,
    ...(page ? [`items=${quoted(page.items)}`, `cursor=${quoted(page.cursor)}`, `next=${listOf(page.next)}`] : []),
    ...(own ? [`own=${quoted(own)}`] : []),
  ];
  return `    ${quoted(endpoint.operation)}: Operation(${fields.join(', ')}),\n`;
}

/** The classes of the groups, and the one that has them all, for either client. */
function classesOf(operations: readonly ClientOperation[], prefix: '' | 'Async'): string {
  const groups = groupsOf(operations);
  const nameOf = (group: string) => `${prefix}${pascal(group)}Methods`;
  const classes = groups.map(([group, own]) => {
    const methods = own.map((operation) => methodOf(operation, prefix === 'Async'));
    return `\n\nclass ${nameOf(group)}(Methods):${methods.join('')}`;
  });
  const rows = groups.map(([group]) => `        self.${snake(group)} = ${nameOf(group)}(perform)\n`);
  return `${classes.join('')}\n\nclass ${prefix}Groups:\n    """The groups of methods."""\n\n    def __init__(self, perform: Perform) -> None:\n${rows.join('')}`;
}

/** Builds the text of _operations.py from a table. */
export function pythonSource(endpoints: readonly Endpoint[]): string {
  const all = clientOperations(endpoints);
  const rows = `\nOPERATIONS: Dict[str, Operation] = {\n${all.map(rowOf).join('')}}\n`;
  return `${HEADER}${rows}${classesOf(all, '')}${classesOf(all, 'Async')}`;
}
