import { Command, CommanderError } from 'commander';
import { RELEASE } from '../../base/version.ts';
import { AGENT_COMMANDS } from '../agent/agent-commands.ts';
import { CommandError, failureOf, programOutput, say, type Terminal, table, usageText } from '../output.ts';
import { addAccountCommands } from './account-commands.ts';
import { addAuditCommands } from './audit-commands.ts';
import { addBackupCommands } from './backup-commands.ts';
import type { AdminRun } from './command-context.ts';
import { addMailCommands } from './mail-commands.ts';
import { addMasterKeyCommands } from './master-key-commands.ts';
import { addServiceCommands } from './service-commands.ts';
import { addSigningKeyCommands } from './signing-key-commands.ts';

/** All commands without subcommands, by full name. */
function leaves(command: Command, path: string): { command: string; description: string; options: string[] }[] {
  return command.commands.flatMap((child) => {
    const name = `${path} ${child.name()}`.trim();
    if (child.commands.length > 0) return leaves(child, name);
    const usage = child.usage().replace(/^\[options\] ?/, '');
    const options = child.options.map(({ flags }) => flags);
    return [{ command: `${name} ${usage}`.trim(), description: child.description(), options }];
  });
}

const agentsHelp = (): string =>
  table(Object.entries(AGENT_COMMANDS).map(([name, description]) => ['', name, description]));

function addHelpCommand(program: Command, run: AdminRun, terminal: Terminal): void {
  program.helpCommand(false);
  program
    .command('help [command...]')
    .description('show this help, or the help of a command')
    .action(async (names: string[]) => {
      if (run.output().json) {
        // Loaded here alone: no other command needs the client.
        const { agentProgram } = await import('../agent/agent-cli.ts');
        const commands = [...leaves(program, ''), ...leaves(agentProgram(terminal), '')];
        return say(run.output(), { commands }, '');
      }
      let asked = program;
      for (const name of names) {
        const child = asked.commands.find((command) => command.name() === name);
        if (!child)
          throw new CommandError(2, `there is no command ${names.join(' ')}; run signet help to list all commands`);
        asked = child;
      }
      asked.outputHelp();
    });
}

/** In the order of the help. */
const COMMANDS = [
  addServiceCommands,
  addBackupCommands,
  addAccountCommands,
  addAuditCommands,
  addSigningKeyCommands,
  addMasterKeyCommands,
  addMailCommands,
];

function buildProgram(terminal: Terminal, run: AdminRun): Command {
  const program = new Command('signet')
    .description('Identity for AI agents: the service and its operator’s tools.')
    .version(RELEASE, '--version')
    .option('--json', 'print JSON')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void terminal.out.write(text),
      writeErr: (text) => void terminal.err.write(text),
      outputError: (text, write) => write(`signet: ${usageText(text)}; see signet help\n`),
    })
    .addHelpText(
      'after',
      () => `\nFor agents (signet help mail, …):\n${agentsHelp()}\n\nThe commands above also go by signet admin …\n`,
    )
    .exitOverride();
  for (const add of COMMANDS) add(program, run);
  addHelpCommand(program, run, terminal);
  return program;
}

/**
 * Runs one of the administrator's commands. @returns the exit code: 0 success, 1 failure or not found, 2 wrong usage or
 * configuration
 */
export async function runAdministration(
  args: readonly string[],
  terminal: Terminal = { out: process.stdout, err: process.stderr },
): Promise<number> {
  const run: AdminRun = {
    exitCode: 0,
    warn: (line) => void terminal.err.write(`signet: ${line}\n`),
    output: () => programOutput(program, terminal),
  };
  const program = buildProgram(terminal, run);
  try {
    // Without arguments, show the help.
    await program.parseAsync(args.some((arg) => arg !== '--json') ? args : ['help', ...args], { from: 'user' });
    return run.exitCode;
  } catch (err) {
    // Commander has already printed the error.
    if (err instanceof CommanderError) return err.exitCode === 0 ? 0 : 2;
    const { exitCode, line } = failureOf(err);
    run.warn(line);
    return exitCode;
  }
}
