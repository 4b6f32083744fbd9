import { Command, CommanderError } from 'commander';
import { programOutput, type Terminal, usageText } from '../output.ts';
import { addAccountCommands } from './agent-account.ts';
import { addAuthCommands } from './agent-auth.ts';
import { addCallCommands } from './agent-call.ts';
import { agentEnvironment } from './agent-environment.ts';
import { agentFailure } from './agent-failure.ts';
import { addLoginCommands } from './agent-login.ts';
import { addMailCommands } from './agent-mail.ts';
import { addMcpCommand } from './agent-mcp.ts';
import { addMoneyCommands } from './agent-money.ts';
import type { AgentRun } from './agent-run.ts';
import { AgentSession } from './agent-session.ts';
import { addVaultCommands } from './agent-vault.ts';

export interface AgentTerminal extends Terminal {
  in: NodeJS.ReadableStream;
}

function usageLine(text: string, json: boolean): string {
  const message = usageText(text);
  return json ? `${JSON.stringify({ error: 'usage', message })}\n` : `signet: ${message}; see signet help\n`;
}

function buildProgram(terminal: AgentTerminal): { program: Command; run: AgentRun } {
  const program = new Command('signet')
    .description('Identity for AI agents: mail, secrets, money and tokens of one account.')
    .option('--json', 'print JSON')
    .option('--profile <name>', 'the login of this name; else that of SIGNET_PROFILE or signet auth switch')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void terminal.out.write(text),
      writeErr: (text) => void terminal.err.write(text),
      outputError: (text, write) => write(usageLine(text, run.output().json)),
    })
    .exitOverride()
    .helpCommand('help [command]', 'show the help of a command');
  const session = new AgentSession(agentEnvironment(), () => program.opts<{ profile?: string }>().profile);
  const run: AgentRun = {
    session,
    exitCode: 0,
    client: () => session.client(),
    note: (line) => void terminal.err.write(`signet: ${line}\n`),
    input: terminal.in,
    output: () => programOutput(program, terminal),
  };
  const groups = [
    addAccountCommands,
    addLoginCommands,
    addAuthCommands,
    addMailCommands,
    addVaultCommands,
    addMoneyCommands,
    addCallCommands,
  ];
  for (const add of [...groups, addMcpCommand]) add(program, run);
  return { program, run };
}

/** The agents' commands, for the help of all commands. */
export const agentProgram = (terminal: Terminal): Command => buildProgram({ ...terminal, in: process.stdin }).program;

/**
 * Runs one of the agents' commands, which use only the public API. @returns the exit code: 0 success, 1 fault, 2 wrong
 * usage, 3 no valid key, 4 the service is unreachable, 5 the service refused
 */
export async function runAgentCli(args: readonly string[], terminal: AgentTerminal): Promise<number> {
  const { program, run } = buildProgram(terminal);
  try {
    await program.parseAsync(args, { from: 'user' });
    return run.exitCode;
  } catch (err) {
    // Commander has already printed the error.
    if (err instanceof CommanderError) return err.exitCode === 0 ? 0 : 2;
    const { exitCode, line, body } = agentFailure(err);
    terminal.err.write(run.output().json ? `${JSON.stringify(body)}\n` : `signet: ${line}\n`);
    return exitCode;
  }
}
