import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { type Api, createApi } from '../support/harness.ts';

/** How a process ended: with an exit code or by a signal. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The service as its users run it: a separate process, used only by its ports, signals and output. */
export interface Service {
  baseUrl: string;
  httpPort: number;
  smtpPort: number;
  /** 0 when the door is closed. */
  imapPort: number;
  imapsPort: number;
  submissionPort: number;
  pid: number;
  /** A client of the API. Without a key its calls are anonymous. */
  api(key?: string): Api;
  /** Sends the signal and returns at once. */
  signal(name: NodeJS.Signals): void;
  /** Sends the signal and waits for the end. If the process has already ended, returns how. */
  kill(name: NodeJS.Signals): Promise<Exit>;
  /** Runs the same command on the same data and new ports. The previous process must have ended. */
  restart(): Promise<Service>;
  /** All output so far. */
  stdout(): string;
  stderr(): string;
}

/** `bin/signet` ends in an exec, so a signal sent to the child reaches the service and not a shell. */
const SERVE = ['sh', 'bin/signet', 'serve'] as const;
const START_MS = 120_000;

const root = fileURLToPath(new URL('../..', import.meta.url));

const alive = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** A process whose output is read. */
export interface Output {
  child: ChildProcess;
  exited: Promise<Exit>;
  stdout(): string;
  stderr(): string;
}

/** Starts the service and waits for nothing, for a test that kills it while it starts. */
export function launch(env: Readonly<Record<string, string>>, command: readonly string[] = SERVE): Output {
  const { PATH, HOME } = process.env;
  const child = spawn(command[0] as string, command.slice(1), {
    cwd: root,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  alive.add(child);
  // 'close', not 'exit': by then the last line of output has been read too.
  const exited = once(child, 'close').then(([code, signal]) => {
    alive.delete(child);
    return { code, signal } as Exit;
  });
  return { child, exited, stdout: () => output.stdout, stderr: () => output.stderr };
}

/** Runs the service until it ends, for cases in which it does not start to listen. */
export async function runService(
  env: Readonly<Record<string, string>>,
): Promise<Exit & { stdout: string; stderr: string }> {
  const { child, exited, stdout, stderr } = launch(
    { PORT: '0', SMTP_PORT: '0', IMAP_PORT: '0', SUBMISSION_PORT: '0', ...env },
    SERVE,
  );
  const late = setTimeout(() => child.kill('SIGKILL'), START_MS);
  const exit = await exited;
  clearTimeout(late);
  return { ...exit, stdout: stdout(), stderr: stderr() };
}

/** The log line with the addresses on which the service listens. */
const LISTENING = /^\{.*"api":"(http:\/\/[^"]+:(\d+))","smtp":"[^"]+:(\d+)".*\}$/m;

async function untilListening({ child, exited, stdout, stderr }: Output): Promise<RegExpExecArray> {
  let ended = false;
  void exited.then(() => {
    ended = true;
  });
  // One that ended will not listen.
  await eventually(() => ended || LISTENING.test(stdout())).catch(() => {});
  const listening = LISTENING.exec(stdout());
  if (listening) return listening;
  child.kill('SIGKILL');
  throw new Error(`the service did not start:\n${stdout()}${stderr()}`);
}

/** Starts the service on free ports and waits until it listens. `command` replaces `signet serve`. */
export async function startService(
  env: Readonly<Record<string, string>>,
  command: readonly string[] = SERVE,
): Promise<Service> {
  const output = launch({ PORT: '0', SMTP_PORT: '0', IMAP_PORT: '0', SUBMISSION_PORT: '0', ...env }, command);
  const [line, baseUrl = '', httpPort, smtpPort] = await untilListening(output);
  const portOf = (door: string): number => Number(new RegExp(`"${door}":"[^"]+:(\\d+)"`).exec(line)?.[1] ?? 0);
  return {
    baseUrl,
    httpPort: Number(httpPort),
    smtpPort: Number(smtpPort),
    imapPort: portOf('imap'),
    imapsPort: portOf('imaps'),
    submissionPort: portOf('submission'),
    pid: output.child.pid as number,
    api: (key) => createApi(baseUrl, key),
    signal: (name) => void output.child.kill(name),
    kill: (name) => {
      output.child.kill(name);
      return output.exited;
    },
    restart: () => startService(env, command),
    stdout: output.stdout,
    stderr: output.stderr,
  };
}

/** Limits that are high enough for a load, for the `LIMITS` variable. */
export const ROOMY_LIMITS = JSON.stringify({
  free: { requests_per_day: 1e9, emails_per_day: 1e9, emails_per_hour: 1e9, addresses: 1e6, recipients_per_send: 50 },
  signups_per_ip_per_hour: 1e6,
  registrations_per_ip_per_hour: 1e6,
  key_rotations_per_hour: 1e6,
  backup_activations_per_hour: 1e6,
  revocations_per_hour: 1e6,
  console_logins_per_hour: 1e6,
  searches_per_hour: 1e6,
  pod_changes_per_hour: 1e6,
  logins_per_email_per_hour: 1e6,
});
