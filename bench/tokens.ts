import type { Service } from '../test/process/service.ts';
import { formRequest, httpRequest, runLoad } from './rig/load.ts';
import { type PeerProcess, startPeer } from './rig/peer-process.ts';
import { npmPeer } from './rig/peers.ts';
import type { Bench, Row } from './rig/result.ts';
import { inTurns, rowOf, type Side } from './rig/turns.ts';
import { withService } from './rig/with-service.ts';

const CONNECTIONS = 64;
const TURNS = { rounds: 3, seconds: 2, warmUpSeconds: 2 };
const CLIENT = { client: 'bench', secret: 'a-secret-of-the-benchmark' };

type Act = 'introspect' | 'issue';
type Requests = Record<Act, Buffer>;

async function ourRequests(service: Service): Promise<Requests> {
  const key = (await service.api().post('/v1/auth/keys', {})).body.api_key as string;
  const wanted = { audience: 'https://e.example', scopes: ['read'] };
  const { token } = (await service.api(key).post('/v1/tokens/issue', wanted)).body;
  return {
    introspect: httpRequest('POST', '/v1/tokens/introspect', null, { token }),
    issue: httpRequest('POST', '/v1/tokens/issue', key, wanted),
  };
}

/** The same with oidc-provider: a signed token for a resource, and an opaque one to introspect. */
async function peerRequests({ port }: PeerProcess): Promise<Requests> {
  const authorization = `Basic ${Buffer.from(`${CLIENT.client}:${CLIENT.secret}`).toString('base64')}`;
  const ask = (kind: string) => ({
    grant_type: 'client_credentials',
    scope: 'read',
    resource: `https://e.example/${kind}`,
  });
  const reply = await fetch(`http://127.0.0.1:${port}/token`, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams(ask('opaque')),
  });
  const text = await reply.text();
  const { access_token: token } = JSON.parse(text) as { access_token?: string };
  if (!token) throw new Error(`oidc-provider gave no token: ${text}`);
  return {
    introspect: formRequest('/token/introspection', authorization, { token }),
    issue: formRequest('/token', authorization, ask('signed')),
  };
}

const sideOf = (name: string, port: number, pid: number, request: Buffer): Side => ({
  name,
  measure: (seconds) => runLoad({ port, pids: [pid], connections: CONNECTIONS, seconds, next: () => request }),
});

export const bench: Bench = {
  question: `How many tokens are issued, and introspected, a second from ${CONNECTIONS} connections, beside oidc-provider in memory?`,
  run: (say) =>
    withService({}, async (service) => {
      const folder = npmPeer('oidc-provider', say);
      const peer = folder === null ? null : await startPeer('oidc-server.ts', { folder, ...CLIENT });
      try {
        const mine = await ourRequests(service);
        const theirs = peer && (await peerRequests(peer));
        const rows: Row[] = [];
        for (const act of ['introspect', 'issue'] as const) {
          const peers = peer && theirs ? [sideOf('oidc-provider', peer.port, peer.pid, theirs[act])] : [];
          const ours = sideOf('ours', service.httpPort, service.pid, mine[act]);
          const [compared] = await inTurns(ours, peers, TURNS, say);
          if (compared) rows.push(rowOf(`POST /v1/tokens/${act} / oidc-provider, in memory`, compared, '-'));
        }
        return rows;
      } finally {
        await peer?.stop();
      }
    }),
};
