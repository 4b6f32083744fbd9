import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A bash in which the commands of pages run. */
export interface Shell {
  /** @returns the output. @throws Error if a command failed */
  run(commands: string): Promise<string>;
  /** The statuses of the calls since the last look, oldest first. */
  statuses(): string[];
  close(): void;
}

/** Every status goes to a file. A stream of events is read for a moment only: curl ends it with 28. */
const PRELUDE = `set -euo pipefail
exec 2>&1
node() { "$NODE" "$@"; }
curl() {
  local ended=0
  command curl -w '%{stderr}\\n@@%{http_code}\\n' "$@" 2>> calls.txt || ended=$?
  if [ "$ended" = 28 ] && [[ " $* " = *' --max-time '* ]]; then return 0; fi
  return "$ended"
}
`;

/** @param env beside `PATH` */
export function openShell(cwd: string, env: Record<string, string>): Shell {
  const calls = join(cwd, 'calls.txt');
  writeFileSync(join(cwd, '.curlrc'), 'no-progress-meter\nshow-error\n');
  writeFileSync(calls, '');
  const { PATH = '' } = process.env;
  const given = { PATH, CURL_HOME: cwd, HOME: cwd, NODE: process.execPath, ...env };
  const shell = spawn('bash', ['--noprofile', '--norc'], { cwd, env: given });
  let output = '';
  let wake = (): void => {};
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      wake();
    });
  let isOpen = true;
  shell.on('close', () => {
    isOpen = false;
    wake();
  });
  // A command that fails ends the shell, and the next write finds it closed.
  shell.stdin.on('error', () => {});
  shell.stdin.write(PRELUDE);
  let count = 0;
  return {
    run: async (commands) => {
      const mark = `\n--- ${++count} done ---\n`;
      output = '';
      shell.stdin.write(`${commands}\nprintf '%s' '${mark}'\n`);
      while (isOpen && !output.endsWith(mark))
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (!isOpen) throw new Error(`a command failed:\n${commands}\n${output}\n${readFileSync(calls, 'utf8')}`);
      return output.slice(0, -mark.length);
    },
    statuses: () => {
      const statuses = [...readFileSync(calls, 'utf8').matchAll(/^@@(\d\d\d)$/gm)].map(([, status = '']) => status);
      writeFileSync(calls, '');
      return statuses;
    },
    close: () => void shell.stdin.end(),
  };
}
