import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Argument, type Command, Option } from 'commander';
import { toBase64 } from '../../../client/encoding.ts';
import type { OperationName, OperationTypes, PagedItems } from '../../../client/generated/operations.ts';
import type { CallOptions } from '../../../client/operation.ts';
import { printable, printableLines, say } from '../../output.ts';
import { EXIT } from '../agent-failure.ts';
import { type AgentRun, addExample, addWriteOptions, collect, groupOf, parseCount, textOrInput } from '../agent-run.ts';
import { OPERATION_TABLE } from '../operation-table.ts';
import { callOptionsOf, perform } from './agent-perform.ts';
import { detailText, listText } from './agent-reply.ts';
import { addValue, canBeTried, type Field, fieldsOf, isWrite, rowOf, usage } from './operation-fields.ts';

type Input = Record<string, unknown>;
type InputOf<Name extends OperationName> = OperationTypes[Name]['input'];
type ItemOf<Name extends OperationName> = Name extends keyof PagedItems ? PagedItems[Name] : Record<string, unknown>;

/** A column of a list: a field of its items, or what is made of one. */
type Column<Item> = (keyof Item & string) | readonly [heading: string, cell: (item: Item) => string];

interface Shape<Name extends OperationName> {
  /** What it does, where the summary of the operation does not say it. */
  about?: string;
  /** The fields that are arguments, in order. */
  args?: readonly (keyof InputOf<Name> & string)[];
  /** The options of fields by another name than their own; `null`: none. */
  flags?: Partial<Record<keyof InputOf<Name> & string, string | null>>;
  /** It is a list, of which these are shown. */
  columns?: readonly Column<ItemOf<Name>>[];
  /** The field of the reply that has the list, where it has no pages. */
  items?: keyof OperationTypes[Name]['reply'] & string;
  /** The service lists the oldest first, and all at once. */
  isOldestFirst?: boolean;
  /** The reply as text. Without it, one field a line. */
  shown?: (reply: OperationTypes[Name]['reply']) => string;
  /** Changes the input before the call, for example by what this machine knows. */
  fill?: (input: InputOf<Name>) => InputOf<Name>;
  /** Changes the reply before it is printed. */
  finish?: (reply: OperationTypes[Name]['reply'], at: Finishing<Name>) => Promise<object> | object;
  /** Waits for a person, with `--wait`. */
  waits?: (run: AgentRun, reply: OperationTypes[Name]['reply']) => Promise<void>;
  example?: string;
}

interface Finishing<Name extends OperationName> {
  run: AgentRun;
  input: InputOf<Name>;
}

/** A command that is one operation. */
export interface CommandRow extends Shape<never> {
  operation: OperationName;
}

export const command = <Name extends OperationName>(operation: Name, shape: Shape<Name> = {}): CommandRow => ({
  ...(shape as object),
  operation,
});

const PAGE_MAX = 100;

const singular = (name: string): string =>
  name
    .replace(/ies$/, 'y')
    .replace(/sses$/, 'ss')
    .replace(/([^s])s$/, '$1');

/** `reply_to` is `--reply-to`, and a list is named by one of it. */
const flagOf = ({ name, kind }: Field): string => (kind === 'texts' ? singular(name) : name).replaceAll('_', '-');

function optionsOf(field: Field, flag: string): Option[] {
  const { kind, choices, isNullable } = field;
  const about = `${field.about}${isNullable ? ' (null removes it)' : ''}`.trim();
  if (kind === 'boolean') return [new Option(`--${flag}`, about), new Option(`--no-${flag}`, 'the opposite')];
  if (field.name === 'attachments') return [new Option('--attach <file>', 'a file; repeat it').argParser(collect)];
  const word = kind === 'texts' ? 'text' : kind === 'amount' ? 'usdc' : kind;
  const option = new Option(`--${flag} <${word}>`, kind === 'texts' ? `${about} (repeat it)`.trim() : about);
  if (choices.length > 0) option.choices([...choices, ...(isNullable ? ['null'] : [])]);
  if (kind === 'texts') option.argParser(collect);
  return [option.makeOptionMandatory(field.isRequired)];
}

function argumentOf({ name, kind, choices, about, isRequired }: Field): Argument {
  const word = kind === 'texts' ? `${singular(name)}...` : name.replaceAll('_', '-');
  const argument = new Argument(isRequired ? `<${word}>` : `[${word}]`, about || name.replaceAll('_', ' '));
  return choices.length > 0 ? argument.choices(choices) : argument;
}

/** A file as the API takes it. */
const attachmentOf = (path: string) => ({ filename: basename(path), content: toBase64(readFileSync(path)) });

/** Prints bytes, or writes them to a new file of their owner. */
export function sayBytes(run: AgentRun, bytes: Uint8Array, path: string | undefined): void {
  const output = run.output();
  const size_bytes = bytes.length;
  if (path !== undefined && path !== '-') {
    writeFileSync(path, bytes, { mode: 0o600, flag: 'wx' });
    say(output, { path, size_bytes }, `${printable(path)}  ${size_bytes} bytes`);
  } else if (output.json) say(output, { size_bytes, content_base64: toBase64(bytes) }, '');
  else if (output.isTerminal) throw usage('name a file with --output: these bytes are not for a terminal');
  else output.write(bytes);
}

/** Prints the reply to `call` and to the commands of the table. */
export function sayReply(run: AgentRun, reply: unknown, text: string, path?: string): void {
  const output = run.output();
  if (reply instanceof Uint8Array) sayBytes(run, reply, path);
  else if (typeof reply !== 'string' || output.json) say(output, reply, text);
  else output.write(output.isTerminal ? printableLines(reply) : reply);
}

