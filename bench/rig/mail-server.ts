/** A mail server as a child of this process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const START_MS = 10_000;
const STOP_MS = 5000;

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const finish = (answer: boolean) => (): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('data', finish(true)).once('error', finish(false)).once('close', finish(false));
  });

interface MailServer {
  name: string;
  /** All other processes of it are children of this one. */
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Its data, removed at the end. */
  dir: string;
  port: number;
}

/** Starts a mail server and waits until it greets. @throws Error with what it wrote, if it ends or stays silent */
export async function startMailServer({ name, command: [path = '', ...args], env, dir, port }: MailServer) {
  const master = spawn(path, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let complaints = '';
  for (const stream of [master.stdout, master.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      complaints += text;
    });
  const exited = once(master, 'exit');
  const stop = async (): Promise<void> => {
    const late = setTimeout(() => master.kill('SIGKILL'), STOP_MS);
    master.kill('SIGTERM');
    await exited;
    clearTimeout(late);
    rmSync(dir, { recursive: true, force: true });
  };
  for (const deadline = performance.now() + START_MS; !(await answers(port)); await sleep(20)) {
    if (master.exitCode === null && performance.now() < deadline) continue;
    await stop();
    throw new Error(`no ${name}: ${complaints}`);
  }
  return { pid: master.pid as number, stop };
}
