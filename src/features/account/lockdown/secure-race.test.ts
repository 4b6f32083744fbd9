import assert from 'node:assert/strict';
import { it } from 'node:test';
import { freshName } from '../../../../test/contract/samples/sample.ts';
import { confirmOperator, openSession } from '../../../../test/support/agents.ts';
import { confirmAt } from '../../../../test/support/confirmed.ts';
import { onEngines, type TestAccount, type TestApp, tokenIn } from '../../../../test/support/harness.ts';
import { makePod } from '../../../../test/support/pods.ts';
import { untilWaiting } from '../../../../test/support/waiting-calls.ts';
import { DAY_MS } from '../../../base/period.ts';
import { lockAccounts } from '../accounts/account-lifecycle.ts';
import { revokeActiveKey } from '../keys/key-store.ts';

const freshEmail = (): string => `${freshName('race')}@example.com`;
const PUBLIC_KEY = 'CFo0W1tm4w0oiJfRYHJOkNCdbAmdhhTzAcsK1SN_wnE';

/** Makes the calls while the owner’s key ends. Each waits for that, and is refused. */
async function plantsNothing(
  t: TestApp,
  owner: TestAccount,
  plants: readonly (() => ReturnType<TestAccount['api']['post']>)[],
): Promise<void> {
  let calls: ReturnType<(typeof plants)[number]>[] = [];
  await t.app.database.transaction(async (tx) => {
    await lockAccounts(tx, [owner.accountId]);
    calls = plants.map((plant) => plant());
    await untilWaiting(t, calls);
    await revokeActiveKey(tx, owner.accountId, t.clock.now());
  });
  const replies = await Promise.all(calls);
  assert.deepEqual(
    replies.map(({ status }) => status),
    plants.map(() => 401),
  );
}

onEngines('both', 'H1: a thief who calls while the owner’s `secure` runs', {}, (suite) => {
  it('plants nothing that outlives it: each call waits, and finds its key ended', async () => {
    const { t } = suite;
    const owner = await t.createAccount();
    const { address } = (await owner.api.post('/v1/email/claim', { address: freshName('race') })).body;
    const pod = await makePod(t, owner);
    const thief = t.api(owner.key);
    const hook = { url: 'http://127.0.0.1:9/hook', address };
    await plantsNothing(t, owner, [
      () => thief.post('/v1/account/keys', { name: 'x', scopes: ['mail:read'] }),
      () => thief.post('/v1/auth/keys/generate-backup'),
      () => thief.post('/v1/account/recovery-email', { email: freshEmail() }),
      () => thief.post('/v1/account/operator-email', { email: freshEmail() }),
      () => thief.post('/v1/vault/recovery-email', { email: freshEmail(), encrypted_seed: 'dGhpZWY' }),
      () => thief.post('/v1/email/webhooks', hook),
      () => thief.post('/v1/webhooks', { url: hook.url, events: ['email.received'] }),
      () => thief.post('/v1/tokens/issue', { audience: 'https://api.example', scopes: ['read'] }),
      () => thief.post('/v1/calendar/feed/rotate'),
      () => thief.post('/v1/pods', {}),
      () => thief.patch(`/v1/pods/${pod.podId}`, { recovery_email: freshEmail() }),
      () => thief.post(`/v1/pods/${pod.podId}/keys`),
    ]);
  });

  it('plants no key that seals the mail to come, and no mail that leaves later', async () => {
    const { t } = suite;
    const owner = await t.createAccount();
    const { address } = (await owner.api.post('/v1/email/claim', { address: freshName('race') })).body;
    const mail = { from: address, to: 'x@out.example', subject: 'later', text: 'later' };
    const { draft_id } = (await owner.api.post('/v1/email/drafts', mail)).body;
    const send_at = new Date(t.clock.now() + DAY_MS).toISOString();
    const thief = t.api(owner.key);
    await plantsNothing(t, owner, [
      () => thief.post('/v1/email/claim', { address, public_key: PUBLIC_KEY }),
      () => thief.post('/v1/email/drafts', { ...mail, send_at }),
      () => thief.patch(`/v1/email/drafts/${draft_id}`, { send_at }),
    ]);
  });

  it('N4: changes no limit, no policy, no profile and no address', async () => {
    const { t } = suite;
    const owner = await t.createAccount();
    const { address } = (await owner.api.post('/v1/email/claim', { address: freshName('race') })).body;
    const thief = t.api(owner.key);
    await plantsNothing(t, owner, [
      () => thief.put('/v1/budget', { daily: 1 }),
      () => thief.put('/v1/email/policy', { outbound: { to: 'known' } }),
      () => thief.patch('/v1/agents/profile', { description: 'Send money.' }),
      () => thief.patch(`/v1/email/addresses/${address}`, { retention_days: 1 }),
    ]);
  });

  it('as an operator who is being removed, leaves no suspension that nobody could lift', async () => {
    const { t } = suite;
    const owner = await t.createAccount();
    const email = freshEmail();
    await confirmOperator(t, owner, email);
    const thief = await openSession(t, email);
    let calls: ReturnType<typeof thief.post>[] = [];
    await t.app.database.transaction(async (tx) => {
      await lockAccounts(tx, [owner.accountId]);
      calls = [thief.post(`/v1/operator/agents/${owner.accountId}/suspend`)];
      await untilWaiting(t, calls);
      for (const person of await t.app.provided.people.list(tx, owner.accountId))
        await t.app.provided.people.remove(tx, person, t.clock.now());
    });
    assert.deepEqual(
      (await Promise.all(calls)).map(({ status }) => status),
      [404],
    );
    assert.equal((await owner.api.get('/v1/account/me')).status, 200);
  });

  it('logs in with no link that was made for an address which is gone', async () => {
    const { t } = suite;
    const owner = await t.createAccount();
    const email = freshEmail();
    await confirmAt(t, owner.accountId, email, t.clock.now());
    await t.api().post('/v1/auth/login', { email });
    const mail = (await t.outboxMails()).findLast((text) => text.includes(`To: ${email}`));
    await t.sql('delete from people where address = ?', email);
    const { status, body } = await t.api().get(`/v1/auth/verify?token=${tokenIn(mail ?? '')}`);
    assert.deepEqual([status, body.error], [400, 'invalid_token']);
  });
});
