import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { it } from 'node:test';
import { onBothDatabases, type TestApp, tokenIn } from '../../../test/support/harness.ts';

/** Sends a request without the last byte of its body. The returned function sends that byte and reads the status. */
async function heldBack(t: TestApp, key: string, path: string): Promise<() => Promise<number>> {
  const { port } = new URL(t.baseUrl);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{`,
  );
  return async () => {
    socket.write('}');
    const [reply] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(String(reply))?.[1]);
  };
}

async function sessionBy(t: TestApp, email: string): Promise<string> {
  // Mails of the same millisecond have no order.
  t.clock.advance(1000);
  await t.api().post('/v1/auth/login', { email });
  const mails = (await t.outboxMails()).filter((mail) => mail.includes(`To: ${email}`) && mail.includes('/login#'));
  const verified = await t.api().get(`/v1/auth/verify?token=${tokenIn(mails.at(-1) as string)}`);
  return verified.headers.get('location')?.split('#session=')[1] as string;
}

onBothDatabases('taking an account back', {}, (suite) => {
  it('a request has no effect when its key is revoked while the body arrives', async () => {
    const { t } = suite;
    const { key, api } = await t.createAccount();
    const finish = await heldBack(t, key, '/v1/auth/keys/generate-backup');
    // The request must be authenticated before the rotation, or the test would prove nothing.
    await new Promise((resolve) => setTimeout(resolve, 50));
    const rotated = await api.post('/v1/auth/keys/rotate');
    assert.equal(rotated.status, 200);
    assert.equal(await finish(), 401);
    const { body } = await t.api(rotated.body.api_key).get('/v1/auth/keys/list');
    assert.ok(body.keys.every((entry: { status: string }) => entry.status !== 'backup'));
  });

  it('a rotation ends all other sessions and links, and keeps the session that made the call', async () => {
    const { t } = suite;
    const { accountId, api } = await t.createAccount({ email: 'owner@example.com' });
    const mine = await sessionBy(t, 'owner@example.com');
    await api.post('/v1/account/recovery-email', { email: 'thief@example.com' });
    const theirs = await sessionBy(t, 'thief@example.com');
    assert.equal((await t.api(theirs).get('/v1/account/me')).status, 200);
    assert.equal((await t.api(mine).get('/v1/account/me')).status, 200, 'naming an address ends nobody’s session');
    const rotated = await t.api(mine).post('/v1/auth/keys/rotate');
    assert.equal(rotated.status, 200);
    assert.equal((await t.api(theirs).get('/v1/account/me')).status, 401);
    assert.equal((await t.api(mine).get('/v1/account/me')).body.id, accountId);
  });
});
