import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { it } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import { startTestApp } from '../../../test/support/harness.ts';

const ATTACK = 600;
/** What one network may keep waiting. */
const BOUND = 256;
/** More than it may wait in any case. */
const PATIENCE_MS = 5500;

/** Opens a connection and sends these bytes. @returns whether it is still open */
async function open(
  port: number,
  bytes: string,
  localAddress: string,
): Promise<{ socket: net.Socket; isOpen: boolean }> {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress });
  const connection = { socket, isOpen: true };
  socket
    .on('error', () => {})
    .on('close', () => {
      connection.isOpen = false;
    });
  socket.resume();
  await once(socket, 'connect');
  socket.write(bytes);
  return connection;
}

it('headers and a body whose rest never comes end with 408', async () => {
  const t = await startTestApp('sqlite', { requestMs: { headers: 200, all: 200, checkEvery: 50 } });
  const port = Number(new URL(t.baseUrl).port);
  const head = 'POST /v1/auth/keys HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n';
  const answerTo = async (bytes: string): Promise<string> => {
    for (let tries = 0; tries < 20; tries++) {
      const socket = net.connect({ port, host: '127.0.0.1' });
      socket.write(bytes);
      // Bytes that come after the answer, on a machine that stood still, reset the connection.
      const answer = (await socket.toArray().catch(() => [])).join('');
      if (answer !== '') return answer;
    }
    return '';
  };
  try {
    for (const bytes of [head, `${head}\r\n{`])
      assert.match(await answerTo(bytes), /^HTTP\/1\.1 408 Request Timeout\r\n/);
    assert.deepEqual(await t.sql('select id from accounts'), []);
  } finally {
    await t.stop();
  }
});

it('half-sent requests of one network are bounded, the oldest first; other networks and streams keep theirs', async (context) => {
  const t = await startTestApp('sqlite');
  const port = Number(new URL(t.baseUrl).port);
  const { key } = await t.createAccount();
  const stream = await open(
    port,
    `GET /v1/events/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    '127.0.0.7',
  );
  const bystander = await open(port, 'GET /health HTTP/1.1\r\nHost: x\r\n', '127.0.0.8');
  const half = [
    'POST /v1/auth/keys HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
    'GET /health HTTP/1.1\r\nHost: x\r\n',
  ];
  const attack: Awaited<ReturnType<typeof open>>[] = [];
  try {
    for (let n = 0; n < ATTACK; n++) attack.push(await open(port, half[n % 2] as string, '127.0.0.7'));
    const left = (): number => attack.filter(({ isOpen }) => isOpen).length;
    const { now } = performance;
    context.mock.method(performance, 'now', () => now.call(performance) + PATIENCE_MS);
    attack.push(await open(port, half[1] as string, '127.0.0.7'));
    await eventually(() => left() <= BOUND, 'the surplus is closed');
    assert.ok(attack.slice(0, 100).every(({ isOpen }) => !isOpen));
    assert.deepEqual([stream.isOpen, bystander.isOpen], [true, true]);
    assert.equal((await t.api().get('/health')).status, 200);
  } finally {
    for (const { socket } of [...attack, stream, bystander]) socket.destroy();
    await t.stop();
  }
});
