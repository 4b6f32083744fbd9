import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '../../api/endpoint.ts';
import { ApiError } from '../../api/errors.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
type Method = (typeof METHODS)[number];

/** Converts `/v1/pods/{pod_id}` to the framework's form `/v1/pods/:pod_id`. */
export const routePattern = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** HEAD is allowed only where GET is a pure read, so that a link checker never consumes a token. */
export const allowsHead = (endpoint: Endpoint): boolean => endpoint.method === 'GET' && endpoint.effect === 'none';

interface Path {
  parts: readonly string[];
  methods: Set<Method>;
}

const matches = (pattern: readonly string[], path: readonly string[]): boolean =>
  pattern.every((part, i) => part === path[i] || (part.startsWith('{') && path[i] !== ''));

/**
 * Builds what tells the methods of a path. If a parameter route matches the path, its methods are
 * supported: `PUT /v1/vault/store` is the entry named `store`, although `POST /v1/vault/store` is a fixed path.
 * @returns the `Allow` header (RFC 9110 10.2.1); null for an unknown path, and for a method that the path has
 */
function createAllowed(endpoints: readonly Endpoint[]): (method: string, path: string) => string | null {
  const byPath = new Map<string, Path>();
  for (const endpoint of endpoints) {
    const known = byPath.get(endpoint.path) ?? { parts: endpoint.path.split('/'), methods: new Set<Method>() };
    byPath.set(endpoint.path, known);
    known.methods.add(endpoint.method);
    if (allowsHead(endpoint)) known.methods.add('HEAD');
    if (endpoint.cors) known.methods.add('OPTIONS');
  }
  const byLength = Map.groupBy(byPath.values(), ({ parts }) => parts.length);
  return (method, path) => {
    const parts = path.split('/');
    const found = (byLength.get(parts.length) ?? []).filter((known) => matches(known.parts, parts));
    const allowed = METHODS.filter((one) => found.some(({ methods }) => methods.has(one)));
    return allowed.length === 0 || allowed.some((one) => one === method) ? null : allowed.join(', ');
  };
}

/**
 * Builds the check that answers 405 for a method that a known path lacks. A route for each of these would be four of five
 * routes, and a quarter of a start. The framework lets a parameter be empty, so `/v1/vault/` would be an entry without a
 * name.
 */
export function createMethodCheck(endpoints: readonly Endpoint[]): (request: FastifyRequest) => void {
  const allowed = createAllowed(endpoints);
  return (request) => {
    const path = request.url.split('?', 1)[0] as string;
    const allow = request.is404 || path.endsWith('/') ? allowed(request.method, path) : null;
    if (allow === null) return;
    throw new ApiError('method_not_allowed', { message: `This path supports ${allow}.`, headers: { allow } });
  };
}
