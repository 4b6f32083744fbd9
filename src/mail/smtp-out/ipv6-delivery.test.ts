import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { after, it } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { createTestDns } from '../../../test/support/dns.ts';
import { createMailTransport } from './mail-transport.ts';

const taken: string[] = [];

async function startServer(host: string, port: number): Promise<number> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, _session, callback) =>
      void stream.resume().on('end', () => {
        taken.push(host);
        callback(null, 'Ok');
      }),
  });
  await new Promise<void>((resolve) => void server.listen(port, host, resolve));
  after(() => new Promise<void>((done) => void server.close(done)));
  return (server.server.address() as AddressInfo).port;
}

// Some containers have no IPv6.
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
const skip = hasIpv6 ? false : 'this machine has no IPv6';
const port = hasIpv6 ? await startServer('::1', 0) : 0;
const dns = createTestDns();
for (const [name, v6, v4] of [
  ['both.example', '::1', '127.0.0.9'],
  ['six.example', '::1', null],
] as const) {
  dns.set('MX', name, `0 mx.${name}`);
  dns.set('AAAA', `mx.${name}`, v6);
  if (v4) dns.set('A', `mx.${name}`, v4);
}

it('direct delivery goes over IPv6 to a server that has only that, or whose IPv4 does not answer', {
  skip,
}, async () => {
  const direct = { hostname: 'mx.agents.example', resolve: dns.resolve, blockPrivate: false, port };
  const transport = createMailTransport({ relayUrl: null, outboxDir: '/nowhere', direct });
  const mail = { id: 'out_1', envelopeFrom: '', raw: Buffer.from('Subject: x\r\n\r\nx') };
  for (const to of ['x@six.example', 'x@both.example'])
    assert.equal((await transport.send({ ...mail, recipients: [to] })).status, 'sent');
  assert.deepEqual(taken, ['::1', '::1']);
});
