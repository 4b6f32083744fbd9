import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { httpRequest, type Measured, runLoad } from './rig/load.ts';
import { type Bench, median, milliseconds, perSecond } from './rig/result.ts';
import { withService } from './rig/with-service.ts';

const CONNECTIONS = 64;
const ROUNDS = 5;
const SECONDS = 2;
const WARM_UP_SECONDS = 2;

/** The headers that Node adds to every reply. */
const NODES_OWN = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);

interface BareServer {
  port: number;
  child: ChildProcess;
}

/** A server that sends this same reply to all requests. */
async function startBare(reply: { headers: Headers; text: string }): Promise<BareServer> {
  const headers = Object.fromEntries([...reply.headers].filter(([name]) => !NODES_OWN.has(name)));
  const argument = JSON.stringify({ port: 0, headers, body: reply.text });
  const child = spawn('sh', ['bin/node', 'bench/rig/bare-server.ts', argument], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [firstLine] = await once(child.stdout, 'data');
  return { port: Number(String(firstLine)), child };
}

export const bench: Bench = {
  question: `How near does GET /v1/account/me come to a bare node:http server that sends the same bytes, from ${CONNECTIONS} connections?`,
  run: (say) =>
    withService({}, async (service) => {
      const key = (await service.api().post('/v1/auth/keys', {})).body.api_key as string;
      const request = httpRequest('GET', '/v1/account/me', key);
      const bare = await startBare(await service.api(key).get('/v1/account/me'));
      const measure = (port: number, seconds: number): Promise<Measured> =>
        runLoad({
          port,
          pids: [port === bare.port ? (bare.child.pid as number) : service.pid],
          connections: CONNECTIONS,
          seconds,
          next: () => request,
        });
      try {
        for (const port of [service.httpPort, bare.port]) await measure(port, WARM_UP_SECONDS);
        const runs: [Measured, Measured][] = [];
        for (let round = 1; round <= ROUNDS; round++) {
          const ours = await measure(service.httpPort, SECONDS);
          const peer = await measure(bare.port, SECONDS);
          runs.push([ours, peer]);
          const times = `${ours.cpuMicros.toFixed(0)} and ${peer.cpuMicros.toFixed(0)} µs of processor time, p99 ${milliseconds(ours.p99Ms)} and ${milliseconds(peer.p99Ms)}`;
          say(`round ${round}: ours ${perSecond(ours.perSecond)}, bare ${perSecond(peer.perSecond)}, ${times}`);
        }
        const ours = median(runs.map(([run]) => run.perSecond));
        const peer = median(runs.map(([, run]) => run.perSecond));
        const ratio = median(runs.map(([run, bareRun]) => run.perSecond / bareRun.perSecond));
        const what = 'authenticated reads: ours / bare node:http';
        return [{ what, ours: perSecond(ours), peer: perSecond(peer), ratio, aim: 'as near to 1 as can be' }];
      } finally {
        bare.child.kill('SIGTERM');
      }
    }),
};
