import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onEngines, type TestApp, tokenIn } from '../../../../test/support/harness.ts';
import { heldBack } from '../../../../test/support/held-back.ts';

async function sessionBy(t: TestApp, email: string): Promise<string> {
  // Mails of the same millisecond have no order.
  t.clock.advance(1000);
  await t.api().post('/v1/auth/login', { email });
  const mails = (await t.outboxMails()).filter((mail) => mail.includes(`To: ${email}`) && mail.includes('/login#'));
  const verified = await t.api().get(`/v1/auth/verify?token=${tokenIn(mails.at(-1) as string)}`);
  return verified.headers.get('location')?.split('#session=')[1] as string;
}

onEngines('any', 'taking an account back', {}, (suite) => {
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

onEngines('both', 'taking an account back: what the database decides', {}, (suite) => {
  it('a request has no effect when its key is revoked while the body arrives', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    // It is authenticated before the rotation, or the test would prove nothing.
    const finish = await heldBack(t, account, '/v1/auth/keys/generate-backup');
    const rotated = await account.api.post('/v1/auth/keys/rotate');
    assert.equal(rotated.status, 200);
    assert.equal(await finish(), 401);
    const { body } = await t.api(rotated.body.api_key).get('/v1/auth/keys/list');
    assert.ok(body.keys.every((entry: { status: string }) => entry.status !== 'backup'));
  });
});
