import { systemNow } from './client-clock.ts';
import { randomBytes, toBase64, toHex } from './encoding.ts';
import type { AttachedFile, CallOptions, FullReply, Operation } from './operation.ts';
import {
  errorClass,
  SignetConnectionError,
  SignetError,
  type SignetErrorDetail,
  Unauthorized,
} from './signet-error.ts';
import { pause, Timeout } from './timeout.ts';

export interface TransportOptions extends Pick<CallOptions, 'timeoutMs' | 'retries' | 'verbose'> {
  /** Where the service is: `https://signet.example`, with or without a path. */
  baseUrl: string;
  /** An API key, a pod's key, a backup key or a session. Leave it out for calls that need none. */
  key?: string;
  /** `Signet-Account`: the account that a person's session acts for, one of those that the person confirmed. */
  account?: string;
  fetch?: typeof fetch;
  /** The longest `Retry-After` to wait for; a longer one is thrown. Default 30 s. */
  retryAfterMaxSeconds?: number;
}

const TIMEOUT_MS = 30_000;
const RETRIES = 2;
const RETRY_AFTER_MAX_SECONDS = 30;
const BACKOFF_MS = 250;

/** Calls that end the key and return a new one. */
const REPLACE_KEY = ['/v1/auth/keys/rotate', '/v1/account/secure'];

/** Replies of the service, or of a proxy in front of it, that are worth a retry. */
const TRANSIENT = [502, 503, 504];

/** Beside the seconds that a long poll asks the service to wait. */
const WAIT_MARGIN_MS = 15_000;

/** One HTTP request. */
interface Wire {
  /** How long to wait for the reply, unless the caller says. */
  timeoutMs: number;
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | null;
}

/** Each member of an object is a parameter: `name.member=value`. */
function setQuery(query: URLSearchParams, name: string, value: unknown): void {
  if (value instanceof Date) query.set(name, value.toISOString());
  else if (typeof value !== 'object' || value === null) query.set(name, String(value));
  else for (const [member, each] of Object.entries(value)) setQuery(query, `${name}.${member}`, each);
}

/** An attachment as JSON has it. */
async function plainFile(file: AttachedFile): Promise<object> {
  if ('arrayBuffer' in file) return plainFile({ filename: file.name, content: file });
  const { content, ...rest } = file;
  if (typeof content === 'string') return file;
  const bytes = content instanceof Uint8Array ? content : new Uint8Array(await content.arrayBuffer());
  const type = content instanceof Uint8Array ? '' : content.type.replace(/;.*/, '');
  return { ...(type && { content_type: type }), ...rest, content: toBase64(bytes) };
}

/** An input whose attachments are as JSON has them. Times need nothing: JSON has a form of them. */
async function plainInput(input: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { attachments } = input;
  return Array.isArray(attachments) ? { ...input, attachments: await Promise.all(attachments.map(plainFile)) } : input;
}

/** `signet_live_` and the like. */
const kindOf = (key: string): string => /^[a-z]+_[a-z]+_/.exec(key)?.[0] ?? key;

/** Splits an input into path, query and body as the operation's row says. */
export function wireOf(operation: Operation, input: Readonly<Record<string, unknown>>, verbose: boolean) {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    if (value === undefined || value === '') throw new TypeError(`${name} is missing: it is part of the path`);
    // A URL parser would resolve these as path segments, percent-encoded or not.
    if (value === '.' || value === '..') throw new TypeError(`${name} cannot be ${value}`);
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  for (const named of operation.query) {
    const [name = '', inQuery = name] = named.split(':');
    if (rest.has(name)) setQuery(query, inQuery, rest.get(name));
    rest.delete(name);
  }
  if (!verbose) query.set('verbose', 'false');
  const whole = rest.get('body');
  const body = operation.body === 'whole' ? whole : operation.body === 'fields' ? Object.fromEntries(rest) : undefined;
  return { target: query.size > 0 ? `${path}?${query}` : path, body };
}

const takesIdempotencyKey = ({ method }: Operation): boolean => method === 'POST' || method === 'PUT';

/** Seconds of `Retry-After`, a number or a date (RFC 9110 10.2.3). */
function retryAfterOf(headers: Headers): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - systemNow()) / 1000));
}

