import { ERRORS, type ErrorCode } from '../src/api/errors.ts';
import { EVENTS } from '../src/api/events.ts';
import { DEFAULT_LIMITS, LIMIT_TABLE, SERVICE_LIMITS } from '../src/api/limits.ts';
import { FIXED_LIMITS } from '../src/api/metering/fixed-limits.ts';
import { TIER_LIMITS } from '../src/api/metering/tier-limits.ts';
import { SCOPES } from '../src/api/scopes.ts';
import { TOOL_GROUPS } from '../src/api/tool.ts';
import { WAYS_OUT } from '../src/api/way-out.ts';
import { VARIABLES, type Variable } from '../src/config/environment.ts';
import { OPERATION_TOOLS } from '../src/features/mcp/toolbox.ts';
import { listEndpoints } from './endpoint-list.ts';
import { ERROR_HELP } from './error-help.ts';

/** The tables of docs/ that are generated from a table in the code, by the name of their marker in the page. */

/** Cells cannot contain a bar or a line break. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n');
}

const count = (value: number | null): string => (value === null ? 'no limit' : value.toLocaleString('en-US'));

/** The error for a request over a limit. */
function refusal(name: keyof typeof LIMIT_TABLE): string {
  const { code } = LIMIT_TABLE[name] as { code?: ErrorCode };
  return code === undefined ? '' : `${ERRORS[code].status} \`${code}\``;
}

const limitRows = <T extends object>(rows: T, values: (row: T[keyof T]) => string[]): string[][] =>
  Object.entries(rows).map(([name, row]) => [
    `\`${name}\``,
    (row as { text: string }).text,
    ...values(row),
    refusal(name as keyof typeof LIMIT_TABLE),
  ]);

const tierLimits = (): string =>
  table(
    ['limit', 'counts', 'free', 'paid', 'over it'],
    limitRows(TIER_LIMITS, ({ free, paid }) => [count(free), count(paid)]),
  );

const serviceLimits = (): string =>
  table(
    ['limit', 'counts', 'default', 'over it'],
    limitRows(SERVICE_LIMITS, ({ value }) => [count(value)]),
  );

const fixedLimits = (): string =>
  table(
    ['limit', 'counts', 'value', 'over it'],
    limitRows(FIXED_LIMITS, ({ value }) => [value === null ? 'set by the platform' : count(value)]),
  );

/** The defaults as a value of `LIMITS`: a line for each tier, and one for each other limit. */
function defaultLimits(): string {
  const lines = Object.entries(DEFAULT_LIMITS).map(([name, value]) => `  "${name}": ${JSON.stringify(value)}`);
  return ['```json', '{', lines.join(',\n'), '}', '```'].join('\n');
}

const errors = (): string =>
  table(
    ['code', 'status', 'message', 'what to do'],
    (Object.keys(ERRORS) as ErrorCode[])
      .sort((a, b) => ERRORS[a].status - ERRORS[b].status)
      .map((code) => [`\`${code}\``, String(ERRORS[code].status), ERRORS[code].message, ERROR_HELP[code] ?? '']),
  );

/** A field of an event with its possible words, or with the description of its schema. */
function field([name, schema]: [string, { enum?: string[]; description?: string }]): string {
  const said = schema.enum?.map((word) => `\`${word}\``).join(', ') ?? schema.description;
  return `\`${name}\`${said === undefined ? '' : ` (${said})`}`;
}

const events = (): string =>
  table(
    ['type', 'when', '`data`'],
    Object.entries(EVENTS).map(([type, { summary, data }]) => [
      `\`${type}\``,
      summary,
      Object.entries(data.properties).map(field).join(', '),
    ]),
  );

const scopes = (): string =>
  table(
    ['scope', 'allows to'],
    Object.entries(SCOPES).map(([scope, text]) => [`\`${scope}\``, text]),
  );

/** The ways out of an account, with the operations that use each. */
function waysOut(): string {
  const all = listEndpoints();
  const operations = (way: string): string =>
    all
      .filter(({ leaves }) => leaves?.some((name) => name === way))
      .map(({ operation }) => `\`${operation}\``)
      .join(', ');
  return table(
    ['way', 'what goes out', 'operations'],
    Object.entries(WAYS_OUT).map(([way, text]) => [`\`${way}\``, text, operations(way)]),
  );
}

/** The tools for models, by group. */
function tools(): string {
  const all = listEndpoints().flatMap((endpoint) => endpoint.tools ?? []);
  return table(
    ['group', 'tools'],
    TOOL_GROUPS.map((group) => {
      const own = all.filter((tool) => tool.group === group).map(({ name }) => name);
      const added = OPERATION_TOOLS.filter(({ groups }) => groups.includes(group)).map(
        ({ definition }) => definition.name,
      );
      return [`\`${group}\``, [...own, ...added].map((name) => `\`${name}\``).join(', ')];
    }),
  );
}

/** How many tools an account is offered at `/mcp`. */
function toolCount(): string {
  const own = listEndpoints().flatMap(({ tools: all = [] }) => all.filter(({ group }) => group !== 'start'));
  return String(own.length + OPERATION_TOOLS.filter(({ groups }) => groups.includes(null)).length);
}

const variables = (): string =>
  table(
    ['variable', 'default', 'meaning'],
    Object.entries<Variable>(VARIABLES).map(([name, { fallback, shown, text, secret }]) => [
      `\`${name}\``,
      shown ?? (fallback === null ? 'unset' : `\`${fallback}\``),
      secret ? `${text} A secret: it is never logged or shown.` : text,
    ]),
  );

export const DOC_TABLES: Readonly<Record<string, () => string>> = {
  'tier-limits': tierLimits,
  'service-limits': serviceLimits,
  'fixed-limits': fixedLimits,
  'default-limits': defaultLimits,
  errors,
  events,
  scopes,
  'ways-out': waysOut,
  tools,
  'tool-count': toolCount,
  variables,
};
