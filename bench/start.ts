import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { performance } from 'node:perf_hooks';
import { type Bench, median, milliseconds } from './rig/result.ts';
import { newDataDir } from './rig/with-service.ts';

const ROUNDS = 7;
const PATIENCE_MS = 30_000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

async function freePort(): Promise<number> {
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

/** Milliseconds from spawning the command to the first 200 of `GET /health`. The process is gone afterwards. */
async function timeStart(command: readonly string[], port: number, env: Record<string, string>): Promise<number> {
  const { PATH, HOME } = process.env;
  const began = performance.now();
  const child: ChildProcess = spawn('sh', command, {
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  try {
    while (!(await answers(port))) {
      if (child.exitCode !== null || performance.now() - began > PATIENCE_MS)
        throw new Error(`${command.join(' ')} does not answer`);
      await sleep(2);
    }
    return performance.now() - began;
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

async function timeService(dataDir: string): Promise<number> {
  const port = await freePort();
  const env = { PORT: String(port), SMTP_PORT: '0', LOG_LEVEL: 'error', DATA_DIR: dataDir };
  return timeStart(['bin/signet', 'serve'], port, env);
}

/** With a new, empty data folder, like a first start. */
async function timeFirstStart(): Promise<number> {
  const dataDir = newDataDir();
  try {
    return await timeService(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function timeBare(): Promise<number> {
  const port = await freePort();
  return timeStart(
    ['bin/node', 'bench/rig/bare-server.ts', JSON.stringify({ port, headers: {}, body: 'ok' })],
    port,
    {},
  );
}

export const bench: Bench = {
  question: 'How long from spawning `signet serve` to an answer of GET /health, with a warm compile cache?',
  run: async (say) => {
    // Fills the compile cache, which `npm ci && npm start` has from the second start on.
    await timeFirstStart();
    await timeBare();
    const times = { first: [] as number[], again: [] as number[], bare: [] as number[] };
    const dataDir = newDataDir();
    try {
      await timeService(dataDir);
      for (let round = 0; round < ROUNDS; round++) {
        times.first.push(await timeFirstStart());
        times.again.push(await timeService(dataDir));
        times.bare.push(await timeBare());
      }
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
    const [first, again, bare] = [median(times.first), median(times.again), median(times.bare)];
    say(
      `slowest of ${ROUNDS}: new data ${milliseconds(Math.max(...times.first))}, bare ${milliseconds(Math.max(...times.bare))}`,
    );
    return [
      { what: 'start, new data: ours / bare node:http', ours: first },
      { what: 'start, existing data: ours / bare node:http', ours: again },
    ].map(({ what, ours }) => ({
      what,
      ours: milliseconds(ours),
      peer: milliseconds(bare),
      ratio: ours / bare,
      aim: 'ours < 1000 ms',
    }));
  },
};
