import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Endpoint } from '../kernel/endpoint.ts';
import { ApiError } from '../kernel/errors.ts';
import { parseJsonBody } from './json-body.ts';
import type { Metrics } from './metrics.ts';
import { answerError, createGate, createResponder, type PipelinePorts, visitOf } from './pipeline.ts';
import { allowsHead, methodRefusals, routePattern } from './router.ts';

const BODY_LIMIT_BYTES = 1_048_576;

export interface ServerOptions {
  endpoints: readonly Endpoint[];
  ports: PipelinePorts;
  metrics: Metrics;
  trustProxy: false | number | string[];
  /** Called after each reply; absent where requests are not logged one by one. */
  logRequest?: (line: { requestId: string; method: string; route: string; status: number; ms: number }) => void;
}

/** Builds the HTTP server from the endpoint table. The only file, with its neighbours here, that knows the framework. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { endpoints, ports, metrics } = options;
  const app = Fastify({
    logger: false,
    trustProxy: options.trustProxy as boolean,
    bodyLimit: BODY_LIMIT_BYTES,
    exposeHeadRoutes: false,
    // Idle keep-alive connections must not hold up a stop.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestTimeout: 120_000,
    routerOptions: { maxParamLength: 1200, ignoreTrailingSlash: false },
    clientErrorHandler: answerBrokenClient,
    frameworkErrors: (err, request, reply) => void answerError(err, request, reply, ports),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) =>
    parseJsonBody(body),
  );
  app.setErrorHandler((err, request, reply) => answerError(err, request, reply, ports));
  app.setNotFoundHandler((request, reply) => {
    const err = new ApiError('not_found', {
      message: `There is no endpoint ${request.method} ${request.url.split('?')[0]?.slice(0, 200)}; see GET /api.`,
    });
    return answerError(err, request, reply, ports);
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    metrics.observe(request.method, route, reply.statusCode, reply.elapsedTime);
    const { requestId } = visitOf(request, ports.now);
    options.logRequest?.({
      requestId,
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    });
  });
  for (const endpoint of endpoints) addEndpoint(app, endpoint, ports);
  for (const { path, method, allow } of methodRefusals(endpoints)) {
    app.route({
      method,
      url: routePattern(path),
      onRequest: async () => {
        throw new ApiError('method_not_allowed', { message: `This path supports ${allow}.`, headers: { allow } });
      },
      handler: async () => {},
    });
  }
  return app;
}

function addEndpoint(app: FastifyInstance, endpoint: Endpoint, ports: PipelinePorts): void {
  app.route({
    method: allowsHead(endpoint) ? [endpoint.method, 'HEAD'] : endpoint.method,
    url: routePattern(endpoint.path),
    bodyLimit: endpoint.bodyLimitBytes ?? BODY_LIMIT_BYTES,
    onRequest: createGate(endpoint, ports),
    handler: createResponder(endpoint, ports),
  });
}

/** What arrives is not HTTP at all: answer in the envelope as far as that goes, and hang up. */
function answerBrokenClient(err: NodeJS.ErrnoException, socket: import('node:net').Socket): void {
  if (err.code === 'ECONNRESET' || socket.destroyed) return;
  const tooLarge = err.code === 'HPE_HEADER_OVERFLOW';
  const status = tooLarge
    ? '431 Request Header Fields Too Large'
    : err.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? '408 Request Timeout'
      : '400 Bad Request';
  const body = JSON.stringify({
    error: 'invalid_request',
    message: tooLarge ? 'The request headers are too large.' : 'This is not a valid HTTP request.',
  });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
