import type { TObject, TSchema } from 'typebox';
import type { Endpoint } from '../../kernel/endpoint.ts';
import { type ApiError, invalidField } from '../../kernel/errors.ts';
import { nearestWord } from '../../kernel/nearest-word.ts';
import type { Json } from './mcp-data.ts';

/** How the arguments of a tool become a call to an endpoint. */

export interface PlannedCall {
  method: string;
  url: string;
  body?: Json;
}

const namesOf = (schema: TSchema | undefined): string[] =>
  Object.keys((schema as TObject | undefined)?.properties ?? {});

/** The names of all arguments of an endpoint. */
const argumentNames = ({ params, query, body }: Endpoint): string[] => [
  ...new Set([...namesOf(params), ...namesOf(query), ...namesOf(body)]),
];

/** The refusal of an argument that does not exist. It names the one that is most like it. */
export function unknownArgument(name: string, known: readonly string[]): ApiError {
  const hint =
    known.length === 0 ? 'It takes none.' : `Did you mean ${nearestWord(name, known)}? It takes: ${known.join(', ')}.`;
  return invalidField(
    '/arguments',
    'unknown_field',
    `${JSON.stringify(name.slice(0, 100))} is not an argument. ${hint}`,
  );
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
  // A name that both have is that of the body.
  const queryNames = namesOf(endpoint.query).filter((name) => !bodyNames.includes(name));
  const known = argumentNames(endpoint);
  for (const name of Object.keys(args)) if (!known.includes(name)) throw unknownArgument(name, known);
  const path = pathOf(endpoint, args);
  const query = queryNames
    .filter((name) => args[name] !== undefined && args[name] !== null)
    .flatMap((name) => pairsOf(name, args[name]))
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
