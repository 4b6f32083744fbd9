import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../../api/audit-record.ts';
import type { Endpoint } from '../../api/endpoint.ts';
import type { ApiError } from '../../api/errors.ts';
import type { Principal } from '../../api/principal.ts';
import { networkOf } from '../../base/client-network.ts';
import { errorPage } from './error-page.ts';
import { errorBody, toApiError } from './error-reply.ts';
import { wantsGuidance } from './guidance.ts';
import { contextOf, type RequestContext } from './request-context.ts';
import type { PipelinePorts } from './request-pipeline.ts';

/** The limit that a refusal names. */
function limitOf({ fields }: ApiError): string | null {
  const reached = [fields.quota, fields.limit].find((field) => typeof field === 'object' && field !== null);
  return reached === undefined ? null : (reached as { name: string }).name;
}

/** A call that was refused to a caller. */
interface Refused {
  principal: Principal;
  endpoint: Endpoint;
  resourceId: string | null;
  /** The client's address. */
  ip: string;
  requestId: string;
  now: number;
}

type NotePorts = Pick<PipelinePorts, 'hashIp' | 'noteRefusal'>;

/** Notes for the owner that one of the account's credentials asked for a change that it may not make. */
export function noteForOwner({ status }: ApiError, refused: Refused, ports: NotePorts, isDryRun = false): void {
  const { principal, endpoint, resourceId, ip, requestId, now } = refused;
  if (endpoint.effect !== 'write' || (status !== 401 && status !== 403)) return;
  const record = {
    accountId: principal.accountId,
    ...callerOf(principal),
    action: endpoint.action ?? endpoint.operation,
    resourceId,
    summary: `Refused: ${endpoint.summary}`,
    ip: ports.hashIp(ip),
    network: networkOf(ip),
    requestId,
    status,
    now,
  };
  ports.noteRefusal(isDryRun ? { ...record, isDryRun: true } : record);
}

/** Notes for the administrator which limit refused a call. */
export function noteLimitOf(
  refusal: ApiError,
  accountId: string | null,
  now: number,
  ports: Pick<PipelinePorts, 'noteLimit'>,
): void {
  const limit = limitOf(refusal);
  if (limit !== null) ports.noteLimit(limit, accountId, now);
}

/** Notes for the owner, and for the administrator. */
function noteRefused(refusal: ApiError, request: FastifyRequest, context: RequestContext, ports: PipelinePorts): void {
  const { principal, endpoint, requestId, now, dryRun } = context;
  noteLimitOf(refusal, principal?.accountId ?? null, now, ports);
  if (dryRun?.isAudited || !principal || endpoint === null) return;
  const params = (request.params ?? {}) as Record<string, string>;
  const resourceId = Object.values(params)[0]?.slice(0, 300) ?? null;
  const refused = { principal, endpoint, resourceId, ip: request.ip, requestId, now };
  noteForOwner(refusal, refused, ports, dryRun !== null);
}

/** Sends a thrown error in the error envelope. Reports only 5xx errors. */
export function answerError(
  err: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  ports: PipelinePorts,
): FastifyReply {
  const refusal = toApiError(err, request.routeOptions.bodyLimit);
  const context = contextOf(request, ports.now);
  const { requestId } = context;
  noteRefused(refusal, request, context, ports);
  if (refusal.status >= 500)
    ports.onFault(refusal.cause ?? err, { requestId, route: request.routeOptions.url ?? request.url });
  const shown = errorPage(refusal, request);
  if (shown)
    return reply
      .code(refusal.status)
      .headers({ ...ports.replyHeaders, ...shown.headers, 'x-request-id': requestId })
      .type('text/html; charset=utf-8')
      .send(shown.html);
  const { operation } = request.routeOptions.config as { operation?: string };
  const body = errorBody(refusal, { verbose: wantsGuidance(request), baseUrl: ports.baseUrl(), operation });
  if (refusal.status >= 500) body.request_id = requestId;
  return reply
    .code(refusal.status)
    .headers({ ...ports.replyHeaders, 'x-request-id': requestId, ...refusal.headers })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body));
}
