import type { Endpoint } from '../../api/endpoint.ts';

/**
 * Lets scripts of any website read the replies of an endpoint (Fetch, 3.2). Without credentials: a browser adds none of
 * its own, so a script sends only what it holds itself.
 */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, Retry-After',
} as const;

const MAX_AGE_SECONDS = 86_400;

/** The headers of the reply to a preflight request. */
export const preflightHeaders = (methods: readonly Endpoint['method'][]): Record<string, string> => ({
  ...CORS_HEADERS,
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers': 'Authorization, Content-Type, MCP-Protocol-Version',
  'access-control-max-age': String(MAX_AGE_SECONDS),
});
