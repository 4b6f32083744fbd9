import type { Endpoint } from '../kernel/endpoint.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
type Method = (typeof METHODS)[number];

/** Converts `/v1/pods/{pod_id}` to the framework's form `/v1/pods/:pod_id`. */
export const routePattern = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** True if a pattern, split at its slashes, also matches a literal path, split likewise. */
const covers = (pattern: readonly string[], path: readonly string[]): boolean =>
  pattern.length === path.length &&
  pattern.every((part, i) => part === path[i] || (part.startsWith('{') && path[i] !== ''));

/** HEAD is allowed only where GET is a pure read, so that a link checker never consumes a token. */
export const allowsHead = (endpoint: Endpoint): boolean => endpoint.method === 'GET' && endpoint.effect === 'none';

export interface Refusal {
  path: string;
  methods: Method[];
  /** The `Allow` header (RFC 9110 10.2.1). */
  allow: string;
}

/**
 * Lists the unsupported methods of all known paths, for 405 replies. If a parameter route matches the path, its methods
 * are supported: `PUT /v1/vault/store` is the entry named `store`, although `POST /v1/vault/store` is a fixed path.
 */
export function methodRefusals(endpoints: readonly Endpoint[]): Refusal[] {
  const split = endpoints.map((endpoint) => ({ endpoint, parts: endpoint.path.split('/') }));
  return [...new Set(endpoints.map(({ path }) => path))].map((path) => {
    const parts = path.split('/');
    const matching = split.filter((other) => covers(other.parts, parts));
    const taken = new Set<Method>(
      matching.flatMap(({ endpoint }) => [
        endpoint.method,
        ...(allowsHead(endpoint) ? (['HEAD'] as const) : []),
        ...(endpoint.cors ? (['OPTIONS'] as const) : []),
      ]),
    );
    const allow = METHODS.filter((method) => taken.has(method)).join(', ');
    return { path, methods: METHODS.filter((method) => !taken.has(method)), allow };
  });
}
