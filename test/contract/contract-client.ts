import { Agent, type IncomingMessage, request } from 'node:http';
import type { Endpoint } from '../../src/api/endpoint.ts';

/**
 * An HTTP client that sends its input unchanged: raw bytes, paths without URL normalization, any header. It reads the
 * reply to a refused upload although its body was never read, and closes endless streams.
 */

export interface WireRequest {
  method: string;
  /** Written into the request line unchanged. */
  path: string;
  key?: string | null;
  /** A string or bytes are sent unchanged, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface WireReply {
  status: number;
  headers: IncomingMessage['headers'];
  /** The parsed JSON, or the text of a reply that is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever a reply holds, and fails where it does not.
  body: any;
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** A test needs only the first bytes of a stream, and then closes it. */
const isEndless = (response: IncomingMessage): boolean =>
  (response.headers['content-type'] ?? '').startsWith('text/event-stream');

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function readReply(response: IncomingMessage, resolve: (reply: WireReply) => void): void {
  const { statusCode: status = 0, headers } = response;
  const chunks: Buffer[] = [];
  let ended = false;
  const end = (): void => {
    if (ended) return;
    ended = true;
    const text = Buffer.concat(chunks).toString('utf8');
    const isJson = text !== '' && headers['content-type']?.startsWith('application/json');
    resolve({ status, headers, body: isJson ? JSON.parse(text) : text });
  };
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    if (!isEndless(response)) return;
    end();
    response.destroy();
  });
  response.on('end', end).on('error', end);
}

/** Only what never comes takes so long: no test depends on the speed of the machine. */
const PATIENCE_MS = 120_000;

/** Sends one request. Rejects when no reply comes. */
export function send(baseUrl: string, wire: WireRequest): Promise<WireReply> {
  const { hostname, port } = new URL(baseUrl);
  const content = bytesOf(wire.body);
  const headers: Record<string, string> = {
    ...(content === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(content.length) }),
    ...(wire.key ? { authorization: `Bearer ${wire.key}` } : {}),
    ...wire.headers,
  };
  return new Promise((resolve, reject) => {
    let replied = false;
    const outgoing = request({ agent, hostname, port, method: wire.method, path: wire.path, headers });
    outgoing.setTimeout(PATIENCE_MS, () => outgoing.destroy(new Error(`${wire.method} ${wire.path}: no reply`)));
    outgoing.on('response', (response) => {
      replied = true;
      readReply(response, resolve);
    });
    outgoing.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: '' });
    });
    // The service may reply and close the connection before it has read a refused body.
    outgoing.on('error', (err) => (replied ? undefined : reject(err)));
    outgoing.end(content);
  });
}

/** The special headers of an endpoint: those of an upgrade if it replies with 101. */
export const kindHeaders = (endpoint: Endpoint): Record<string, string> =>
  101 in endpoint.replies
    ? {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      }
    : {};
