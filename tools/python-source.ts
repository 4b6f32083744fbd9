import type { Endpoint } from '../src/api/endpoint.ts';
import {
  branchesOf,
  type ClientOperation,
  clientOperations,
  groupsOf,
  pascal,
  type Schema,
} from './client-operation.ts';
import { FORMER_GROUPS } from './method-names.ts';
import { KEYWORDS } from './python-types.ts';
import { isTimeText } from './schema-types.ts';

/** Writes clients/python/signet_client/_operations.py: a row and a method for each operation. */

const HEADER = `# Made from the endpoint table by npm run generate: change the endpoint, not this file.
# mypy: disable-error-code=no-any-return
"""Every operation of the service: its request, and a method in its group."""

from __future__ import annotations

from typing import Any, AsyncIterator, Dict, Iterator, Mapping, Optional, Sequence, Union

from . import replies
from ._types import UNSET, Amount, Attachment, Methods, Operation, Time, Unset, or_unset
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

/** What a field takes beside what JSON has, by its schema; null: nothing else. */
function findValueType(schema: Schema): string | null {
  if (schema['x-name'] === 'Attachments') return 'Sequence[Attachment]';
  const { type } = schema;
  if (Array.isArray(type)) return type.includes('string') && type.includes('integer') ? 'Amount' : null;
  return isTimeText(schema) ? 'Time' : null;
}

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
        type: findValueType(schema) ?? unionOf(types),
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

/** The parts of a method: its parameters, what it says and the input that it passes on. */
function partsOf(operation: ClientOperation, all: readonly Argument[], extra: readonly string[]) {
  const { method, path, summary, params } = operation.endpoint;
  const inPath = Object.keys(params?.properties ?? {});
  const positional = all.filter(({ field }) => inPath.includes(field));
  const others = all
    .filter(({ field }) => !inPath.includes(field))
    .sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
  const named = [...others.map(parameterOf), ...extra];
  const input = all.map(
    ({ field, name, isRequired, isNullable }) =>
      `${quoted(field)}: ${isRequired || isNullable ? name : `or_unset(${name})`}`,
  );
  return {
    parameters: ['self', ...positional.map(parameterOf), ...(named.length > 0 ? ['*', ...named] : [])].join(', '),
    text: `${summary}: ${method} ${path}`.replaceAll('\\', '\\\\').replaceAll('"""', "'''"),
    input: `{${input.join(', ')}}`,
  };
}

function methodOf(operation: ClientOperation, isAsync: boolean, name: string): string {
  const { operation: flat, method } = operation.endpoint;
  const all = argumentsOf(operation);
  const keyed = (method === 'POST' || method === 'PUT') && !all.some((argument) => argument.name === 'idempotency_key');
  const extra = [
    ...(keyed ? ['idempotency_key: Optional[str] = None'] : []),
    ...(operation.dryRun ? ['dry_run: bool = False'] : []),
  ];
  const { parameters, text, input } = partsOf(operation, all, extra);
  const options = operation.dryRun ? [keyed ? 'idempotency_key' : 'None', 'dry_run'] : keyed ? ['idempotency_key'] : [];
  return [
    `\n    ${isAsync ? 'async ' : ''}def ${name}(${parameters}) -> ${returnOf(operation)}:\n`,
    `        """${text}."""\n`,
    `        return ${isAsync ? 'await ' : ''}self._call(${[quoted(flat), input, ...options].join(', ')})\n`,
  ].join('');
}

/** A list with pages: a page when it is called, every entry by `iter`. */
function listClassOf(operation: ClientOperation, isAsync: boolean, className: string): string {
  const entries = argumentsOf(operation).filter(({ field }) => field !== 'cursor');
  const { parameters, input } = partsOf(operation, entries, []);
  const iterator = `${isAsync ? 'AsyncIterator' : 'Iterator'}[replies.${operation.type}Item]`;
  return [
    `\n\nclass ${className}(Methods):`,
    methodOf(operation, isAsync, '__call__'),
    `\n    def iter(${parameters}) -> ${iterator}:\n`,
    `        """Every entry of the list, a page at a time."""\n`,
    `        return self._client._entries(${quoted(operation.endpoint.operation)}, ${input})\n`,
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

const pythonName = (name: string): string => argumentOf(snake(name));

/** A group: the classes of its lists, its methods, and the names that both had before. */
function groupOf([group, operations]: [string, ClientOperation[]], prefix: string): string {
  const isAsync = prefix === 'Async';
  const listNameOf = ({ method }: ClientOperation) => `${prefix}${pascal(group)}${pascal(method)}`;
  const lists = operations.filter(({ page }) => page);
  const methods = operations
    .filter(({ page }) => !page)
    .map((operation) => {
      const name = pythonName(operation.method);
      const former = operation.formerly.map((earlier) => `\n    ${pythonName(earlier)} = ${name}\n`);
      return methodOf(operation, isAsync, name) + former.join('');
    });
  const attributes = lists.flatMap((operation) => {
    const name = `self.${pythonName(operation.method)}`;
    const former = operation.formerly.map((earlier) => `        self.${pythonName(earlier)} = ${name}\n`);
    return [`        ${name} = ${listNameOf(operation)}(client)\n`, ...former];
  });
  const init = `\n    def __init__(self, client: Any) -> None:\n        super().__init__(client)\n${attributes.join('')}`;
  return [
    ...lists.map((operation) => listClassOf(operation, isAsync, listNameOf(operation))),
    `\n\nclass ${prefix}${pascal(group)}Methods(Methods):${lists.length > 0 ? init : ''}${methods.join('')}`,
  ].join('');
}

/** The classes of the groups, and the one that has them all, for either client. */
function classesOf(operations: readonly ClientOperation[], prefix: '' | 'Async'): string {
  const groups = groupsOf(operations);
  const classes = groups.map((group) => groupOf(group, prefix));
  const rows = groups.flatMap(([group]) => {
    const former = FORMER_GROUPS[group];
    const name = `self.${snake(group)}`;
    return [
      `        ${name} = ${prefix}${pascal(group)}Methods(client)\n`,
      ...(former ? [`        self.${snake(former)} = ${name}\n`] : []),
    ];
  });
  return `${classes.join('')}\n\nclass ${prefix}Groups:\n    """The groups of methods."""\n\n    def __init__(self, client: Any) -> None:\n${rows.join('')}`;
}

/** Builds the text of _operations.py from a table. */
export function pythonSource(endpoints: readonly Endpoint[]): string {
  const all = clientOperations(endpoints);
  const rows = `\nOPERATIONS: Dict[str, Operation] = {\n${all.map(rowOf).join('')}}\n`;
  return `${HEADER}${rows}${classesOf(all, '')}${classesOf(all, 'Async')}`;
}
