import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '../../api/endpoint.ts';
import type { Principal } from '../../api/principal.ts';
import { fingerprintOf, type IdempotentRequest, paidRequestKey, readIdempotencyKey } from '../idempotency-key.ts';

/** What an idempotent repeat of a request is known by; null for a request that names no key. */
export function idempotentRequest(
  endpoint: Endpoint,
  request: FastifyRequest,
  context: { principal: Principal | null; now: number },
  hashIp: (ip: string) => string,
): IdempotentRequest | null {
  if (endpoint.method !== 'POST' && endpoint.method !== 'PUT') return null;
  const given = readIdempotencyKey(request.headers['idempotency-key'] as string | undefined);
  const payment = endpoint.payable ? paymentHeader(request) : undefined;
  if (given === null && payment === undefined) return null;
  const scope = context.principal ? replyScope(context.principal, endpoint) : `ip:${hashIp(request.ip)}`;
  const fingerprint = fingerprintOf(request.method, request.url, request.body);
  return { scope, key: given ?? paidRequestKey(payment as string, fingerprint), fingerprint, now: context.now };
}

/**
 * Who may read a stored reply again. The credentials of an account share their replies; one that is limited to addresses
 * reads only its own, because another's may show more. A delegate reads those of its delegation, also with its next token,
 * and a person what is about the person: an account may have several.
 */
function replyScope(
  { accountId, addresses, namedKeyId, lineage, delegation, grant, person }: Principal,
  { auth }: Endpoint,
) {
  if (auth === 'person') return `person:${person}`;
  if (delegation !== null) return `${accountId}:${delegation.id}`;
  if (grant !== null) return `${accountId}:${grant.id}`;
  return addresses === null ? accountId : `${accountId}:${namedKeyId ?? lineage}`;
}

const paymentHeader = ({ headers }: FastifyRequest): string | undefined =>
  (headers['payment-signature'] ?? headers['x-payment']) as string | undefined;
