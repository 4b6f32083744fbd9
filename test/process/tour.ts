/**
 * Runs the tour of the README word for word against a service that was started as the README says.
 *
 *     sh bin/node test/process/tour.ts        writes the real output into README.md
 *
 * The tour is the text between `<!-- tour:start -->` and `<!-- tour:end -->`. Each ```sh block runs in the same bash.
 * The tour fails if a command fails or a call is refused. It also fails if the output differs from the ```text block
 * after the commands, except for ids, keys and times.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';

/** The ports of the README. Free ones replace them, so that two tours at once do not meet. */
const API = '127.0.0.1:8787';
const SMTP = '127.0.0.1:2525';

const root = path.join(import.meta.dirname, '../..');
const README = path.join(root, 'README.md');

export interface Step {
  commands: string;
  /** The position of the text block after the commands. Null without one. */
  output: { start: number; end: number } | null;
}

/** @throws Error if there is no tour, so that a README without the markers fails */
function readSteps(markdown: string): Step[] {
  const start = markdown.indexOf('<!-- tour:start -->');
  const end = markdown.indexOf('<!-- tour:end -->');
  if (start === -1 || end < start) throw new Error('no <!-- tour:start --> … <!-- tour:end -->');
  const steps: Step[] = [];
  for (const block of markdown.slice(start, end).matchAll(/^```(sh|text)\n([\s\S]*?)^```$/gm)) {
    const [, language, content = ''] = block;
    const at = start + block.index + `\`\`\`${language}\n`.length;
    const last = steps.at(-1);
    if (language === 'sh') steps.push({ commands: content, output: null });
    else if (last && last.output === null) last.output = { start: at, end: at + content.length };
    else throw new Error('a text block without commands before it');
  }
  if (steps.length === 0) throw new Error('the tour has no commands');
  return steps;
}

/** Other tests run at the same time. */
const NO_PROGRAMS = { IMAP_PORT: '0', SUBMISSION_PORT: '0' };

/** `npm start` on an empty data folder. @returns what stops it */
async function startService(dataDir: string, apiPort: number, smtpPort: number): Promise<() => Promise<void>> {
  const { PATH, HOME } = process.env;
  const child = spawn('npm', ['--silent', 'start'], {
    cwd: root,
    env: { PATH, HOME, DATA_DIR: dataDir, PORT: String(apiPort), SMTP_PORT: String(smtpPort), ...NO_PROGRAMS },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A separate process group: npm runs between this process and the service and does not forward every signal.
    detached: true,
  });
  const exited = once(child, 'exit');
  const abandon = (): void => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGTERM');
  };
  // The group does not end with this process, so end it here.
  process.once('exit', abandon);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const stop = async (): Promise<void> => {
    abandon();
    await exited;
  };
  let log = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  await eventually(() => log.includes('signet listens on') || child.exitCode !== null).catch(() => {});
  if (log.includes('signet listens on')) return stop;
  await stop();
  throw new Error(`npm start did not start the service:\n${log}`);
}

/** One bash for the whole tour, so that variables of one step exist in the next. */
function openShell(cwd: string) {
  // By default curl exits with 0 for an error status. This makes it fail, so that the commands stay short.
  writeFileSync(path.join(cwd, '.curlrc'), 'fail-with-body\n');
  const env = { ...process.env, CURL_HOME: cwd };
  const shell = spawn('bash', ['--noprofile', '--norc'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  let wake = (): void => {};
  let ended = false;
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    wake();
  });
  shell.on('close', () => {
    ended = true;
    wake();
  });
  // Any failed command ends the shell.
  shell.stdin.write('set -euo pipefail\nexec 2>&1\n');
  return {
    /** @returns the output of the commands. @throws Error if one of them failed */
    run: async (commands: string): Promise<string> => {
      const mark = `tour-step-${Math.random()}`;
      output = '';
      shell.stdin.write(`${commands}\nprintf '%s' '${mark}'\n`);
      while (!output.endsWith(mark) && !ended) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (ended) throw new Error(`a command failed (exit code ${shell.exitCode}):\n${commands}\n${output}`);
      const text = output.slice(0, -mark.length);
      return text === '' || text.endsWith('\n') ? text : `${text}\n`;
    },
    close: (): void => void shell.stdin.end(),
  };
}

/** Puts the outputs into their blocks, from the last to the first, so that positions stay valid. */
function withOutputs(markdown: string, steps: readonly Step[], outputs: readonly string[]): string {
  return steps.reduceRight((text, { output }, i) => {
    return output ? text.slice(0, output.start) + outputs[i] + text.slice(output.end) : text;
  }, markdown);
}

/** Replaces the parts of an output that differ between runs. */
export const lasting = (output: string): string =>
  output
    .replace(/\bsignet_live_[0-9A-Za-z]+/g, 'signet_live_…')
    .replace(/\b[a-z]{2,4}_[0-9a-z]{26}\b/g, 'id_…')
    .replace(/<[0-9A-Za-z]{32}@/g, '<…@')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replace(/"(iat|exp)":\d+/g, '"$1":…')
    // Contains the name of this machine, in the Received line of the service.
    .replace(/"size":\d+/g, '"size":…');

async function takeTour(steps: readonly Step[]): Promise<string[]> {
  const dir = mkdtempSync(path.join(tmpdir(), 'signet-tour-'));
  const [apiPort, smtpPort] = [await freePort(), await freePort()];
  const here = (text: string): string =>
    text.replaceAll(API, `127.0.0.1:${apiPort}`).replaceAll(SMTP, `127.0.0.1:${smtpPort}`);
  const asWritten = (text: string): string =>
    text.replaceAll(`127.0.0.1:${apiPort}`, API).replaceAll(`127.0.0.1:${smtpPort}`, SMTP);
  const stop = await startService(path.join(dir, 'data'), apiPort, smtpPort);
  const shell = openShell(dir);
  const outputs: string[] = [];
  try {
    for (const { commands } of steps) {
      outputs.push(asWritten(await shell.run(here(commands))));
    }
    return outputs;
  } finally {
    shell.close();
    await stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

export interface Tour {
  markdown: string;
  steps: readonly Step[];
  /** The output of each step, with the addresses of the README. */
  outputs: readonly string[];
}

/** Runs every step of the README. @throws Error if a command fails */
export async function runTour(): Promise<Tour> {
  const markdown = readFileSync(README, 'utf8');
  const steps = readSteps(markdown);
  return { markdown, steps, outputs: await takeTour(steps) };
}

if (import.meta.main) {
  const { markdown, steps, outputs } = await runTour();
  writeFileSync(README, withOutputs(markdown, steps, outputs));
  process.stdout.write(`the tour's ${steps.length} steps ran; their output is in README.md\n`);
}
