import { createHash } from 'node:crypto';
import type { SignetClient } from '../../client/signet-client.ts';
import { SignetConnectionError, SignetError } from '../../client/signet-error.ts';
import { agentFailure } from './agent-failure.ts';
import { linesOf, TOO_LONG } from './message-lines.ts';

/** Where the bridge reads and writes: messages of JSON-RPC, one a line (MCP, stdio transport). */
export interface BridgePorts {
  input: NodeJS.ReadableStream;
  write(line: string): void;
  /** The endpoint of the service. */
  url: string;
  key: string;
  /** A client that holds the seed of the vault. It makes one for an empty vault, and says once where. */
  sealing(): Promise<{ client: SignetClient; madeSeed: string | null }>;
}

type Json = Record<string, unknown>;

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const INTERNAL_ERROR = -32603;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/** How many calls with an idempotency key the bridge remembers. */
const REMEMBERED_MAX = 1000;

const text = (description: string) => ({ type: 'string', description });

/** The tools that the bridge answers itself, because they need the seed. Their names are those of the service. */
const SEALED: Readonly<Record<string, Json>> = {
  store_secret: {
    description: 'Store a secret. It is sealed on this machine, and the service cannot read it.',
    inputSchema: {
      type: 'object',
      required: ['key', 'value'],
      properties: {
        key: text('The name of the secret.'),
        value: text('The secret in plain text.'),
        idempotency_key: { ...text('The same value when you repeat this call.'), maxLength: 255 },
      },
      additionalProperties: false,
    },
  },
  read_secret: {
    description: 'Read a secret in plain text. It is opened on this machine.',
    inputSchema: {
      type: 'object',
      required: ['key'],
      properties: { key: text('The name of the secret.') },
      additionalProperties: false,
    },
  },
};

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const childOf = (value: unknown, name: string): Json => (isObject(value) && isObject(value[name]) ? value[name] : {});

/** Header values outside ASCII travel as base64 (MCP 2026-07-28, transports). */
const headerValue = (value: string): string =>
  /^[\x21-\x7e]*$/.test(value) ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;

const refused = (said: string): Json => ({ content: [{ type: 'text', text: said }], isError: true });

/** The answer to a call of a tool, in the revision of its message. */
const resultOf = (message: Json, result: Json): Json => {
  const isModern = VERSION in childOf(message.params, '_meta');
  return { jsonrpc: '2.0', id: message.id, result: { ...(isModern ? { resultType: 'complete' } : {}), ...result } };
};

/** An error that is no message of the protocol, as the client library throws it. */
function errorOf(status: number, body: unknown): Error {
  if (!isObject(body) || typeof body.error !== 'string')
    return new SignetConnectionError('unreadable', `The reply with status ${status} is not from this service.`);
  const { error: code, message, details, ...fields } = body;
  const faults = Array.isArray(details) ? details : [];
  const about = { status, code, fields, details: faults, requestId: null, retryAfterSeconds: null };
  return new SignetError(String(message), about);
}

/** A local MCP server that passes everything to the service, except what must be sealed or opened here. */
export class McpBridge {
  readonly #ports: BridgePorts;
  /** What `initialize` agreed on. Later revisions name their version in each message. */
  #agreed: string | null = null;
  /** Under its idempotency key, what a call stored, with a hash of its input. */
  readonly #stored = new Map<string, { input: string; result: Promise<Json> }>();

  constructor(ports: BridgePorts) {
    this.#ports = ports;
  }

  /** Ends with the input, after the last answer. */
  async run(): Promise<void> {
    const pending = new Set<Promise<void>>();
    for await (const line of linesOf(this.#ports.input)) {
      if (line === TOO_LONG) {
        this.#fail(null, INVALID_REQUEST, 'This message is too long: at most 16 MiB.');
        continue;
      }
      if (line.trim() === '') continue;
      const work = this.#answer(line).finally(() => pending.delete(work));
      pending.add(work);
    }
    await Promise.all(pending);
  }

  async #answer(line: string): Promise<void> {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return this.#fail(null, PARSE_ERROR, 'This is not JSON.');
    }
    const id = isObject(message) ? message.id : null;
    try {
      const own = isObject(message) ? await this.#ownAnswer(message) : null;
      const answer = own ?? (await this.#forward(message));
      if (answer !== null) this.#send(answer);
    } catch (err) {
      // Without an id it was a notification, which has no answer.
      if (id === undefined) return;
      const { line: said } = agentFailure(err);
      // A model reads what a call says; other faults are for its host.
      if (isObject(message) && message.method === 'tools/call') this.#send(resultOf(message, refused(said)));
      else this.#fail(id, INTERNAL_ERROR, said);
    }
  }

