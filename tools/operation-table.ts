import type { Endpoint } from '../src/api/endpoint.ts';
import { TOOL_GROUPS } from '../src/api/tool.ts';
import { branchesOf, clientOperations, type Schema } from './client-operation.ts';

/** Writes src/cli/agent/operation-table.ts: what `signet call` needs to know about each operation. */

const HEADER = `// Made from the endpoint table by \`npm run generate\`: change the endpoint, not this file.
import type { OperationName } from '../../client/generated/operations.ts';

/** The kind of a field's value; \`!\` marks a required field, \`?\` one that may be null. */
export type FieldKind = 'text' | 'integer' | 'number' | 'boolean' | 'amount' | 'texts' | 'json';

/** The summary of each operation, and its fields of path, query and body together. */
export const OPERATION_TABLE: Readonly<Record<OperationName, readonly [string, Readonly<Record<string, string>>]>> = {
`;

const GROUPS = '/** The groups of tools that an account is offered over MCP. */\n';

const typeOfBranch = (branch: Schema): string => {
  if (branch.type === 'array') return branch.items?.type === 'string' ? 'texts' : 'json';
  if (typeof branch.type === 'string' && ['integer', 'number', 'boolean'].includes(branch.type)) return branch.type;
  const isText =
    branch.type === 'string' || [branch.const, branch.enum?.[0]].some((value) => typeof value === 'string');
  return isText ? 'text' : 'json';
};

/** @returns the kind, and `?` if it may be null */
function kindOf(schema: Schema): string {
  const branches = branchesOf(schema);
  const nullable = branches.some(({ type }) => type === 'null') ? '?' : '';
  const kinds = new Set(branches.filter(({ type }) => type !== 'null').map(typeOfBranch));
  const [only = 'json'] = kinds;
  if (kinds.size === 1) return only + nullable;
  if (kinds.has('texts') && kinds.size === 2) return `texts${nullable}`;
  return (kinds.has('text') && kinds.has('integer') && kinds.size === 2 ? 'amount' : 'json') + nullable;
}

/** Builds the text of src/cli/agent/operation-table.ts from a table. */
export function operationTable(endpoints: readonly Endpoint[]): string {
  const rows = clientOperations(endpoints).map(({ endpoint, input }) => {
    const { properties = {}, required = [] } = input;
    const fields = Object.entries(properties).map(([name, schema]) => [
      name,
      kindOf(schema) + (required.includes(name) ? '!' : ''),
    ]);
    return `  ${endpoint.operation}: ${JSON.stringify([endpoint.summary, Object.fromEntries(fields)])},\n`;
  });
  const groups = TOOL_GROUPS.filter((group) => group !== 'start').map((group) => `'${group}'`);
  return `${HEADER}${rows.join('')}};\n\n${GROUPS}export const MCP_GROUPS: readonly string[] = [${groups.join(', ')}];\n`;
}
