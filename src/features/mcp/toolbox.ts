import type { TObject } from 'typebox';
import type { Endpoint } from '../../api/endpoint.ts';
import type { Dispatch } from '../../api/inner-call.ts';
import type { WaitFor } from '../../api/long-poll.ts';
import type { Principal } from '../../api/principal.ts';
import { hasScope, type Scope } from '../../api/scopes.ts';
import type { Tool, ToolGroup } from '../../api/tool.ts';
import type { Reader } from '../../api/transaction.ts';
import { withoutFields } from '../../base/without-fields.ts';
import type { Credentials } from '../identity/login/authenticator.ts';
import { ATTACHMENTS_ARGUMENT } from './mail-files.ts';
import type { Json, OfferedTool } from './mcp-messages.ts';

/** The tools, as the endpoints describe them. */

/** Seconds that a tool waits. Clients give up after 60, and so do proxies. */
export const WAIT_SECONDS = { byDefault: 25, most: 50 } as const;
const WAIT = {
  type: 'integer',
  minimum: 1,
  maximum: WAIT_SECONDS.most,
  description: `Seconds to wait, ${WAIT_SECONDS.byDefault} by default.`,
};
const OFFSET = { type: 'integer', minimum: 0, description: 'Where the text goes on: next.offset of the call before.' };
/** What it means is said once, in the instructions. */
const DRY_RUN = { const: true };
const IDEMPOTENCY_KEY = { type: 'string', maxLength: 255, description: 'The same value when you repeat this call.' };

interface OperationTool {
  /** Where it is offered; null is the group of all tools. */
  groups: readonly (ToolGroup | null)[];
  definition: Json & { name: string };
}