  async #ownAnswer(message: Json): Promise<Json | null> {
    if (message.method !== 'tools/call') return null;
    const { name, arguments: given } = childOf(message, 'params') as { name?: unknown; arguments?: unknown };
    if (typeof name !== 'string' || !Object.hasOwn(SEALED, name)) return null;
    return resultOf(message, await this.#callSealed(name, isObject(given) ? given : {}));
  }

  async #callSealed(name: string, { key, value, idempotency_key: repeat }: Json): Promise<Json> {
    if (typeof key !== 'string') return refused('key must be a string');
    if (name === 'store_secret' && typeof value !== 'string') return refused('value must be a string');
    if (repeat !== undefined && (typeof repeat !== 'string' || repeat === '' || repeat.length > 255))
      return refused('idempotency_key must be a string of 1 to 255 characters');
    const { client, madeSeed } = await this.#ports.sealing();
    const { vault } = client;
    const put = (): Promise<Json> => vault.put(key, value as string).then((stored) => ({ ...stored }));
    const data =
      name === 'store_secret'
        ? await this.#once(repeat as string | undefined, [key, value], put)
        : { key, value: await vault.getText(key) };
    if (data === null) return refused('idempotency_mismatch: this key was used with another input');
    const seed = madeSeed === null ? {} : { seed: `Made a seed: ${madeSeed}. Without it the vault cannot be read.` };
    return { content: [{ type: 'text', text: JSON.stringify({ ...data, ...seed }) }] };
  }

  /** Stores once for an idempotency key, also when calls come at a time. @returns null if it was used otherwise */
  async #once(repeat: string | undefined, given: unknown[], store: () => Promise<Json>): Promise<Json | null> {
    if (repeat === undefined) return store();
    const input = createHash('sha256').update(JSON.stringify(given)).digest('hex');
    const former = this.#stored.get(repeat);
    if (former) return former.input === input ? former.result : null;
    const result = store();
    this.#stored.set(repeat, { input, result });
    const [oldest] = this.#stored.keys();
    if (this.#stored.size > REMEMBERED_MAX && oldest !== undefined) this.#stored.delete(oldest);
    try {
      return await result;
    } catch (err) {
      // What failed may be tried again.
      this.#stored.delete(repeat);
      throw err;
    }
  }

  async #forward(message: unknown): Promise<Json | null> {
    const response = await this.#post(message);
    if (response.status === 202) return null;
    const reply: unknown = await response.json().catch(() => null);
    if (isObject(reply) && reply.jsonrpc === '2.0') return this.#adapted(message, reply);
    throw errorOf(response.status, reply);
  }

  async #post(message: unknown): Promise<Response> {
    const request = {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${this.#ports.key}`,
        ...this.#protocolHeaders(message),
      },
      body: JSON.stringify(message),
    } as const;
    try {
      return await fetch(this.#ports.url, request);
    } catch (err) {
      throw new SignetConnectionError('unreachable', `${this.#ports.url} cannot be reached.`, { cause: err });
    }
  }

  #protocolHeaders(message: unknown): Record<string, string> {
    const params = childOf(message, 'params');
    const { [VERSION]: version } = childOf(params, '_meta');
    if (typeof version !== 'string') return this.#agreed === null ? {} : { 'mcp-protocol-version': this.#agreed };
    const name = params.name ?? params.uri;
    return {
      'mcp-protocol-version': version,
      'mcp-method': String((message as Json).method),
      ...(typeof name === 'string' ? { 'mcp-name': headerValue(name) } : {}),
    };
  }

  /** Puts the own tools into the list, and keeps the version that both sides agreed on. */
  #adapted(message: unknown, reply: Json): Json {
    const method = isObject(message) ? message.method : undefined;
    const result = childOf(reply, 'result');
    if (method === 'initialize' && typeof result.protocolVersion === 'string') this.#agreed = result.protocolVersion;
    if (method !== 'tools/list' || !Array.isArray(result.tools)) return reply;
    const tools = (result.tools as Json[]).map((tool) => {
      const { outputSchema: _, ...rest } = { ...tool, ...SEALED[String(tool.name)] } as Json;
      return Object.hasOwn(SEALED, String(tool.name)) ? rest : tool;
    });
    return { ...reply, result: { ...result, tools } };
  }

  #send(message: Json): void {
    this.#ports.write(`${JSON.stringify(message)}\n`);
  }

  #fail(id: unknown, code: number, message: string): void {
    this.#send({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });
  }
}
