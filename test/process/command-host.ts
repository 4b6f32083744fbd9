/**
 * Runs one command after the other in one process, an administrator's or an agent's. The code is loaded once, not for each
 * command.
 */
import { Readable } from 'node:stream';
import { runAdministration } from '../../src/cli/admin/command-line.ts';
import { runAgentCli } from '../../src/cli/agent/agent-cli.ts';
import { isAgentCommand } from '../../src/cli/agent/agent-commands.ts';
import type { HostedCommand, HostedRun } from './command-line.ts';

process.umask(0o077);

/** Runs a command, and returns what it wrote. */
async function run({ args, env, isTerminal, stdin = '' }: HostedCommand): Promise<HostedRun> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  const written = { stdout: '', stderr: '' };
  const into = (name: 'stdout' | 'stderr') => ({
    write: (text: string | Uint8Array): void => {
      written[name] += typeof text === 'string' ? text : Buffer.from(text).toString('latin1');
    },
  });
  const terminal = { out: { ...into('stdout'), isTTY: isTerminal }, err: into('stderr') };
  const code = isAgentCommand(args)
    ? await runAgentCli(args, { ...terminal, in: Readable.from([stdin]) })
    : await runAdministration(args, terminal);
  return { code, ...written };
}

let last: Promise<unknown> = Promise.resolve();
process.on('message', (command: HostedCommand) => {
  last = last.then(async () => process.send?.(await run(command)));
});
