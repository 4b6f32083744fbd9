import { ApiError } from '../../../api/errors.ts';
import { ONE_LINE_PATTERN } from '../../../api/fields.ts';
import { isLoopbackHost } from '../../../base/loopback-host.ts';
import { parseRedirect } from './redirect-uri.ts';

/** What a client says of itself (RFC 7591 2), as far as it matters here. */
export interface ClientMetadata {
  name: string | null;
  redirectUris: string[];
}

const REDIRECTS_MAX = 20;
const REDIRECT_CHARS_MAX = 1024;
const NAME_CHARS_MAX = 100;
const ID_CHARS_MAX = 512;

const metadataFault = (message: string): ApiError =>
  new ApiError('invalid_client_metadata', { message, fields: { error_description: message } });
const redirectFault = (message: string): ApiError =>
  new ApiError('invalid_redirect_uri', { message, fields: { error_description: message } });

function readRedirects(given: unknown): string[] {
  if (!Array.isArray(given) || given.length === 0 || given.length > REDIRECTS_MAX)
    throw redirectFault(`redirect_uris must be a list of 1 to ${REDIRECTS_MAX} URIs.`);
  for (const uri of given) {
    if (typeof uri !== 'string' || uri.length > REDIRECT_CHARS_MAX || !parseRedirect(uri))
      throw redirectFault('Each redirect URI must be https, or http on localhost or a loopback address.');
  }
  return [...new Set(given as string[])];
}

/** A name is one line. One that is not, or is too long, counts as absent. */
function readName(given: unknown): string | null {
  if (typeof given !== 'string' || given.length > NAME_CHARS_MAX) return null;
  const name = given.trim();
  return name !== '' && new RegExp(ONE_LINE_PATTERN, 'u').test(name) ? name : null;
}

/** Reads the metadata that a client registers or publishes. @throws ApiError `invalid_redirect_uri`, `invalid_client_metadata` */
export function readMetadata(given: Record<string, unknown>): ClientMetadata {
  const { response_types: types, grant_types: grants } = given;
  if (Array.isArray(types) && !types.includes('code')) throw metadataFault('response_types must include "code".');
  if (Array.isArray(grants) && !grants.includes('authorization_code'))
    throw metadataFault('grant_types must include "authorization_code".');
  return { name: readName(given.client_name), redirectUris: readRedirects(given.redirect_uris) };
}

/**
 * Reads a client's metadata document. A document with a client secret would be a secret that everybody reads.
 * @throws ApiError `invalid_redirect_uri`, `invalid_client_metadata`
 */
export function readDocument(given: unknown, url: string): ClientMetadata {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw metadataFault('It is no JSON object.');
  const document = given as Record<string, unknown>;
  if (document.client_id !== url) throw metadataFault('Its client_id is not its own URL.');
  const { token_endpoint_auth_method: method } = document;
  if (method !== undefined && method !== 'none')
    throw metadataFault('Its token_endpoint_auth_method must be "none": this service takes public clients, with PKCE.');
  return readMetadata(document);
}

/**
 * The URL of a client's metadata document, if its id is one: https, with a path, and written as a URL parser writes it.
 * In development also http on this machine.
 */
export function documentUrl(clientId: string, isDevelopment: boolean): URL | null {
  if (clientId.length > ID_CHARS_MAX || !URL.canParse(clientId)) return null;
  const url = new URL(clientId);
  const isSecure =
    url.protocol === 'https:' || (isDevelopment && url.protocol === 'http:' && isLoopbackHost(url.hostname));
  if (!isSecure || url.href !== clientId || url.pathname === '/') return null;
  return url.hash === '' && url.username === '' && url.password === '' ? url : null;
}
