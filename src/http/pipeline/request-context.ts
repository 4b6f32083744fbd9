import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '../../api/endpoint.ts';
import type { ApiError } from '../../api/errors.ts';
import type { Principal } from '../../api/principal.ts';
import { newId } from '../../base/ids.ts';
import type { Attempt } from './dry-run.ts';

/** What the hooks before the handler store on a request. */
export interface RequestContext {
  requestId: string;
  now: number;
  principal: Principal | null;
  /** Null: it needs no credential. */
  endpoint: Endpoint | null;
  /** See `Call.spent`. */
  spent: ApiError | null;
  /** Null: the call is real. */
  dryRun: Attempt | null;
}

/** A property, not a WeakMap: each entry of a WeakMap costs the garbage collector time. */
const CONTEXT = Symbol('context');

export function contextOf(request: FastifyRequest & { [CONTEXT]?: RequestContext }, now: () => number): RequestContext {
  const known = request[CONTEXT];
  if (known) return known;
  const at = now();
  const context: RequestContext = {
    requestId: newId('req', at),
    now: at,
    principal: null,
    endpoint: null,
    spent: null,
    dryRun: null,
  };
  request[CONTEXT] = context;
  return context;
}