/** The two tools over the whole table of endpoints. */
export const OPERATION_TOOLS: readonly OperationTool[] = [
  {
    groups: [null, 'start'],
    definition: {
      name: 'find_operation',
      title: 'Find operation',
      description: 'Search the whole API for what no tool does. Returns operations with their arguments.',
      inputSchema: {
        type: 'object',
        properties: { query: { type: 'string', minLength: 1, maxLength: 200, description: 'A few words.' } },
        required: ['query'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
  },
  {
    groups: [null],
    definition: {
      name: 'call_operation',
      title: 'Call operation',
      description: 'Call an operation that find_operation returned.',
      inputSchema: {
        type: 'object',
        properties: {
          id: { type: 'string', maxLength: 100, description: 'The operation, such as updateMessage.' },
          arguments: { type: 'object', description: 'Its arguments by name: path, query and body in one object.' },
          idempotency_key: IDEMPOTENCY_KEY,
          dry_run: DRY_RUN,
        },
        required: ['id'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
  },
];

/** Whether a credential passes the gate of an endpoint. */
export type MayUse = (principal: Principal, endpoint: Endpoint) => boolean;

/** Keywords that mean nothing to a model. */
const DROPPED = new Set(['x-name', 'x-guidance', 'x-secret', 'x-signed', 'examples', 'default']);
/** The pattern of a text of one line says nothing that a model needs. */
const isDropped = (name: string, value: unknown): boolean =>
  DROPPED.has(name) || (name === 'pattern' && String(value).includes('\\u'));

/** The arguments that tools write otherwise than their endpoints. */
const REWRITTEN: Readonly<Record<string, Json>> = { wait: WAIT, attachments: ATTACHMENTS_ARGUMENT };

/** The schema of the arguments of a tool. */
function inputSchema(tool: Tool, endpoint: Endpoint): Json {
  const parts = [endpoint.params, endpoint.query, endpoint.body as TObject | undefined];
  const properties: Json = {};
  const required: string[] = [];
  for (const name of tool.takes) {
    const part = parts.find((schema) => schema?.properties?.[name] !== undefined);
    if (part === undefined) throw new Error(`${tool.name}: ${endpoint.operation} has no argument ${name}`);
    const said = tool.says?.[name];
    const plain = REWRITTEN[name] ?? withoutFields(part.properties[name] as Json, isDropped);
    properties[name] = said ? { ...plain, description: said } : plain;
    const isNeeded = ((part.required ?? []) as string[]).includes(name) || tool.needs?.includes(name);
    if (isNeeded && name !== tool.ownAddress && tool.defaults?.[name] === undefined) required.push(name);
  }
  if (tool.awaits) properties.wait = WAIT;
  if (tool.pages) properties.offset = OFFSET;
  if (endpoint.effect === 'write') properties.idempotency_key = IDEMPOTENCY_KEY;
  if (endpoint.dryRun) properties.dry_run = DRY_RUN;
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}), additionalProperties: false };
}

const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

/** The schema of the data of a tool, from the replies of its endpoint. */
function outputSchema({ gives = [] }: Tool, { replies }: Endpoint): Json {
  const bodies = Object.entries(replies).flatMap(([status, schema]) =>
    Number(status) < 300 ? [schema as unknown as { properties: Json; required?: string[] }] : [],
  );
  const properties = Object.fromEntries(
    gives.map((name) => [
      name,
      withoutFields(
        bodies.find((body) => body.properties[name])?.properties[name],
        (field, value) => field === 'description' || isDropped(field, value),
      ),
    ]),
  );
  const required = gives.filter((name) => bodies.every((body) => body.required?.includes(name)));
  return { type: 'object', properties, required };
}

function definitionOf(tool: Tool, endpoint: Endpoint): Json {
  const isWrite = endpoint.effect === 'write';
  const readOnlyHint = !isWrite && !tool.changes;
  return {
    name: tool.name,
    title: titleOf(tool.name),
    description: tool.description,
    inputSchema: inputSchema(tool, endpoint),
    ...(tool.structured ? { outputSchema: outputSchema(tool, endpoint) } : {}),
    annotations: {
      readOnlyHint,
      destructiveHint: tool.destroys ?? false,
      // Every write adds something: another mail, charge or version.
      idempotentHint: !isWrite && !tool.destroys,
      openWorldHint: tool.openWorld ?? false,
    },
  };
}

/** What tools need. */
export interface McpDeps {
  database: Reader;
  waitFor: WaitFor;
  dispatch: Dispatch;
  credentials: Pick<Credentials, 'authenticate'>;
  baseUrl(): string;
  /** The address that the service listens on. */
  host: string;
  onFault(err: unknown, message: string): void;
}

/** Every tool, in the order of the endpoints. */
export class Toolbox {
  readonly #endpoints: readonly Endpoint[];
  /** Whether a credential passes the gate of an endpoint. */
  readonly mayUse: MayUse;
  readonly #tools: readonly OfferedTool[];

  constructor(endpoints: readonly Endpoint[], mayUse: MayUse) {
    this.#endpoints = endpoints;
    this.mayUse = mayUse;
    this.#tools = endpoints.flatMap((endpoint) =>
      (endpoint.tools ?? []).map((tool) => ({ tool, endpoint, definition: definitionOf(tool, endpoint) })),
    );
  }

  /** The tool of this name in a group. `null` is the group of all. */
  find(name: string, group: ToolGroup | null): OfferedTool | undefined {
    return this.#tools.find(({ tool }) => tool.name === name && inGroup(tool.group, group));
  }

  /** @throws Error for an operation that does not exist */
  endpoint(operation: string): Endpoint {
    const found = this.#endpoints.find((one) => one.operation === operation);
    if (found === undefined) throw new Error(`there is no operation ${operation}`);
    return found;
  }

  /** What `tools/list` answers to a credential. Always in the same order. */
  list(principal: Principal | null, group: ToolGroup | null): Json[] {
    const offered = this.#tools.filter((one) => {
      if (!inGroup(one.tool.group, group)) return false;
      if (one.endpoint.auth === 'none') return true;
      const { scope } = one.tool;
      if (principal === null || !this.mayUse(principal, one.endpoint)) return false;
      return scope === undefined || hasScope(principal, scope);
    });
    const extra = OPERATION_TOOLS.filter(({ groups }) => groups.includes(group)).map(({ definition }) => definition);
    return [...offered.map(({ definition }) => definition), ...extra];
  }

  /** The scopes that the tools of a group need, for clients that ask a person for them. */
  scopes(group: ToolGroup | null): Scope[] {
    const needed = this.#tools.filter(({ tool }) => inGroup(tool.group, group));
    return [...new Set(needed.flatMap(({ tool, endpoint }) => [endpoint.scope ?? [], tool.scope ?? []].flat()))];
  }
}

/** Without a group, every tool but those that begin without a credential. */
const inGroup = (own: ToolGroup, wanted: ToolGroup | null): boolean =>
  wanted === null ? own !== 'start' : own === wanted;
