import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
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

/** The bytes of a reply. Null: it says to have more than `bytesMax`. Its handler then stops. */
async function bytesOf(reply: inject.Response, bytesMax: number): Promise<Buffer | null> {
  if (!(Number(reply.headers['content-length']) > bytesMax)) return buffer(reply.stream());
  reply.raw.res.destroy();
  return null;
}

/**
 * Calls endpoints through the framework without a socket. So an inner call passes the same hooks, gate and handler as
 * one from the network, and nothing has to be built twice.
 */
export function createDispatch(app: FastifyInstance): Dispatch {
  return async ({ method, url, headers: own, body, ip, gone, bytesMax }): Promise<InnerReply> => {
    const headers = { ...own, [MARK]: VALUE };
    // Not `app.inject`: it refuses while the server closes, when the open requests still get their replies.
    const reply = await inject(app.routing, {
      method: method as 'GET',
      url,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      remoteAddress: ip,
      signal: gone,
      payloadAsStream: bytesMax !== undefined,
    });
    const bytes = bytesMax === undefined ? reply.rawPayload : await bytesOf(reply, bytesMax);
    if (bytes === null) return { status: 413, headers: {}, bytes: Buffer.alloc(0), body: null };
    return {
      status: reply.statusCode,
      headers: reply.headers as InnerReply['headers'],
      bytes,
      body: bodyOf(reply.headers['content-type'], bytes),
    };
  };
}
