import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
} from 'fastify';
import type { TObject } from 'typebox';
import type { Endpoint } from '../../api/endpoint.ts';
import { ApiError } from '../../api/errors.ts';
import type { Dispatch } from '../../api/inner-call.ts';
import type { Principal } from '../../api/principal.ts';
import { suggestPath } from '../../api/suggestions.ts';
import { createDispatch, isDispatched } from '../pipeline/dispatch.ts';
import { parseJsonBody } from '../pipeline/json-body.ts';
import { NetworkRefusals } from '../pipeline/network-refusals.ts';
import { answerError } from '../pipeline/refusals.ts';
import { contextOf } from '../pipeline/request-context.ts';
import { createGate, type PipelinePorts, Responder } from '../pipeline/request-pipeline.ts';
import { isSocketUpgrade } from '../pipeline/upgrade.ts';
import { createRequestCheck, type RequestCheck } from '../pipeline/validate.ts';
import { BODY_LIMIT_BYTES, bodyLimitOf } from './body-limit.ts';
import { trackConnections } from './connections.ts';
import { CORS_HEADERS, preflightHeaders } from './cors.ts';
import { drain } from './drain.ts';
import { parseFormBody } from './form-body.ts';
import type { Metrics } from './metrics.ts';
import { allowsHead, createMethodCheck, routePattern } from './router.ts';

/** How long a client may take to send the headers of a request, and all of it: 25 MB at 1.7 Mbit a second. */
const REQUEST_MS = { headers: 20_000, all: 120_000, checkEvery: 5000 };

export interface ServerOptions {
  endpoints: readonly Endpoint[];
  ports: PipelinePorts;
  metrics: Metrics;
  trustProxy: false | number | string[];
  requestMs?: typeof REQUEST_MS | undefined;
  /** Called after each reply, with the caller if the call is about its account. `route` is the pattern of the path. */
  onReply?: (line: ReplyLine, principal: Principal | null) => void;
}

export type ReplyLine = { requestId: string; at: number; method: string; route: string; status: number; ms: number };

export interface HttpServer {
  /** @returns the port, which differs for `port` 0 */
  listen(host: string, port: number): Promise<number>;
  server: Server;
  /** Calls an endpoint from inside the service. */
  dispatch: Dispatch;
  close(): Promise<void>;
}

/**
 * Decides which hops may name the client. A number counts hops outwards from the service. The framework does not accept a
 * number, because it cannot know whether clients can bypass the proxies. The operator who sets a number knows.
 */
function trustedProxies(
  trust: ServerOptions['trustProxy'],
): false | string[] | ((address: string, hop: number) => boolean) {
  return typeof trust === 'number' ? (_address, hop) => hop < trust : trust;
}

const noCompiler = () => () => {
  throw new Error('no route has a schema of the framework');
};

/** The endpoints, and each of them again for its other paths. */
const withAliases = (endpoints: readonly Endpoint[]): Endpoint[] =>
  endpoints.flatMap((endpoint) => [endpoint, ...(endpoint.aliases ?? []).map((path) => ({ ...endpoint, path }))]);

