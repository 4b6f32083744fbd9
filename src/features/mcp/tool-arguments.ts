import type { TObject, TSchema } from 'typebox';
import type { Endpoint } from '../../api/endpoint.ts';
import { ApiError, invalidField } from '../../api/errors.ts';
import { suggestField } from '../../api/suggestions.ts';
import type { Json } from './mcp-messages.ts';

/** How the arguments of a tool become a call to an endpoint. */

export interface PlannedCall {
  method: string;
  url: string;
  body?: Json;
}

const namesOf = (schema: TSchema | undefined): string[] =>
  Object.keys((schema as TObject | undefined)?.properties ?? {});

/** The query parameters by the names of their arguments. One that the body has too is `query_…`, as in the clients. */
function queryArguments({ query, body }: Endpoint): [argument: string, name: string][] {
  const inBody = namesOf(body);
  return namesOf(query).map((name) => [inBody.includes(name) ? `query_${name}` : name, name]);
}

/** The schema of all arguments of an endpoint. */
export function argumentSchema(endpoint: Endpoint): { properties: Json; required: string[] } {
  const { params, query } = endpoint;
  const body = endpoint.body as TObject | undefined;
  const inQuery = queryArguments(endpoint);
  const asked = new Map(inQuery.map(([argument, name]) => [name, argument]));
  return {
    properties: {
      ...params?.properties,
      ...Object.fromEntries(inQuery.map(([argument, name]) => [argument, query?.properties[name]])),
      ...body?.properties,
    },
    required: [
      ...(params?.required ?? []),
      ...(query?.required ?? []).map((name) => asked.get(name) ?? name),
      ...(body?.required ?? []),
    ],
  };
}

/** The argument that is the account's only address unless given. Null: the endpoint needs none. */
export function ownAddressArgument({ path, query, body, scope }: Endpoint): 'address' | 'from' | null {
  if (query?.required?.includes('address') || path.startsWith('/v1/inbox/{address}')) return 'address';
  return scope === 'mail:send' && (body as TObject | undefined)?.required?.includes('from') ? 'from' : null;
}

/** The refusal of an argument that does not exist. It names the one that was probably meant. */
export function unknownArgument(given: string, known: readonly string[]): ApiError {
  const name = given.slice(0, 100);
  const suggestion = suggestField(name, known);
  const meant = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
  const takes = known.length === 0 ? 'It takes none.' : `It takes: ${known.join(', ')}.`;
  const message = `${JSON.stringify(name)} is not an argument.${meant} ${takes}`;
  const fault = { path: `/arguments/${name}`, code: 'unknown_field', message };
  return new ApiError('invalid_request', {
    message,
    ...(suggestion === undefined ? {} : { fields: { suggestion } }),
    details: [suggestion === undefined ? fault : { ...fault, suggestion }],
  });
}

function plainText(name: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw invalidField(`/arguments/${name}`, 'wrong_type', `${name} must be a text, a number, true or false.`);
}

/** A query parameter as it is written. The members of an object become `name.member=value`. */
function pairsOf(name: string, value: unknown): string[] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.entries(value).flatMap(([member, each]) => pairsOf(`${name}.${member}`, each));
  return [`${encodeURIComponent(name)}=${encodeURIComponent(plainText(name, value))}`];
}

function pathOf(endpoint: Endpoint, args: Json): string {
  return endpoint.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    if (args[name] === undefined) throw invalidField(`/arguments/${name}`, 'required', `${name} is required.`);
    const text = plainText(name, args[name]);
    // A URL drops `.` and `..` as steps of its path (RFC 3986 5.2.4): they would reach another endpoint.
    if (text === '' || text === '.' || text === '..')
      throw invalidField(`/arguments/${name}`, 'invalid_format', `${name} cannot be ${JSON.stringify(text)}.`);
    return encodeURIComponent(text);
  });
}

/**
 * Spreads arguments over the path, the query and the body of an endpoint, by their names.
 * @throws ApiError `invalid_request` for one that does not exist or does not fit a path
 */
export function planCall(endpoint: Endpoint, args: Json): PlannedCall {
  const bodyNames = namesOf(endpoint.body);
  const known = Object.keys(argumentSchema(endpoint).properties);
  for (const name of Object.keys(args)) if (!known.includes(name)) throw unknownArgument(name, known);
  const path = pathOf(endpoint, args);
  const query = queryArguments(endpoint)
    .filter(([argument]) => args[argument] !== undefined && args[argument] !== null)
    .flatMap(([argument, name]) => pairsOf(name, args[argument]))
    .join('&');
  const body = Object.fromEntries(
    bodyNames.filter((name) => args[name] !== undefined).map((name) => [name, args[name]]),
  );
  return {
    method: endpoint.method,
    url: query === '' ? path : `${path}?${query}`,
    ...(endpoint.method === 'GET' ? {} : { body }),
  };
}
