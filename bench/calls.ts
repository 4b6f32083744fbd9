import { randomBytes } from 'node:crypto';
import type { Service } from '../test/process/service.ts';
import { httpRequest, type Measured, runLoad } from './rig/load.ts';
import { startPeer } from './rig/peer-process.ts';
import { type Bench, milliseconds, perSecond, type Row } from './rig/result.ts';
import { middle } from './rig/turns.ts';
import { withService } from './rig/with-service.ts';

const CONNECTIONS = 64;
const ROUNDS = 3;
const SECONDS = 2;
const WARM_UP_SECONDS = 1;

interface Call {
  name: string;
  /** Processor time that the project aims at, in microseconds. */
  aim: number;
  /** The bytes of the next request on a connection. */
  next(connection: number): Buffer;
}

/** An account with what the calls need: mail in an inbox, a budget, a token, an entry in the vault. */
async function prepare(service: Service) {
  const made = await service.api().post('/v1/auth/keys', {});
  const key = made.body.api_key as string;
  const api = service.api(key);
  const { address } = (await api.post('/v1/inbox', {})).body;
  for (let n = 0; n < 20; n++)
    await api.post('/v1/email/send', { from: address, to: address, subject: `Mail ${n}`, text: 'A few words.' });
  await api.get(`/v1/inbox/${address}?wait=5`);
  const { token } = (await api.post('/v1/tokens/issue', { audience: 'https://example.com', scopes: ['read'] })).body;
  const ciphertext = randomBytes(3072).toString('base64url');
  await api.put('/v1/vault/key', { ciphertext });
  return { key, address, token, ciphertext };
}

async function callsOf(service: Service): Promise<Call[]> {
  const { key, address, token, ciphertext } = await prepare(service);
  const one = (name: string, aim: number, request: Buffer): Call => ({ name, aim, next: () => request });
  const keys = Array.from({ length: 64 }, (_, n) => httpRequest('PUT', `/v1/vault/key-${n % 8}`, key, { ciphertext }));
  const charge = { amount: 1, category: 'compute', description: 'A call' };
  const mail = { from: address, to: address, subject: 'Hello', text: 'A few words.' };
  return [
    one('GET /health', 23, httpRequest('GET', '/health', null)),
    one('GET /v1/account/me', 35, httpRequest('GET', '/v1/account/me', key)),
    one('GET /v1/vault/{key}, 4 KB', 55, httpRequest('GET', '/v1/vault/key', key)),
    { name: 'PUT /v1/vault/{key}, 4 KB', aim: 110, next: (n) => keys[n] as Buffer },
    one('POST /v1/charge', 70, httpRequest('POST', '/v1/charge', key, charge)),
    one('POST /v1/tokens/introspect', 45, httpRequest('POST', '/v1/tokens/introspect', null, { token })),
    one(
      'POST /v1/tokens/issue',
      140,
      httpRequest('POST', '/v1/tokens/issue', key, { audience: 'https://e.example', scopes: ['read'] }),
    ),
    one(
      'GET /v1/email/inbox, 20 messages',
      150,
      httpRequest('GET', `/v1/email/inbox?address=${address}&limit=20`, key),
    ),
    one('POST /v1/email/send, to ourselves', 350, httpRequest('POST', '/v1/email/send', key, mail)),
  ];
}

const showRun = ({ perSecond: rate, cpuMicros, p50Ms, p99Ms }: Measured): string =>
  `${cpuMicros.toFixed(0)} µs, ${perSecond(rate)}, p50 ${milliseconds(p50Ms)}, p99 ${milliseconds(p99Ms)}`;

/** The seconds that the service has spent collecting garbage. */
async function garbageSeconds(service: Service): Promise<number> {
  const text = await (await fetch(`${service.baseUrl}/metrics`)).text();
  return [...text.matchAll(/^nodejs_gc_duration_seconds_sum\{[^}]*\} (\S+)$/gm)].reduce(
    (sum, [, s]) => sum + Number(s),
    0,
  );
}

const MACHINE = 'the machine: any reply of a bare node:http server';
const BARE = httpRequest('GET', '/', null);

/** What p99 may be of p50. */
const SPREAD_AIM = 2.5;

interface Called {
  row: Row;
  /** p99 divided by p50. */
  spread: number;
}

/** Measures one call. @returns its row: ours in processor time */
async function measure(service: Service, { name, aim, next }: Call, say: (line: string) => void): Promise<Called> {
  const load = (seconds: number): Promise<Measured> =>
    runLoad({ port: service.httpPort, connections: CONNECTIONS, seconds, next, pids: [service.pid] });
  await load(WARM_UP_SECONDS);
  const runs: Measured[] = [];
  const garbageBefore = await garbageSeconds(service);
  for (let round = 0; round < ROUNDS; round++) runs.push(await load(SECONDS));
  const best = middle(runs);
  const garbage = ((await garbageSeconds(service)) - garbageBefore) / (ROUNDS * SECONDS);
  const spread = best.p99Ms / best.p50Ms;
  const ours = `${showRun(best)}, p99 / p50 ${spread.toFixed(1)}, garbage ${(100 * garbage).toFixed(1)} %`;
  say(`${name}: ${ours}`);
  const row = { what: name, ours, peer: `${aim} µs`, ratio: best.cpuMicros / aim, aim: '<= 1 of the goal' };
  return { row, spread };
}

/** What the machine gives: the least that any call can take. It tells two runs of this table apart. */
async function measureMachine(say: (line: string) => void): Promise<Row> {
  const peer = await startPeer('bare-server.ts', { port: 0, headers: { 'content-length': '2' }, body: '{}' });
  try {
    const next = (): Buffer => BARE;
    const load = (seconds: number): Promise<Measured> =>
      runLoad({ port: peer.port, connections: CONNECTIONS, seconds, next, pids: [peer.pid] });
    await load(WARM_UP_SECONDS);
    const ours = showRun(await load(SECONDS));
    say(`${MACHINE}: ${ours}`);
    return { what: MACHINE, ours, peer: null, ratio: null, aim: '-' };
  } finally {
    await peer.stop();
  }
}

export const bench: Bench = {
  question: `How much processor time does each call cost, from ${CONNECTIONS} connections of a client that never sleeps?`,
  run: (say) =>
    withService({}, async (service) => {
      const machine = await measureMachine(say);
      const called: Called[] = [];
      for (const call of await callsOf(service)) called.push(await measure(service, call, say));
      const widest = called.reduce((worst, one) => (one.spread > worst.spread ? one : worst));
      const ours = `${widest.spread.toFixed(1)}, ${widest.row.what}`;
      const last = { what: 'the widest p99 / p50 of these calls', ours, peer: `${SPREAD_AIM}` };
      return [
        machine,
        ...called.map(({ row }) => row),
        { ...last, ratio: widest.spread / SPREAD_AIM, aim: '<= 1 of the goal' },
      ];
    }),
};