interface Given {
  all?: boolean;
  limit?: number;
  output?: string;
  wait?: boolean;
  idempotencyKey?: string;
  dryRun?: boolean;
}

/** The entries of a list, from as many pages as it takes, in the reply of the last. */
async function listed(
  run: AgentRun,
  row: CommandRow,
  input: Input,
  { all, limit = all ? Infinity : undefined }: Given,
) {
  const { page } = rowOf(row.operation);
  const name = page?.items ?? row.items ?? '';
  const entries: object[] = [];
  let asked = input;
  for (;;) {
    const left = limit === undefined ? undefined : Math.min(limit - entries.length, PAGE_MAX);
    const reply = (await perform(run, row.operation, page && left ? { ...asked, limit: left } : asked)) as Input;
    const found = reply[name] as object[];
    entries.push(...(row.isOldestFirst ? found.toReversed() : found));
    const next = page?.next.reduce<unknown>((part, field) => (part as Input)[field], reply) ?? null;
    const isLast = next === null || reply.has_more === false || next === asked[page?.cursor ?? ''];
    if (isLast || limit === undefined || entries.length >= limit) {
      const count = reply.count === found.length ? { count: Math.min(entries.length, limit ?? Infinity) } : {};
      return { reply: { ...reply, ...count }, name, entries: entries.slice(0, limit), next: isLast ? null : next };
    }
    asked = { ...asked, [page?.cursor ?? '']: next };
  }
}

async function list(run: AgentRun, row: CommandRow, input: Input, given: Given): Promise<void> {
  const { reply, name, entries, next } = await listed(run, row, input, given);
  const { isTerminal, json } = run.output();
  const columns = (row.columns ?? []) as readonly Column<object>[];
  const shown = columns.map((column) => (typeof column === 'string' ? column : column[0]));
  const made = entries.map((entry) =>
    Object.fromEntries(
      columns.map((column) =>
        typeof column === 'string' ? [column, (entry as Input)[column]] : [column[0], column[1](entry)],
      ),
    ),
  );
  say(run.output(), { ...reply, [name]: entries }, listText(made, shown, isTerminal));
  if (next !== null && !json) run.note(`there are more: --all, or --cursor ${printable(String(next))}`);
}

async function act(run: AgentRun, row: CommandRow, given: Input, options: Given): Promise<void> {
  const { operation, fill, finish, shown, waits } = row as unknown as {
    operation: OperationName;
    fill?: (input: Input) => Input;
    finish?: (reply: object, at: object) => Promise<object>;
    shown?: (reply: object) => string;
    waits?: (run: AgentRun, reply: object) => Promise<void>;
  };
  const call: CallOptions = callOptionsOf(options);
  const input = fill?.(given) ?? given;
  if (row.columns) return list(run, row, input, options);
  const reply = (await perform(run, operation, input, call)) as object;
  if (options.wait && waits && run.exitCode === EXIT.person) return waits(run, reply);
  const finished = (await finish?.(reply, { run, input })) ?? reply;
  sayReply(run, finished, shown?.(finished) ?? detailText(finished), options.output);
}

/** The input of a command line: its arguments and options, as the fields of the operation. */
async function inputOf(run: AgentRun, added: Command, args: readonly Field[], flags: ReadonlyMap<string, Field>) {
  const input: Input = {};
  const opts = added.opts<Record<string, string | string[] | boolean>>();
  const pairs = [
    ...args.map((field, at) => [field, added.processedArgs[at]] as const),
    ...[...flags].map(([name, field]) => [field, opts[name]] as const),
  ];
  for (const [field, value] of pairs) {
    if (value === undefined) continue;
    if (field.name === 'attachments') input.attachments = (value as string[]).map(attachmentOf);
    else for (const each of [value].flat()) addValue(input, field, (await textOrInput(run, String(each))) ?? '');
  }
  return input;
}

/** Adds a command of the table to the program. */
export function addTableCommand(program: Command, run: AgentRun, path: string, row: CommandRow): void {
  const { operation } = row;
  const [word = '', ...more] = path.split(' ');
  const added = more.length > 0 ? groupOf(program, word).command(more.join(' ')) : program.command(word);
  const [summary] = OPERATION_TABLE[operation];
  added.description(row.about ?? summary.charAt(0).toLowerCase() + summary.slice(1));
  const fields = new Map(fieldsOf(operation).map((field) => [field.name, field]));
  const args = (row.args ?? []).map((name: string) => fields.get(name) as Field);
  for (const field of args) added.addArgument(argumentOf(field));
  const named: Readonly<Record<string, string | null | undefined>> = row.flags ?? {};
  const flags = new Map<string, Field>();
  for (const field of fields.values()) {
    const flag = named[field.name] === undefined ? flagOf(field) : named[field.name];
    if (args.includes(field) || typeof flag !== 'string' || (row.columns && field.name === 'limit')) continue;
    const options = optionsOf(field, flag);
    for (const option of options) added.addOption(option);
    flags.set((options[0] as Option).attributeName(), field);
  }
  if (row.columns)
    added
      .option('--limit <n>', 'at most this many', parseCount)
      .option('--all', 'all of them, from as many calls as it takes');
  if (rowOf(operation).reply === 'bytes') added.option('--output <file>', 'write it to this new file');
  if (row.waits) added.option('--wait', 'if a person must decide first, wait until that is done');
  if (isWrite(operation))
    addWriteOptions(added, {
      isTried: canBeTried(operation),
      repeats: ['POST', 'PUT'].includes(rowOf(operation).method),
    });
  if (row.example !== undefined) addExample(added, row.example);
  added.action(async () => act(run, row, await inputOf(run, added, args, flags), added.opts<Given>()));
}
