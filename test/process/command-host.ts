/**
 * Runs one administrator's command after the other in one process. The service's code is loaded once, not for each
 * command.
 */
import { runAdministration } from '../../src/cli/admin/administration.ts';
import type { HostedCommand, HostedRun } from './command-line.ts';

process.umask(0o077);

/** Runs a command, and returns what it wrote. */
async function run({ args, env }: HostedCommand): Promise<HostedRun> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  const written = { stdout: '', stderr: '' };
  const restore = (['stdout', 'stderr'] as const).map((name) => {
    const { write } = process[name];
    process[name].write = (text: string | Uint8Array): boolean => {
      written[name] += String(text);
      return true;
    };
    return (): void => {
      process[name].write = write;
    };
  });
  const code = await runAdministration(args);
  for (const undo of restore) undo();
  return { code, ...written };
}

let last: Promise<unknown> = Promise.resolve();
process.on('message', (command: HostedCommand) => {
  last = last.then(async () => process.send?.(await run(command)));
});
