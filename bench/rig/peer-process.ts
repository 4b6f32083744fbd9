import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A peer in a separate process, which prints the port it listens on as its first line. */
export interface PeerProcess {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

/** Starts a script of this folder under the project's Node, with one JSON argument. */
export async function startPeer(script: string, argument: object): Promise<PeerProcess> {
  const child: ChildProcess = spawn(
    'sh',
    ['bin/node', '--disable-warning=ExperimentalWarning', `bench/rig/${script}`, JSON.stringify(argument)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  const line = await Promise.race([
    once(child.stdout as NodeJS.ReadableStream, 'data').then(([first]) => String(first)),
    exited.then(() => null),
  ]);
  if (line === null) throw new Error(`${script} did not start`);
  return {
    port: Number(line),
    pid: child.pid as number,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
