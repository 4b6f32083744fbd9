import type { Service } from '../test/process/service.ts';
import { httpRequest, type Measured, runLoad } from './rig/load.ts';
import { type Bench, median, milliseconds, perSecond, type Row } from './rig/result.ts';
import { middle } from './rig/turns.ts';
import { withService } from './rig/with-service.ts';

const CONNECTIONS = 64;
const ROUNDS = 3;
const SECONDS = 2;
const WARM_UP_SECONDS = 2;

/** Accounts per connection: enough that none reaches the limit of addresses. */
const ACCOUNTS = 32;

/** The accounts of one connection. The first one has a message. */
interface Client {
  keys: string[];
  messagePath: string;
  /** The key of an account that all connections share. */
  sharedKey: string;
}

async function must(status: number, call: Promise<{ status: number; text: string; body: unknown }>) {
  const reply = await call;
  if (reply.status !== status) throw new Error(`${reply.status} for ${status}: ${reply.text}`);
  return reply.body as Record<string, string>;
}

async function createClient(service: Service, n: number, sharedKey: string): Promise<Client> {
  const keys: string[] = [];
  for (let i = 0; i < ACCOUNTS; i++) {
    const account = await must(201, service.api().post('/v1/auth/keys', {}));
    keys.push(account.api_key as string);
  }
  const api = service.api(keys[0]);
  const { address = '' } = await must(201, api.post('/v1/email/claim', { address: `agent-${n}` }));
  await must(201, api.post('/v1/email/send', { from: address, to: address, subject: 'Hello', text: 'To be read.' }));
  const inbox = await must(200, api.get(`/v1/email/inbox?address=${address}`));
  const [message] = inbox.messages as unknown as [{ message_id: string }];
  return { keys, messagePath: `/v1/email/messages/${message.message_id}?address=${address}`, sharedKey };
}

type Write = (client: Client, n: number, round: number) => Buffer;

/**
 * Each write changes a row, and its reply waits for the disk. `n` is the connection, `round` the number of the request.
 */
const setEmail: Write = ({ keys }, n, round) => {
  const email = `owner${round}.${n}@example.com`;
  return httpRequest('POST', '/v1/account/recovery-email', keys[round % ACCOUNTS] as string, { email });
};
const markRead: Write = ({ keys, messagePath }, _n, round) =>
  httpRequest('PATCH', messagePath, keys[0] as string, { read: round % 2 === 1 });
const claim: Write = ({ keys }, n, round) =>
  httpRequest('POST', '/v1/email/claim', keys[round % ACCOUNTS] as string, { address: `claim-${n}-${round}` });
/** The lightest write: one row and its audit entry. By 64 accounts, and by all connections as one busy account. */
const ticket: Write = ({ keys }) => httpRequest('POST', '/v1/ws/tickets', keys[0] as string, {});
const sharedTicket: Write = ({ sharedKey }) => httpRequest('POST', '/v1/ws/tickets', sharedKey, {});
const inTurn: Write = (client, n, round) => ([setEmail, markRead, claim][round % 3] as Write)(client, n, round);

const LOADS: Record<string, Write> = {
  'ask for a ticket, one account': sharedTicket,
  'ask for a ticket, 64 accounts': ticket,
  'the next three, alternating': inTurn,
  'set the recovery email': setEmail,
  'mark a message read': markRead,
  'claim an address': claim,
};

interface Side {
  name: string;
  measure(write: Write, seconds: number): Promise<Measured>;
}

async function sideOf(name: string, service: Service): Promise<Side> {
  const { api_key: sharedKey = '' } = await must(201, service.api().post('/v1/auth/keys', {}));
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, (_, n) => createClient(service, n, sharedKey)));
  // Continues from load to load, so that no two claim the same address.
  const rounds = clients.map(() => 0);
  const measure = (write: Write, seconds: number): Promise<Measured> =>
    runLoad({
      port: service.httpPort,
      connections: CONNECTIONS,
      seconds,
      next: (n) => {
        const round = rounds[n] as number;
        rounds[n] = round + 1;
        return write(clients[n] as Client, n, round);
      },
    });
  return { name, measure };
}

const show = ({ perSecond: rate, p50Ms, p99Ms }: Measured): string =>
  `${perSecond(rate)}, p50 ${milliseconds(p50Ms)}, p99 ${milliseconds(p99Ms)}`;

/** Both services run the whole time and are measured alternately, so that other load of the machine affects both. */
async function measureInTurns(
  load: string,
  [grouped, single]: readonly [Side, Side],
  say: (line: string) => void,
): Promise<Row> {
  const write = LOADS[load] as Write;
  const rounds: { ours: Measured; peer: Measured }[] = [];
  for (let n = 1; n <= ROUNDS; n++) {
    const round = { ours: await grouped.measure(write, SECONDS), peer: await single.measure(write, SECONDS) };
    rounds.push(round);
    say(`${load}, round ${n}, ${grouped.name}: ${show(round.ours)}`);
    say(`${load}, round ${n}, ${single.name}: ${show(round.peer)}`);
  }
  return {
    what: `durable writes, ${load}: group commit / one commit each`,
    ours: show(middle(rounds.map(({ ours }) => ours))),
    peer: show(middle(rounds.map(({ peer }) => peer))),
    // Ratios per round: both sides of a round had the same load on the machine, their medians perhaps not.
    ratio: median(rounds.map(({ ours, peer }) => ours.perSecond / peer.perSecond)),
    aim: '-',
  };
}

export const bench: Bench = {
  question: `How much faster are durable writes over HTTP, from ${CONNECTIONS} connections, with group commit than with one commit per request?`,
  run: (say) =>
    withService({}, (grouped) =>
      withService({ batchMax: 1 }, async (single) => {
        const sides = [await sideOf('group commit', grouped), await sideOf('one commit each', single)] as const;
        for (const side of sides) await side.measure(inTurn, WARM_UP_SECONDS);
        const rows: Row[] = [];
        for (const load of Object.keys(LOADS)) rows.push(await measureInTurns(load, sides, say));
        return rows;
      }),
    ),
};
