import {
  type Json,
  LEGACY_VERSIONS,
  MODERN_VERSION,
  type Reading,
  RPC_CODES,
  type RpcError,
  type RpcId,
  UNNAMED_VERSION,
} from './mcp-messages.ts';

/** How clients are understood: two eras of the protocol on one address, told apart by each request. */

const META = 'io.modelcontextprotocol/';
/** Methods whose header `Mcp-Name` repeats a parameter. */
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'resources/read': 'uri',
  'prompts/get': 'name',
};

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Headers = (name: string) => string | undefined;

/** Reads a header value, `=?base64?…?=` for text beyond ASCII. Null: it cannot be read. */
function headerText(value: string | undefined): string | null {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value ?? '')?.[1];
  if (encoded === undefined) return value ?? null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  return Buffer.from(text, 'utf8').toString('base64') === encoded ? text : null;
}

const mismatch = (what: string): RpcError => ({
  code: RPC_CODES.headerMismatch,
  message: `The header ${what} must be present and equal the body.`,
});

const unsupported = (requested: unknown, supported: readonly string[]): RpcError => ({
  code: RPC_CODES.unsupportedVersion,
  message: 'This version of the protocol is not supported.',
  data: { supported, requested },
});

const lacking = (name: string): RpcError => ({
  code: RPC_CODES.invalidParams,
  message: `params._meta["${META}${name}"] is missing or not valid.`,
});

/** What is wrong with a request of the modern era, or null (revision 2026-07-28, transports). */
function modernFault(method: string, params: Json, meta: Json, header: Headers): RpcError | null {
  const version = meta[`${META}protocolVersion`];
  if (typeof version !== 'string') return lacking('protocolVersion');
  if (header('mcp-protocol-version') !== version) return mismatch('MCP-Protocol-Version');
  if (version !== MODERN_VERSION) return unsupported(version, [MODERN_VERSION]);
  if (headerText(header('mcp-method')) !== method) return mismatch('Mcp-Method');
  const named = NAMED[method];
  if (named !== undefined && headerText(header('mcp-name')) !== params[named]) return mismatch('Mcp-Name');
  return isObject(meta[`${META}clientCapabilities`]) ? null : lacking('clientCapabilities');
}

/** True if the client can open a page for its user. */
function opensPages(meta: Json): boolean {
  const { elicitation } = (meta[`${META}clientCapabilities`] ?? {}) as Json;
  return isObject(elicitation) && isObject(elicitation.url);
}

/** What is wrong with the version of a request of the older era, or null. */
function legacyFault(method: string, header: Headers): RpcError | null {
  if (method === 'initialize') return null;
  const version = header('mcp-protocol-version') ?? UNNAMED_VERSION;
  return LEGACY_VERSIONS.includes(version) ? null : unsupported(version, [MODERN_VERSION, ...LEGACY_VERSIONS]);
}

/**
 * Reads the one message of a request.
 * @returns null if it is not a message of JSON-RPC 2.0
 */
export function readMessage(body: Json, header: Headers): Reading | null {
  const { jsonrpc, id, method, params = {} } = body;
  if (jsonrpc !== '2.0' || !isObject(params)) return null;
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number') return null;
  if (method === undefined) return id === undefined ? null : { kind: 'accepted' };
  if (typeof method !== 'string') return null;
  const meta = isObject(params._meta) ? params._meta : {};
  const isModern = `${META}protocolVersion` in meta || header('mcp-protocol-version') === MODERN_VERSION;
  const error = isModern ? modernFault(method, params, meta, header) : legacyFault(method, header);
  if (error) return { kind: 'fault', id: id ?? null, error };
  if (id === undefined) return { kind: 'accepted' };
  return {
    kind: 'request',
    request: { id: id as RpcId, method, params, isModern, opensPages: isModern && opensPages(meta) },
  };
}

/** The version to speak with a client that begins with `initialize`. */
export const negotiated = (requested: unknown): string =>
  typeof requested === 'string' && LEGACY_VERSIONS.includes(requested) ? requested : (LEGACY_VERSIONS[0] as string);
