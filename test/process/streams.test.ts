import assert from 'node:assert/strict';
import net from 'node:net';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { readConfig } from '../../src/config/service-config.ts';
import { eventually } from '../support/eventually.ts';
import { type Api, freshDatabase, runSql } from '../support/harness.ts';
import { untilReaders } from '../support/stream-client.ts';
import { ROOMY_LIMITS, type Service, startService } from './service.ts';

interface Mailbox {
  key: string;
  accountId: string;
  address: string;
}

async function mailbox(service: Service, name: string): Promise<Mailbox> {
  const { api_key: key, account_id: accountId } = (await service.api().post('/v1/auth/keys')).body;
  const { address } = (await service.api(key).post('/v1/email/claim', { address: name })).body;
  return { key, accountId, address };
}

async function mailTo(api: Api, { address }: Mailbox, subject: string): Promise<void> {
  const reply = await api.post('/v1/email/send', { from: address, to: address, subject, text: 'x' });
  assert.equal(reply.status, 201, reply.text);
}

/** All events in an account's log, in order. */
async function idsOf(api: Api): Promise<string[]> {
  const ids: string[] = [];
  for (let more = true; more; ) {
    const { body } = await api.get(`/v1/events?limit=200${ids.length > 0 ? `&after=${ids.at(-1)}` : ''}`);
    ids.push(...body.events.map(({ id }: { id: string }) => id));
    more = body.has_more;
  }
  return ids;
}

/** Reads events after `after` from one instance, up to `count` or the last of the log, then disconnects. */
type Read = (service: Service, key: string, after: string, count: number, last: Promise<string>) => Promise<string[]>;

