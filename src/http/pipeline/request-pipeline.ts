import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AuditRecord, callerOf, consoleRead } from '../../api/audit-record.ts';
import { type AuditNote, type Endpoint, mediaTypeOf, type Reply } from '../../api/endpoint.ts';
import { ApiError } from '../../api/errors.ts';
import { type CallBucket, replacesKey } from '../../api/metering/call-bucket.ts';
import type { Principal } from '../../api/principal.ts';
import { parameterWarning } from '../../api/suggestions.ts';
import type { Tx } from '../../api/transaction.ts';
import { networkOf } from '../../base/client-network.ts';
import { type Awaitable, lazy, onceThere } from '../../base/lazy.ts';
import { type IdempotentRequest, InFlight, idempotentRequest } from '../idempotency-key.ts';
import { alone, REPLAYED, type TransactContext, type TransactPorts, transact } from '../transact.ts';
import {
  type Authenticate,
  type Need,
  requireAuthority,
  requireNotDeleting,
  requirePrincipal,
} from './authenticate.ts';
import { Batches } from './batch.ts';
import { encoded } from './content-coding.ts';
import { isDispatched } from './dispatch.ts';
import { Attempt, asksForDryRun, DRY_RUN_HEADER, PARAMETER } from './dry-run.ts';
import { compileGuidanceRemoval, wantsGuidance } from './guidance.ts';
import type { NetworkRefusals } from './network-refusals.ts';
import { contextOf, type RequestContext } from './request-context.ts';
import { countByBody, countRequest, type Meter } from './request-quota.ts';
import { createReplyCheck, type RequestCheck, type RequestParts } from './validate.ts';

export interface PipelinePorts extends TransactPorts {
  authenticate: Authenticate;
  /** Records a read in the audit log. @throws ApiError `storage_unavailable`, so that the reply is not sent */
  noteRead(record: AuditRecord): void;
  /** Records a change that was refused to a credential of an account. */
  noteRefusal(record: AuditRecord): void;
  /** Records that a limit refused a request. */
  noteLimit(limit: string, accountId: string | null, now: number): void;
  /** Computes the keyed hash of an IP address, for storage. */
  hashIp(ip: string): string;
  meter: Meter;
  /** False while the disk is almost full. */
  mayStore(): boolean;
  /** Takes back the count of a call. */
  uncount(principal: Principal, now: number, bucket: CallBucket): Promise<void>;
  now(): number;
  /** The base URL of the API, without a trailing slash. */
  baseUrl(): string;
  /** Headers of every reply. */
  replyHeaders: Readonly<Record<string, string>>;
  /** Reports 5xx errors and replies that do not match their schema. */
  onFault(err: unknown, request: { requestId: string; route: string }): void;
  /** True in tests: checks every reply against its schema. */
  checkReplies: boolean;
  /** Returns the headers with the receipt of a payment. May take seconds. */
  receipt(paymentId: string): Promise<Record<string, string>>;
}

/** Taking access away needs little space, and must not wait. @throws ApiError `storage_unavailable` */
export function requireDiskSpace(
  { effect, bucket }: Endpoint,
  method: string,
  { mayStore }: Pick<PipelinePorts, 'mayStore'>,
): void {
  if (effect === 'none' || method === 'GET' || method === 'DELETE' || bucket !== undefined || mayStore()) return;
  throw new ApiError('storage_unavailable', {
    message:
      'The disk of this service is almost full. Nothing was changed. Reading and deleting work. Try again later.',
    headers: { 'retry-after': '60' },
    cause: 'DISK_FREE_MIN',
  });
}

/**
 * Authenticates and meters a request before its body is read, so that anonymous clients cannot make the service parse
 * one. Calls that replace their key are counted later, see {@link Responder}. No promise is made where nothing waits.
 */
export function createGate(endpoint: Endpoint, ports: PipelinePorts, networks: NetworkRefusals) {
  const need = endpoint.auth === 'none' ? null : (endpoint as Endpoint & Need);
  const admit = (principal: Principal, wanted: Need, context: RequestContext, reply: FastifyReply): Awaitable<void> => {
    // Before the call may be refused: its owner then learns by whom it was made.
    context.principal = principal;
    requireAuthority(principal, wanted);
    requireNotDeleting(principal, endpoint);
    if (replacesKey(endpoint.bucket)) return;
    return onceThere(countRequest(ports.meter, principal, context.now, endpoint), ({ headers, spent }) => {
      context.spent = spent;
      reply.headers(headers);
    });
  };
  return (request: FastifyRequest, reply: FastifyReply): Awaitable<void> => {
    const context = contextOf(request, ports.now);
    reply.header('x-request-id', context.requestId);
    if (asksForDryRun(endpoint, request)) {
      context.dryRun = new Attempt();
      reply.headers(DRY_RUN_HEADER);
    }
    requireDiskSpace(endpoint, request.method, ports);
    if (need === null || endpoint.isOpen?.(request.url)) {
      networks.require(request, context.now);
      return;
    }
    context.endpoint = endpoint;
    if (need.auth === 'optional' && request.headers.authorization === undefined) return;
    // The tools decide which endpoints a client's token reaches through them.
    const wanted = isDispatched(request.headers) ? { ...need, forClients: true } : need;
    const { ip, headers } = request;
    const found = requirePrincipal(ports.authenticate, headers, wanted, { ip, now: context.now });
    return onceThere(found, (principal) => admit(principal, wanted, context, reply));
  };
}

