import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuditRecord } from '../kernel/audit-record.ts';
import type { Endpoint, Reply } from '../kernel/endpoint.ts';
import { newId } from '../kernel/ids.ts';
import type { Principal } from '../kernel/principal.ts';
import { type Authenticate, requirePrincipal } from './authenticate.ts';
import { createBatches } from './batch.ts';
import { createTransact, type EffectContext, type EffectPorts, REPLAYED } from './effect.ts';
import { errorBody, toApiError } from './error-reply.ts';
import { compileGuidanceRemoval } from './guidance.ts';
import {
  createInFlight,
  fingerprintOf,
  type IdempotentRequest,
  paidRequestKey,
  readIdempotencyKey,
} from './idempotency.ts';
import { countRequest, type Meter } from './quota.ts';
import { createReplyCheck, type RequestCheck } from './validate.ts';

export interface PipelinePorts extends EffectPorts {
  authenticate: Authenticate;
  /** Notes a read that belongs on record. @throws ApiError `storage_unavailable`: then nothing is shown */
  noteRead(record: AuditRecord): void;
  meter: Meter;
  now(): number;
  /** Reports what must not happen: 5xx, and replies that break their schema. */
  onFault(err: unknown, request: { requestId: string; route: string }): void;
  /** Tests hold every reply against its declared schema. */
  checkReplies: boolean;
  /** Keyed hash of an IP, for what is stored. */
  hashIp(ip: string): string;
  /** Headers that say how the settlement of a payment went; may take seconds. */
  receipt(paymentId: string): Promise<Record<string, string>>;
}

/** What the hooks before the handler leave on the request. */
export interface Visit {
  requestId: string;
  now: number;
  principal: Principal | null;
}

/** A property and not a WeakMap: the collector pays for every entry of one, with each request. */
const VISIT = Symbol('visit');

export function visitOf(request: FastifyRequest & { [VISIT]?: Visit }, now: () => number): Visit {
  const known = request[VISIT];
  if (known) return known;
  const at = now();
  const visit: Visit = { requestId: newId('req', at), now: at, principal: null };
  request[VISIT] = visit;
  return visit;
}

const wantsGuidance = (request: FastifyRequest): boolean =>
  (request.query as { verbose?: string })?.verbose !== 'false';

/** Authentication and metering, before a byte of the body is read: strangers cannot make the service parse. */
export function createGate(endpoint: Endpoint, ports: PipelinePorts) {
  const need = endpoint.auth;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const visit = visitOf(request, ports.now);
    reply.header('x-request-id', visit.requestId);
    if (need === 'none') return;
    visit.principal = await requirePrincipal(ports.authenticate, request.headers.authorization, need, visit.now);
    reply.headers(await countRequest(ports.meter, visit.principal, visit.now));
  };
}

function idempotentRequest(
  endpoint: Endpoint,
  request: FastifyRequest,
  visit: Visit,
  ports: PipelinePorts,
): IdempotentRequest | null {
  if (endpoint.method !== 'POST' && endpoint.method !== 'PUT') return null;
  const given = readIdempotencyKey(request.headers['idempotency-key'] as string | undefined);
  const payment = endpoint.payable ? paymentHeader(request) : undefined;
  if (given === null && payment === undefined) return null;
  const scope = visit.principal?.accountId ?? `ip:${ports.hashIp(request.ip)}`;
  const fingerprint = fingerprintOf(request.method, request.url, request.body);
  return { scope, key: given ?? paidRequestKey(payment as string, fingerprint), fingerprint, now: visit.now };
}

const paymentHeader = ({ headers }: FastifyRequest): string | undefined =>
  (headers['payment-signature'] ?? headers['x-payment']) as string | undefined;

function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  return controller.signal;
}

const inFlight = createInFlight();

/** The payment a reply names, where the endpoint takes any. */
const paymentIdOf = (endpoint: Endpoint, body: unknown): string | undefined =>
  endpoint.payable ? (body as { payment_id?: string }).payment_id : undefined;

