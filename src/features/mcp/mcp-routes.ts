import { type Endpoint, endpoint, reply } from '../../api/endpoint.ts';
import { ApiError } from '../../api/errors.ts';
import { record, text } from '../../api/fields.ts';
import { TOOL_GROUPS, type ToolGroup } from '../../api/tool.ts';
import { Type } from '../../base/schema.ts';
import { ACCOUNT_HEADER, bearerToken } from '../../http/pipeline/authenticate.ts';
import { countRequest, type Meter } from '../../http/pipeline/request-quota.ts';
import { mayCall } from './allowed-origin.ts';
import type { Answer, Methods } from './json-rpc-methods.ts';
import { type Caller, type Json, RPC_CODES, type RpcError, type RpcId } from './mcp-messages.ts';
import { readMessage } from './mcp-protocol.ts';
import { RpcBody, RpcReply } from './mcp-schema.ts';
import type { McpDeps, Toolbox } from './toolbox.ts';

/** What there is once all endpoints are known. */
export interface McpServer {
  deps: McpDeps;
  methods: Methods;
  toolbox: Toolbox;
  meter: Meter;
}

/** A call as the handlers see it. */
interface Arrival {
  body: Json;
  header(name: string): string | undefined;
  ip: string;
  now: number;
  gone(): AbortSignal;
}

const quoted = (pairs: Record<string, string>): string =>
  Object.entries(pairs)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ');

/** The challenge to log in, or to ask for more scopes (RFC 6750 3, RFC 9728 5.1). */
class Challenges {
  readonly #server: McpServer;
  readonly #group: ToolGroup | null;

  constructor(server: McpServer, group: ToolGroup | null) {
    this.#server = server;
    this.#group = group;
  }

  login(hadToken: boolean): ApiError {
    const pairs = {
      ...(hadToken ? { error: 'invalid_token' } : {}),
      resource_metadata: this.#metadata(),
      scope: this.#server.toolbox.scopes(this.#group).join(' '),
    };
    const message = hadToken ? 'The credential is unknown, revoked, expired or mistyped.' : undefined;
    const headers = { 'www-authenticate': `Bearer ${quoted(pairs)}` };
    return new ApiError('unauthorized', { headers, ...(message ? { message } : {}) });
  }

  scope(scopes: readonly string[]): ApiError {
    const scope = scopes.join(' ');
    const pairs = {
      error: 'insufficient_scope',
      scope,
      resource_metadata: this.#metadata(),
      error_description: `This needs ${scope}.`,
    };
    return new ApiError('insufficient_scope', {
      message: `insufficient_scope: this needs ${scope}.`,
      fields: { required_scope: scope },
      headers: { 'www-authenticate': `Bearer ${quoted(pairs)}` },
    });
  }

  readonly #metadata = (): string => `${this.#server.deps.baseUrl()}/.well-known/oauth-protected-resource/mcp`;
}

/** Unknown methods are 404 in the modern era, and other faults of a message 400 (revision 2026-07-28, transports). */
const statusOf = ({ code }: RpcError, isModern: boolean): 200 | 400 | 404 =>
  !isModern || code === RPC_CODES.invalidParams ? 200 : code === RPC_CODES.methodNotFound ? 404 : 400;

function sendAnswer(answer: Answer, id: RpcId, isModern: boolean, challenges: Challenges, hadToken: boolean) {
  switch (answer.kind) {
    case 'login':
      throw challenges.login(hadToken);
    case 'scope':
      throw challenges.scope(answer.scopes);
    case 'error':
      return reply(statusOf(answer.error, isModern), { jsonrpc: '2.0', id, error: { ...answer.error } });
    case 'result':
      return reply(200, { jsonrpc: '2.0', id, result: answer.result });
  }
}

/** Answers one message. @throws ApiError for what is refused before the message counts */
async function answerMessage(server: McpServer, group: ToolGroup | null, call: Arrival) {
  const { deps, methods, meter } = server;
  const { body, header, ip, now, gone } = call;
  if (!mayCall(deps.baseUrl(), deps.host, { host: header('host'), origin: header('origin') }))
    throw new ApiError('origin_refused');
  const challenges = new Challenges(server, group);
  const authorization = header('authorization');
  const account = header(ACCOUNT_HEADER);
  const token = bearerToken(authorization);
  let principal: Caller['principal'] = null;
  let refused: ApiError | null = null;
  try {
    if (token !== null) principal = await deps.credentials.authenticate(token, now, { account, forClients: true });
  } catch (err) {
    if (!(err instanceof ApiError)) throw err;
    refused = err;
  }
  const isAnonymous = authorization === undefined && group === 'start';
  if (principal === null && refused === null && !isAnonymous) throw challenges.login(authorization !== undefined);
  const reading = readMessage(body, header);
  if (reading === null)
    throw new ApiError('invalid_request', { message: 'Send one message of JSON-RPC 2.0, as valid JSON in UTF-8.' });
  if (reading.kind === 'accepted') return reply(202, null);
  if (reading.kind === 'fault') return reply(400, { jsonrpc: '2.0', id: reading.id, error: { ...reading.error } });
  const { request } = reading;
  // A call counts as the call of its endpoint.
  if (principal !== null && request.method === 'tools/list')
    await countRequest(meter, principal, now, { method: 'POST' });
  const credential = {
    ...(authorization === undefined ? {} : { authorization }),
    ...(account === undefined ? {} : { [ACCOUNT_HEADER]: account }),
  };
  const answer = refused
    ? methods.refused(request, refused)
    : await methods.answer(request, { principal, credential, ip, now, gone }, group);
  return sendAnswer(answer, request.id, request.isModern, challenges, authorization !== undefined);
}

const isGroup = (name: string): name is ToolGroup => TOOL_GROUPS.some((group) => group === name);

const ABOUT = {
  method: 'POST',
  tag: 'MCP',
  auth: 'none',
  effect: 'none',
  // An unreadable message is answered like any other request that is none of JSON-RPC.
  anyBody: true,
  body: RpcBody,
  replies: { 200: RpcReply, 202: Type.Null({ description: 'Taken.' }), 400: RpcReply, 404: RpcReply },
  errors: [
    'unauthorized',
    'insufficient_scope',
    'origin_refused',
    'account_suspended',
    'pod_suspended',
    'rate_limited',
    'not_found',
  ],
} as const;

/** The Model Context Protocol, for all tools and for one group of them. */
export const mcpRoutes = (attached: () => McpServer): Endpoint[] => [
  endpoint({
    ...ABOUT,
    path: '/mcp',
    operation: 'callMcp',
    summary: 'Use Signet as an MCP server',
    description: 'Needs a credential. See docs/mcp.md.',
    handle: async (call) => answerMessage(attached(), null, call as Arrival),
  }),
  endpoint({
    ...ABOUT,
    path: '/mcp/x/{group}',
    operation: 'callMcpGroup',
    summary: 'Use one group of MCP tools',
    description: 'Fewer tools. `start` needs no credential.',
    params: record({ group: text(20, { examples: ['mail'] }) }),
    handle: async (call) => {
      const { group } = call.params;
      if (!isGroup(group)) throw new ApiError('not_found', { message: `The groups are ${TOOL_GROUPS.join(', ')}.` });
      return answerMessage(attached(), group, call as Arrival);
    },
  }),
];
