import { Argument, Command, CommanderError } from 'commander';
import { RELEASE } from '../../base/version.ts';
import { AGENT_COMMANDS } from '../agent/agent-commands.ts';
import { configureOutput, describedLeaf, leavesOf } from '../command-tree.ts';
import { completionScript, SHELLS, type Shell } from '../completion.ts';
import { CommandError, failureOf, programOutput, say, type Terminal, table } from '../output.ts';
import { addAccountCommands } from './account-commands.ts';
import { addAuditCommands } from './audit-commands.ts';
import { addBackupCommands } from './backup-commands.ts';
import type { AdminRun } from './command-context.ts';
import { addMailCommands } from './mail-commands.ts';
import { addMasterKeyCommands } from './master-key-commands.ts';
import { addServiceCommands } from './service-commands.ts';
import { addSigningKeyCommands } from './signing-key-commands.ts';

/** Loaded here alone: no other command needs the client. */
const agents = async (terminal: Terminal): Promise<Command> =>
  (await import('../agent/agent-cli.ts')).agentProgram(terminal);

/** The commands that are about all others. */
const OF_ALL = ['help', 'completion'];

/** The agents' commands come first: an administrator reads this page once. */
function overview(program: Command): string {
  const ofAgents = Object.entries(AGENT_COMMANDS).map(([name, about]) => ['', name, about]);
  const others = program.commands.map((command) => ['', command.name(), command.description()]);
  const isOfAll = ([, name = '']: string[]): boolean => OF_ALL.includes(name);
  return [
    'Usage: signet [--json] <command>',
    'Identity for AI agents: mail, secrets, money and tokens, and the service itself.',
    `For agents:\n${table([...ofAgents, ...others.filter(isOfAll)])}`,
    `For administrators, also by signet admin <command>:\n${table(others.filter((row) => !isOfAll(row)))}`,
    'signet help <command> shows its options. Exit codes: 0 done, 1 fault or not in time, 2 wrong usage,\n3 not logged in, 4 unreachable, 5 refused, 6 waits for a person, 7 partly failed.\n',
  ].join('\n\n');
}

function addHelpCommand(program: Command, run: AdminRun, terminal: Terminal): void {
  program.helpCommand(false);
  program
    .command('help [command...]')
    .description('show this help, or the help of a command')
    .action(async (names: string[]) => {
      if (run.output().json && names.length === 0) {
        const leaves = [...leavesOf(await agents(terminal)), ...leavesOf(program)];
        return say(run.output(), { commands: leaves.map(describedLeaf) }, '');
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
  program
    .command('completion')
    .description('print what completes commands in a shell')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action(async (shell: Shell) => {
      const { OPERATION_TABLE } = await import('../agent/operation-table.ts');
      const script = completionScript(shell, [await agents(terminal), program], Object.keys(OPERATION_TABLE));
      say(run.output(), { shell, script }, script.trimEnd());
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
    .exitOverride();
  configureOutput(program, terminal, () => overview(program));
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
    warn: (line) =>
      void terminal.err.write(run.output().json ? `${JSON.stringify({ note: line })}\n` : `signet: ${line}\n`),
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
    const error = exitCode === 2 ? 'usage' : 'fault';
    if (run.output().json) terminal.err.write(`${JSON.stringify({ error, message: line })}\n`);
    else run.warn(line);
    return exitCode;
  }
}
