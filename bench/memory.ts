import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOMY_LIMITS, type Service, startService } from '../test/process/service.ts';
import { freePort, until200 } from './rig/first-answer.ts';
import { httpRequest, runLoad } from './rig/load.ts';
import type { Bench, Row } from './rig/result.ts';
import { newDataDir, ranFrom } from './rig/with-service.ts';

/** After this long nothing of a start is left to do. */
const IDLE_MS = 12_000;
const CONNECTIONS = 32;
/** The load runs three times as long: memory must not grow from one time to the next. */
const SECONDS = 10;
const ROUNDS = 3;

/** Memory of a process in MiB. `rss` counts the pages of its program too, `own` only what it allocated itself. */
interface Memory {
  rss: number;
  own: number;
}

function memoryOf(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const of = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]) / 1024;
  return { rss: of('Rss'), own: of('Anonymous') };
}

const shown = ({ rss, own }: Memory): string => `${rss.toFixed(0)} MB (own ${own.toFixed(0)})`;

/** Reads, writes, money, tokens and mail, a connection after the other. */
async function mixedLoad(service: Service): Promise<(connection: number) => Buffer> {
  const key = (await service.api().post('/v1/auth/keys', {})).body.api_key as string;
  const { address } = (await service.api(key).post('/v1/inbox', {})).body;
  const ciphertext = Buffer.alloc(3072, 'sealed').toString('base64url');
  // Reads of it come in any order with the writes.
  await service.api(key).put('/v1/vault/key', { ciphertext });
  const mail = { from: address, to: address, subject: 'Hello', text: 'A few words. '.repeat(40) };
  const requests = [
    httpRequest('GET', '/v1/account/me', key),
    httpRequest('PUT', '/v1/vault/key', key, { ciphertext }),
    httpRequest('GET', '/v1/vault/key', key),
    httpRequest('POST', '/v1/charge', key, { amount: 1, category: 'compute', description: 'A call' }),
    httpRequest('POST', '/v1/tokens/issue', key, { audience: 'https://e.example', scopes: ['read'] }),
    httpRequest('GET', `/v1/email/inbox?address=${address}&limit=20`, key),
    httpRequest('GET', '/v1/audit', key),
    httpRequest('POST', '/v1/email/send', key, mail),
  ];
  let n = 0;
  return () => requests[n++ % requests.length] as Buffer;
}

async function measureOurs(say: (line: string) => void): Promise<{ idle: Memory; after: Memory }> {
  const dataDir = newDataDir();
  try {
    const env = { DATA_DIR: dataDir, LIMITS: ROOMY_LIMITS };
    // Once before: the first start compiles, and makes the tables.
    await (await startService(env)).kill('SIGTERM');
    const service = await startService(env);
    try {
      await sleep(IDLE_MS);
      const idle = memoryOf(service.pid);
      say(`idle: ${shown(idle)}`);
      const next = await mixedLoad(service);
      let after = idle;
      for (let round = 1; round <= ROUNDS; round++) {
        await runLoad({ port: service.httpPort, connections: CONNECTIONS, seconds: SECONDS, next });
        after = memoryOf(service.pid);
        say(`after ${round * SECONDS} s of mixed load: ${shown(after)}`);
      }
      await sleep(IDLE_MS);
      say(`${IDLE_MS / 1000} s later: ${shown(memoryOf(service.pid))}`);
      return { idle, after };
    } finally {
      await service.kill('SIGTERM');
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The same load on one route of {@link file://./rig/hello-server.ts}. */
async function measureHello(): Promise<{ idle: Memory; after: Memory }> {
  const dataDir = newDataDir();
  const port = await freePort();
  const child: ChildProcess = spawn(
    'sh',
    [
      'bin/node',
      '--disable-warning=ExperimentalWarning',
      'bench/rig/hello-server.ts',
      String(port),
      join(dataDir, 'db'),
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const exited = once(child, 'exit');
  try {
    await until200(port, child);
    await sleep(IDLE_MS);
    const idle = memoryOf(child.pid as number);
    const request = httpRequest('GET', '/health', null);
    await runLoad({ port, connections: CONNECTIONS, seconds: SECONDS, next: () => request });
    return { idle, after: memoryOf(child.pid as number) };
  } finally {
    child.kill('SIGTERM');
    await exited;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const rowOf = (what: string, ours: Memory, peer: Memory, aim: string): Row => ({
  what,
  ours: shown(ours),
  peer: shown(peer),
  ratio: ours.rss / peer.rss,
  aim,
});

export const bench: Bench = {
  question: 'How much memory is resident, idle and after mixed load, beside a Fastify and SQLite hello world?',
  run: async (say) => {
    say(ranFrom());
    const hello = await measureHello();
    const ours = await measureOurs(say);
    return [
      rowOf('resident memory, idle', ours.idle, hello.idle, '<= 100 MB'),
      rowOf('resident memory, after mixed load', ours.after, hello.after, '<= 300 MB'),
    ];
  },
};
