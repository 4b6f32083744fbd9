import { OPERATIONS, type OperationName } from '../../../client/generated/operations.ts';
import type { Operation } from '../../../client/operation.ts';
import { AgentCommandError, EXIT } from '../agent-failure.ts';
import { OPERATION_TABLE } from '../operation-table.ts';

/** A field of an operation's input, for a command line. */
export interface Field {
  name: string;
  kind: string;
  /** The values it may have, if these are few. */
  choices: readonly string[];
  isRequired: boolean;
  isNullable: boolean;
  about: string;
}

export const usage = (message: string): AgentCommandError => new AgentCommandError(EXIT.usage, message);

/** The row of an operation. Callers may name any: the row is typed by its name alone. */
export const rowOf = (operation: OperationName): Operation => OPERATIONS[operation];

/** Whether an operation changes something. */
export const isWrite = (operation: OperationName): boolean => rowOf(operation).method !== 'GET';

/** Whether the service can say what an operation would do. */
export const canBeTried = (operation: OperationName): boolean => OPERATION_TABLE[operation][2] === 1;

const FIELD = /^(\w+)(?:\(([^)]*)\))?(\??)(!?) ?([\s\S]*)$/;

function readField(operation: OperationName, name: string, text: string): Field {
  const [, kind = 'text', choices = '', nullable = '', required = '', about = ''] = FIELD.exec(text) ?? [];
  return {
    name,
    kind,
    choices: choices === '' ? [] : choices.split('|'),
    // The only address of the account is filled in.
    isRequired: required !== '' && rowOf(operation).own !== name,
    isNullable: nullable !== '',
    about,
  };
}

export const fieldsOf = (operation: OperationName): Field[] =>
  Object.entries(OPERATION_TABLE[operation][1]).map(([name, text]) => readField(operation, name, text));

/** Its kind, with the marks of `signet operations`: `!` for a required field, `?` for one that may be null. */
export const kindText = ({ kind, isNullable, isRequired }: Field): string =>
  `${kind}${isNullable ? '?' : ''}${isRequired ? '!' : ''}`;

const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
]);

/** One value of a field, as its kind says. `null` is null where the field may be that. @throws AgentCommandError */
function parseField({ name, kind, isNullable }: Field, text: string): unknown {
  if (isNullable && text === 'null') return null;
  const refuse = (wants: string): never => {
    throw usage(`--${name} is ${JSON.stringify(text)}; it must be ${wants}`);
  };
  switch (kind) {
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : refuse('a whole number');
    case 'number':
      return text !== '' && Number.isFinite(Number(text)) ? Number(text) : refuse('a number');
    case 'boolean':
      return BOOLEANS.get(text) ?? refuse('true or false');
    case 'amount':
      return /^\d{1,15}\.\d{1,6}$/.test(text) ? text : refuse('USDC with a point, such as 3.00');
    case 'json':
      try {
        return JSON.parse(text);
      } catch {
        return refuse('JSON');
      }
    default:
      return text;
  }
}

/** Adds a value to an input: to a list, or as the only one. @throws AgentCommandError */
export function addValue(input: Record<string, unknown>, field: Field, text: string): void {
  const { name, kind } = field;
  const value = parseField(field, text);
  if (kind === 'texts' && value !== null) input[name] = [...((input[name] as unknown[]) ?? []), value];
  else if (name in input) throw usage(`--${name} is given twice`);
  else input[name] = value;
}

const quoted = (text: string): string => (/^[\w@.:/+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** The command that makes a call which the service names: its operation, its path with the parameters, and its body. */
export function callText({ operation, path, body = {} }: { operation: string; path: string; body?: object }): string {
  if (!Object.hasOwn(OPERATIONS, operation)) return operation;
  const parts = rowOf(operation as OperationName).path.split('/');
  const given = (path.split('?')[0] ?? '').split('/');
  const inPath = parts.flatMap((part, at) =>
    part.startsWith('{') ? [[part.slice(1, -1), decodeURIComponent(given[at] ?? '')]] : [],
  );
  const inQuery = [...new URLSearchParams(path.split('?')[1])];
  const inBody = Object.entries(body).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, typeof each === 'string' ? each : JSON.stringify(each)]),
  );
  const pairs = [...inPath, ...inQuery, ...inBody].map(([name = '', value = '']) => `--${name} ${quoted(value)}`);
  return ['signet call', operation, ...pairs].join(' ');
}