function errorOf(status: number, headers: Headers, text: string): SignetError | SignetConnectionError {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {}
  if (typeof body !== 'object' || body === null || !('error' in body) || typeof body.error !== 'string') {
    // From a proxy that could not reach the service, or from another server at its address.
    const code = TRANSIENT.includes(status) ? 'unreachable' : 'unreadable';
    return new SignetConnectionError(code, `The reply with status ${status} is not from this service.`);
  }
  const { error: code, message, details, ...fields } = body as Record<string, unknown> & { error: string };
  return new (errorClass(code, status))(
    typeof message === 'string' ? message : `The service replied with the error ${code}.`,
    {
      status,
      code,
      details: Array.isArray(details) ? (details as SignetErrorDetail[]) : [],
      requestId: headers.get('x-request-id'),
      retryAfterSeconds: retryAfterOf(headers),
      fields,
    },
  );
}

/** A complete reply; `fault` is its error. */
interface Answer {
  reply: FullReply<unknown>;
  fault: SignetError | SignetConnectionError | null;
}

/** Speaks HTTP for the client: one call in, one reply or typed error out, with as many attempts as are safe. */
export class Transport {
  readonly options: Readonly<TransportOptions>;
  readonly #fetch: typeof fetch;
  readonly baseUrl: string;
  key: string | undefined;
  /** A call that replaces the key: calls that it makes invalid wait for the new one. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: TransportOptions) {
    this.options = options;
    this.key = options.key;
    // Browsers refuse a `fetch` that is called as another object's method.
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
    this.baseUrl = new URL(options.baseUrl).href.replace(/[?#].*$/, '').replace(/\/+$/, '');
  }

  /** Opens a reply whose body is read as it arrives: resolves with the headers. */
  async open(target: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
    const init = { headers: { ...this.#credential(), ...headers }, signal, redirect: 'manual' } as const;
    const response = await this.#reach(this.baseUrl + target, init);
    if (response.ok) return response;
    throw errorOf(response.status, response.headers, await response.text());
  }

  /**
   * @throws {SignetError} for an error reply
   * @throws {SignetConnectionError} if there is no reply
   */
  async call(operation: Operation, input: object, options: CallOptions = {}): Promise<FullReply<unknown>> {
    const wire = this.#wire(operation, await plainInput(input as Record<string, unknown>), options);
    const replaces =
      REPLACE_KEY.includes(operation.path) &&
      !options.dryRun &&
      !Object.keys(wire.headers).some((name) => /^authorization$/i.test(name));
    if (!replaces) return this.#attempts(operation, wire, options);
    const done = this.#turn.then(async () => {
      const reply = await this.#attempts(operation, wire, options, true);
      const { api_key: key } = reply.body as { api_key?: string };
      // A session goes on as itself, and a named key after a rotation, because neither ends.
      const ended = operation.path.endsWith('/secure') ? 'signet_' : kindOf(key ?? '');
      if (key && this.key?.startsWith(ended)) this.key = key;
      return reply;
    });
    this.#turn = done.catch(() => {});
    return done;
  }

