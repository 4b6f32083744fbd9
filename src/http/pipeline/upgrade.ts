import type { IncomingMessage } from 'node:http';
import { STATUS_CODES } from 'node:http';
import { ApiError } from '../../api/errors.ts';
import type { Principal } from '../../api/principal.ts';
import { newId } from '../../base/ids.ts';
import { CHALLENGE, type Need, requireAuthority, requirePrincipal } from './authenticate.ts';
import { errorBody, toApiError } from './error-reply.ts';
import type { PipelinePorts } from './request-pipeline.ts';
import { countRequest } from './request-quota.ts';

/** The path of WebSockets. */
const SOCKET_PATH = '/v1/ws';
/** A WebSocket delivers events, like `GET /v1/events`. */
const NEED: Need = { auth: 'key', scope: 'events:read' };

/**
 * Whether to accept the `Upgrade` of a request. A client that offers another protocol, such as h2c, gets an ordinary
 * reply (RFC 9110 7.8).
 */
export const isSocketUpgrade = (request: IncomingMessage): boolean =>
  request.headers.upgrade?.toLowerCase() === 'websocket' && (request.url ?? '').split('?', 1)[0] === SOCKET_PATH;

/** The events that an upgrade subscribes to. */
export interface UpgradeRequest {
  after: string | undefined;
  type: string | undefined;
}

/** An error reply to an upgrade, in the error envelope. */
export interface UpgradeRefusal {
  status: number;
  reason: string;
  headers: Record<string, string>;
  body: string;
}

/** Redeems a ticket, once. Null: the ticket or its credential is unknown, used or expired. */
type Redeem = (ticket: string, now: number) => Promise<Principal | null>;

/**
 * The header takes precedence. `?token=` is accepted for clients that cannot set headers.
 * @throws ApiError `unauthorized` or a 403
 */
async function principalOf(
  { authenticate }: PipelinePorts,
  redeem: Redeem,
  { headers }: IncomingMessage,
  query: URLSearchParams,
  now: number,
): Promise<Principal> {
  const [token, ticket] = [query.get('token'), query.get('ticket')];
  const authorization = headers.authorization ?? (token === null ? undefined : `Bearer ${token}`);
  if (authorization !== undefined || ticket === null)
    return requirePrincipal(authenticate, { ...headers, authorization }, NEED, { now });
  const principal = await redeem(ticket, now);
  if (principal) return principal;
  throw new ApiError('unauthorized', {
    headers: CHALLENGE,
    message: 'The ticket is unknown, used or expired. Get a new one: POST /v1/ws/tickets.',
  });
}

/**
 * Admits WebSockets with the same authentication, metering and errors as other requests.
 * @param admit handles an admitted upgrade; may throw an ApiError
 * @returns never rejects
 */
export function createUpgradeGate<T>(
  ports: PipelinePorts,
  redeem: Redeem,
  admit: (principal: Principal, request: UpgradeRequest) => Promise<T>,
): (request: IncomingMessage) => Promise<T | UpgradeRefusal> {
  return async (request) => {
    const now = ports.now();
    const requestId = newId('req', now);
    const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
    let headers: Record<string, string> = {};
    try {
      const principal = await principalOf(ports, redeem, request, query, now);
      requireAuthority(principal, NEED);
      ({ headers } = await countRequest(ports.meter, principal, now, { method: 'GET' }));
      return await admit(principal, {
        after: query.get('after') ?? undefined,
        type: query.get('type') ?? undefined,
      });
    } catch (err) {
      const refusal = toApiError(err);
      const body = errorBody(refusal, { verbose: query.get('verbose') !== 'false', baseUrl: ports.baseUrl() });
      if (refusal.status >= 500) {
        ports.onFault(refusal.cause ?? err, { requestId, route: SOCKET_PATH });
        body.request_id = requestId;
      }
      return {
        status: refusal.status,
        reason: STATUS_CODES[refusal.status] ?? '',
        headers: { ...ports.replyHeaders, 'x-request-id': requestId, ...headers, ...refusal.headers },
        body: JSON.stringify(body),
      };
    }
  };
}
