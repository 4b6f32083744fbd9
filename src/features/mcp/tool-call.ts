import { randomBytes } from 'node:crypto';
import type { Endpoint } from '../../api/endpoint.ts';
import { ApiError, invalidField } from '../../api/errors.ts';
import type { InnerReply } from '../../api/inner-call.ts';
import type { Principal } from '../../api/principal.ts';
import { hasScope, isScope, type Scope } from '../../api/scopes.ts';
import type { ToolGroup } from '../../api/tool.ts';
import { iso } from '../../base/clock.ts';
import { nearestWord } from '../../base/nearest-word.ts';
import { onlyAddress, usableAddresses } from '../mail/mailboxes/default-address.ts';
import { isSealed } from '../vault/entries/unsealed-value.ts';
import { Elicitation } from './elicitation.ts';
import type { Caller, Content, Json, OfferedTool, RpcRequest, ToolOutcome } from './mcp-messages.ts';
import { carriesWords, type OperationIndex } from './operation-index.ts';
import { planCall, unknownArgument } from './tool-arguments.ts';
import { errorResult, fence, pick, resultOf, wrapUntrusted } from './tool-result.ts';
import { type McpDeps, type Toolbox, WAIT_SECONDS } from './toolbox.ts';

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const result = (body: Json, links?: readonly Content[]): ToolOutcome => ({
  kind: 'result',
  result: resultOf(body, links),
});
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

/** Text that names a file, without what could speak to a model. */
function linkName(index: number, filename: unknown): string {
  const extension = /\.[a-z0-9]{1,5}$/i.exec(String(filename))?.[0] ?? '';
  return `attachment-${index + 1}${extension}`;
}

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
    return result(this.#operations.search(query, mayUse));
  }

  async #operation(given: Json, caller: Caller): Promise<ToolOutcome> {
    const { id, arguments: args = {}, idempotency_key: key, dry_run: dryRun, ...others } = given;
    for (const name of Object.keys(others))
      throw unknownArgument(name, ['id', 'arguments', 'idempotency_key', 'dry_run']);
    if (typeof id !== 'string' || !isObject(args))
      throw invalidField('/arguments', 'wrong_type', 'id must be a text, and arguments an object.');
    const found = this.#operations.find(id);
    if (!found?.isCallable) {
      const suggestion = nearestWord(id, this.#operations.names());
      const message = found
        ? 'This operation is not for models. A person does it.'
        : `There is no operation of this name. Did you mean ${suggestion}?`;
      throw new ApiError('not_found', { message, ...(found ? {} : { fields: { suggestion } }) });
    }
    const { endpoint } = found;
    const headers = headersOf(key, dryRun);
    const outcome = await this.#send(endpoint, { ...withoutClaim(endpoint), ...args }, headers, caller);
    if ('kind' in outcome) return outcome;
    const { body } = outcome;
    const status = { ...tried(outcome), status: outcome.status };
    if (!carriesWords(endpoint)) return result({ ...status, body });
    return result({ ...status, untrusted: fence(typeof body === 'string' ? body : JSON.stringify(body), newNonce()) });
  }

  async #tool(offered: OfferedTool, given: Json, request: RpcRequest, caller: Caller): Promise<ToolOutcome> {
    const { tool, endpoint } = offered;
    if (!this.#toolbox.isOpenTo(caller.principal, endpoint))
      throw new ApiError('insufficient_scope', { message: 'The consent of a person does not cover this.' });
    const { idempotency_key: key, dry_run: dryRun, wait, ...own } = this.#known(offered, given);
    const isWaiting = tool.takes.includes('wait');
    const args = {
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
    return this.#answer(offered, outcome, caller);
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
  async #ownAddress({ tool, endpoint }: OfferedTool, own: Json, { principal }: Caller): Promise<Json> {
    const { ownAddress } = tool;
    if (ownAddress === undefined || principal === null) return {};
    // The endpoint refuses it, and it must not hear of addresses before.
    if (!this.#toolbox.mayUse(principal, endpoint)) return {};
    const { database } = this.#deps;
    const given = own[ownAddress];
    if (given === undefined)
      return { [ownAddress]: await onlyAddress(database, principal, `/arguments/${ownAddress}`) };
    if (ownAddress !== 'address' || typeof given !== 'string') return {};
    const addresses = await usableAddresses(database, principal);
    const isOwn = addresses.some(
      (address) => address === given.toLowerCase() || address.startsWith(`${given.toLowerCase()}@`),
    );
    if (isOwn) return {};
    const suggestion = addresses.length === 0 ? {} : { suggestion: nearestWord(given, addresses) };
    throw new ApiError('not_found', { message: 'This is not an address of this account.', fields: suggestion });
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
    const { method, url, body } = planCall(endpoint, args);
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
    return failure({ status: reply.status, ...(reply.body as Json) });
  }

  /** Shapes a reply for a model: the fields that matter, words of others fenced, files as links. */
  #answer({ tool }: OfferedTool, reply: InnerReply, { now }: Caller): ToolOutcome {
    const nonce = newNonce();
    const body = reply.body as Json;
    const given = wrapUntrusted(pick(body, tool.gives), new Set(tool.words), nonce) as Json;
    const shown = { ...tried(reply), ...given };
    const files = Array.isArray(body.attachments) && tool.words ? (body.attachments as Json[]) : [];
    const links: Content[] = files.map(({ filename, url, content_type: mimeType, size }, index) => ({
      type: 'resource_link',
      uri: `${this.#deps.baseUrl()}${url}`,
      name: linkName(index, filename),
      mimeType: String(mimeType),
      size: Number(size),
    }));
    // The next wait begins where this one began, so that nothing between them is missed.
    const isMissed = tool.takes.includes('after') && body.message === null;
    return result(isMissed ? { ...shown, next: { after: iso(now) } } : shown, links);
  }
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

const newNonce = (): string => randomBytes(16).toString('hex');

/** @throws ApiError `invalid_request` */
function waitSeconds(wait: unknown): number {
  if (wait === undefined) return WAIT_SECONDS.byDefault;
  if (typeof wait === 'number' && Number.isInteger(wait) && wait >= 1 && wait <= WAIT_SECONDS.most) return wait;
  throw invalidField('/arguments/wait', 'out_of_range', `wait must be 1 to ${WAIT_SECONDS.most} seconds.`);
}
