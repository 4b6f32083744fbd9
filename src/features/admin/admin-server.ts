import { hash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ApiError } from '../../kernel/errors.ts';
import { isLoopbackHost } from '../../kernel/loopback-host.ts';
import type { AdminCall, AdminReply, AdminRoute } from './admin-data.ts';

export interface AdminServerDeps {
  routes: readonly AdminRoute[];
  /** The token of the administrator. */
  token: string;
  onFault(err: unknown): void;
}

const BODY_MAX = 64 * 1024;

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/** The host of a `Host` header, without its port. */
const hostOf = (header: string | undefined): string => (header ?? '').replace(/:\d+$/, '');

/**
 * Refuses everything but a program on this machine that holds the token. A web page in a browser on this machine reaches
 * the port too: it is told by its `Origin`, and under a name of its own (DNS rebinding) by its `Host`.
 */
function requireAdministrator({ headers, socket }: IncomingMessage, token: string): void {
  const isLocal = isLoopbackHost(socket.remoteAddress ?? '') && isLoopbackHost(hostOf(headers.host));
  if (!isLocal || headers.origin !== undefined || headers['sec-fetch-site'] !== undefined)
    throw new ApiError('not_found');
  const given = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  if (!timingSafeEqual(digest(given), digest(token)))
    throw new ApiError('unauthorized', { message: 'Send the token of DATA_DIR/admin.token.' });
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_MAX) throw new ApiError('body_too_large');
    chunks.push(chunk);
  }
  if (size === 0) return {};
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new ApiError('invalid_json');
  }
}

async function answer(request: IncomingMessage, { routes, token }: AdminServerDeps): Promise<AdminReply> {
  requireAdministrator(request, token);
  const url = new URL(request.url ?? '/', 'http://localhost');
  for (const { method, path, handle } of routes) {
    const match = path.exec(url.pathname);
    if (!match || method !== request.method) continue;
    const call: AdminCall = { id: match[1] ?? '', query: url.searchParams, body: await bodyOf(request) };
    return handle(call);
  }
  throw new ApiError('not_found');
}

function send(response: ServerResponse, { status, body }: AdminReply): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(`${JSON.stringify(body)}\n`);
}

/** Serves `/admin/v1` on the loopback interface alone. */
export async function startAdminServer(deps: AdminServerDeps, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    answer(request, deps)
      .catch((err: unknown): AdminReply => {
        if (!(err instanceof ApiError)) deps.onFault(err);
        const { code, message, status, fields } = err instanceof ApiError ? err : new ApiError('internal');
        return { status, body: { error: code, message, ...fields } };
      })
      .then((reply) => send(response, reply))
      .catch(deps.onFault);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}
