import { OPERATIONS, type OperationName } from '../../client/generated/operations.ts';
import type { CallOptions, Operation } from '../../client/operation.ts';
import type { SignetClient } from '../../client/signet-client.ts';
import { printableLines, say, table } from '../output.ts';
import { AgentCommandError, EXIT } from './agent-failure.ts';
import { type AddCommands, type AgentRun, textOrInput } from './agent-run.ts';
import { type FieldKind, OPERATION_TABLE } from './operation-table.ts';

const usage = (message: string): AgentCommandError => new AgentCommandError(EXIT.usage, message);

const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
]);

/** One value of a field, as its kind says. @throws AgentCommandError */
function parsed(field: string, kind: FieldKind, text: string): unknown {
  const refuse = (wants: string): never => {
    throw usage(`--${field} is ${JSON.stringify(text)}; it must be ${wants}`);
  };
  switch (kind) {
    case 'text':
    case 'texts':
      return text;
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
  }
}

/** The pairs of `--field value` and `--field=value`. A boolean field needs no value. */
function pairsOf(args: readonly string[], kindOf: (field: string) => string): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < args.length; at++) {
    const found = /^--([A-Za-z_][\w.-]*)(?:=([\s\S]*))?$/.exec(args[at] as string);
    if (!found) throw usage(`${JSON.stringify(args[at])} is not a field; write --field value`);
    const [, field = '', inline] = found;
    const next = args[at + 1];
    if (inline !== undefined) pairs.push([field, inline]);
    else if (kindOf(field).startsWith('boolean') && (next === undefined || next.startsWith('--')))
      pairs.push([field, 'true']);
    else if (next === undefined) throw usage(`--${field} needs a value`);
    else {
      pairs.push([field, next]);
      at += 1;
    }
  }
  return pairs;
}

async function inputOf(run: AgentRun, operation: OperationName, args: readonly string[]): Promise<object> {
  const [, fields] = OPERATION_TABLE[operation];
  const kindOf = (field: string): string => {
    const kind = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (kind !== undefined) return kind;
    throw usage(`${operation} has no field ${field}; it has ${Object.keys(fields).join(', ') || 'none'}`);
  };
  const input: Record<string, unknown> = {};
  for (const [field, given] of pairsOf(args, kindOf)) {
    const kind = kindOf(field);
    const text = (await textOrInput(run, given)) ?? '';
    const isNull = text === 'null' && kind.includes('?');
    const value = isNull ? null : parsed(field, kind.replace(/[!?]/g, '') as FieldKind, text);
    if (kind.startsWith('texts') && value !== null) input[field] = [...((input[field] as unknown[]) ?? []), value];
    else if (field in input) throw usage(`--${field} is given twice`);
    else input[field] = value;
  }
  const { own }: Operation = OPERATIONS[operation];
  const isMissing = (field: string): boolean => !(field in input) && own !== field;
  const missing = Object.keys(fields).filter((field) => fields[field]?.endsWith('!') && isMissing(field));
  if (missing.length > 0) throw usage(`${operation} needs --${missing.join(', --')}`);
  return input;
}

type Method = (input: object, options: CallOptions) => Promise<unknown>;

/** The method of an operation in its group, which fills in the only address of the account. */
function methodOf(client: SignetClient, operation: OperationName): Method {
  const { group, name } = OPERATIONS[operation];
  return (client[group] as unknown as Record<string, Method>)[name] as Method;
}

async function call(run: AgentRun, name: string, args: readonly string[], options: CallOptions): Promise<void> {
  if (!Object.hasOwn(OPERATIONS, name)) {
    const near = Object.keys(OPERATIONS).filter((known) => known.toLowerCase().includes(name.toLowerCase()));
    const hint = near.length > 0 ? `do you mean ${near.slice(0, 5).join(', ')}?` : 'signet operations lists all';
    throw usage(`there is no operation ${name}; ${hint}`);
  }
  const operation = name as OperationName;
  const input = await inputOf(run, operation, args);
  const client = run.session.hasKey() ? run.client() : run.session.stranger();
  const body = await methodOf(client, operation)(input, options);
  if (body instanceof Uint8Array) return run.output().write(body);
  const { isTerminal } = run.output();
  if (typeof body === 'string') return run.output().write(isTerminal ? printableLines(body) : body);
  say(run.output(), body, printableLines(JSON.stringify(body, null, 2)));
}

/** `call`, `operations`. */
export const addCallCommands: AddCommands = (program, run) => {
  program
    .command('call <operation> [fields...]')
    .description('call any operation of the API by its name; prints the reply')
    .option('--idempotency-key <key>', 'repeat the command with the same key: it changes something once')
    .allowUnknownOption()
    .usage('<operation> [--field value]...')
    .addHelpText(
      'after',
      '\nRepeat a field that is a list. JSON fields take JSON; - reads a value from stdin.' +
        '\nExample: signet call createObservation --topic weather --content "Rain in Oslo" --shared',
    )
    .action((operation: string, fields: string[], options: CallOptions) => call(run, operation, fields, options));
  program
    .command('operations [words...]')
    .description('list the operations for signet call, and their fields; ! marks a required one')
    .action((words: string[]) => {
      const found = Object.entries(OPERATION_TABLE).filter(([name, [summary]]) =>
        words.every((word) => `${name} ${summary}`.toLowerCase().includes(word.toLowerCase())),
      );
      const rows = found.map(([name, [summary, fields]]) => [
        name,
        summary,
        Object.entries(fields)
          .map(([field, kind]) => `${field}${kind.endsWith('!') ? '!' : ''}`)
          .join(' '),
      ]);
      const operations = found.map(([operation, [summary, fields]]) => ({ operation, summary, fields }));
      say(run.output(), { operations }, table(rows));
    });
};
