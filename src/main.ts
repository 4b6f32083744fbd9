import { isAgentCommand } from './cli/agent/agent-commands.ts';

// Every file that any command makes may hold mail or keys, whatever the umask of the shell.
process.umask(0o077);

// The reader of our output may stop reading (`signet account list | head`). The command finishes all the same.
process.stdout.on('error', (err: NodeJS.ErrnoException) => {
  if (err.code !== 'EPIPE') throw err;
});

const args = process.argv.slice(2);

/** Loads only what the command needs: the agents' commands start without the service. */
async function run(): Promise<number> {
  if (isAgentCommand(args)) {
    const { runAgentCli } = await import('./cli/agent/agent-cli.ts');
    return runAgentCli(args, { in: process.stdin, out: process.stdout, err: process.stderr });
  }
  const { runAdministration } = await import('./cli/admin/command-line.ts');
  const first = args.findIndex((arg) => !arg.startsWith('-'));
  return runAdministration(args[first] === 'admin' ? args.toSpliced(first, 1) : args);
}

process.exitCode = await run();
// Open handles of a failed start must not keep the process alive.
if (process.exitCode !== 0) process.exit();
