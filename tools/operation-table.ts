import type { Endpoint } from '../src/api/endpoint.ts';
import { TOOL_GROUPS } from '../src/api/tool.ts';
import { branchesOf, clientOperations, type Schema } from './client-operation.ts';

/** Writes src/cli/agent/operation-table.ts: what `signet call` needs to know about each operation. */

const HEADER = `// Made from the endpoint table by \`npm run generate\`: change the endpoint, not this file.
import type { OperationName } from '../../client/generated/operations.ts';

/**
 * The summary of each operation, and its fields of path, query and body together: the kind of the value, the values it may
 * have if these are few, \`?\` if it may be null, \`!\` if it is required, and what it is. 1: it can be tried in a dry run.
 */
export const OPERATION_TABLE: Readonly<
  Record<OperationName, readonly [summary: string, fields: Readonly<Record<string, string>>, canBeTried?: 1]>
> = {
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

const WORDS_MAX = 160;

/** The first sentences of a description, and no more than fit on two lines of a terminal. */
function aboutOf({ description = '' }: Schema): string {
  let about = '';
  for (const sentence of description.replace(/\s+/g, ' ').split(/(?<=[.:]) /)) {
    if (about !== '' && about.length + sentence.length > WORDS_MAX) break;
    about = `${about} ${sentence}`.trim();
  }
  return about.length > 2 * WORDS_MAX ? `${about.slice(0, 2 * WORDS_MAX)}…` : about;
}

function choicesOf(schema: Schema): string {
  const choices = branchesOf(schema).flatMap(({ enum: several = [], const: only }) => only ?? several);
  return choices.length > 0 && choices.every((choice) => typeof choice === 'string') ? `(${choices.join('|')})` : '';
}

function fieldText(schema: Schema, isRequired: boolean): string {
  const kind = kindOf(schema).replace(/\??$/, (nullable) => choicesOf(schema) + nullable);
  return `${kind}${isRequired ? '!' : ''} ${aboutOf(schema)}`.trim();
}

/** Builds the text of src/cli/agent/operation-table.ts from a table. */
export function operationTable(endpoints: readonly Endpoint[]): string {
  const rows = clientOperations(endpoints).map(({ endpoint, input }) => {
    const { properties = {}, required = [] } = input;
    const fields = Object.entries(properties).map(([name, schema]) => [
      name,
      fieldText(schema, required.includes(name)),
    ]);
    return `  ${endpoint.operation}: ${JSON.stringify([endpoint.summary, Object.fromEntries(fields), ...(endpoint.dryRun ? [1] : [])])},\n`;
  });
  const groups = TOOL_GROUPS.filter((group) => group !== 'start').map((group) => `'${group}'`);
  return `${HEADER}${rows.join('')}};\n\n${GROUPS}export const MCP_GROUPS: readonly string[] = [${groups.join(', ')}];\n`;
}