  async #attempts(
    operation: Operation,
    wire: Wire,
    options: CallOptions,
    replaces = false,
  ): Promise<FullReply<unknown>> {
    const retries = options.retries ?? this.options.retries ?? RETRIES;
    for (let attempt = 0; ; attempt++) {
      const { key } = this;
      let fault: unknown;
      try {
        const answer = await this.#attempt(operation, wire, options);
        if (answer.fault === null) return answer.reply;
        fault = answer.fault;
        if (fault instanceof Unauthorized && !replaces) await this.#turn;
        // Refused only because its key was replaced meanwhile.
        if (fault instanceof Unauthorized && key !== this.key) continue;
        const wait = attempt < retries ? this.#waitAfter(operation, answer, attempt) : null;
        if (wait === null) throw fault;
        await pause(wait, options.signal);
      } catch (err) {
        // If a retry could change something twice, the caller must find out what happened.
        const isUnknown = err !== fault && err instanceof SignetConnectionError;
        if (!isUnknown || !operation.repeatable || attempt >= retries) throw err;
        await pause(backoff(attempt), options.signal);
      }
    }
  }

  #credential(): Record<string, string> {
    const { key } = this;
    const { account } = this.options;
    return {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(account === undefined ? {} : { 'signet-account': account }),
    };
  }

  #wire(operation: Operation, input: Record<string, unknown>, options: CallOptions): Wire {
    const { target, body } = wireOf(operation, input, options.verbose ?? this.options.verbose ?? true);
    const idempotencyKey = options.idempotencyKey ?? toHex(randomBytes(16));
    const least = typeof input.wait === 'number' ? input.wait * 1000 + WAIT_MARGIN_MS : 0;
    return {
      timeoutMs: Math.max(this.options.timeoutMs ?? TIMEOUT_MS, least),
      url: this.baseUrl + target,
      method: operation.method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        // One for all attempts, so that the change happens once.
        ...(options.dryRun ? { 'signet-dry-run': 'true' } : {}),
        ...(takesIdempotencyKey(operation) && !options.dryRun ? { 'idempotency-key': idempotencyKey } : {}),
        ...(options.payment === undefined ? {} : { 'x-payment': options.payment }),
        ...options.headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    };
  }

  async #reach(url: string, init: RequestInit): Promise<Response> {
    try {
      return await this.#fetch(url, init);
    } catch (cause) {
      if (init.signal?.aborted) throw init.signal.reason;
      throw new SignetConnectionError('unreachable', `No reply from ${this.baseUrl}.`, { cause });
    }
  }

  async #attempt(operation: Operation, wire: Wire, { signal, timeoutMs }: CallOptions): Promise<Answer> {
    signal?.throwIfAborted();
    const limit = timeoutMs ?? wire.timeoutMs;
    const late = new SignetConnectionError('timeout', `No reply within ${limit} ms.`);
    const timeout = new Timeout({ ms: limit, late, signal });
    try {
      const { url, method, headers, body } = wire;
      const init = {
        method,
        headers: { ...this.#credential(), ...headers },
        signal: timeout.signal,
        // A followed redirect could send the request and its content anywhere.
        redirect: 'manual',
        ...(body === null ? {} : { body }),
      } as const;
      return await readAnswer(operation, await this.#reach(url, init));
    } catch (err) {
      if (timeout.signal.aborted) throw timeout.signal.reason;
      if (err instanceof SignetConnectionError) throw err;
      throw new SignetConnectionError('unreachable', 'The connection broke during the reply.', { cause: err });
    } finally {
      timeout.end();
    }
  }

  /** Milliseconds until the next attempt, or null if there is none. */
  #waitAfter(operation: Operation, { reply, fault }: Answer, attempt: number): number | null {
    const { status } = reply;
    const isBusy = fault instanceof SignetError && fault.code === 'idempotency_in_progress';
    // The service itself says with 429 and 503 that nothing was done; after a 502 or 504 it is unknown.
    const nothingDone = status === 429 || (status === 503 && fault instanceof SignetError);
    if (!nothingDone && !isBusy && !(operation.repeatable && TRANSIENT.includes(status))) return null;
    const given = retryAfterOf(reply.headers);
    if (given === null) return status === 429 ? null : backoff(attempt);
    const most = this.options.retryAfterMaxSeconds ?? RETRY_AFTER_MAX_SECONDS;
    return given > most ? null : Math.max(given * 1000, backoff(attempt));
  }
}

/** Exponential, half of it random, so that clients that failed together do not retry together. */
const backoff = (attempt: number): number => BACKOFF_MS * 2 ** attempt * (0.5 + Math.random() / 2);

function redirected(operation: Operation, location: string | null): SignetConnectionError {
  if (operation.reply === 'location')
    return new SignetConnectionError(
      'opaque_redirect',
      'Browsers do not show the target of a redirect; open the link.',
    );
  const place = location ?? 'another address';
  return new SignetConnectionError('unreadable', `The service redirects to ${place}: use that as baseUrl.`);
}

async function readAnswer(operation: Operation, response: Response): Promise<Answer> {
  const { status, headers } = response;
  const answer = (body: unknown, fault: Answer['fault'] = null): Answer => {
    return { reply: { status, headers, body, requestId: headers.get('x-request-id') }, fault };
  };
  const location = headers.get('location');
  if (operation.reply === 'location' && location !== null) return answer({ location });
  if (response.type === 'opaqueredirect' || (location !== null && status >= 300 && status < 400))
    return answer(null, redirected(operation, location));
  if (status === 304) return answer(null);
  if (!response.ok) return answer(null, errorOf(status, headers, await response.text()));
  if (operation.reply === 'bytes') return answer(new Uint8Array(await response.arrayBuffer()));
  const text = await response.text();
  // A list as a table, which `accept: text/csv` asks for.
  if (operation.reply === 'text' || headers.get('content-type')?.startsWith('text/csv')) return answer(text);
  try {
    return answer(text === '' ? null : JSON.parse(text));
  } catch (cause) {
    throw new SignetConnectionError('unreadable', `The reply to ${operation.path} is not JSON.`, { cause });
  }
}
