import { hash } from 'node:crypto';
import { sqlitePath } from '../src/db/open.ts';
import type { Service } from '../test/process/service.ts';
import { httpRequest, runLoad } from './rig/load.ts';
import { startPeer } from './rig/peer-process.ts';
import type { Bench, Row } from './rig/result.ts';
import { inTurns, rowOf, type Side } from './rig/turns.ts';
import { withService } from './rig/with-service.ts';

const CONNECTIONS = 64;
const TURNS = { rounds: 5, seconds: 2, warmUpSeconds: 2 };
const MESSAGES = 20;

interface Caller {
  key: string;
  account: string;
  address: string;
}

/** An account with an address and a full first page of mail. */
async function callerOf(service: Service): Promise<Caller> {
  const { api_key: key, account_id: account } = (await service.api().post('/v1/auth/keys', {})).body;
  const api = service.api(key);
  const { address } = (await api.post('/v1/inbox', {})).body;
  for (let n = 0; n < MESSAGES; n++)
    await api.post('/v1/email/send', { from: address, to: address, subject: `Mail ${n}`, text: 'A few words.' });
  await api.get(`/v1/inbox/${address}?wait=5`);
  return { key, account, address };
}

interface Read {
  call: 'account' | 'inbox';
  what: string;
  path(caller: Caller): string;
}

const READS: readonly Read[] = [
  {
    call: 'account',
    what: 'GET /v1/account/me / bare node:http with the same look-ups',
    path: () => '/v1/account/me',
  },
  {
    call: 'inbox',
    what: `GET /v1/email/inbox, ${MESSAGES} messages / bare node:http, node:sqlite and JSON`,
    path: ({ address }) => `/v1/email/inbox?address=${address}&limit=${MESSAGES}`,
  },
];

async function compare(service: Service, file: string, caller: Caller, read: Read, say: (line: string) => void) {
  const path = read.path(caller);
  const request = httpRequest('GET', path, caller.key);
  const reply = await service.api(caller.key).get(path);
  const { account, address } = caller;
  const keyHash = hash('sha256', `Bearer ${caller.key}`, 'hex');
  const peer = await startPeer('lean-server.ts', {
    call: read.call,
    file,
    keyHash,
    account,
    address,
    reply: reply.body,
  });
  const sideOf = (name: string, port: number, pid: number): Side => ({
    name,
    measure: (seconds) => runLoad({ port, pids: [pid], connections: CONNECTIONS, seconds, next: () => request }),
  });
  try {
    const theirs = await (
      await fetch(`http://127.0.0.1:${peer.port}`, { headers: { authorization: `Bearer ${caller.key}` } })
    ).text();
    // A peer that sends less has less to do.
    if (theirs.length < reply.text.length * 0.9) throw new Error(`the peer of ${path} answers ${theirs}`);
    const sides = [sideOf('ours', service.httpPort, service.pid), sideOf('bare', peer.port, peer.pid)] as const;
    const [compared] = await inTurns(sides[0], [sides[1]], TURNS, say);
    return rowOf(read.what, compared as NonNullable<typeof compared>, '-');
  } finally {
    await peer.stop();
  }
}

export const bench: Bench = {
  question: `How near do reads come to a bare node:http server that looks up the same, from ${CONNECTIONS} connections?`,
  run: (say) =>
    withService({}, async (service, dataDir) => {
      const caller = await callerOf(service);
      const rows: Row[] = [];
      for (const read of READS) rows.push(await compare(service, sqlitePath(dataDir), caller, read, say));
      return rows;
    }),
};
