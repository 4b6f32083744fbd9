import type { Endpoint } from '../../api/endpoint.ts';
import type { Scope } from '../../api/scopes.ts';
import { lazy } from '../../base/lazy.ts';
import { withoutFields } from '../../base/without-fields.ts';
import { personPage } from './barred-operation.ts';
import { ATTACHMENTS_ARGUMENT } from './mail-files.ts';
import type { Json } from './mcp-messages.ts';
import { askedWords, WordIndex } from './operation-search.ts';
import { argumentSchema, ownAddressArgument } from './tool-arguments.ts';
import { sizeOf } from './words-of-others.ts';

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
const FOUND_MAX = 6;
/** How many results show their arguments, as far as there is room. */
const DETAILED_MAX = 3;
const DETAILED_BYTES = 4500;

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

interface Entry {
  endpoint: Endpoint;
  isCallable: boolean;
}

/** The texts of an operation, and how much their words say of it. */
function textsOf(endpoint: Endpoint, asked: string): [text: string, weight: number][] {
  const { operation, summary, tag, path, description = '' } = endpoint;
  const names = Object.keys(argumentSchema(endpoint).properties).join(' ');
  return [
    [description, 1],
    [path, 2],
    [names, 2],
    [tag, 3],
    [summary, 4],
    [asked, 4],
    [operation, 5],
  ];
}

function argumentsOf(endpoint: Endpoint): Json {
  const { properties, required } = argumentSchema(endpoint);
  const files = properties.attachments === undefined ? {} : { attachments: ATTACHMENTS_ARGUMENT };
  const own = ownAddressArgument(endpoint);
  return {
    type: 'object',
    properties: { ...withoutFields(properties, (name) => /^(x-|examples$)/.test(name)), ...files },
    required: required.filter((name) => name !== own),
  };
}

/** An operation that a person does, and where. Documents are nothing that a person does. */
const forPerson = (endpoint: Endpoint, baseUrl: string): Json => ({
  does: endpoint.summary,
  page: personPage(endpoint, baseUrl),
});

/** Finds operations by words. */
export class OperationIndex {
  /** Made for the first model that asks. */
  readonly #entries: () => readonly Entry[];
  readonly #words: () => WordIndex;

  constructor(endpoints: readonly Endpoint[], isBarredTo: (endpoint: Endpoint) => boolean) {
    this.#entries = lazy(() =>
      endpoints
        .filter(({ tag, operation }) => tag !== 'Pages' && !operation.endsWith('Alias'))
        .map((endpoint) => ({ endpoint, isCallable: !isBarredTo(endpoint) })),
    );
    this.#words = lazy(() => {
      const asked = askedWords(this.names());
      return new WordIndex(this.#entries().map(({ endpoint }) => textsOf(endpoint, asked[endpoint.operation] ?? '')));
    });
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

  /**
   * The operations that fit the words best, of those that models may call and `mayUse` accepts. Where a person does what fits
   * best, its page.
   */
  search(query: string, mayUse: (endpoint: Endpoint) => boolean, baseUrl: string): Json {
    const found = this.#words()
      .find(query)
      .map((at) => this.#entries()[at] as Entry);
    const usable = found.filter(({ endpoint, isCallable }) => isCallable && mayUse(endpoint)).slice(0, FOUND_MAX);
    let room = DETAILED_BYTES;
    const operations = usable.map(({ endpoint }, place) => {
      const given = argumentsOf(endpoint);
      const isShown = place < DETAILED_MAX && sizeOf(given) <= room;
      if (isShown) room -= sizeOf(given);
      return {
        id: endpoint.operation,
        summary: endpoint.summary,
        http: `${endpoint.method} ${endpoint.path}`,
        ...(endpoint.scope === undefined ? {} : { scope: endpoint.scope }),
        ...(isShown ? { arguments: given } : {}),
      };
    });
    const [best] = found;
    const isPersons = best !== undefined && !best.isCallable && !best.endpoint.tools && best.endpoint.auth !== 'none';
    return {
      operations,
      ...(isPersons ? { for_a_person: forPerson(best.endpoint, baseUrl) } : {}),
      details: 'GET /api?operation={id}',
    };
  }
}
