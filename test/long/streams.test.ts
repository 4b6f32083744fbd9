import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { it } from 'node:test';
import { WebSocket } from 'ws';
import { ROOMY_LIMITS, startService } from '../process/service.ts';
import { freshDatabase } from '../support/harness.ts';
import { untilReaders } from '../support/stream-client.ts';
import { printRow, sizeOf } from './size.ts';

/** Streams, half of them WebSockets. */
const STREAMS = sizeOf(10_000);
const AT_ONCE = 50;
const LIMITS = JSON.stringify({
  ...JSON.parse(ROOMY_LIMITS),
  free: { requests_per_day: 1e9, emails_per_day: 1e9, emails_per_hour: 1e9, event_streams: STREAMS },
});

const rssOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

for (const engine of ['sqlite', 'postgres'] as const)
  it(`${STREAMS} idle streams on ${engine}: one event reaches each of its account once, and the others nothing`, async (t) => {
    const { env, drop } = await freshDatabase(engine);
    const service = await startService({ ...env, LIMITS });
    const keys: string[] = [];
    for (let n = 0; n < 2; n++) keys.push((await service.api().post('/v1/auth/keys', {})).body.api_key);
    const [busy = '', idle = ''] = keys;
    const { address } = (await service.api(busy).post('/v1/email/claim', { address: 'busy' })).body;
    const closers: (() => void)[] = [];
    const heard = { busy: 0, idle: 0 };
    const open = async (n: number): Promise<void> => {
      const whose = n % 100 === 0 ? 'busy' : 'idle';
      const key = whose === 'busy' ? busy : idle;
      if (n % 2 === 0) {
        const url = `${service.baseUrl.replace('http', 'ws')}/v1/ws`;
        const socket = new WebSocket(url, { headers: { authorization: `Bearer ${key}` } });
        socket.on('message', (data) => {
          if (String(data).includes('email.received')) heard[whose] += 1;
        });
        closers.push(() => socket.terminate());
        await once(socket, 'open');
        return;
      }
      const socket = net.connect(service.httpPort, '127.0.0.1');
      socket.write(`GET /v1/events/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`);
      closers.push(() => socket.destroy());
      await once(socket, 'data');
      socket.on('data', (data) => {
        if (String(data).includes('email.received')) heard[whose] += 1;
      });
    };
    try {
      const before = rssOf(service.pid);
      for (let n = 0; n < STREAMS; n += AT_ONCE)
        await Promise.all(Array.from({ length: Math.min(AT_ONCE, STREAMS - n) }, (_, i) => open(n + i)));
      await untilReaders(service.baseUrl, STREAMS);
      const each = (rssOf(service.pid) - before) / STREAMS;
      const began = performance.now();
      const sent = await service
        .api(busy)
        .post('/v1/email/send', { from: address, to: address, subject: 'x', text: 'x' });
      assert.equal(sent.status, 201, sent.text);
      const wanted = Math.ceil(STREAMS / 100);
      while (heard.busy < wanted && performance.now() - began < 60_000)
        await new Promise((resolve) => void setTimeout(resolve, 10));
      assert.deepEqual(heard, { busy: wanted, idle: 0 });
      printRow(t, `${STREAMS} idle streams, ${engine}`, {
        'KB each': (each / 1024).toFixed(1),
        'event heard by all after ms': Math.round(performance.now() - began),
      });
    } finally {
      for (const close of closers) close();
      await service.kill('SIGTERM');
      await drop();
    }
  });
