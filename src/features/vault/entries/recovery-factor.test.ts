import assert from 'node:assert/strict';
import { it } from 'node:test';
import { confirmOperator } from '../../../../test/support/agents.ts';
import { sessionOf } from '../../../../test/support/confirmed.ts';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { ask, freshEmail, linkTo, mailsTo, verify } from '../../../../test/support/recovery.ts';
import { DAY_MS, HOUR_MS } from '../../../base/period.ts';

const PATH = '/v1/vault/recovery-email';

const seedsOf = async (t: TestApp, email: string): Promise<string[]> =>
  (await verify(t, await linkTo(t, email))).body.account_entries.map(
    ({ encrypted_seed }: { encrypted_seed: string }) => encrypted_seed,
  );

/** An account whose vault has had a recovery address for long. */
async function withOld(t: TestApp) {
  const owner = await t.createAccount();
  const old = freshEmail();
  await owner.api.post(PATH, { email: old, encrypted_seed: 'bWluZQ' });
  await owner.api.put('/v1/vault/bank', { ciphertext: 'c2VhbGVk' });
  t.clock.advance(8 * DAY_MS);
  return { ...owner, old };
}

onEngines('any', 'M7: the recovery address of a vault whose operator decides', {}, (suite) => {
  it('is no stranger’s by the agent’s key; the operator’s, and the one that stands, may get a new seed', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const [before, operator, stranger] = [freshEmail(), freshEmail(), freshEmail()];
    const store = (email: string) => account.api.post(PATH, { email, encrypted_seed: 'bWluZQ' });
    assert.equal((await store(before)).status, 200);
    await confirmOperator(t, account, operator, 'operator');
    const refused = await store(stranger);
    assert.deepEqual([refused.status, refused.body.error], [403, 'operator_required']);
    assert.equal(await t.app.provided.vaultRecoveryOf(account.accountId), before);
    for (const email of [before, operator]) assert.equal((await store(email)).status, 200);
  });
});

onEngines('any', 'an old recovery address of a vault', {}, (suite) => {
  it('recovers for 7 days beside the new one, then the new one alone', async () => {
    const { t } = suite;
    const { api, accountId, old } = await withOld(t);
    const email = freshEmail();
    const replaced = await api.post(PATH, { email, encrypted_seed: 'bmV3' });
    assert.deepEqual([replaced.status, replaced.body.email], [200, email]);
    assert.equal(await t.app.provided.vaultRecoveryOf(accountId), email);
    const [{ what, target }] = (await api.get('/v1/account/notices')).body.notices;
    assert.deepEqual([what, target], ['vault_recovery_email', old]);
    assert.deepEqual([await seedsOf(t, old), await seedsOf(t, email)], [['bWluZQ'], ['bmV3']]);
    t.clock.advance(7 * DAY_MS);
    await t.app.worker.runDue();
    const sent = (await mailsTo(t, old)).length;
    await ask(t, old);
    assert.equal((await mailsTo(t, old)).length, sent);
    assert.deepEqual(await seedsOf(t, email), ['bmV3']);
  });

  it('a thief who stores another, twice, does not keep the owner from recovering; secure puts it back', async () => {
    const { t } = suite;
    const { api, accountId, old, key } = await withOld(t);
    const thief = t.api(key);
    const email = freshEmail();
    await thief.post(PATH, { email, encrypted_seed: 'dGhpZWY' });
    await thief.post(PATH, { email: old, encrypted_seed: 'Z2FyYmFnZQ' });
    const { body } = await verify(t, await linkTo(t, old));
    assert.deepEqual(
      body.account_entries.map(({ encrypted_seed }: { encrypted_seed: string }) => encrypted_seed).sort(),
      ['Z2FyYmFnZQ', 'bWluZQ'],
    );
    assert.equal(body.entries.length, 1);
    await thief.post(PATH, { email, encrypted_seed: 'dGhpZWY' });
    assert.equal((await api.post('/v1/account/secure')).status, 200);
    t.clock.advance(8 * DAY_MS);
    await t.app.worker.runDue();
    assert.deepEqual(await seedsOf(t, old), ['bWluZQ']);
    assert.equal(await t.app.provided.vaultRecoveryOf(accountId), old);
    await ask(t, email);
    assert.deepEqual(await mailsTo(t, email), []);
  });

  it('undo puts it back, and drops what stood beside it', async () => {
    const { t } = suite;
    const owner = await withOld(t);
    await owner.api.post(PATH, { email: freshEmail(), encrypted_seed: 'dGhpZWY' });
    const { api: session } = await sessionOf(t, owner, 9 * DAY_MS);
    const [{ id }] = (await owner.api.get('/v1/account/notices')).body.notices;
    assert.equal((await session.post(`/v1/account/notices/${id}/undo`)).status, 200);
    assert.equal(await t.app.provided.vaultRecoveryOf(owner.accountId), owner.old);
    assert.deepEqual(await seedsOf(t, owner.old), ['bWluZQ']);
  });

  it('is replaced at once while it is young, and by a session of an older address', async () => {
    const { t } = suite;
    const owner = await t.createAccount();
    t.clock.advance(HOUR_MS);
    const [first, second, third] = [freshEmail(), freshEmail(), freshEmail()];
    await owner.api.post(PATH, { email: first, encrypted_seed: 'b25l' });
    await owner.api.post(PATH, { email: second, encrypted_seed: 'dHdv' });
    assert.deepEqual((await owner.api.get('/v1/account/notices')).body.notices, []);
    t.clock.advance(10 * DAY_MS);
    const { api: session } = await sessionOf(t, owner, 11 * DAY_MS);
    await session.post(PATH, { email: third, encrypted_seed: 'dGhyZWU' });
    assert.deepEqual((await owner.api.get('/v1/account/notices')).body.notices, []);
    await ask(t, second);
    assert.deepEqual(await mailsTo(t, second), []);
    assert.deepEqual(await seedsOf(t, third), ['dGhyZWU']);
  });
});
