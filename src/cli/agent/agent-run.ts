import { buffer } from 'node:stream/consumers';
import { type Command, InvalidArgumentError } from 'commander';
import type { SignetClient } from '../../client/signet-client.ts';
import type { Output } from '../output.ts';
import { AGENT_COMMANDS } from './agent-commands.ts';
import type { AgentSession } from './agent-session.ts';

/** What an agent's command works with. */
export interface AgentRun {
  session: AgentSession;
  output(): Output;
  /** A line on stderr, beside the result. */
  note(line: string): void;
  input: NodeJS.ReadableStream;
  /** With the key of the agent. @throws AgentCommandError without a key */
  client(): SignetClient;
  /** With the key of the agent if there is one: some calls need none. */
  caller(): SignetClient;
  /** `--dry-run`: the service says what would happen, and does nothing. */
  isDry: boolean;
  /** Where a new key was stored in the place of the one that it replaces. */
  keyPath: string | null;
  exitCode: number;
}

export type AddCommands = (program: Command, run: AgentRun) => void;

/** The text of an option, or of stdin for `-`. */
export const textOrInput = async (run: AgentRun, given: string | undefined): Promise<string | undefined> =>
  given === '-' ? (await buffer(run.input)).toString('utf8').replace(/\r?\n$/, '') : given;

export function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d{1,6}$/.test(text) || count < 1) throw new InvalidArgumentError('It must be a number of at least 1.');
  return count;
}

export function parseNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a number.');
  return Number(text);
}

/** For options that may be repeated. */
export const collect = (value: string, previous: string[] | undefined): string[] => [...(previous ?? []), value];

/** The command that has subcommands, made when it is first asked for. */
export function groupOf(program: Command, word: string): Command {
  const known = program.commands.find((command) => command.name() === word);
  const about = (AGENT_COMMANDS as Readonly<Record<string, string>>)[word] ?? '';
  return known ?? program.command(word).description(about).helpCommand(false);
}

/** Adds the options of a command that changes something. */
export const addWriteOptions = (command: Command, { isTried = true, repeats = true } = {}): Command => {
  if (isTried) command.option('--dry-run', 'say what would happen, and change nothing');
  return repeats
    ? command.option('--idempotency-key <key>', 'repeat the command with the same key: it is done once')
    : command;
};

/** Adds an example to the help of a command. */
export const addExample = (command: Command, example: string): Command =>
  command.addHelpText('after', `\nExample: ${example}`);
