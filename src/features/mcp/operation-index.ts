import type { Endpoint } from '../../api/endpoint.ts';
import type { Scope } from '../../api/scopes.ts';
import { lazy } from '../../base/lazy.ts';
import { withoutFields } from '../../base/without-fields.ts';
import type { Json } from './mcp-messages.ts';
import { WordIndex } from './operation-search.ts';
import { argumentSchema } from './tool-arguments.ts';

/** The table of endpoints for models: what they may find in it, and what they may call. */

/** Operations of these scopes change who may do what. No model calls them. */
const BARRED_SCOPES: readonly (Scope | undefined)[] = [
  'account:manage',
  'webhooks:manage',
  'money:manage',
  'money:approve',
  'identity:manage',
  'pods:manage',
];
/** Operations of these scopes answer with words of strangers. */
const WORDS_SCOPES: readonly (Scope | undefined)[] = [
  'mail:read',
  'mail:manage',
  'calendar:read',
  'calendar:write',
  'events:read',
  'trust:read',
];

const FOUND_MAX = 6;
/** How many results show their arguments. */
const DETAILED_MAX = 3;

/**
 * Whether models may not call an operation: it says so, its scope or its kind of caller says so, it is closed to named
 * keys, or a reply holds a secret or is no JSON.
 */
export function isBarred(endpoint: Endpoint, revealsSecret: (schema: unknown) => boolean): boolean {
  const { model, auth, scope, wholeAccount, method, effect, replies } = endpoint;
  if (model === false || wholeAccount || BARRED_SCOPES.includes(scope)) return true;
  const isPublicRead = auth === 'none' && method === 'GET' && effect === 'none';
  if (auth !== 'key' && auth !== 'platform' && !isPublicRead) return true;
  const schemas = Object.values(replies);
  return schemas.some((schema) => 'contentMediaType' in schema || revealsSecret(schema)) || 101 in replies;
}

/** Whether a reply may hold words that others wrote. */
export const carriesWords = ({ scope, auth }: Endpoint): boolean => WORDS_SCOPES.includes(scope) || auth === 'none';

interface Entry {
  endpoint: Endpoint;
  isCallable: boolean;
}

/** The texts of an operation, and how much their words say of it. */
function textsOf(endpoint: Endpoint): [text: string, weight: number][] {
  const { operation, summary, tag, path, description = '' } = endpoint;
  const names = Object.keys(argumentSchema(endpoint).properties).join(' ');
  return [
    [description, 1],
    [path, 2],
    [names, 2],
    [tag, 3],
    [summary, 4],
    [operation, 5],
  ];
}

function argumentsOf(endpoint: Endpoint): Json {
  const { properties, required } = argumentSchema(endpoint);
  return { type: 'object', properties: withoutFields(properties, (name) => /^(x-|examples$)/.test(name)), required };
}

/** Finds operations by words. */
export class OperationIndex {
  /** Made for the first model that asks. */
  readonly #entries: () => readonly Entry[];
  readonly #words: () => WordIndex;

  constructor(endpoints: readonly Endpoint[], isBarredTo: (endpoint: Endpoint) => boolean) {
    this.#entries = lazy(() =>
      endpoints
        .filter(({ tag }) => tag !== 'Pages')
        .map((endpoint) => ({ endpoint, isCallable: !isBarredTo(endpoint) })),
    );
    this.#words = lazy(() => new WordIndex(this.#entries().map(({ endpoint }) => textsOf(endpoint))));
  }

  /** The operation of this name. */
  find(id: string): { endpoint: Endpoint; isCallable: boolean } | undefined {
    return this.#entries().find(({ endpoint }) => endpoint.operation === id);
  }

  /** The names of all operations that models may call. */
  names(): string[] {
    return this.#entries()
      .filter(({ isCallable }) => isCallable)
      .map(({ endpoint }) => endpoint.operation);
  }

  /** The operations that fit the words best, of those that models may call and `mayUse` accepts. */
  search(query: string, mayUse: (endpoint: Endpoint) => boolean): Json {
    const found = this.#words()
      .find(query)
      .map((at) => this.#entries()[at] as Entry);
    const usable = found.filter(({ endpoint, isCallable }) => isCallable && mayUse(endpoint)).slice(0, FOUND_MAX);
    const operations = usable.map(({ endpoint }, place) => ({
      id: endpoint.operation,
      summary: endpoint.summary,
      http: `${endpoint.method} ${endpoint.path}`,
      ...(endpoint.scope === undefined ? {} : { scope: endpoint.scope }),
      callable: true,
      ...(place < DETAILED_MAX ? { arguments: argumentsOf(endpoint) } : {}),
    }));
    return { operations, details: 'GET /api?operation={id}' };
  }
}
