import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { describe, it } from 'node:test';
import { freePort } from '../../../test/support/free-port.ts';
import { startTestApp } from '../../../test/support/harness.ts';

/** Sends bytes as they are. @returns the header of the reply, in lower case */
async function rawReply(port: number, request: string): Promise<string> {
  const socket = net.connect(port, '127.0.0.1').setEncoding('latin1');
  let text = '';
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  socket.write(request);
  await once(socket, 'close');
  return (text.split('\r\n\r\n')[0] as string).toLowerCase();
}

const REQUESTS = [
  'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'HEAD /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'DELETE /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET /v1/account/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'POST /v1/auth/keys HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n{',
  'GET /login HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'nonsense\r\n\r\n',
  'GET /v1/ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
];

describe('every reply', () => {
  it('carries nosniff; strict-transport-security only when BASE_URL is https', async () => {
    for (const [env, hasHsts] of [
      [{}, false],
      [{ BASE_URL: 'https://id.example.com' }, true],
    ] as const) {
      const port = await freePort();
      const t = await startTestApp('sqlite', { env: { ...env, PORT: String(port) } });
      try {
        for (const request of REQUESTS) {
          const header = await rawReply(port, request);
          const what = `${request.split('\r\n')[0]}: ${header}`;
          assert.match(header, /\r\nx-content-type-options: nosniff(?:\r\n|$)/, what);
          assert.equal(/\r\nstrict-transport-security: max-age=31536000(?:\r\n|$)/.test(header), hasHsts, what);
        }
      } finally {
        await t.stop();
      }
    }
  });
});
