import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Service } from '../test/process/service.ts';
import type { Api } from '../test/support/harness.ts';
import { type Bench, milliseconds, percentile, type Row } from './rig/result.ts';
import { openSession, type Session } from './rig/smtp-load.ts';
import { withService } from './rig/with-service.ts';

const MAILS_PER_SECOND = 200;
const WARM_UP = 400;
const MAILS = 1600;
const AGENTS = 64;
const SESSIONS = 16;
/** The service allows 20 sessions for an address. */
const SENDERS = 4;
const DOMAIN = 'agents.localhost';
/** Longer than any mail takes: what has not arrived by then is lost. */
const PATIENCE_MS = 15_000;

interface Agent {
  key: string;
  api: Api;
  address: string;
}

/** When the dots were written and the mails noticed, in milliseconds, by number. */
interface Times {
  dots: number[];
  seen: Map<number, number>;
}

const senderOf = (n: number): string => `ada-${n}@example.com`;
const numberOf = (from: string): number => Number(/^ada-(\d+)@/.exec(from)?.[1]);

const mailOf = (n: number, address: string): string =>
  [
    ...[`From: Ada <${senderOf(n)}>`, `To: ${address}`, 'Subject: A short note', `Message-ID: <${n}@example.com>`],
    ...['Date: Wed, 14 Jan 2026 12:00:00 +0000', 'MIME-Version: 1.0', 'Content-Type: text/plain; charset=utf-8', ''],
    'All work and no play makes for a benchmark.\r\n'.repeat(20).trimEnd(),
  ].join('\r\n');

async function agentsOf(service: Service, name: string): Promise<Agent[]> {
  return Promise.all(
    Array.from({ length: AGENTS }, async (_, n) => {
      const key = (await service.api().post('/v1/auth/keys', {})).body.api_key as string;
      const address = `${name}-${n}@${DOMAIN}`;
      await service.api(key).post('/v1/email/claim', { address });
      return { key, api: service.api(key), address };
    }),
  );
}

/** A way to learn of a mail. */
interface Reader {
  name: string;
  aimMs: number;
  /** Begins to wait for the mails of all agents. @returns called before each mail is sent, and at the end */
  begin(
    service: Service,
    agents: readonly Agent[],
    seen: (from: string) => void,
  ): Promise<{ before?: (n: number) => void; end: () => void }>;
}

/** A waiting call for each mail, begun when the agent's previous one is sent. The answer holds the whole message. */
const byCall: Reader = {
  name: 'readable through the API',
  aimMs: 15,
  begin: async (_service, agents, seen) => {
    const wait = (n: number): void => {
      const { api, address } = agents[n % AGENTS] as Agent;
      void api
        .get(`/v1/email/wait?address=${address}&from=${senderOf(n)}&wait=60`)
        .then(({ body }) => seen(body.message.from))
        .catch(() => undefined);
    };
    for (let n = 0; n < AGENTS; n++) wait(n);
    return { before: (n) => wait(n + AGENTS), end: () => {} };
  },
};

const bySocket: Reader = {
  name: 'an event on a WebSocket',
  aimMs: 25,
  begin: async (service, agents, seen) => {
    const sockets = await Promise.all(
      agents.map(async ({ key }) => {
        const socket = new WebSocket(`ws://127.0.0.1:${service.httpPort}/v1/ws?type=email.received`, {
          headers: { authorization: `Bearer ${key}` },
        });
        socket.on('message', (data) => seen(JSON.parse(String(data)).data?.from ?? ''));
        await once(socket, 'open');
        return socket;
      }),
    );
    return { end: () => sockets.forEach((socket) => void socket.terminate()) };
  },
};

