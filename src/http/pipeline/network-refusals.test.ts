import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { it } from 'node:test';
import { onEngines, type TestApp } from '../../../test/support/harness.ts';
import { HOUR_MS } from '../../base/period.ts';

const limits = { registrations_per_ip_per_hour: 2, signups_per_ip_per_hour: 2 };

const options = { limits, env: { TRUST_PROXY: '1' } };
const from = (network: string) => ({ 'x-forwarded-for': network });

/** Sends the headers of a registration and the first byte of its body. @returns the first line of the reply */
async function begin({ baseUrl }: TestApp, network: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = net.connect(Number(port), hostname);
  const head = ['POST /v1/register HTTP/1.1', 'Host: x', `X-Forwarded-For: ${network}`, 'Content-Length: 100'];
  socket.write(`${head.join('\r\n')}\r\nContent-Type: application/json\r\n\r\n{`);
  const [reply] = (await once(socket.setEncoding('latin1'), 'data')) as [string];
  socket.destroy();
  return reply.split('\r\n')[0] as string;
}

onEngines('any', 'a network that used up a limit of anonymous calls', options, (suite) => {
  it('is refused before its next body is read, with the same facts; other networks and routes are not', async () => {
    const { t } = suite;
    const register = (network: string, headers = {}) =>
      t.api().post('/v1/register', { name: 'Ada' }, { ...from(network), ...headers });
    for (let n = 0; n < 2; n++) assert.equal((await register('192.0.2.1')).status, 201);
    const counted = await register('192.0.2.1');
    assert.equal(counted.status, 429);
    assert.match(await begin(t, '192.0.2.1'), /^HTTP\/1\.1 429 /);
    t.clock.advance(HOUR_MS / 2);
    const later = await register('192.0.2.1');
    assert.deepEqual(later.body.limit, counted.body.limit);
    assert.deepEqual(later.body.limit, { name: 'registrations_per_ip_per_hour', used: 2, max: 2 });
    assert.equal(later.body.retry_after, HOUR_MS / 2000);
    assert.equal(later.headers.get('retry-after'), String(HOUR_MS / 2000));
    assert.equal((await register('192.0.2.2')).status, 201);
    assert.equal((await t.api().post('/v1/auth/keys', {}, from('192.0.2.1'))).status, 201);
    t.clock.advance(HOUR_MS / 2);
    assert.equal((await register('192.0.2.1')).status, 201, 'the window has passed');
  });

  it('a repeat with its Idempotency-Key is still known', async () => {
    const { t } = suite;
    const headers = { ...from('192.0.2.3'), 'idempotency-key': 'once-more' };
    assert.equal((await t.api().post('/v1/register', { name: 'Ada' }, headers)).status, 201);
    for (const status of [201, 429, 429])
      assert.equal((await t.api().post('/v1/register', { name: 'Ada' }, from('192.0.2.3'))).status, status);
    const again = await t.api().post('/v1/register', { name: 'Ada' }, headers);
    assert.equal(again.body.error, 'idempotency_secret_spent');
  });
});

onEngines('both', 'the limits of the networks of IPv6', options, (suite) => {
  it('N8: a /48 of IPv6 may do 12 times what a /64 may; then all of it is refused before a body is read', async () => {
    const { t } = suite;
    const register = (host: number, site = 1) =>
      t.api().post('/v1/register', { name: 'Ada' }, from(`2001:db8:${site}:${host.toString(16)}::1`));
    const replies = await Promise.all(Array.from({ length: 60 }, (_, host) => register(host)));
    assert.equal(replies.filter(({ status }) => status === 201).length, 24);
    const refused = await register(60);
    assert.deepEqual(refused.body.limit, { name: 'registrations_per_ip_per_hour', used: 24, max: 24 });
    assert.match(await begin(t, '2001:db8:1:ffff::1'), /^HTTP\/1\.1 429 /);
    assert.equal((await register(1, 2)).status, 201);
    for (const status of [201, 429]) assert.equal((await register(1, 2)).status, status);
    assert.equal((await register(2, 2)).status, 201, 'one /64 is refused, not the others of its /48');
    t.clock.advance(HOUR_MS);
    assert.equal((await register(61)).status, 201);
  });
});
