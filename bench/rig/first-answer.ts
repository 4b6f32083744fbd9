import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 30_000;

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function answers(port: number): Promise<boolean> {
  try {
    const reply = await fetch(`http://127.0.0.1:${port}/health`);
    await reply.arrayBuffer();
    return reply.status === 200;
  } catch {
    return false;
  }
}

/** Waits for the first 200 of `GET /health` of a process that starts. */
export async function until200(port: number, child: ChildProcess): Promise<void> {
  const began = performance.now();
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() - began > PATIENCE_MS)
      throw new Error(`${child.spawnargs.join(' ')} does not answer`);
    await sleep(2);
  }
}
