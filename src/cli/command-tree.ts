import type { EventEmitter } from 'node:events';
import { type Command, Help } from 'commander';
import { programOutput, type Terminal, usageText } from './output.ts';

/** A command without subcommands. */
export interface Leaf {
  /** Its words, without the name of the program. */
  words: string[];
  command: Command;
}

/** All commands without subcommands, in the order of the help. */
export function leavesOf(program: Command, words: readonly string[] = []): Leaf[] {
  return program.commands.flatMap((command) => {
    const path = [...words, command.name()];
    return command.commands.length > 0 ? leavesOf(command, path) : [{ words: path, command }];
  });
}

const usageOf = (command: Command): string => command.usage().replace(/^\[options\] ?/, '');

/** A command as JSON: with its arguments, what it does, and its options. */
export const describedLeaf = ({ words, command }: Leaf) => ({
  command: `${words.join(' ')} ${usageOf(command)}`.trim(),
  description: command.description(),
  options: command.options.map(({ flags }) => flags),
});

/** The words of a command, without the name of the program. */
function wordsOf(command: Command): string[] {
  return command.parent ? [...wordsOf(command.parent), command.name()] : [];
}

/** What the help of a command prints with `--json`: the command, or those below it. */
function describedHelp(command: Command) {
  const words = wordsOf(command);
  const leaves = command.commands.length > 0 ? leavesOf(command, words) : [{ words, command }];
  return { commands: leaves.map(describedLeaf) };
}

/**
 * Makes a program print to a terminal: with `--json` nothing but JSON, in its help and of wrong usage too.
 * @param overview the help of the program itself
 */
export function configureOutput(program: Command, terminal: Terminal, overview?: () => string): void {
  const output = () => programOutput(program, terminal);
  const usage = (text: string): string => {
    const message = usageText(text);
    return output().json ? `${JSON.stringify({ error: 'usage', message })}\n` : `signet: ${message}; see signet help\n`;
  };
  program
    .configureHelp({
      showGlobalOptions: true,
      formatHelp: (command, help) => {
        // Examples would follow. Commander's commands are emitters, which its types do not say.
        if (output().json) (command as unknown as EventEmitter).removeAllListeners('afterHelp');
        if (output().json) return `${JSON.stringify(describedHelp(command), null, 2)}\n`;
        const whole = command.parent === null ? overview?.() : undefined;
        return whole ?? Help.prototype.formatHelp.call(help, command, help);
      },
    })
    .configureOutput({
      writeOut: (text) => void terminal.out.write(text),
      writeErr: (text) => void terminal.err.write(text),
      outputError: (text, write) => write(usage(text)),
    });
}
