import type { IncomingMessage } from 'node:http';
import { STATUS_CODES } from 'node:http';
import { bearerToken } from './authenticate.ts';
import { errorBody, toApiError } from './error-reply.ts';

/** Where WebSockets are opened. */
const SOCKET_PATH = '/v1/ws';

/**
 * Whether a request's `Upgrade` is taken up. A client may offer any other protocol (h2c, as some do by habit) and gets an
 * ordinary reply (RFC 9110 7.8).
 */
export const isSocketUpgrade = (request: IncomingMessage): boolean =>
  request.headers.upgrade?.toLowerCase() === 'websocket' && (request.url ?? '').split('?', 1)[0] === SOCKET_PATH;

/** What a WebSocket upgrade brings along to be admitted by. */
export interface UpgradeRequest {
  token: string | null;
  ticket: string | null;
  after: string | undefined;
}

export function readUpgrade(request: IncomingMessage): UpgradeRequest {
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
  return {
    token: bearerToken(request.headers.authorization) ?? query.get('token'),
    ticket: query.get('ticket'),
    after: query.get('after') ?? undefined,
  };
}

/** A thrown refusal as the reply to an upgrade, in the service's envelope. */
export function upgradeRefusal(err: unknown): { status: number; reason: string; body: string } {
  const refusal = toApiError(err);
  return {
    status: refusal.status,
    reason: STATUS_CODES[refusal.status] ?? '',
    body: JSON.stringify(errorBody(refusal, true)),
  };
}
