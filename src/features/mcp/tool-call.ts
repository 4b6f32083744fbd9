import type { Endpoint } from '../../api/endpoint.ts';
import { ApiError, invalidField } from '../../api/errors.ts';
import type { InnerReply } from '../../api/inner-call.ts';
import type { Principal } from '../../api/principal.ts';
import { hasScope, isScope, type Scope } from '../../api/scopes.ts';
import { suggestValue } from '../../api/suggestions.ts';
import type { ToolGroup } from '../../api/tool.ts';
import { iso } from '../../base/clock.ts';
import { nearestWord } from '../../base/nearest-word.ts';
import { onlyAddress, usableAddresses } from '../mail/mailboxes/default-address.ts';
import { isSealed } from '../vault/entries/unsealed-value.ts';
import { barredMessage } from './barred-operation.ts';
import { Elicitation } from './elicitation.ts';
import { hasResources, linksOf, READING, type ReadFile, sentFiles } from './mail-files.ts';
import type { Caller, Json, OfferedTool, RpcRequest, ToolOutcome, ToolResult } from './mcp-messages.ts';
import type { OperationIndex } from './operation-index.ts';
import { LIST_LIMIT, listBytes, shownRefusal, shownReply, shownText } from './shown-reply.ts';
import { ownAddressArgument, planCall, unknownArgument } from './tool-arguments.ts';
import { errorResult, pageOf, pick, resultOf } from './tool-result.ts';
import { type McpDeps, type Toolbox, WAIT_SECONDS } from './toolbox.ts';

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const result = (body: Json): ToolOutcome => ({ kind: 'result', result: resultOf(body) });
const failure = (body: Json): ToolOutcome => ({ kind: 'result', result: errorResult(body) });

/** A refusal, as the same call over HTTP names it. */
export const refusal = (err: ApiError): ToolOutcome =>
  failure({
    error: err.code,
    status: err.status,
    message: err.message,
    ...err.fields,
    ...(err.details ? { details: err.details } : {}),
  });

/** Calls tools. Each call is one call of an endpoint, with all that this brings. */
export class ToolCalls {
  readonly #deps: McpDeps;
  readonly #toolbox: Toolbox;
  readonly #operations: OperationIndex;
  readonly #human: Elicitation;

  constructor(deps: McpDeps, toolbox: Toolbox, operations: OperationIndex) {
    this.#deps = deps;
    this.#toolbox = toolbox;
    this.#operations = operations;
    this.#human = new Elicitation(deps, toolbox);
  }

  /** Never rejects: what goes wrong inside becomes a result that reveals nothing. */
  async call(request: RpcRequest, caller: Caller, group: ToolGroup | null): Promise<ToolOutcome> {
    const { name, arguments: given = {} } = request.params;
    if (typeof name !== 'string') return { kind: 'unknown' };
    try {
      if (!isObject(given)) throw invalidField('/arguments', 'wrong_type', 'arguments must be an object.');
      if (name === 'find_operation' && (group === null || group === 'start')) return this.#search(given, caller);
      if (name === 'call_operation' && group === null) return await this.#operation(given, caller);
      const offered = this.#toolbox.find(name, group);
      if (!offered) return { kind: 'unknown' };
      return await this.#tool(offered, given, request, caller);
    } catch (err) {
      if (err instanceof ApiError) return err.code === 'unauthorized' ? { kind: 'login' } : refusal(err);
      // No client hears this, and nothing is wrong with the service.
      if (caller.gone().aborted) return refusal(new ApiError('shutting_down', { message: 'The client has gone.' }));
      this.#deps.onFault(err, 'a tool call failed');
      return refusal(new ApiError('internal'));
    }
  }

  #search(given: Json, { principal }: Caller): ToolOutcome {
    const { query, ...others } = given;
    for (const name of Object.keys(others)) throw unknownArgument(name, ['query']);
    if (typeof query !== 'string' || query === '' || query.length > 200)
      throw invalidField('/arguments/query', 'invalid_format', 'query must be 1 to 200 characters.');
    // Without a credential, what an account could call.
    const mayUse = (endpoint: Endpoint): boolean =>
      principal === null || endpoint.auth === 'none' || this.#toolbox.mayUse(principal, endpoint);
    return result(this.#operations.search(query, mayUse, this.#deps.baseUrl()));
  }

