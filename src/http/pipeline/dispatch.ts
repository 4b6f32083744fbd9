import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import inject from 'light-my-request';
import type { Dispatch, InnerReply } from '../../api/inner-call.ts';

/** Marks inner calls. The value never leaves the process. */
const MARK = 'signet-inner-call';
const VALUE = randomBytes(24).toString('base64url');

/** Whether a request is an inner call. */
export const isDispatched = (headers: Readonly<Record<string, unknown>>): boolean => headers[MARK] === VALUE;

/** A body of JSON or text. Null: it is empty or neither. */
function bodyOf(contentType: unknown, bytes: Buffer): unknown {
  const type = String(contentType);
  if (type.startsWith('text/plain')) return bytes.toString('utf8');
  return type.startsWith('application/json') && bytes.length > 0 ? JSON.parse(bytes.toString('utf8')) : null;
}

/**
 * Calls endpoints through the framework without a socket. So an inner call passes the same hooks, gate and handler as
 * one from the network, and nothing has to be built twice.
 */
export function createDispatch(app: FastifyInstance): Dispatch {
  return async ({ method, url, headers: own, body, ip, gone }): Promise<InnerReply> => {
    const headers = { ...own, [MARK]: VALUE };
    // Not `app.inject`: it refuses while the server closes, when the open requests still get their replies.
    const reply = await inject(app.routing, {
      method: method as 'GET',
      url,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      remoteAddress: ip,
      signal: gone,
    });
    const bytes = reply.rawPayload;
    return {
      status: reply.statusCode,
      headers: reply.headers as InnerReply['headers'],
      bytes,
      body: bodyOf(reply.headers['content-type'], bytes),
    };
  };
}
