import type { Service } from '../test/process/service.ts';
import { type Etcd, putMessage, rangeMessage, startEtcd } from './rig/etcd.ts';
import { httpRequest, type Measured, runLoad } from './rig/load.ts';
import { type Bench, median, milliseconds, perSecond, type Row } from './rig/result.ts';
import { withService } from './rig/with-service.ts';

const CONNECTIONS = 64;
/** Keys a connection writes in turn, in an account of its own. */
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
  const load = (made: Buffer[][]) => {
    const rounds = made.map(() => 0);
    return (seconds: number): Promise<Measured> =>
      runLoad({
        port: service.httpPort,
        connections: CONNECTIONS,
        seconds,
        next: (n) => made[n]?.[(rounds[n] as number)++ % KEYS] as Buffer,
      });
  };
  return { put: load(requests('PUT', { ciphertext })), get: load(requests('GET')) };
}

function etcds(etcd: Etcd): Side {
  const value = Buffer.alloc(VALUE_BYTES, 'sealed');
  const each = <T>(make: (key: string) => T): T[][] =>
    Array.from({ length: CONNECTIONS }, (_, n) => Array.from({ length: KEYS }, (_k, i) => make(`${n}/${keyOf(i)}`)));
  const load = (method: 'Put' | 'Range', messages: Buffer[][], replyBytesMin: number) => {
    const rounds = messages.map(() => 0);
    return (seconds: number): Promise<Measured> =>
      etcd.load({
        method,
        connections: CONNECTIONS,
        seconds,
        replyBytesMin,
        next: (n) => messages[n]?.[(rounds[n] as number)++ % KEYS] as Buffer,
      });
  };
  return {
    put: load(
      'Put',
      each((key) => putMessage(key, value)),
      5,
    ),
    get: load('Range', each(rangeMessage), VALUE_BYTES),
  };
}

const show = ({ perSecond: rate, p50Ms, p99Ms }: Measured): string =>
  `${perSecond(rate)}, p50 ${milliseconds(p50Ms)}, p99 ${milliseconds(p99Ms)}`;

const middle = (runs: readonly Measured[]): Measured => ({
  perSecond: median(runs.map((run) => run.perSecond)),
  p50Ms: median(runs.map((run) => run.p50Ms)),
  p99Ms: median(runs.map((run) => run.p99Ms)),
});

async function compare(act: Act, mine: Side, peer: Side | null, aim: string, say: (line: string) => void) {
  const runs: { ours: Measured; peer: Measured | null }[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const run = { ours: await mine[act](SECONDS), peer: (await peer?.[act](SECONDS)) ?? null };
    runs.push(run);
    say(`${act}, round ${round}: ours ${show(run.ours)}; etcd ${run.peer ? show(run.peer) : 'missing'}`);
  }
  const peers = runs.flatMap((run) => run.peer ?? []);
  const row: Row = {
    what: `vault ${act.toUpperCase()} of ${VALUE_BYTES / 1024} KB: ours / etcd ${act}`,
    ours: show(middle(runs.map((run) => run.ours))),
    peer: peers.length > 0 ? show(middle(peers)) : null,
    // Per round: neighbours in time met the same machine.
    ratio: peers.length > 0 ? median(runs.map((run) => run.ours.perSecond / (run.peer as Measured).perSecond)) : null,
    aim,
  };
  return row;
}

/** Every put that was counted must be in the store: the client reads no status. */
async function counted(etcd: Etcd, side: Side): Promise<Side> {
  const put = async (seconds: number): Promise<Measured> => {
    const before = await etcd.revision();
    const measured = await side.put(seconds);
    const stored = (await etcd.revision()) - before;
    if (stored < measured.perSecond * seconds) throw new Error(`etcd stored only ${stored}`);
    return measured;
  };
  return { ...side, put };
}

export const bench: Bench = {
  question: `How many vault entries of 4 KB are stored, and read, a second from ${CONNECTIONS} connections, beside etcd?`,
  run: async (say) => {
    const etcd = await startEtcd();
    if (etcd) say(`etcd ${etcd.version}, its defaults, over gRPC`);
    else say('etcd is not installed (apt-get install etcd-server): ours is measured alone');
    try {
      return await withService({}, async (service) => {
        const mine = await ours(service);
        const peer = etcd ? await counted(etcd, etcds(etcd)) : null;
        for (const side of [mine, peer]) {
          await side?.put(WARM_UP_SECONDS);
          await side?.get(WARM_UP_SECONDS);
        }
        return [await compare('put', mine, peer, '>= 1.5', say), await compare('get', mine, peer, '>= 1.4', say)];
      });
    } finally {
      await etcd?.stop();
    }
  },
};