const byWebhook: Reader = {
  name: 'a delivery to a webhook',
  aimMs: 60,
  begin: async (_service, agents, seen) => {
    const server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      request.on('end', () => {
        seen(JSON.parse(body).data?.from ?? '');
        response.writeHead(204).end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    for (const { api } of agents) {
      const made = await api.post('/v1/webhooks', { url, events: ['email.received'] });
      if (made.status !== 201) throw new Error(made.text);
    }
    return {
      end: () => {
        server.close();
        server.closeAllConnections();
      },
    };
  },
};

/** Sends at an even rate, whatever the service does. It sleeps between mails: at this rate the second core is the service's. */
async function sendMails(sessions: Session[], agents: readonly Agent[], times: Times, before: (n: number) => void) {
  const free = [...sessions];
  const waiting: (() => void)[] = [];
  const began = performance.now();
  const sent: Promise<void>[] = [];
  for (let n = 0; n < WARM_UP + MAILS; n++) {
    const due = began + (n * 1000) / MAILS_PER_SECOND - performance.now();
    if (due > 0) await sleep(due);
    if (free.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    const session = free.pop() as Session;
    const { address } = agents[n % AGENTS] as Agent;
    before(n);
    const delivered = session.deliver(address, mailOf(n, address), () => {
      times.dots[n] = performance.now();
    });
    sent.push(
      delivered.then(() => {
        free.push(session);
        waiting.shift()?.();
      }),
    );
  }
  await Promise.all(sent);
}

async function measure(service: Service, reader: Reader): Promise<number[]> {
  const agents = await agentsOf(service, reader.name.replaceAll(/\W+/g, '-').toLowerCase());
  const sessions: Session[] = [];
  for (let n = 0; n < SESSIONS; n++)
    sessions.push(await openSession({ port: service.smtpPort, localAddress: `127.0.0.${1 + (n % SENDERS)}` }));
  const times: Times = { dots: [], seen: new Map() };
  const { before = () => {}, end } = await reader.begin(service, agents, (from) => {
    times.seen.set(numberOf(from), performance.now());
  });
  await sendMails(sessions, agents, times, before);
  const all = WARM_UP + MAILS;
  const arrived = (): number => times.dots.filter((_, n) => times.seen.has(n)).length;
  for (const until = performance.now() + PATIENCE_MS; arrived() < all && performance.now() < until; ) await sleep(20);
  end();
  for (const session of sessions) session.close();
  if (arrived() < all) throw new Error(`${reader.name}: ${all - arrived()} of ${all} mails were not seen`);
  return times.dots.map((dot, n) => (times.seen.get(n) as number) - dot).slice(WARM_UP);
}

/** How long the service's loop was held up, as it counts itself. */
async function loopDelay(service: Service): Promise<string> {
  const text = await (await fetch(`${service.baseUrl}/metrics`)).text();
  const of = (name: string): string =>
    milliseconds(1000 * Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)`, 'm').exec(text)?.[1]));
  return `the loop's delay: mean ${of('mean')}, p99 ${of('p99')}, longest ${of('max')}`;
}

export const bench: Bench = {
  question: `How long is it from the final dot of a mail to its reader, at ${MAILS_PER_SECOND} mails a second?`,
  run: (say) =>
    withService({}, async (service) => {
      const rows: Row[] = [];
      for (const reader of [byCall, bySocket, byWebhook]) {
        const measured = await measure(service, reader);
        const [p50, p99, longest] = [0.5, 0.99, 1].map((part) => percentile(measured, part)) as [
          number,
          number,
          number,
        ];
        const ours = `p50 ${milliseconds(p50)}, p99 ${milliseconds(p99)}`;
        say(`${reader.name}: ${ours}, longest ${milliseconds(longest)}; ${await loopDelay(service)}`);
        rows.push({
          what: `from the final dot to ${reader.name}, ${MAILS_PER_SECOND} mails a second`,
          ours,
          peer: `${reader.aimMs} ms`,
          ratio: p99 / reader.aimMs,
          aim: `p99 <= ${reader.aimMs} ms`,
        });
      }
      return rows;
    }),
};
