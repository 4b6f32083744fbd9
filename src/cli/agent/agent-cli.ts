import { Command, CommanderError } from 'commander';
import { SignetClient } from '../../client/signet-client.ts';
import { configureOutput } from '../command-tree.ts';
import { programOutput, type Terminal } from '../output.ts';
import { addAccountCommands } from './agent-account.ts';
import { addAuthCommands } from './agent-auth.ts';
import { addCallCommands } from './agent-call.ts';
import { AGENT_COMMANDS } from './agent-commands.ts';
import { agentEnvironment } from './agent-environment.ts';
import { addEventCommands } from './agent-events.ts';
import { agentFailure } from './agent-failure.ts';
import { addLoginCommands } from './agent-login.ts';
import { addMailCommands } from './agent-mail.ts';
import { addMcpCommand } from './agent-mcp.ts';
import { addMoneyCommands } from './agent-money.ts';
import { addPolicyCommands } from './agent-policy.ts';
import type { AgentRun } from './agent-run.ts';
import { addSelfCommands } from './agent-self.ts';
import { AgentSession } from './agent-session.ts';
import { addVaultCommands } from './agent-vault.ts';
import { addWebhookCommands } from './agent-webhook.ts';
import { dryFetch } from './table/agent-perform.ts';
import { COMMAND_TABLE } from './table/command-table.ts';
import { addTableCommand } from './table/table-command.ts';

export interface AgentTerminal extends Terminal {
  in: NodeJS.ReadableStream;
}

const GROUPS = [
  addAccountCommands,
  addLoginCommands,
  addAuthCommands,
  addSelfCommands,
  addMailCommands,
  addVaultCommands,
  addMoneyCommands,
  addEventCommands,
  addWebhookCommands,
  addPolicyCommands,
  addCallCommands,
  addMcpCommand,
];

function createRun(program: Command, terminal: AgentTerminal): AgentRun {
  const session = new AgentSession(agentEnvironment(), () => program.opts<{ profile?: string }>().profile);
  const output = () => programOutput(program, terminal);
  const run: AgentRun = {
    session,
    exitCode: 0,
    isDry: false,
    keyPath: null,
    client: () => {
      const client = session.client();
      if (!run.isDry) return client;
      const { url: baseUrl, key } = session.credential();
      return new SignetClient({ baseUrl, key, fetch: dryFetch });
    },
    caller: () => {
      if (session.hasKey()) return run.client();
      return run.isDry ? new SignetClient({ baseUrl: session.url, fetch: dryFetch }) : session.stranger();
    },
    note: (line) =>
      void terminal.err.write(output().json ? `${JSON.stringify({ note: line })}\n` : `signet: ${line}\n`),
    input: terminal.in,
    output,
  };
  return run;
}

function buildProgram(terminal: AgentTerminal): { program: Command; run: AgentRun } {
  const program = new Command('signet')
    .description('Identity for AI agents: mail, secrets, money and tokens of one account.')
    .option('--json', 'print JSON')
    .option('--profile <name>', 'the login of this name; else that of SIGNET_PROFILE or signet auth switch')
    .exitOverride()
    .helpCommand(false);
  configureOutput(program, terminal);
  const run = createRun(program, terminal);
  program.hook('preAction', (_, command) => {
    run.isDry = command.opts<{ dryRun?: boolean }>().dryRun === true;
    if (run.isDry) run.note('a dry run: nothing is done, and ids do not exist');
  });
  for (const [path, row] of Object.entries(COMMAND_TABLE)) addTableCommand(program, run, path, row);
  for (const add of GROUPS) add(program, run);
  const words = Object.keys(AGENT_COMMANDS);
  (program.commands as Command[]).sort((one, other) => words.indexOf(one.name()) - words.indexOf(other.name()));
  return { program, run };
}

/** The agents' commands, for the help of all commands. */
export const agentProgram = (terminal: Terminal): Command => buildProgram({ ...terminal, in: process.stdin }).program;

/** `help a b` is `a b --help`, so that each command says its own. */
function withoutHelpWord(args: readonly string[]): readonly string[] {
  const first = args.findIndex((arg) => !arg.startsWith('-'));
  return args[first] === 'help' ? [...args.toSpliced(first, 1), '--help'] : args;
}

/**
 * Runs one of the agents' commands, which use only the public API.
 * @returns the exit code, one of `EXIT`
 */
export async function runAgentCli(args: readonly string[], terminal: AgentTerminal): Promise<number> {
  const { program, run } = buildProgram(terminal);
  try {
    await program.parseAsync(withoutHelpWord(args), { from: 'user' });
    return run.exitCode;
  } catch (err) {
    // Commander has already printed the error.
    if (err instanceof CommanderError) return err.exitCode === 0 ? 0 : 2;
    const { exitCode, line, body } = agentFailure(err);
    terminal.err.write(run.output().json ? `${JSON.stringify(body)}\n` : `signet: ${line}\n`);
    return exitCode;
  }
}
