import type { TSchema } from 'typebox';
import type { Endpoint } from '../../src/api/endpoint.ts';
import type { TestApp } from '../support/harness.ts';
import { kindHeaders, send, type WireReply, type WireRequest } from './contract-client.ts';
import { accessAndMailSamples } from './samples/access-and-mail.ts';
import { budgetSamples } from './samples/budgets.ts';
import { calendarSamples } from './samples/calendar.ts';
import { credentialSamples } from './samples/credentials.ts';
import { delegationSamples } from './samples/delegations.ts';
import { grantSamples } from './samples/grants.ts';
import { mcpSamples } from './samples/mcp.ts';
import { passkeySamples } from './samples/passkeys.ts';
import { peopleSamples } from './samples/people.ts';
import { podSamples } from './samples/pods.ts';
import { pushSamples } from './samples/push.ts';
import { reviewSamples } from './samples/reviews.ts';
import { by, type Prepare, type Sample } from './samples/sample.ts';
import { tokenSamples } from './samples/tokens.ts';
import { trustSamples } from './samples/trust.ts';
import { vaultSamples } from './samples/vault.ts';

export type { Sample };

/**
 * A valid request for every endpoint of the table, each with its own state. So the tests over the whole table (contract,
 * fuzz, audit) need not know any endpoint. An endpoint that works with a new account and the required fields needs no
 * entry here. An endpoint that needs more state gets an entry under its operation, in the file of its area in
 * `test/contract/samples/`.
 */

const SAMPLES: Record<string, Prepare> = {
  ...accessAndMailSamples,
  ...budgetSamples,
  ...passkeySamples,
  ...peopleSamples,
  ...podSamples,
  ...pushSamples,
  ...reviewSamples,
  ...vaultSamples,
  ...trustSamples,
  ...tokenSamples,
  ...calendarSamples,
  ...credentialSamples,
  ...delegationSamples,
  ...mcpSamples,
  ...grantSamples,
};

/** The operations with an entry. */
export const preparedOperations = (): string[] => Object.keys(SAMPLES);

interface Node {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Node[];
  default?: unknown;
  examples?: unknown[];
  format?: string;
  minLength?: number;
  minimum?: number;
  minItems?: number;
  items?: Node;
  properties?: Record<string, Node>;
  required?: string[];
}

const FORMATS: Record<string, string> = {
  'date-time': '2026-01-14T12:00:00Z',
  email: 'ada@example.com',
  uri: 'https://example.com/',
};

/** The simplest value that fits a schema; for an object, only the required fields. */
function plainValue(node: Node): unknown {
  const given = node.examples?.[0] ?? node.const ?? node.default ?? node.enum?.[0];
  if (given !== undefined) return given;
  if (node.anyOf) return plainValue(node.anyOf[0] as Node);
  switch (node.type) {
    case 'string':
      return FORMATS[node.format ?? ''] ?? 'sample'.padEnd(node.minLength ?? 0, 'e');
    case 'integer':
    case 'number':
      return node.minimum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return Array.from({ length: node.minItems ?? 0 }, () => plainValue(node.items ?? {}));
    case 'object':
      return Object.fromEntries(
        (node.required ?? []).map((name) => [name, plainValue(node.properties?.[name] as Node)]),
      );
    default:
      return null;
  }
}

/** Fills the parameters of `path` from their schemas and adds the required query parameters. */
function plainPath(endpoint: Endpoint): string {
  const textFor = (schema: TSchema | undefined): string =>
    encodeURIComponent(String(plainValue((schema ?? {}) as Node)));
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_all, name: string) => textFor(endpoint.params?.properties[name]));
  const required = (endpoint.query?.required ?? []) as string[];
  const query = required.map((name) => `${name}=${textFor(endpoint.query?.properties[name])}`).join('&');
  return query === '' ? path : `${path}?${query}`;
}

/** Makes a valid request of the endpoint, and the state that it needs. */
export async function sampleOf(endpoint: Endpoint, t: TestApp): Promise<Sample> {
  const prepared = (await SAMPLES[endpoint.operation]?.(t)) ?? {};
  const path = prepared.path ?? plainPath(endpoint);
  const fallbackBody = endpoint.body ? { body: plainValue(endpoint.body as Node) } : {};
  const account =
    endpoint.auth === 'none' || prepared.key !== undefined
      ? { key: null, accountId: null }
      : by(await t.createAccount());
  return { path, ...account, ...(endpoint.method === 'GET' ? {} : fallbackBody), ...prepared };
}

/** A sample as a request on the wire. */
export const wireOf = (endpoint: Endpoint, sample: Sample): WireRequest => ({
  method: endpoint.method,
  path: sample.path,
  key: sample.key,
  headers: { ...kindHeaders(endpoint), ...sample.headers },
  ...(sample.body === undefined ? {} : { body: sample.body }),
});

export const sendSample = (t: TestApp, endpoint: Endpoint, sample: Sample): Promise<WireReply> =>
  send(t.baseUrl, wireOf(endpoint, sample));

/** Throws if the reply is not a declared success of the endpoint. */
export function requireSuccess(endpoint: Endpoint, reply: WireReply): void {
  if (reply.status in endpoint.replies && reply.status < 400) return;
  const { operation, method, path } = endpoint;
  throw new Error(
    `${method} ${path} has no working sample: it was answered ${reply.status} ${JSON.stringify(reply.body).slice(0, 300)}. ` +
      `Give "${operation}" an entry in test/contract/sample-requests.ts that prepares what it needs.`,
  );
}

/** The name of an endpoint in test names, with method and path. */
export const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

export interface Prepared {
  endpoint: Endpoint;
  sample: Sample;
}

const BATCH = 8;
/** What a sample is given, such as a ticket, lasts longer. */
const SHORT_MS = 10_000;

/**
 * Prepares a few endpoints at a time. So what takes long, such as to read a whole database before and after, is done once
 * for all of them.
 */
export async function* inBatches<T>(
  t: TestApp,
  endpoints: readonly Endpoint[],
  prepare: (endpoint: Endpoint) => Promise<T>,
): AsyncGenerator<T[]> {
  for (let i = 0; i < endpoints.length; i += BATCH) {
    const batch = new Map<Endpoint, T>();
    const slow = new Set<Endpoint>();
    for (const endpoint of endpoints.slice(i, i + BATCH)) {
      const begun = t.clock.now();
      batch.set(endpoint, await prepare(endpoint));
      if (t.clock.now() - begun > SHORT_MS) slow.add(endpoint);
    }
    // What was prepared before the clock moved on may be over.
    if (slow.size > 0)
      for (const endpoint of batch.keys()) if (!slow.has(endpoint)) batch.set(endpoint, await prepare(endpoint));
    yield [...batch.values()];
  }
}

/** The same with the sample of each. */
export const sampleBatches = (t: TestApp, endpoints: readonly Endpoint[]): AsyncGenerator<Prepared[]> =>
  inBatches(t, endpoints, async (endpoint) => ({ endpoint, sample: await sampleOf(endpoint, t) }));

/** The names of the endpoints of a batch. */
export const namesOf = (batch: readonly { endpoint: Endpoint }[]): string =>
  batch.map(({ endpoint }) => nameOf(endpoint)).join(', ');
