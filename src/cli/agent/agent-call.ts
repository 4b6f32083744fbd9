import type { OperationName } from '../../client/generated/operations.ts';
import { printableLines, say, table } from '../output.ts';
import { type AddCommands, type AgentRun, addWriteOptions, textOrInput } from './agent-run.ts';
import { OPERATION_TABLE } from './operation-table.ts';
import { callOptionsOf, perform } from './table/agent-perform.ts';
import { addValue, type Field, fieldsOf, kindText, usage } from './table/operation-fields.ts';
import { sayReply } from './table/table-command.ts';

/** The pairs of `--field value` and `--field=value`. A boolean field needs no value. */
function pairsOf(args: readonly string[], find: (name: string) => Field): [Field, string][] {
  const pairs: [Field, string][] = [];
  for (let at = 0; at < args.length; at++) {
    const found = /^--([A-Za-z_][\w.-]*)(?:=([\s\S]*))?$/.exec(args[at] as string);
    if (!found) throw usage(`${JSON.stringify(args[at])} is not a field; write --field value`);
    const [, name = '', inline] = found;
    const field = find(name);
    const next = args[at + 1];
    if (inline !== undefined) pairs.push([field, inline]);
    else if (field.kind === 'boolean' && (next === undefined || next.startsWith('--'))) pairs.push([field, 'true']);
    else if (next === undefined) throw usage(`--${name} needs a value`);
    else {
      pairs.push([field, next]);
      at += 1;
    }
  }
  return pairs;
}

async function inputOf(run: AgentRun, operation: OperationName, args: readonly string[]): Promise<object> {
  const fields = fieldsOf(operation);
  const find = (name: string): Field => {
    const found = fields.find((field) => field.name === name);
    if (found) return found;
    throw usage(`${operation} has no field ${name}; it has ${fields.map((field) => field.name).join(', ') || 'none'}`);
  };
  const input: Record<string, unknown> = {};
  for (const [field, given] of pairsOf(args, find)) addValue(input, field, (await textOrInput(run, given)) ?? '');
  const missing = fields.filter(({ name, isRequired }) => isRequired && !(name in input));
  if (missing.length > 0) throw usage(`${operation} needs --${missing.map(({ name }) => name).join(', --')}`);
  return input;
}

function operationNamed(name: string): OperationName {
  if (Object.hasOwn(OPERATION_TABLE, name)) return name as OperationName;
  const near = Object.keys(OPERATION_TABLE).filter((known) => known.toLowerCase().includes(name.toLowerCase()));
  const hint = near.length > 0 ? `do you mean ${near.slice(0, 5).join(', ')}?` : 'signet operations lists all';
  throw usage(`there is no operation ${name}; ${hint}`);
}

const describedOperation = (operation: OperationName) => ({
  operation,
  summary: OPERATION_TABLE[operation][0],
  fields: Object.fromEntries(fieldsOf(operation).map((field) => [field.name, kindText(field)])),
});

/** The fields of an operation, those that it needs first. */
function helpText(operation: OperationName): string {
  const fields = fieldsOf(operation).toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired));
  const rows = fields.map((field) => {
    const { name, kind, choices, isRequired, isNullable, about } = field;
    const value = choices.length > 0 ? choices.join('|') : kind;
    const notes = [...(isRequired ? ['needed'] : []), ...(isNullable ? ['may be null'] : [])].join(', ');
    return [`  --${name} <${value}>`, [notes, about].filter((part) => part !== '').join('. ')];
  });
  const shown = rows.length > 0 ? `Fields:\n${table(rows)}` : 'It has no fields.';
  return `Usage: signet call ${operation} [--field value]...\n\n${OPERATION_TABLE[operation][0]}\n\n${shown}`;
}

interface CallCommandOptions {
  idempotencyKey?: string;
  dryRun?: boolean;
  output?: string;
}

async function call(run: AgentRun, name: string, args: readonly string[], options: CallCommandOptions): Promise<void> {
  const operation = operationNamed(name);
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    const { fields, ...described } = describedOperation(operation);
    return say(run.output(), { ...described, fields }, helpText(operation));
  }
  const input = await inputOf(run, operation, args);
  const reply = await perform(run, operation, input, callOptionsOf(options));
  sayReply(run, reply, printableLines(JSON.stringify(reply, null, 2)), options.output);
}

/** `call`, `operations`. */
export const addCallCommands: AddCommands = (program, run) => {
  const added = addWriteOptions(program.command('call <operation> [fields...]'))
    .description('call any operation of the API by its name; with --help, show its fields')
    .option('--output <file>', 'write bytes to this new file')
    .allowUnknownOption()
    // The help is that of the operation.
    .helpOption(false)
    .usage('<operation> [--field value]...');
  added
    .addHelpText(
      'after',
      '\nRepeat a field that is a list. JSON fields take JSON; - reads a value from stdin.' +
        '\nExample: signet call createObservation --topic weather --content "Rain in Oslo" --shared',
    )
    .action((operation: string, fields: string[], options: CallCommandOptions) => {
      if (operation === '--help' || operation === '-h') return added.outputHelp();
      return call(run, operation, fields, options);
    });
  program
    .command('operations [words...]')
    .description('list the operations for signet call, and their fields; ! marks a required one')
    .action((words: string[]) => {
      const names = (Object.keys(OPERATION_TABLE) as OperationName[]).filter((name) =>
        words.every((word) => `${name} ${OPERATION_TABLE[name][0]}`.toLowerCase().includes(word.toLowerCase())),
      );
      const rows = names.map((name) => [
        name,
        OPERATION_TABLE[name][0],
        fieldsOf(name)
          .map((field) => `${field.name}${field.isRequired ? '!' : ''}`)
          .join(' '),
      ]);
      say(run.output(), { operations: names.map(describedOperation) }, table(rows));
    });
};
