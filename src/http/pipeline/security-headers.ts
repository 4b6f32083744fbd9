/** One year in seconds, as RFC 6797 10.1 and browsers' preload lists ask for. */
const HSTS_SECONDS = 31_536_000;

/**
 * The headers of every reply. `nosniff`: a browser takes the declared media type as it is. HSTS (RFC 6797): browsers come
 * back only by TLS. It does not include subdomains, because those may not be this service's.
 * @param baseUrl the configured one; null: the service is on plain HTTP
 */
export const securityHeaders = (baseUrl: string | null): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  ...(baseUrl?.startsWith('https:') ? { 'strict-transport-security': `max-age=${HSTS_SECONDS}` } : {}),
});
