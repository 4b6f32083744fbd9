import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../../api/audit-record.ts';
import type { ApiError } from '../../api/errors.ts';
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

/**
 * Notes for the owner that one of the account's credentials asked for a change that it may not make, and for the
 * administrator which limit refused a request.
 */
function noteRefused(refusal: ApiError, request: FastifyRequest, context: RequestContext, ports: PipelinePorts): void {
  const { principal, endpoint, requestId, now, dryRun } = context;
  const { status } = refusal;
  const limit = limitOf(refusal);
  if (limit !== null) ports.noteLimit(limit, principal?.accountId ?? null, now);
  if (dryRun?.isAudited || !principal || endpoint?.effect !== 'write' || (status !== 401 && status !== 403)) return;
  const { accountId } = principal;
  const params = (request.params ?? {}) as Record<string, string>;
  const resourceId = Object.values(params)[0]?.slice(0, 300) ?? null;
  const action = endpoint.action ?? endpoint.operation;
  const ip = ports.hashIp(request.ip);
  const network = networkOf(request.ip);
  const summary = `Refused: ${endpoint.summary}`;
  const refused = {
    accountId,
    ...callerOf(principal),
    action,
    resourceId,
    summary,
    ip,
    network,
    requestId,
    status,
    now,
  };
  ports.noteRefusal(dryRun ? { ...refused, isDryRun: true } : refused);
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
