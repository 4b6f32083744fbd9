import { Command, CommanderError } from 'commander';
import { AGENT_COMMANDS } from '../agent/agent-commands.ts';
import { failureOf, type Output, say, table } from '../output.ts';
import { type Check, CommandError, type Ports } from '../ports.ts';
import { addAccountCommands, type WithOperator } from './account-commands.ts';
import { addAuditCommands } from './audit-commands.ts';
import { addBackupCommands } from './backup-commands.ts';
import { addMailCommands } from './mail-commands.ts';
import { addMasterKeyCommands } from './master-key-commands.ts';
import { serve } from './serve.ts';
import { addSigningKeyCommands } from './signing-key-commands.ts';

/** Where a command prints. */
export interface Terminal {
  out: { isTTY?: boolean; write(text: string | Uint8Array): unknown };
  err: { write(text: string): unknown };
}

/** The state of one run. */
interface Run {
  output(): Output;
  exitCode: number;
}

function doctorText(checks: readonly Check[]): string {
  const rows = checks.map(({ status, name, message, remedy }) => [
    status,
    name,
    remedy === undefined ? message : `${message}. ${remedy}`,
  ]);
  return table(rows);
}

function addServiceCommands(program: Command, ports: Ports, run: Run): void {
  program
    .command('serve')
    .description('run the service until SIGTERM or SIGINT')
    .action(async () => {
      run.exitCode = await serve(ports.service(), run.output());
    });

  program
    .command('migrate')
    .description('update the database schema (serve also does this)')
    .action(async () => {
      const applied = await ports.migrate();
      say(
        run.output(),
        { applied },
        applied.length > 0 ? applied.join('\n') : 'nothing to do, the schema is up to date',
      );
    });

  program
    .command('doctor')
    .description('check configuration, data, ports and mail, and suggest fixes')
    .option('--dns', 'also check the DNS, port 25, TLS and blocklists')
    .action(async (options: { dns?: boolean }) => {
      const checks = [...(await ports.doctor()), ...(options.dns ? await ports.mail.examineDns() : [])];
      const ok = checks.every(({ status }) => status !== 'fail');
      say(run.output(), { ok, checks }, doctorText(checks));
      run.exitCode = ok ? 0 : 1;
    });
}

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

function addHelpCommand(program: Command, run: Run, terminal: Terminal): void {
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

function buildProgram(ports: Ports, terminal: Terminal, run: Run): Command {
  const program = new Command('signet')
    .description('Identity for AI agents: the service and its operator’s tools.')
    .version(ports.version, '--version')
    .option('--json', 'print JSON')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void terminal.out.write(text),
      writeErr: (text) => void terminal.err.write(text),
      outputError: (text, write) =>
        write(
          `signet: ${text
            .replace(/^error: /, '')
            .trim()
            .replaceAll('\n', ' ')}; see signet help\n`,
        ),
    })
    .addHelpText(
      'after',
      () => `\nFor agents (signet help mail, …):\n${agentsHelp()}\n\nThe commands above also go by signet admin …\n`,
    )
    .exitOverride();
  addServiceCommands(program, ports, run);
  addBackupCommands(program, ports, {
    output: run.output,
    warn: (line) => void terminal.err.write(`signet: ${line}\n`),
  });
  const withOperator: WithOperator = async (work) => {
    const operator = await ports.openOperator();
    try {
      await work(operator, run.output());
    } finally {
      await operator.close();
    }
  };
  addAccountCommands(program, withOperator);
  addAuditCommands(program, withOperator);
  addSigningKeyCommands(program, ports, run.output);
  addMasterKeyCommands(program, ports, run.output);
  addMailCommands(program, ports, run.output);
  addHelpCommand(program, run, terminal);
  return program;
}

/** Runs one command. @returns the exit code: 0 success, 1 failure or not found, 2 wrong usage or configuration */
export async function runCli(args: readonly string[], ports: Ports, terminal: Terminal): Promise<number> {
  const run: Run = {
    exitCode: 0,
    output: () => ({
      json: program.opts<{ json?: boolean }>().json ?? false,
      isTerminal: terminal.out.isTTY ?? false,
      write: (text) => void terminal.out.write(text),
    }),
  };
  const program = buildProgram(ports, terminal, run);
  try {
    // Without arguments, show the help.
    await program.parseAsync(args.some((arg) => arg !== '--json') ? args : ['help', ...args], { from: 'user' });
    return run.exitCode;
  } catch (err) {
    // Commander has already printed the error.
    if (err instanceof CommanderError) return err.exitCode === 0 ? 0 : 2;
    const { exitCode, line } = failureOf(err);
    terminal.err.write(`signet: ${line}\n`);
    return exitCode;
  }
}