const byWebSocket: Read = (service, key, after, count, last) =>
  new Promise((resolve, reject) => {
    const ids: string[] = [];
    const url = `${service.baseUrl.replace('http', 'ws')}/v1/ws?after=${after}`;
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${key}` } });
    let end = '';
    const look = (): void => void ((ids.at(-1) ?? after) === end && socket.terminate());
    last.then((id) => {
      end = id;
      look();
    }, reject);
    socket.on('error', reject);
    socket.on('message', (data) => {
      if (ids.length >= count) return;
      ids.push(JSON.parse(String(data)).id);
      if (ids.length === count) socket.terminate();
      look();
    });
    socket.on('close', () => resolve(ids));
  });

const byEventStream: Read = async (service, key, after, count, last) => {
  const cut = new AbortController();
  const headers = { authorization: `Bearer ${key}`, 'last-event-id': after };
  const ids: string[] = [];
  let end = '';
  const look = (): void => void ((ids.at(-1) ?? after) === end && cut.abort());
  last.then(
    (id) => {
      end = id;
      look();
    },
    () => cut.abort(),
  );
  try {
    const response = await fetch(`${service.baseUrl}/v1/events/stream`, { headers, signal: cut.signal });
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      const whole = text.slice(0, text.lastIndexOf('\n\n') + 1);
      const found = [...whole.matchAll(/^id: (ev_\w+)$/gm)].map((match) => match[1] as string);
      ids.splice(0, ids.length, ...found.slice(0, count));
      if (ids.length === count) break;
      look();
    }
  } catch (err) {
    if (!cut.signal.aborted) throw err;
  } finally {
    cut.abort();
  }
  return ids;
};

describe('streams across two instances over one PostgreSQL', () => {
  let drop: () => Promise<void>;
  let services: [Service, Service];
  before(async () => {
    const database = await freshDatabase('postgres');
    drop = database.drop;
    const settings = { ...database.env, LIMITS: ROOMY_LIMITS };
    services = await Promise.all([startService(settings), startService(settings)]);
  });
  after(async () => {
    await Promise.all(services.map((service) => service.kill('SIGTERM')));
    await drop();
  });

  for (const [name, read] of [
    ['WebSocket', byWebSocket],
    ['SSE', byEventStream],
  ] as const) {
    it(`${name}: disconnected during traffic and reconnected elsewhere with the last id, gets every event once and in order`, async () => {
      const box = await mailbox(services[0], `cut-${name.toLowerCase()}`);
      const apis = services.map((service) => service.api(box.key)) as [Api, Api];
      await mailTo(apis[0], box, 'first');
      const [start = ''] = await idsOf(apis[0]);
      let end: string | null = null;
      const flowing = (async () => {
        for (let n = 0; n < 60; n++) await Promise.all(apis.map((api) => mailTo(api, box, `mail ${n}`)));
        const last = (await idsOf(apis[1])).at(-1) as string;
        end = last;
        return last;
      })();
      const seen = [start];
      for (let round = 0; seen.at(-1) !== end; round++) {
        const service = services[round % 2] as Service;
        // 1, 8, 15 …: disconnect after the first event of a page, within a page, and after a page.
        seen.push(...(await read(service, box.key, seen.at(-1) as string, 1 + ((round * 7) % 23), flowing)));
      }
      await flowing;
      assert.equal(seen.length, 242);
      assert.deepEqual(seen, await idsOf(apis[0]));
    });
  }
});

/** The memory of the process in bytes, after a garbage collection. */
async function measure(service: Service): Promise<{ rss: number; held: number }> {
  const from = service.stdout().length;
  service.signal('SIGUSR2');
  const [line] = await eventually(() => /^\{"rss":.*\}$/m.exec(service.stdout().slice(from)));
  return JSON.parse(line);
}

/** What the system counts for a process depends on the machine. It is looked at in npm run test:long -- streams. */
function assertResident(bytes: number, max: number): void {
  if (process.env.SIGNET_LONG) assert.ok(bytes < max, `${bytes} bytes of resident memory`);
}

const MEASURED = ['sh', 'bin/node', '--expose-gc', fileURLToPath(new URL('./measured-server.ts', import.meta.url))];

/** Limits for the streams of one account. */
const MANY_STREAMS = JSON.stringify({
  ...JSON.parse(ROOMY_LIMITS),
  free: { requests_per_day: 1e9, event_streams: 10_000 },
});

describe('many streams at once', () => {
  it('2,000 idle WebSockets cost under 20 KB each', async () => {
    const { env, drop } = await freshDatabase('sqlite');
    const service = await startService({ ...env, LIMITS: MANY_STREAMS }, MEASURED);
    const { key } = await mailbox(service, 'idle');
    const sockets: WebSocket[] = [];
    const open = (): Promise<void> =>
      new Promise((resolve, reject) => {
        const url = `${service.baseUrl.replace('http', 'ws')}/v1/ws`;
        const socket = new WebSocket(url, { headers: { authorization: `Bearer ${key}` } });
        socket.once('open', () => resolve()).once('error', reject);
        sockets.push(socket);
      });
    const openMany = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n += 50) await Promise.all(Array.from({ length: 50 }, open));
    };
    try {
      // Code and caches that any use loads are not the cost of a socket.
      await openMany(200);
      const base = await measure(service);
      await openMany(2000);
      await untilReaders(service.baseUrl, 2200);
      const full = await measure(service);
      const [heap, rss] = [(full.held - base.held) / 2000, (full.rss - base.rss) / 2000];
      assert.ok(heap > 500 && heap < 20_000, `${heap} bytes of heap and buffers each`);
      assertResident(rss, 20_000);
    } finally {
      for (const socket of sockets) socket.terminate();
      await service.kill('SIGTERM');
      await drop();
    }
  });
});

/** Bytes for each reader, far more than the buffers of the kernel. */
const EVENTS = 10_000;
const EVENT_BYTES = 4000;

describe('readers that stop reading', () => {
  it('are closed, WebSockets with 1013, and their unread data does not stay in memory', async () => {
    const { env, drop } = await freshDatabase('sqlite');
    const settings = { ...env, LIMITS: MANY_STREAMS };
    const service = await startService(settings, [...MEASURED, '3000']);
    const { key, accountId } = await mailbox(service, 'slow');
    const sql = (text: string): Promise<unknown> => runSql(readConfig(env), text, []);
    await sql(
      `insert into events (account_id, seq, type, data, created_at)
       with recursive n (i) as (select 1 union all select i + 1 from n where i < ${EVENTS})
       select '${accountId}', i, 'email.sent', '{"subject":"' || hex(zeroblob(${EVENT_BYTES / 2})) || '"}', 0 from n`,
    );
    await sql(`insert into event_heads (account_id, last_seq) values ('${accountId}', ${EVENTS})`);
    const after = `ev_${'0'.repeat(26)}`;
    try {
      const base = await measure(service);
      const sockets = Array.from({ length: 4 }, () => {
        const url = `${service.baseUrl.replace('http', 'ws')}/v1/ws?after=${after}`;
        const socket = new WebSocket(url, { headers: { authorization: `Bearer ${key}` } });
        socket.once('open', () => socket.pause());
        return socket;
      });
      const codes = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      const streams = Array.from({ length: 4 }, () => {
        const stream = net.connect(service.httpPort, '127.0.0.1');
        stream.once('readable', () => {}).on('error', () => {});
        stream.write(
          `GET /v1/events/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\nlast-event-id: ${after}\r\n\r\n`,
        );
        return stream;
      });
      await untilReaders(service.baseUrl, 8);
      const during = await measure(service);
      assert.ok(during.held - base.held < 32e6, `${during.held - base.held} bytes held for 8 readers`);
      await untilReaders(service.baseUrl, 0);
      // They read on to the end: to the close frame, or to the end of the connection.
      for (const socket of sockets) socket.resume();
      assert.deepEqual(await Promise.all(codes), [1013, 1013, 1013, 1013]);
      for (const stream of streams) stream.resume();
      await Promise.all(
        streams.map((stream) => stream.closed || new Promise((resolve) => stream.once('close', resolve))),
      );
      const later = await measure(service);
      assert.ok(later.held - base.held < 8e6, `${later.held - base.held} bytes still held`);
      assertResident(later.rss - base.rss, 200e6);
    } finally {
      await service.kill('SIGTERM');
      await drop();
    }
  });
});
