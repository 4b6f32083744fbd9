/**
 * Runs one administrator's command after the other in one process. The service's code is loaded once, not for each
 * command.
 */
import { runAdministration } from '../../src/cli/admin/command-line.ts';
import type { HostedCommand, HostedRun } from './command-line.ts';

process.umask(0o077);

/** Runs a command, and returns what it wrote. */
async function run({ args, env, isTerminal }: HostedCommand): Promise<HostedRun> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  const written = { stdout: '', stderr: '' };
  const into = (name: 'stdout' | 'stderr') => ({
    write: (text: string | Uint8Array): void => {
      written[name] += String(text);
    },
  });
  const code = await runAdministration(args, {
    out: { ...into('stdout'), isTTY: isTerminal },
    err: into('stderr'),
  });
  return { code, ...written };
}

let last: Promise<unknown> = Promise.resolve();
process.on('message', (command: HostedCommand) => {
  last = last.then(async () => process.send?.(await run(command)));
});