function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  return controller.signal;
}

const inFlight = new InFlight();

/** Answers the requests of one endpoint. */
export class Responder {
  readonly #endpoint: Endpoint;
  readonly #ports: PipelinePorts;
  readonly #check: RequestCheck;
  readonly #batches: Batches;
  /** The names of the query parameters that it knows. */
  readonly #parameters: readonly string[];
  readonly #checkReply: ReturnType<typeof createReplyCheck> | null;
  /** Removes the guidance from a reply, by status. */
  readonly #strips: ReadonlyMap<number, ReturnType<typeof compileGuidanceRemoval>>;

  constructor(endpoint: Endpoint, ports: PipelinePorts, check: RequestCheck) {
    this.#endpoint = endpoint;
    this.#ports = ports;
    this.#check = check;
    this.#batches = new Batches(endpoint, ports);
    const names = Object.keys(endpoint.query?.properties ?? {});
    this.#parameters = endpoint.dryRun ? [...names, PARAMETER] : names;
    this.#checkReply = ports.checkReplies ? createReplyCheck(endpoint) : null;
    this.#strips = new Map(
      Object.entries(endpoint.replies).map(([status, schema]) => [Number(status), compileGuidanceRemoval(schema)]),
    );
  }

  readonly respond = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const endpoint = this.#endpoint;
    const { status, body, headers } = replacesKey(endpoint.bucket)
      ? await this.#replaceKey(request, reply, endpoint.bucket)
      : await this.#answer(request, reply);
    reply.code(status);
    if (headers) reply.headers(headers);
    const isPaid = endpoint.payable && contextOf(request, this.#ports.now).dryRun === null;
    const paymentId = isPaid ? (body as { payment_id?: string }).payment_id : undefined;
    if (paymentId !== undefined) reply.headers(await this.#receiptOf(paymentId, request));
    if (endpoint.auth !== 'none') reply.header('cache-control', 'no-store');
    const mediaType = mediaTypeOf(endpoint, status, body);
    if (mediaType && request.method === 'HEAD' && body instanceof Readable) {
      // A HEAD request would keep an endless stream open.
      body.destroy();
      return send(reply, mediaType, null);
    }
    if (mediaType) {
      const isCoded = endpoint.compressed && typeof body === 'string';
      return send(reply, mediaType, isCoded ? await encoded(request, reply, body) : body);
    }
    if (body === null || body === undefined) return reply.send();
    const text = JSON.stringify(this.#shown(body, status, request));
    reply.type('application/json; charset=utf-8');
    return reply.send(endpoint.compressed ? await encoded(request, reply, text) : text);
  };

  /** The body without guidance, or with a warning of a parameter that was ignored. */
  #shown(body: unknown, status: number, request: FastifyRequest): unknown {
    if (!wantsGuidance(request)) {
      const strip = this.#strips.get(status);
      return strip ? strip(body) : body;
    }
    const warning = parameterWarning(request.query, this.#parameters);
    return warning === undefined || typeof body !== 'object' || Array.isArray(body) ? body : { warning, ...body };
  }

  /**
   * Counts a call that replaces its key after its body has arrived, and takes the count back when it is refused. So a
   * thief who has the same key cannot spend its rotations without rotating it.
   */
  async #replaceKey(request: FastifyRequest, reply: FastifyReply, bucket: CallBucket): Promise<Reply> {
    const ports = this.#ports;
    const { principal, now } = contextOf(request, ports.now) as RequestContext & { principal: Principal };
    const { headers } = await countRequest(ports.meter, principal, now, { bucket });
    reply.headers(headers);
    try {
      return await this.#answer(request, reply);
    } catch (err) {
      await ports.uncount(principal, now, bucket).catch(() => {});
      reply.header('ratelimit-remaining', String(Number(headers['ratelimit-remaining']) + 1));
      throw err;
    }
  }

  #answer(request: FastifyRequest, reply: FastifyReply): Promise<Reply> {
    const context = contextOf(request, this.#ports.now);
    const { principal, now } = context;
    if (!this.#endpoint.typed || !principal) return this.#answerCounted(request, reply, context);
    return countByBody(this.#ports.meter, principal, now, this.#endpoint, request.body).then((headers) => {
      reply.headers(headers);
      return this.#answerCounted(request, reply, context);
    });
  }

  #answerCounted(request: FastifyRequest, reply: FastifyReply, context: RequestContext): Promise<Reply> {
    const { dryRun } = context;
    const idempotent = dryRun ? null : idempotentRequest(this.#endpoint, request, context, this.#ports.hashIp);
    return idempotent
      ? this.#answerOnce(request, reply, context, idempotent)
      : this.#invoke(request, reply, context, null);
  }

  async #answerOnce(
    request: FastifyRequest,
    reply: FastifyReply,
    context: RequestContext,
    idempotent: IdempotentRequest,
  ): Promise<Reply> {
    let result: Reply | undefined;
    await inFlight.run(`${idempotent.scope} ${idempotent.key}`, async () => {
      // Looked up before the checks: a repeat may no longer pass checks that the first call passed.
      const earlier = await this.#ports.idempotency.find(this.#ports.database, idempotent);
      result = earlier ? { ...earlier, headers: REPLAYED } : await this.#invoke(request, reply, context, idempotent);
    });
    return result as Reply;
  }

  /** Checks the request and runs its handler. Of a dry run, only its audit entry is written. */
  #invoke(
    request: FastifyRequest,
    reply: FastifyReply,
    context: RequestContext,
    idempotent: IdempotentRequest | null,
  ): Promise<Reply> {
    const [endpoint, ports] = [this.#endpoint, this.#ports];
    const parts = this.#check({ params: request.params, query: request.query, body: request.body });
    const { dryRun } = context;
    if (dryRun === null) return this.#handle(request, reply, context, idempotent, parts);
    const caller = { ...context, ip: ports.hashIp(request.ip), network: networkOf(request.ip) };
    return dryRun.run(endpoint, ports, caller, parts.params, () =>
      this.#handle(request, reply, context, idempotent, parts),
    );
  }

  async #handle(
    request: FastifyRequest,
    reply: FastifyReply,
    { principal, requestId, now, spent, dryRun }: RequestContext,
    idempotent: IdempotentRequest | null,
    parts: RequestParts,
  ): Promise<Reply> {
    const [endpoint, ports] = [this.#endpoint, this.#ports];
    const effects = { committed: 0 };
    // Built only on use: a read does not need the hash of the address.
    const caller = { principal, requestId, now, idempotent, dryRun };
    const context = (): TransactContext => ({
      ...caller,
      ip: ports.hashIp(request.ip),
      network: networkOf(request.ip),
    });
    const inTransaction = (work: (tx: Tx, audit: AuditNote) => Promise<Reply>): Promise<Reply> =>
      transact(endpoint, ports, context(), effects, work);
    const result = await endpoint.handle({
      principal,
      ...parts,
      now,
      ip: request.ip,
      requestId,
      spent,
      // One for the reply: a call that makes many inner calls asks for it at each.
      gone: lazy(() => goneSignal(reply.raw)),
      header: (name) => request.headers[name] as string | undefined,
      dryRun,
      transact: (work) => inTransaction(work) as never,
      transactBatch: (work, input, answer) =>
        (dryRun
          ? inTransaction(alone(work, input, answer))
          : this.#batches.add(work, { input, answer, context: context(), effects })) as never,
    });
    if (endpoint.effect === 'write' && effects.committed === 0)
      throw new Error(`${endpoint.operation} changed nothing through transact()`);
    if (endpoint.effect === 'none' && endpoint.action !== undefined && principal) {
      const resourceId = Object.values(parts.params as Record<string, string>)[0] ?? null;
      const { action } = endpoint;
      ports.noteRead({
        accountId: principal.accountId,
        action,
        resourceId,
        ...callerOf(principal),
        ...consoleRead(endpoint.method, principal),
        requestId,
        now,
        ip: ports.hashIp(request.ip),
        network: networkOf(request.ip),
        status: result.status,
      });
    }
    const wrong = this.#checkReply?.(result.status, result.body);
    if (wrong) throw new Error(`reply of ${endpoint.operation} breaks its schema: ${wrong}`);
    return result;
  }

  /**
   * Returns the headers of a receipt. The purchase is done, so a failure here is logged and does not change the reply.
   */
  async #receiptOf(paymentId: string, request: FastifyRequest): Promise<Record<string, string>> {
    const ports = this.#ports;
    try {
      return await ports.receipt(paymentId);
    } catch (err) {
      ports.onFault(err, { requestId: contextOf(request, ports.now).requestId, route: this.#endpoint.path });
      return {};
    }
  }
}

/**
 * Sends a reply that is not JSON. The handler's own content-type header takes precedence over the declared media type.
 */
function send(reply: FastifyReply, mediaType: string, body: unknown): FastifyReply {
  if (!reply.hasHeader('content-type')) reply.type(mediaType);
  return reply.send(body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : body);
}
