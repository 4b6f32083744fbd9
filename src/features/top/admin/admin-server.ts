import { hash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ApiError } from '../../../api/errors.ts';
import { isLoopbackHost } from '../../../base/loopback-host.ts';
import type { AdminCall, AdminPages, AdminReply, AdminRoute } from './admin-call.ts';

export interface AdminServerDeps {
  routes: readonly AdminRoute[];
  pages: AdminPages;
  /** The token of the administrator. */
  token: string;
  onFault(err: unknown): void;
}

const BODY_MAX = 64 * 1024;

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/** The host of a `Host` header, without its port. */
const hostOf = (header: string | undefined): string => (header ?? '').replace(/:\d+$/, '');

/** Whether it comes from this machine, and under its name: other names are those of web pages (DNS rebinding). */
const isLocal = ({ headers, socket }: IncomingMessage): boolean =>
  isLoopbackHost(socket.remoteAddress ?? '') && isLoopbackHost(hostOf(headers.host));

/** Whether a web page of another origin sent it. Another port of this machine is another origin. */
const isForeign = ({ headers: { host, origin, 'sec-fetch-site': site } }: IncomingMessage): boolean =>
  (origin !== undefined && origin !== `http://${host}`) || (site !== undefined && site !== 'same-origin');

/**
 * Refuses everything but a program on this machine, and the page of this port, that hold the token. Other web pages in a
 * browser on this machine reach the port too.
 */
function requireAdministrator(request: IncomingMessage, token: string): void {
  const { headers } = request;
  if (!isLocal(request) || isForeign(request)) throw new ApiError('not_found');
  const given = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  if (!timingSafeEqual(digest(given), digest(token)))
    throw new ApiError('unauthorized', { message: 'Send the token of DATA_DIR/admin.token.' });
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_MAX)
      throw new ApiError('body_too_large', { message: `The body may have at most ${BODY_MAX} bytes here.` });
    chunks.push(chunk);
  }
  if (size === 0) return {};
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new ApiError('invalid_json');
  }
}

/** @throws ApiError `not_found`: a client may send what is no URL, such as `//` */
function urlOf(request: IncomingMessage): URL {
  const url = URL.parse(request.url ?? '/', 'http://localhost');
  if (url === null) throw new ApiError('not_found');
  return url;
}

async function answer(request: IncomingMessage, { routes, token }: AdminServerDeps): Promise<AdminReply> {
  requireAdministrator(request, token);
  const url = urlOf(request);
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

/** Sends a file of the pages. @returns whether there is one. @throws ApiError `not_found` */
function sendPage(request: IncomingMessage, response: ServerResponse, { pages }: AdminServerDeps): boolean {
  if (request.method !== 'GET' || !isLocal(request)) return false;
  const found = pages.file(urlOf(request).pathname, (name) => request.headers[name]?.toString());
  if (found === null) return false;
  response.writeHead(found.status, found.headers);
  response.end(found.body);
  return true;
}

/** Serves `/admin/v1` and its pages on the loopback interface alone. */
export async function startAdminServer(deps: AdminServerDeps, port: number): Promise<Server> {
  const refusalOf = (err: unknown): AdminReply => {
    if (!(err instanceof ApiError)) deps.onFault(err);
    const { code, message, status, fields } = err instanceof ApiError ? err : new ApiError('internal');
    return { status, body: { error: code, message, ...fields } };
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      if (!sendPage(request, response, deps)) send(response, await answer(request, deps));
    } catch (err) {
      send(response, refusalOf(err));
    }
  };
  const server = createServer((request, response) => void serve(request, response).catch(deps.onFault));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}