/** Builds the HTTP server from the endpoint table. Only this folder depends on the framework. */
export function createServer(options: ServerOptions): HttpServer {
  const { ports, requestMs = REQUEST_MS } = options;
  const endpoints = withAliases(options.endpoints);
  const app = Fastify({
    logger: false,
    trustProxy: trustedProxies(options.trustProxy),
    bodyLimit: BODY_LIMIT_BYTES,
    exposeHeadRoutes: false,
    // Idle keep-alive connections must not delay a stop.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestTimeout: requestMs.all,
    http: {
      shouldUpgradeCallback: isSocketUpgrade,
      headersTimeout: requestMs.headers,
      connectionsCheckingInterval: requestMs.checkEvery,
    },
    // Every schema is checked by validate.ts: the framework's own compilers need not be loaded.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    routerOptions: { maxParamLength: 1200, ignoreTrailingSlash: false },
    clientErrorHandler: (err, socket) => answerBrokenClient(err, socket, ports.replyHeaders),
    frameworkErrors: (err, request, reply) => void answerError(err, request, reply, ports),
  });
  const checkMethod = createMethodCheck(endpoints);
  // Hooks without a wait call `done`: a promise for each would cost every request.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(ports.replyHeaders);
    checkMethod(request);
    done();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    // The framework closes the connection under a body that is too large.
    if (reply.statusCode === 413) reply.removeHeader('connection');
    // An inner call has no connection.
    if (!isDispatched(request.headers)) drain(request.raw);
    done();
  });
  addBodyParsers(app);
  addErrorReplies(app, ports, endpoints);
  addObservers(app, options);
  for (const endpoint of endpoints)
    (endpoint.anyBody ? addLenientEndpoint : addEndpoint)(app, endpoint, ports, createRequestCheck(endpoint));
  addPreflights(app, endpoints);
  // Behind a proxy, all connections come from its address, and it bounds those of its clients.
  const closeQuiet = trackConnections(app.server, { limitNetworks: options.trustProxy === false });
  return {
    listen: async (host, port) => {
      await app.listen({ host, port });
      return (app.server.address() as AddressInfo).port;
    },
    server: app.server,
    dispatch: createDispatch(app),
    close: () => closeGracefully(app, closeQuiet),
  };
}

function addBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) =>
    parseJsonBody(body),
  );
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const { form } = request.routeOptions.config as { form?: readonly string[] };
      if (!form) throw new ApiError('unsupported_media_type');
      return parseFormBody(body, form);
    },
  );
}

function addErrorReplies(app: FastifyInstance, ports: PipelinePorts, endpoints: readonly Endpoint[]): void {
  app.setErrorHandler((err, request, reply) => answerError(err, request, reply, ports));
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const suggestion = suggestPath(path, endpoints);
    const hint = suggestion === undefined ? 'GET /api?format=index lists all.' : `Did you mean ${suggestion}?`;
    const err = new ApiError('not_found', {
      message: `There is no endpoint ${request.method} ${path.slice(0, 200)}. ${hint}`,
      ...(suggestion === undefined ? {} : { fields: { suggestion } }),
    });
    return answerError(err, request, reply, ports);
  });
}

function addObservers(app: FastifyInstance, { metrics, ports, onReply }: ServerOptions): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const { method } = request;
    const { statusCode: status, elapsedTime: ms } = reply;
    metrics.observe(method, route, status, ms);
    const { requestId, principal, endpoint, now: at } = contextOf(request, ports.now);
    // The account of the session that calls them learns nothing of what its person does elsewhere.
    const caller = endpoint?.auth === 'person' ? null : principal;
    onReply?.({ requestId, at, method, route, status, ms: Math.round(ms) }, caller);
    done();
  });
}

/** Answers the preflight requests of browsers. */
function addPreflights(app: FastifyInstance, endpoints: readonly Endpoint[]): void {
  const open = endpoints.filter(({ cors }) => cors);
  for (const path of new Set(open.map((endpoint) => endpoint.path))) {
    const methods = open.filter((endpoint) => endpoint.path === path).map(({ method }) => method);
    const headers = preflightHeaders(methods);
    app.options(routePattern(path), async (_request, reply) => reply.code(204).headers(headers).send());
  }
}

/** Reads a body of any type as a form or as JSON. Any other body counts as absent. */
function readLeniently(body: Buffer, contentType: string, names: readonly string[]): unknown {
  try {
    return /^\s*application\/x-www-form-urlencoded\b/i.test(contentType)
      ? parseFormBody(body, names)
      : parseJsonBody(body);
  } catch (err) {
    if (err instanceof ApiError) return undefined;
    throw err;
  }
}

/** Registers an endpoint in its own scope, so that no other endpoint gets its body parser. */
function addLenientEndpoint(app: FastifyInstance, endpoint: Endpoint, ports: PipelinePorts, check: RequestCheck): void {
  const names = Object.keys((endpoint.body as TObject | undefined)?.properties ?? {});
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async ({ headers }: FastifyRequest, body: Buffer) =>
      readLeniently(body, headers['content-type'] ?? '', names),
    );
    addEndpoint(scope, endpoint, ports, check);
  });
}