  async #operation(given: Json, caller: Caller): Promise<ToolOutcome> {
    const { id, arguments: args = {}, idempotency_key: key, dry_run: dryRun, ...others } = given;
    for (const name of Object.keys(others))
      throw unknownArgument(name, ['id', 'arguments', 'idempotency_key', 'dry_run']);
    if (typeof id !== 'string' || !isObject(args))
      throw invalidField('/arguments', 'wrong_type', 'id must be a text, and arguments an object.');
    const endpoint = this.#callable(id);
    const isList = endpoint.query?.properties?.limit !== undefined;
    const limit = isList && args.limit === undefined ? { limit: LIST_LIMIT } : {};
    const own = ownAddressArgument(endpoint);
    const address = own === null ? {} : await this.#onlyAddress(endpoint, own, args, caller);
    const whole = { ...withoutClaim(endpoint), ...limit, ...address, ...args };
    const outcome = await this.#send(endpoint, whole, headersOf(key, dryRun), caller);
    if ('kind' in outcome) return outcome;
    const { body } = outcome;
    const status = { ...tried(outcome), status: outcome.status };
    if (!isObject(body)) return result({ ...status, ...shownText(body) });
    const bytesMax = listBytes(whole.limit, LIST_LIMIT);
    const shown = shownReply(endpoint, body, caller.principal, { bytesMax });
    return mailResult(endpoint, { ...status, body: shown }, body);
  }

  /** @throws ApiError `not_found` for an operation that is none, or not for models */
  #callable(id: string): Endpoint {
    const found = this.#operations.find(id);
    if (found?.isCallable) return found.endpoint;
    if (found) throw new ApiError('not_found', { message: barredMessage(found.endpoint, this.#deps.baseUrl()) });
    const suggestion = suggestValue(id, this.#operations.names());
    const meant = suggestion === undefined ? 'Search with find_operation.' : `Did you mean ${suggestion}?`;
    const message = `There is no operation of this name. ${meant}`;
    throw new ApiError('not_found', { message, ...(suggestion === undefined ? {} : { fields: { suggestion } }) });
  }

  async #tool(offered: OfferedTool, given: Json, request: RpcRequest, caller: Caller): Promise<ToolOutcome> {
    const { tool, endpoint } = offered;
    const { idempotency_key: key, dry_run: dryRun, wait, offset: from, ...own } = this.#known(offered, given);
    const offset = offsetOf(from);
    const isWaiting = tool.takes.includes('wait');
    const args: Json = {
      ...tool.defaults,
      ...own,
      ...tool.sends,
      ...(isWaiting ? { wait: waitSeconds(wait) } : {}),
      ...(await this.#ownAddress(offered, own, caller)),
    };
    const headers = headersOf(key, dryRun);
    const send = (at: Endpoint, fields: Json) => this.#send(at, fields, at === endpoint ? headers : {}, caller);
    const about = { tool, endpoint, args, request, caller, seconds: waitSeconds(wait) };
    // What was only tried asks no person.
    const outcome = await (dryRun === undefined ? this.#human.call(about, send) : send(endpoint, args));
    if ('kind' in outcome) return outcome;
    return this.#answer(offered, outcome, { caller, offset, limit: args.limit });
  }

  /** @throws ApiError for an argument that the tool does not take */
  #known({ tool, definition }: OfferedTool, given: Json): Json {
    const { properties, required = [] } = definition.inputSchema as { properties: Json; required?: string[] };
    const names = Object.keys(properties);
    for (const name of Object.keys(given)) if (!names.includes(name)) throw unknownArgument(name, names);
    for (const name of required)
      if (given[name] === undefined)
        throw invalidField(`/arguments/${name}`, 'required', `${tool.name} needs ${name}.`);
    return given;
  }

  /**
   * The address to act for, if the model names none. A list claims an address that is free, so a mistyped one is refused.
   * @throws ApiError `not_found`, or `invalid_request` if the credential has several
   */
  async #ownAddress({ tool, endpoint }: OfferedTool, own: Json, caller: Caller): Promise<Json> {
    const { ownAddress } = tool;
    const { principal } = caller;
    if (ownAddress === undefined || principal === null) return {};
    const given = own[ownAddress];
    if (given === undefined) return this.#onlyAddress(endpoint, ownAddress, own, caller);
    if (!this.#toolbox.mayUse(principal, endpoint)) return {};
    const { database } = this.#deps;
    if (ownAddress !== 'address' || typeof given !== 'string') return {};
    const addresses = await usableAddresses(database, principal);
    const isOwn = addresses.some(
      (address) => address === given.toLowerCase() || address.startsWith(`${given.toLowerCase()}@`),
    );
    if (isOwn) return {};
    const suggestion = addresses.length === 0 ? {} : { suggestion: nearestWord(given, addresses) };
    throw new ApiError('not_found', { message: 'This is not an address of this account.', fields: suggestion });
  }

  /** The only address of a credential, for an argument that was not given. */
  async #onlyAddress(endpoint: Endpoint, name: string, given: Json, { principal }: Caller): Promise<Json> {
    // The endpoint refuses it, and it must not hear of addresses before.
    if (given[name] !== undefined || principal === null || !this.#toolbox.mayUse(principal, endpoint)) return {};
    return { [name]: await onlyAddress(this.#deps.database, principal, `/arguments/${name}`) };
  }

  /** Calls an endpoint. @returns its reply, or the outcome of one that refused */
  async #send(
    endpoint: Endpoint,
    args: Json,
    own: Record<string, string>,
    caller: Caller,
  ): Promise<InnerReply | ToolOutcome> {
    const { principal, credential, ip } = caller;
    const { scope } = endpoint;
    if (scope !== undefined && principal === null) return { kind: 'login' };
    if (scope !== undefined && principal !== null && !hasScope(principal, scope))
      return { kind: 'scope', scopes: [scope] };
    // Over HTTP the reply only warns. A model may overlook a warning, so over MCP such a value is not stored.
    if (typeof args.ciphertext === 'string' && !isSealed(args.ciphertext)) throw new ApiError('not_sealed');
    if (hasResources(args.attachments)) {
      const lacking = READING.filter((one) => principal !== null && !hasScope(principal, one));
      if (lacking.length > 0) return { kind: 'scope', scopes: lacking };
    }
    const read: ReadFile = (path, bytesMax) => this.#file(path, bytesMax, caller);
    const files = await sentFiles(endpoint, args.attachments, this.#deps.baseUrl(), read);
    const { method, url, body } = planCall(endpoint, files === undefined ? args : { ...args, attachments: files });
    const headers = { ...credential, ...own };
    const reply = await this.#deps.dispatch({
      method,
      url,
      headers,
      ...(body ? { body } : {}),
      ip,
      gone: caller.gone(),
    });
    if (reply.status === 401) return { kind: 'login' };
    if (reply.status < 400) return reply;
    const lacking = lackingScope(reply.body as Json, principal);
    if (scope !== undefined && lacking !== null) return { kind: 'scope', scopes: [scope, lacking] };
    return failure(shownRefusal(endpoint, { status: reply.status, ...(reply.body as Json) }));
  }

  /** Reads an attachment that is sent on. Null: it is too long. @throws ApiError `not_found` */
  async #file(url: string, bytesMax: number, { credential, ip, gone }: Caller): Promise<Buffer | null> {
    const reply = await this.#deps.dispatch({ method: 'GET', url, headers: credential, ip, gone: gone(), bytesMax });
    if (reply.status === 200) return reply.bytes;
    if (reply.status === 413) return null;
    throw new ApiError('not_found', { message: 'There is no such attachment.' });
  }

  /** Shapes a reply for a model: the fields that matter, words of others fenced, files as links. */
  #answer({ tool, endpoint }: OfferedTool, reply: InnerReply, { caller, offset, limit }: Asked): ToolOutcome {
    const body = reply.body as Json;
    const page = tool.pages ? pageOf(body, tool.pages, offset) : { body, more: {} };
    const byDefault = Number(tool.defaults?.limit ?? tool.sends?.limit ?? LIST_LIMIT);
    const kept = pick(page.body, tool.gives);
    const about = { bytesMax: listBytes(limit, byDefault), whole: tool.pages };
    const shown = shownReply(endpoint, kept, caller.principal, about);
    // The next wait begins where this one began, so that nothing between them is missed.
    const isMissed = tool.takes.includes('after') && body.message === null;
    const told = { ...tried(reply), ...shown, ...page.more, ...(isMissed ? { next: { after: iso(caller.now) } } : {}) };
    const outcome = mailResult(endpoint, told, body);
    if (outcome.kind !== 'result') return outcome;
    const { content, ...others } = outcome.result as ToolResult;
    const links = offset === 0 ? linksOf(body, this.#deps.baseUrl()) : [];
    const data = tool.structured ? { structuredContent: told } : {};
    return { kind: 'result', result: { ...others, ...data, content: [...content, ...links] } };
  }
}

/** What a tool was asked for, beside the arguments of its endpoint. */
interface Asked {
  caller: Caller;
  offset: number;
  limit: unknown;
}

/** The result of a call. A mail that no recipient got is a failure, although the call was answered. */
function mailResult({ leaves = [] }: Endpoint, told: Json, body: unknown): ToolOutcome {
  const hasFailed = isObject(body) && body.status === 'failed' && leaves.includes('mail');
  return hasFailed ? failure({ ...told, message: 'No recipient got this mail.' }) : result(told);
}

/** @throws ApiError `invalid_request` */
function offsetOf(offset: unknown): number {
  if (offset === undefined) return 0;
  if (typeof offset === 'number' && Number.isInteger(offset) && offset >= 0) return offset;
  throw invalidField('/arguments/offset', 'out_of_range', 'offset must be 0 or more.');
}

/** The headers of a call beside its credential. @throws ApiError `invalid_request` */
function headersOf(key: unknown, dryRun: unknown): Record<string, string> {
  if (key !== undefined && typeof key !== 'string')
    throw invalidField('/arguments/idempotency_key', 'wrong_type', 'idempotency_key must be a text.');
  if (dryRun !== undefined && dryRun !== true)
    throw invalidField(
      '/arguments/dry_run',
      'not_allowed',
      'dry_run must be true. Nothing was done. Leave it out to make the call.',
    );
  return {
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...(dryRun === true && { 'signet-dry-run': 'true' }),
  };
}

/** Says of a result that nothing happened, and who alone knows the rest. */
function tried({ headers, body }: InnerReply): Json {
  if (headers['signet-dry-run'] === undefined) return {};
  const { depends_on: dependsOn } = body as Json;
  return { dry_run: true, ...(dependsOn === undefined ? {} : { depends_on: dependsOn }) };
}

/** The scope that a refusal asks for beside that of the endpoint; null if it is about anything else. */
function lackingScope({ error, required_scope: scope }: Json, principal: Principal | null): Scope | null {
  if (error !== 'insufficient_scope' || principal === null || typeof scope !== 'string') return null;
  return isScope(scope) && !hasScope(principal, scope) ? scope : null;
}

/** A model that mistypes an address must not claim it by reading it, unless it says so. */
const withoutClaim = ({ query }: Endpoint): Json => (query?.properties?.claim === undefined ? {} : { claim: false });

/** @throws ApiError `invalid_request` */
function waitSeconds(wait: unknown): number {
  if (wait === undefined) return WAIT_SECONDS.byDefault;
  if (typeof wait === 'number' && Number.isInteger(wait) && wait >= 1 && wait <= WAIT_SECONDS.most) return wait;
  throw invalidField('/arguments/wait', 'out_of_range', `wait must be 1 to ${WAIT_SECONDS.most} seconds.`);
}
