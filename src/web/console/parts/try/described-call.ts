import { OPERATIONS, type OperationName } from '../../../../client/generated/operations.ts';
import type { Operation } from '../../../../client/operation.ts';
import type { SignetClient } from '../../../../client/signet-client.ts';

/** One operation as the API describes it, for a form that calls it. */

type Json = Readonly<Record<string, unknown>>;

/** A value of the path or the query. */
export interface Parameter {
  name: string;
  /** Its name in the input of the client. */
  input: string;
  isRequired: boolean;
  type: string;
  description: string;
  /** The values that it may have; empty for any. */
  options: readonly string[];
  /** A value to begin with; empty for none. */
  example: string;
}

export interface DescribedCall {
  name: OperationName;
  summary: string;
  description: string;
  method: string;
  path: string;
  /** `tried`: it can be tried before it changes something. `write`: it cannot. */
  kind: 'read' | 'tried' | 'write';
  parameters: readonly Parameter[];
  /** How the body goes into the input, and JSON to begin with. */
  body: { as: 'fields' | 'whole'; example: string } | null;
}

/** Whether a program can call it: not a page, nor a stream. */
export const isOperation = (name: string | undefined): name is OperationName =>
  name !== undefined && Object.hasOwn(OPERATIONS, name);

/** What an example holds in place of an id that only the caller knows. */
const PLACEHOLDER = /^[A-Z][A-Z_]+$/;
/** The person of the examples, in whose place the account stands. */
const SOMEONE = 'ada@example.com';
/** What the page itself decides. */
const COMMON = ['verbose', 'dry_run'];
/** So that nothing waits long for what may never come. */
const WAIT_SECONDS = '2';

const objectIn = (json: unknown): Json => (typeof json === 'object' && json !== null ? (json as Json) : {});

/** What stands for a reference, in the document. */
function resolved(document: Json, node: unknown): Json {
  const found = objectIn(node);
  if (typeof found.$ref !== 'string') return found;
  const parts = found.$ref.slice(2).split('/');
  return {
    ...resolved(
      document,
      parts.reduce<unknown>((at, part) => objectIn(at)[part], document),
    ),
    ...found,
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function parameterOf(document: Json, node: unknown, operation: Operation, examples: Json): Parameter {
  const { name, required, description, schema } = resolved(document, node);
  const about = resolved(document, schema);
  const given = examples[text(name)];
  const example = given === undefined || PLACEHOLDER.test(String(given)) ? '' : String(given);
  const inQuery = operation.query.find((one) => one.endsWith(`:${text(name)}`));
  return {
    name: text(name),
    input: inQuery?.split(':')[0] ?? text(name),
    isRequired: required === true,
    type: [about.type].flat().map(String).join(' or '),
    description: text(description) || text(about.description),
    options: Array.isArray(about.enum) ? about.enum.map(String) : about.type === 'boolean' ? ['true', 'false'] : [],
    example: name === 'wait' && example !== '' ? WAIT_SECONDS : example,
  };
}

/** @param own the address of the account, in place of the one of the examples; null if it has none */
export async function describeCall(
  service: SignetClient,
  name: OperationName,
  own: string | null,
): Promise<DescribedCall> {
  const operation: Operation = OPERATIONS[name];
  const { method, path } = operation;
  const document = objectIn(await service.getApiDescription({ operation: name }));
  const about = objectIn(objectIn(objectIn(document.paths)[path])[method.toLowerCase()]);
  const asText = JSON.stringify(about['x-example'] ?? {});
  const examples = objectIn(JSON.parse(own === null ? asText : asText.replaceAll(SOMEONE, own)));
  const given = { ...objectIn(examples.query), ...objectIn(examples.params) };
  const asked = (Array.isArray(about.parameters) ? about.parameters : []).filter(
    (one) => !COMMON.includes(text(resolved(document, one).name)) && resolved(document, one).in !== 'header',
  );
  return {
    name,
    summary: text(about.summary),
    description: text(about.description),
    method,
    path,
    kind: method === 'GET' ? 'read' : about['x-dry-run'] === false ? 'write' : 'tried',
    parameters: asked
      .map((one) => parameterOf(document, one, operation, given))
      .filter(({ type }) => type !== 'object'),
    body:
      operation.body === 'none' ? null : { as: operation.body, example: JSON.stringify(examples.body ?? {}, null, 2) },
  };
}

/** @throws Error with a text for people */
function readJson(typed: string): unknown {
  try {
    return JSON.parse(typed);
  } catch (err) {
    throw new Error(`The body is not JSON: ${err instanceof Error ? err.message : ''}`, { cause: err });
  }
}

/**
 * The input for the client. @param typedFor gets `body`, or `param-` and the name of a parameter
 * @throws Error with a text for people
 */
export function inputOf({ parameters, body }: DescribedCall, typedFor: (name: string) => string): object {
  const named = parameters
    .map(({ name, input }): [string, string] => [input, typedFor(`param-${name}`)])
    .filter(([, value]) => value !== '');
  if (body === null) return Object.fromEntries(named);
  const typed = typedFor('body').trim();
  const read = typed === '' ? {} : readJson(typed);
  if (body.as === 'whole') return { ...Object.fromEntries(named), body: read };
  if (typeof read !== 'object' || read === null || Array.isArray(read)) throw new Error('The body must be an object.');
  return { ...read, ...Object.fromEntries(named) };
}