/** Compiles an endpoint into the function that answers its requests. */
export function createResponder(endpoint: Endpoint, ports: PipelinePorts, check: RequestCheck) {
  const batches = createBatches(endpoint, ports);
  const checkReply = ports.checkReplies ? createReplyCheck(endpoint) : null;
  const strips = new Map(
    Object.entries(endpoint.replies).map(([status, schema]) => [Number(status), compileGuidanceRemoval(schema)]),
  );

  async function answer(request: FastifyRequest, gone: () => AbortSignal): Promise<Reply> {
    const visit = visitOf(request, ports.now);
    const idempotent = idempotentRequest(endpoint, request, visit, ports);
    if (!idempotent) return invoke(request, gone, visit, null);
    let result: Reply | undefined;
    await inFlight(`${idempotent.scope} ${idempotent.key}`, async () => {
      // Looked up before the handler runs: what a repeat asks for may no longer pass the checks of a first call.
      const earlier = await ports.idempotency.find(ports.database, idempotent);
      result = earlier ? { ...earlier, headers: REPLAYED } : await invoke(request, gone, visit, idempotent);
    });
    return result as Reply;
  }

  async function invoke(
    request: FastifyRequest,
    gone: () => AbortSignal,
    visit: Visit,
    idempotent: IdempotentRequest | null,
  ): Promise<Reply> {
    const parts = check({ params: request.params, query: request.query, body: request.body });
    const effects = { committed: 0 };
    const { principal, requestId, now } = visit;
    // Built when it is called: the hash of the address is of no use to a read.
    const context = (): EffectContext => ({ principal, requestId, now, idempotent, ip: ports.hashIp(request.ip) });
    const transact: ReturnType<typeof createTransact> = (work) =>
      createTransact(endpoint, ports, context(), effects)(work);
    const result = await endpoint.handle({
      principal,
      ...parts,
      now,
      ip: request.ip,
      requestId,
      header: (name) => request.headers[name] as string | undefined,
      gone,
      transact: transact as never,
      transactBatch: (work, input, answer) => batches(work, input, answer, context(), effects) as never,
    });
    if (endpoint.effect === 'write' && effects.committed === 0)
      throw new Error(`${endpoint.operation} changed nothing through transact()`);
    if (endpoint.effect === 'none' && endpoint.action !== undefined && principal)
      ports.noteRead({
        accountId: principal.accountId,
        action: endpoint.action,
        resourceId: Object.values(parts.params as Record<string, string>)[0] ?? null,
        actor: principal.actor,
        ip: ports.hashIp(request.ip),
        requestId,
        status: result.status,
        now,
      });
    const wrong = checkReply?.(result.status, result.body);
    if (wrong) throw new Error(`reply of ${endpoint.operation} breaks its schema: ${wrong}`);
    return result;
  }

  /** What was bought is delivered: a receipt that cannot be had must not make it look refused. */
  async function receiptOf(paymentId: string, request: FastifyRequest): Promise<Record<string, string>> {
    try {
      return await ports.receipt(paymentId);
    } catch (err) {
      ports.onFault(err, { requestId: visitOf(request, ports.now).requestId, route: endpoint.path });
      return {};
    }
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { status, body, headers } = await answer(request, () => goneSignal(reply.raw));
    reply.code(status);
    if (headers) reply.headers(headers);
    const paymentId = paymentIdOf(endpoint, body);
    if (paymentId !== undefined) reply.headers(await receiptOf(paymentId, request));
    if (endpoint.auth !== 'none') reply.header('cache-control', 'no-store');
    const mediaType = (endpoint.replies[status] as { contentMediaType?: string } | undefined)?.contentMediaType;
    if (mediaType && request.method === 'HEAD' && body instanceof Readable) {
      // Whoever asks for the headers alone would hold a stream without end open for ever.
      body.destroy();
      return send(reply, mediaType, null);
    }
    if (mediaType) return send(reply, mediaType, body);
    if (body === null || body === undefined) return reply.send();
    const strip = wantsGuidance(request) ? null : strips.get(status);
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(strip ? strip(body) : body));
  };
}

/** A reply that is not JSON; the handler's own content-type header wins over the declared family of types. */
function send(reply: FastifyReply, mediaType: string, body: unknown): FastifyReply {
  if (!reply.hasHeader('content-type')) reply.type(mediaType);
  return reply.send(body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : body);
}

/** Answers a thrown error in the one envelope; a 5xx is reported, and only then. */
export function answerError(
  err: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  ports: PipelinePorts,
): FastifyReply {
  const refusal = toApiError(err);
  const { requestId } = visitOf(request, ports.now);
  if (refusal.status >= 500)
    ports.onFault(refusal.cause ?? err, { requestId, route: request.routeOptions.url ?? request.url });
  const body = errorBody(refusal, wantsGuidance(request));
  if (refusal.status >= 500) body.request_id = requestId;
  return reply
    .code(refusal.status)
    .headers({ 'x-request-id': requestId, ...refusal.headers })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body));
}
