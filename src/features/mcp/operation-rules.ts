import { atFirstUse } from '../../kernel/at-first-use.ts';
import type { Endpoint } from '../../kernel/endpoint.ts';
import type { Scope } from '../../kernel/scopes.ts';
import type { Json } from './mcp-data.ts';
import { argumentSchema } from './request-rules.ts';

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

const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1);

interface Entry {
  endpoint: Endpoint;
  isCallable: boolean;
  /** How much a word says of the operation, by word. */
  weights: Map<string, number>;
}

function weightsOf({ operation, summary, tag, path, description = '' }: Endpoint): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of wordsOf(text)) weights.set(word, Math.max(weight, weights.get(word) ?? 0));
  };
  add(description, 1);
  add(path, 2);
  add(tag, 3);
  add(summary, 4);
  add(operation, 5);
  return weights;
}

/** How well an operation fits the words. The beginning of a word counts half: `message` also finds `messages`. */
const scoreOf = (wanted: readonly string[], { weights }: Entry): number =>
  wanted.reduce((sum, word) => {
    const whole = weights.get(word);
    if (whole !== undefined) return sum + whole;
    const stem = word.slice(0, Math.max(3, word.length - 2));
    const near = [...weights].filter(([known]) => known.startsWith(stem)).map(([, weight]) => weight / 2);
    return sum + Math.max(0, ...near);
  }, 0);

const cleanArguments = (schema: unknown): Json =>
  JSON.parse(JSON.stringify(schema, (name, value) => (/^(x-|examples$)/.test(name) ? undefined : value)));

function argumentsOf(endpoint: Endpoint): Json {
  const { properties, required } = argumentSchema(endpoint);
  return { type: 'object', properties: cleanArguments(properties), required };
}

/** Finds operations by words. */
export class OperationIndex {
  /** Made for the first model that asks. */
  readonly #entries: () => readonly Entry[];

  constructor(endpoints: readonly Endpoint[], isBarredTo: (endpoint: Endpoint) => boolean) {
    this.#entries = atFirstUse(() =>
      endpoints
        .filter(({ tag }) => tag !== 'Pages')
        .map((endpoint) => ({ endpoint, isCallable: !isBarredTo(endpoint), weights: weightsOf(endpoint) })),
    );
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

  /** The operations that fit the words best. */
  search(query: string): Json {
    const wanted = [...new Set(wordsOf(query))].slice(0, 12);
    const scored = this.#entries().map((entry) => ({ entry, score: scoreOf(wanted, entry) }));
    const best = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
    const operations = best.slice(0, FOUND_MAX).map(({ entry: { endpoint, isCallable } }, place) => ({
      id: endpoint.operation,
      summary: endpoint.summary,
      http: `${endpoint.method} ${endpoint.path}`,
      ...(endpoint.scope === undefined ? {} : { scope: endpoint.scope }),
      callable: isCallable,
      ...(isCallable && place < DETAILED_MAX ? { arguments: argumentsOf(endpoint) } : {}),
    }));
    return { operations, details: 'GET /api?operation={id}' };
  }
}
