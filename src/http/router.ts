import type { Endpoint } from '../kernel/endpoint.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
type Method = (typeof METHODS)[number];

/** Converts `/v1/pods/{pod_id}` to the framework's form `/v1/pods/:pod_id`. */
export const routePattern = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** True if `pattern` also matches the literal path `path`. */
function covers(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => (part.startsWith('{') && given[i] !== '') || part === given[i])
  );
}

/** HEAD is allowed only where GET is a pure read, so that a link checker never consumes a token. */
export const allowsHead = (endpoint: Endpoint): boolean => endpoint.method === 'GET' && endpoint.effect === 'none';

export interface Refusal {
  path: string;
  method: Method;
  /** The `Allow` header (RFC 9110 10.2.1). */
  allow: string;
}

/**
 * Lists the unsupported methods of all known paths, for 405 replies. If a parameter route matches the path, its methods
 * are supported: `PUT /v1/vault/store` is the entry named `store`, although `POST /v1/vault/store` is a fixed path.
 */
export function methodRefusals(endpoints: readonly Endpoint[]): Refusal[] {
  const paths = [...new Set(endpoints.map(({ path }) => path))];
  return paths.flatMap((path) => {
    const matching = endpoints.filter((endpoint) => covers(endpoint.path, path));
    const taken = new Set<Method>(
      matching.flatMap((endpoint) => [
        endpoint.method,
        ...(allowsHead(endpoint) ? (['HEAD'] as const) : []),
        ...(endpoint.cors ? (['OPTIONS'] as const) : []),
      ]),
    );
    const allow = METHODS.filter((method) => taken.has(method)).join(', ');
    return METHODS.filter((method) => !taken.has(method)).map((method) => ({ path, method, allow }));
  });
}
