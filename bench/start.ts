import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { freePort, until200 } from './rig/first-answer.ts';
import { installSize } from './rig/install-size.ts';
import { type Bench, median, milliseconds, type Row } from './rig/result.ts';
import { newDataDir, ranFrom } from './rig/with-service.ts';

const ROUNDS = 7;
const INSTALL_MAX_MB = 250;

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
    await until200(port, child);
    return performance.now() - began;
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

async function timeService(dataDir: string, more: Record<string, string> = {}): Promise<number> {
  const port = await freePort();
  const env = {
    PORT: String(port),
    SMTP_PORT: '0',
    IMAP_PORT: '0',
    SUBMISSION_PORT: '0',
    LOG_LEVEL: 'error',
    DATA_DIR: dataDir,
    ...more,
  };
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

/** As after `npm ci` or in a new container: nothing is compiled yet. */
async function timeColdStart(): Promise<number> {
  const [dataDir, cache] = [newDataDir(), mkdtempSync(join(tmpdir(), 'signet-bench-cache-'))];
  try {
    return await timeService(dataDir, { NODE_COMPILE_CACHE: cache });
  } finally {
    for (const folder of [dataDir, cache]) rmSync(folder, { recursive: true, force: true });
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
    say(ranFrom());
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
    const cold = await timeColdStart();
    const rows = [
      { what: 'start, new data: ours / bare node:http', ours: first, aim: 'ours < 1000 ms' },
      { what: 'start, existing data: ours / bare node:http', ours: again, aim: 'ours <= 350 ms' },
      { what: 'start, cold, nothing compiled: ours / bare node:http', ours: cold, aim: '-' },
    ].map(({ what, ours, aim }) => ({
      what,
      ours: milliseconds(ours),
      peer: milliseconds(bare),
      ratio: ours / bare,
      aim,
    }));
    return [...rows, sizeRow(say)];
  },
};

/** What the image of the Dockerfile holds on top of its base, and what an install with its own Node takes. */
function sizeRow(say: (line: string) => void): Row {
  const { packages, node, sources, largest } = installSize();
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
  say(`packages ${megabytes(packages)}, sources and docs ${megabytes(sources)}, Node's program ${megabytes(node)}`);
  say(`largest: ${largest.join(', ')}`);
  say('the image holds these on top of node:24-slim, with `dist` of `npm run build` (Dockerfile)');
  return {
    what: 'production install, packages and sources',
    ours: megabytes(packages + sources),
    peer: null,
    ratio: null,
    aim: `<= ${INSTALL_MAX_MB} MB`,
  };
}
