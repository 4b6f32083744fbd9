import type { Service } from '../test/process/service.ts';
import { type Etcd, putMessage, rangeMessage, startEtcd } from './rig/etcd.ts';
import { httpRequest, type Measured, runLoad } from './rig/load.ts';
import { type Bench, median, milliseconds, perSecond, type Row } from './rig/result.ts';
import { withService } from './rig/with-service.ts';

const CONNECTIONS = 64;
/** Keys that a connection writes one after the other, in its own account. */
const KEYS = 8;
const ROUNDS = 5;
const SECONDS = 2;
const WARM_UP_SECONDS = 2;
const VALUE_BYTES = 4096;

type Act = 'put' | 'get';
type Side = Record<Act, (seconds: number) => Promise<Measured>>;

const keyOf = (n: number): string => `key-${n % KEYS}`;

async function ours(service: Service): Promise<Side> {
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
  return { put: load(requests('PUT', { ciphertext })), get: load(requests('GET')) };
}

type Load = (act: Act) => Side[Act];

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

const show = ({ perSecond: rate, cpuMicros, p50Ms, p99Ms }: Measured): string =>
  `${perSecond(rate)}, ${cpuMicros.toFixed(0)} µs of processor time, p50 ${milliseconds(p50Ms)}, p99 ${milliseconds(p99Ms)}`;

const middle = (runs: readonly Measured[]): Measured => ({
  perSecond: median(runs.map((run) => run.perSecond)),
  p50Ms: median(runs.map((run) => run.p50Ms)),
  p99Ms: median(runs.map((run) => run.p99Ms)),
  cpuMicros: median(runs.map((run) => run.cpuMicros)),
});

/** Every counted put must be in the store, because the gRPC client reads no status. */
async function counted(etcd: Etcd, put: () => Promise<Measured>): Promise<Measured> {
  const before = await etcd.revision();
  const measured = await put();
  const stored = (await etcd.revision()) - before;
  if (stored < measured.perSecond * SECONDS * 0.9) throw new Error(`etcd stored only ${stored}`);
  return measured;
}

interface Peer {
  name: string;
  load: Load;
}

async function compare(act: Act, mine: Side, etcd: Etcd, peers: readonly Peer[], say: (line: string) => void) {
  const sides = peers.map(({ name, load }) => ({ name, run: load(act), runs: [] as Measured[] }));
  const own: Measured[] = [];
  for (const { run } of sides) await run(WARM_UP_SECONDS);
  for (let round = 1; round <= ROUNDS; round++) {
    own.push(await mine[act](SECONDS));
    for (const { run, runs } of sides)
      runs.push(await (act === 'put' ? counted(etcd, () => run(SECONDS)) : run(SECONDS)));
    const theirs = sides.map(({ name, runs }) => `${name} ${show(runs.at(-1) as Measured)}`);
    say(`${act}, round ${round}: ours ${show(own.at(-1) as Measured)}; ${theirs.join('; ')}`);
  }
  return sides.map(
    ({ name, runs }): Row => ({
      what: `vault ${act.toUpperCase()} of 4 KB: ours / etcd ${name}`,
      ours: show(middle(own)),
      peer: show(middle(runs)),
      // Ratios per round: both sides of a round had the same load on the machine.
      ratio: median(own.map((run, i) => run.perSecond / (runs[i] as Measured).perSecond)),
      aim: act === 'put' ? '>= 1.5' : '>= 1.4',
    }),
  );
}

async function alone(act: Act, mine: Side): Promise<Row> {
  const what = `vault ${act.toUpperCase()} of 4 KB: ours / etcd`;
  return { what, ours: show(await mine[act](SECONDS)), peer: null, ratio: null, aim: 'needs etcd-server' };
}

export const bench: Bench = {
  question: `How many vault entries of 4 KB are stored, and read, a second from ${CONNECTIONS} connections, beside etcd?`,
  run: async (say) => {
    const etcd = await startEtcd();
    say(etcd ? `etcd ${etcd.version} with its defaults` : 'etcd is not installed: ours is measured alone');
    try {
      return await withService({}, async (service) => {
        const mine = await ours(service);
        for (const act of ['put', 'get'] as const) await mine[act](WARM_UP_SECONDS);
        if (!etcd) return [await alone('put', mine), await alone('get', mine)];
        const peers = [
          { name: 'over HTTP and JSON, as ours', load: overHttp(etcd) },
          { name: 'over gRPC', load: overGrpc(etcd) },
        ];
        return [...(await compare('put', mine, etcd, peers, say)), ...(await compare('get', mine, etcd, peers, say))];
      });
    } finally {
      await etcd?.stop();
    }
  },
};
