import { buffer } from 'node:stream/consumers';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { SignetClient } from '../../client/signet-client.ts';
import type { Output } from '../output.ts';
import type { AgentSession } from './agent-session.ts';

/** What an agent's command works with. */
export interface AgentRun {
  session: AgentSession;
  output(): Output;
  /** A line on stderr, beside the result. */
  note(line: string): void;
  input: NodeJS.ReadableStream;
  client(): SignetClient;
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

/** For options that may be repeated. */
export const collect = (value: string, previous: string[] | undefined): string[] => [...(previous ?? []), value];
