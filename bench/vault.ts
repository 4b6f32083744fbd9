import type { Service } from '../test/process/service.ts';
import { type Etcd, putMessage, rangeMessage, startEtcd } from './rig/etcd.ts';
import { httpRequest, type Measured, runLoad } from './rig/load.ts';
import { debianPeer } from './rig/peers.ts';
import type { Bench, Row } from './rig/result.ts';
import { inTurns, rowOf, type Side } from './rig/turns.ts';
import { withService } from './rig/with-service.ts';

const CONNECTIONS = 64;
/** Keys that a connection writes one after the other, in its own account. */
const KEYS = 8;
const TURNS = { rounds: 5, seconds: 2, warmUpSeconds: 2 };
const VALUE_BYTES = 4096;

type Act = 'put' | 'get';
type Load = (act: Act) => Side['measure'];

const keyOf = (n: number): string => `key-${n % KEYS}`;

async function ours(service: Service): Promise<Load> {
  const ciphertext = Buffer.alloc((VALUE_BYTES * 3) / 4, 'sealed').toString('base64url');
  const accounts = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => (await service.api().post('/v1/auth/keys', {})).body.api_key),
  );
  const requests = (method: string, body?: object): Buffer[][] =>
    accounts.map((key) =>
      Array.from({ length: KEYS }, (_, n) => httpRequest(method, `/v1/vault/${keyOf(n)}`, key, body)),
    );
  const load =
    (made: Buffer[][]) =>
    (seconds: number): Promise<Measured> =>
      runLoad({
        port: service.httpPort,
        pids: [service.pid],
        connections: CONNECTIONS,
        seconds,
        next: inTurn(made),
      });
  const loads = { put: load(requests('PUT', { ciphertext })), get: load(requests('GET')) };
  return (act) => loads[act];
}

const inTurn = (made: readonly (readonly Buffer[])[]) => {
  const rounds = made.map(() => 0);
  return (n: number): Buffer => made[n]?.[(rounds[n] as number)++ % KEYS] as Buffer;
};

const each = <T>(make: (key: string) => T): T[][] =>
  Array.from({ length: CONNECTIONS }, (_, n) => Array.from({ length: KEYS }, (_k, i) => make(`${n}/${keyOf(i)}`)));

const VALUE = Buffer.alloc(VALUE_BYTES, 'sealed');

/** With etcd's own protocol: gRPC, binary. */
const overGrpc =
  (etcd: Etcd): Load =>
  (act) => {
    const next = inTurn(each(act === 'put' ? (key) => putMessage(key, VALUE) : rangeMessage));
    const method = act === 'put' ? 'Put' : 'Range';
    const replyBytesMin = act === 'put' ? 5 : VALUE_BYTES;
    return (seconds) => etcd.load({ method, connections: CONNECTIONS, seconds, replyBytesMin, next });
  };

/** Like ours: HTTP/1.1 and JSON over etcd's own gateway, with the same client. */
const overHttp =
  ({ port, pid }: Etcd): Load =>
  (act) => {
    const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');
    const request = (key: string): Buffer =>
      act === 'put'
        ? httpRequest('POST', '/v3/kv/put', null, { key: base64(key), value: base64(VALUE) })
        : httpRequest('POST', '/v3/kv/range', null, { key: base64(key) });
    const next = inTurn(each(request));
    return (seconds) => runLoad({ port, pids: [pid], connections: CONNECTIONS, seconds, next });
  };

/** Every counted put must be in the store, because the gRPC client reads no status. */
async function counted(etcd: Etcd, seconds: number, put: Side['measure']): Promise<Measured> {
  const before = await etcd.revision();
  const measured = await put(seconds);
  const stored = (await etcd.revision()) - before;
  if (stored < measured.perSecond * seconds * 0.9) throw new Error(`etcd stored only ${stored}`);
  return measured;
}

interface Peer {
  name: string;
  load: Load;
  /** Per second and per second of processor time. */
  aims: Record<Act, string>;
}

const peersOf = (etcd: Etcd): Peer[] => [
  {
    name: 'over HTTP and JSON, as ours',
    load: overHttp(etcd),
    aims: { put: '>= 2 a processor second', get: '>= 3.5 a processor second' },
  },
  { name: 'over gRPC', load: overGrpc(etcd), aims: { put: '-', get: '-' } },
];

async function compare(act: Act, mine: Load, etcd: Etcd | null, say: (line: string) => void): Promise<Row[]> {
  const peers = etcd ? peersOf(etcd) : [];
  const sides = peers.map(({ name, load }): Side => {
    const run = load(act);
    return { name, measure: act === 'put' && etcd ? (seconds) => counted(etcd, seconds, run) : run };
  });
  const compared = await inTurns({ name: 'ours', measure: mine(act) }, sides, TURNS, say);
  return compared.map((one, i) =>
    rowOf(`vault ${act.toUpperCase()} of 4 KB / etcd ${one.name}`, one, peers[i]?.aims[act] ?? 'needs etcd-server'),
  );
}

export const bench: Bench = {
  question: `How many vault entries of 4 KB are stored, and read, a second from ${CONNECTIONS} connections, beside etcd?`,
  run: async (say) => {
    const root = debianPeer('etcd-server', say);
    const etcd = root === null ? null : await startEtcd(root);
    if (etcd) say(`etcd ${etcd.version} with its defaults`);
    try {
      return await withService({}, async (service) => {
        const mine = await ours(service);
        return [...(await compare('put', mine, etcd, say)), ...(await compare('get', mine, etcd, say))];
      });
    } finally {
      await etcd?.stop();
    }
  },
};
