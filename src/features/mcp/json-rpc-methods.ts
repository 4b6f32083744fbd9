import type { ApiError } from '../../api/errors.ts';
import { hasScope } from '../../api/scopes.ts';
import { suggestValue } from '../../api/suggestions.ts';
import type { ToolGroup } from '../../api/tool.ts';
import { RELEASE } from '../../base/version.ts';
import { attachmentPath, READING, typeOfName } from './mail-files.ts';
import {
  type Caller,
  INSTRUCTIONS,
  type Json,
  LIST_TTL_MS,
  MODERN_VERSION,
  RPC_CODES,
  type RpcError,
  type RpcRequest,
  type ToolOutcome,
} from './mcp-messages.ts';
import { negotiated } from './mcp-protocol.ts';
import { refusal, type ToolCalls } from './tool-call.ts';
import type { McpDeps, Toolbox } from './toolbox.ts';

/** The methods of the protocol. */

export type Answer =
  | { kind: 'result'; result: Json }
  | { kind: 'error'; error: RpcError }
  | Extract<ToolOutcome, { kind: 'login' | 'scope' }>;

const SERVER = { name: 'signet', title: 'Signet', version: RELEASE };
const CAPABILITIES = { tools: {}, resources: {} };
/** The largest attachment that a model reads. Others are downloaded over HTTP. */
const RESOURCE_BYTES_MAX = 5 * 1_048_576;
/** Older clients know this code for an unknown resource. */
const LEGACY_UNKNOWN_RESOURCE = -32002;

const error = (code: number, message: string, data?: Json): Answer => ({
  kind: 'error',
  error: { code, message, ...(data ? { data } : {}) },
});
const cached = (result: Json): Json => ({ ...result, ttlMs: LIST_TTL_MS, cacheScope: 'private' });

export class Methods {
  readonly #deps: McpDeps;
  readonly #toolbox: Toolbox;
  readonly #calls: ToolCalls;

  constructor(deps: McpDeps, toolbox: Toolbox, calls: ToolCalls) {
    this.#deps = deps;
    this.#toolbox = toolbox;
    this.#calls = calls;
  }

  async answer(request: RpcRequest, caller: Caller, group: ToolGroup | null): Promise<Answer> {
    const answer = await this.#answer(request, caller, group);
    if (answer.kind !== 'result' || !request.isModern) return answer;
    const meta = { 'io.modelcontextprotocol/serverInfo': SERVER };
    return { kind: 'result', result: { resultType: 'complete', ...answer.result, _meta: meta } };
  }

  async #answer(request: RpcRequest, caller: Caller, group: ToolGroup | null): Promise<Answer> {
    const { method, params, isModern } = request;
    switch (method) {
      case 'server/discover':
        if (!isModern) break;
        return {
          kind: 'result',
          result: cached({
            supportedVersions: [MODERN_VERSION],
            capabilities: CAPABILITIES,
            instructions: INSTRUCTIONS,
          }),
        };
      case 'initialize':
        if (isModern) break;
        return {
          kind: 'result',
          result: {
            protocolVersion: negotiated(params.protocolVersion),
            capabilities: CAPABILITIES,
            serverInfo: SERVER,
            instructions: INSTRUCTIONS,
          },
        };
      case 'ping':
        if (isModern) break;
        return { kind: 'result', result: {} };
      case 'tools/list':
        return this.#page(params, { tools: this.#toolbox.list(caller.principal, group) });
      case 'resources/list':
        return this.#page(params, { resources: [] });
      case 'resources/templates/list':
        return this.#page(params, { resourceTemplates: [] });
      case 'resources/read':
        return this.#read(request, caller);
      case 'tools/call': {
        const outcome = await this.#calls.call(request, caller, group);
        if (outcome.kind !== 'unknown') return outcome;
        const { name: asked } = params;
        const names = this.#toolbox.list(caller.principal, group).map(({ name }) => String(name));
        const meant = suggestValue(asked, names);
        const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
        return error(RPC_CODES.invalidParams, `There is no tool of this name here.${hint}`);
      }
    }
    return error(RPC_CODES.methodNotFound, 'This method is not supported.');
  }

  /** Lists are short, so no cursor is ever given out. */
  #page({ cursor }: Json, list: Json): Answer {
    if (cursor !== undefined) return error(RPC_CODES.invalidParams, 'The cursor is not valid for this list.');
    return { kind: 'result', result: cached(list) };
  }

  /** Reads an attachment that a tool linked to. */
  async #read({ params, isModern }: RpcRequest, { principal, credential, ip, gone }: Caller): Promise<Answer> {
    const uri = String(params.uri);
    const url = attachmentPath(uri, this.#deps.baseUrl());
    const unknown = error(isModern ? RPC_CODES.invalidParams : LEGACY_UNKNOWN_RESOURCE, 'There is no such resource.', {
      uri,
    });
    if (url === null) return unknown;
    if (principal === null) return { kind: 'login' };
    const lacking = READING.filter((scope) => !hasScope(principal, scope));
    if (lacking.length > 0) return { kind: 'scope', scopes: lacking };
    const reply = await this.#deps.dispatch({
      method: 'GET',
      url,
      headers: credential,
      ip,
      gone: gone(),
      bytesMax: RESOURCE_BYTES_MAX,
    });
    if (reply.status === 401) return { kind: 'login' };
    if (reply.status === 413)
      return error(RPC_CODES.invalidParams, 'The attachment is larger than 5 MiB. Download it over HTTP.');
    if (reply.status >= 400) return unknown;
    // As its link says.
    const mimeType = typeOfName(reply.headers['content-disposition']);
    return { kind: 'result', result: cached({ contents: [{ uri, mimeType, blob: reply.bytes.toString('base64') }] }) };
  }

  /** What a call gets whose account cannot act: a tool says so to the model, anything else to the client. */
  refused(request: RpcRequest, err: ApiError): Answer {
    const outcome = refusal(err);
    if (request.method !== 'tools/call' || outcome.kind !== 'result') throw err;
    return { kind: 'result', result: outcome.result };
  }
}
