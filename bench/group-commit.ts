import type { Service } from '../test/process/service.ts';
import { httpRequest, type Measured, runLoad } from './rig/load.ts';
import { type Bench, median, milliseconds, perSecond, type Row } from './rig/result.ts';
import { withService } from './rig/with-service.ts';

const CONNECTIONS = 64;
const ROUNDS = 5;
const SECONDS = 3;
const WARM_UP_SECONDS = 2;

interface Agent {
  key: string;
  address: string;
  messageId: string;
}

async function must(status: number, call: Promise<{ status: number; text: string; body: unknown }>) {
  const reply = await call;
  if (reply.status !== status) throw new Error(`${reply.status} for ${status}: ${reply.text}`);
  return reply.body as Record<string, string>;
}

/** An account with an address and one message in it. */
async function createAgent(service: Service, n: number): Promise<Agent> {
  const { api_key: key = '' } = await must(201, service.api().post('/v1/auth/keys', {}));
  const api = service.api(key);
  const { address = '' } = await must(201, api.post('/v1/email/claim', { address: `agent-${n}` }));
  await must(201, api.post('/v1/email/send', { from: address, to: address, subject: 'Hello', text: 'To be read.' }));
  const inbox = await must(200, api.get(`/v1/email/inbox?address=${address}`));
  const [message] = inbox.messages as unknown as { message_id: string }[];
  return { key, address, messageId: message?.message_id ?? '' };
}

/** What a connection asks for in turn: each changes a row, and each reply waits for the disk. */
function writesOf({ key, address, messageId }: Agent, n: number): () => Buffer {
  const setEmail = ['a', 'b'].map((name) =>
    httpRequest('POST', '/v1/account/recovery-email', key, { email: `${name}${n}@example.com` }),
  );
  const path = `/v1/email/messages/${messageId}?address=${address}`;
  const setRead = [false, true].map((read) => httpRequest('PATCH', path, key, { read }));
  let turn = 0;
  return () => {
    const kind = turn % 3;
    const round = Math.floor(turn++ / 3);
    if (kind === 2) return httpRequest('POST', '/v1/email/claim', key, { address: `claim-${n}-${round}` });
    return (kind === 0 ? setEmail : setRead)[round % 2] as Buffer;
  };
}

interface Side {
  name: string;
  measure(seconds: number): Promise<Measured>;
}

async function sideOf(name: string, service: Service): Promise<Side> {
  const agents = await Promise.all(Array.from({ length: CONNECTIONS }, (_, n) => createAgent(service, n)));
  const writes = agents.map(writesOf);
  const measure = (seconds: number): Promise<Measured> =>
    runLoad({
      port: service.httpPort,
      connections: CONNECTIONS,
      seconds,
      next: (n) => (writes[n] as () => Buffer)(),
    });
  return { name, measure };
}

interface Round {
  ours: Measured;
  peer: Measured;
}

/** Both services are up the whole time and measured in turns, so that whatever else the machine does meets both. */
async function measureInTurns(grouped: Side, single: Side, say: (line: string) => void): Promise<Round[]> {
  for (const side of [grouped, single]) await side.measure(WARM_UP_SECONDS);
  const rounds: Round[] = [];
  for (let n = 1; n <= ROUNDS; n++) {
    const round = { ours: await grouped.measure(SECONDS), peer: await single.measure(SECONDS) };
    rounds.push(round);
    for (const [name, run] of [[grouped.name, round.ours] as const, [single.name, round.peer] as const]) {
      const times = `p50 ${milliseconds(run.p50Ms)}, p99 ${milliseconds(run.p99Ms)}`;
      say(`round ${n}, ${name}: ${perSecond(run.perSecond)}, ${times}`);
    }
  }
  return rounds;
}

function rowsOf(rounds: readonly Round[]): Row[] {
  const row = (what: string, of: (run: Measured) => number, show: (value: number) => string, aim: string): Row => ({
    what,
    ours: show(median(rounds.map(({ ours }) => of(ours)))),
    peer: show(median(rounds.map(({ peer }) => of(peer)))),
    // Per round: neighbours in time met the same machine, the medians of the two sides perhaps not.
    ratio: median(rounds.map(({ ours, peer }) => of(ours) / of(peer))),
    aim,
  });
  return [
    row('durable writes: group commit / one commit each', (run) => run.perSecond, perSecond, '>= 4'),
    row('their p50: group commit / one commit each', (run) => run.p50Ms, milliseconds, '< 1'),
    row('their p99: group commit / one commit each', (run) => run.p99Ms, milliseconds, '< 1'),
  ];
}

export const bench: Bench = {
  question: `How much faster are durable writes over HTTP, from ${CONNECTIONS} connections, with group commit than with one commit per request?`,
  run: (say) =>
    withService({}, (grouped) =>
      withService({ batchMax: 1 }, async (single) => {
        const ours = await sideOf('group commit', grouped);
        const peer = await sideOf('one commit each', single);
        return rowsOf(await measureInTurns(ours, peer, say));
      }),
    ),
};