function addEndpoint(app: FastifyInstance, endpoint: Endpoint, ports: PipelinePorts, check: RequestCheck): void {
  const fields = (endpoint.body as TObject | undefined)?.properties ?? {};
  const networks = new NetworkRefusals();
  const gate = createGate(endpoint, ports, networks);
  const { respond } = new Responder(endpoint, ports, check);
  const onRequest = hookOf(gate);
  const arrivedAt = (request: FastifyRequest): number => contextOf(request, ports.now).now;
  app.route({
    config: { operation: endpoint.operation, ...(endpoint.form ? { form: Object.keys(fields) } : {}) },
    method: allowsHead(endpoint) ? [endpoint.method, 'HEAD'] : endpoint.method,
    url: routePattern(endpoint.path),
    bodyLimit: bodyLimitOf(endpoint),
    // Before the gate, so that a script can read its refusal too.
    onRequest: endpoint.cors ? [allowScripts, onRequest] : onRequest,
    ...(endpoint.method === 'GET' ? {} : { preParsing: refuseOtherCodings }),
    handler: endpoint.auth === 'none' && endpoint.method !== 'GET' ? networks.watch(respond, arrivedAt) : respond,
  });
}

/** The gate as a hook. It calls `done` outside of `try`: the rest of the call runs in it. */
const hookOf =
  (gate: ReturnType<typeof createGate>): onRequestHookHandler =>
  (request, reply, done) => {
    let admitted: ReturnType<typeof gate>;
    try {
      admitted = gate(request, reply);
    } catch (err) {
      done(err as Error);
      return;
    }
    if (admitted === undefined) done();
    else admitted.then(() => done(), done);
  };

const allowScripts = async (_request: FastifyRequest, reply: FastifyReply): Promise<void> =>
  void reply.headers(CORS_HEADERS);

/**
 * Refuses content codings and other character sets before the body is read. JSON is UTF-8 (RFC 8259 8.1), and a small
 * compressed body can decompress to a large one.
 */
async function refuseOtherCodings({ headers }: FastifyRequest): Promise<void> {
  const coding = headers['content-encoding']?.trim().toLowerCase();
  if (coding !== undefined && coding !== '' && coding !== 'identity')
    throw new ApiError('unsupported_media_type', {
      message: `Send the body without compression: content-encoding ${JSON.stringify(coding.slice(0, 40))} is not supported.`,
      // RFC 9110 12.5.3: shows that the coding was refused, not the type.
      headers: { 'accept-encoding': 'identity' },
    });
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw new ApiError('unsupported_media_type', {
      message: `Send the body in UTF-8: charset ${JSON.stringify(charset.slice(0, 40))} is not supported.`,
    });
}

/** Replies to bytes that are not HTTP with the error envelope, and closes the connection. */
function answerBrokenClient(
  err: NodeJS.ErrnoException,
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): void {
  if (err.code === 'ECONNRESET' || socket.destroyed) return;
  const tooLarge = err.code === 'HPE_HEADER_OVERFLOW';
  const status = tooLarge
    ? '431 Request Header Fields Too Large'
    : err.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? '408 Request Timeout'
      : '400 Bad Request';
  const body = JSON.stringify({
    error: 'invalid_request',
    code: 'invalid_request',
    message: tooLarge ? 'The request headers are too large.' : 'This is not a valid HTTP request.',
  });
  socket.once('finish', () => socket.destroy());
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status}\r\n${lines.join('')}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** How often a stop checks for quiet connections. */
const QUIET_POLL_MS = 25;

/** Stops accepting requests. Resolves when all open requests are answered. */
async function closeGracefully(app: FastifyInstance, closeQuiet: () => void): Promise<void> {
  const timer = setInterval(closeQuiet, QUIET_POLL_MS);
  try {
    await app.close();
  } finally {
    clearInterval(timer);
  }
}
