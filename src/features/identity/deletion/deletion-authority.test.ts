import assert from 'node:assert/strict';
import { it } from 'node:test';
import { confirmationFor, mailsTo, openSession } from '../../../../test/support/agents.ts';
import { sessionOf } from '../../../../test/support/confirmed.ts';
import { begin, byOf, CANCEL, eventsOf, type Operated, operated } from '../../../../test/support/deletions.ts';
import { type Api, onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { newPerson } from '../../../../test/support/operators.ts';
import { makePod } from '../../../../test/support/pods.ts';
import { DAY_MS, HOUR_MS } from '../../../base/period.ts';

const WEEK_MS = 7 * DAY_MS;

const cancel = async (api: Api): Promise<[number, string | undefined]> => {
  const { status, body } = await api.post(CANCEL);
  return [status, body.error];
};
const REFUSED = [403, 'operator_required'];
const DONE = [200, undefined];

/** Names another operator, by a session of the first, who confirms. @returns a session */
async function anotherOperator(t: TestApp, { accountId, operator }: Operated): Promise<{ api: Api; email: string }> {
  const email = newPerson(t);
  assert.equal((await operator.post('/v1/account/operator-email', { email })).status, 200);
  const token = await confirmationFor(t, accountId, email);
  assert.equal((await t.api().post('/v1/people/confirm', { token, decision: 'confirm' })).status, 200);
  return { email, api: await openSession(t, email) };
}

onEngines('any', 'G3: who may cancel a deletion', {}, (suite) => {
  it('G3: the agent cannot cancel the deletion that its operator began', async () => {
    const { t } = suite;
    const account = await operated(t, 0, 'operator');
    const { api, backup, operator } = account;
    const later = await sessionOf(t, { ...account, api: operator }, 0);
    const named = (await operator.post('/v1/account/keys', { name: 'ci', scopes: ['account:manage'] })).body.api_key;
    assert.deepEqual([(await api.delete('/v1/account')).body.error, await byOf(api)], ['operator_required', null]);
    const ends_at = await begin(operator);
    for (const each of [api, backup, later.api]) assert.deepEqual(await cancel(each), REFUSED);
    assert.equal((await cancel(t.api(named)))[1], 'insufficient_scope');
    const me = (await api.get('/v1/account/me')).body;
    assert.deepEqual(me.deletion, { ends_at, by: 'operator' });
    assert.equal((await api.put('/v1/vault/a', { ciphertext: 'x' })).body.error, 'account_deleting');
    assert.deepEqual(await cancel(operator), DONE);
    assert.equal((await api.get('/v1/account/me')).body.deletion, null);
    assert.equal((await api.put('/v1/vault/a', { ciphertext: 'x' })).status, 201);
    assert.deepEqual(await eventsOf(account), [
      ['account.deletion_scheduled', 'operator'],
      ['account.deletion_cancelled', account.email],
    ]);
  });

  it('G3: under authority account, the one who began it decides too', async () => {
    const { t } = suite;
    const { api, backup, operator } = await operated(t);
    await begin(operator);
    for (const each of [api, backup]) assert.deepEqual(await cancel(each), REFUSED);
    assert.deepEqual(await cancel(operator), DONE);
  });

  it('G3: an older operator and a session of an address confirmed earlier cancel it, a younger operator does not', async () => {
    const { t } = suite;
    const account = await operated(t);
    const early = await sessionOf(t, account, DAY_MS);
    const second = await anotherOperator(t, account);
    await begin(account.operator);
    assert.deepEqual(await cancel(second.api), REFUSED);
    assert.deepEqual(await cancel(early.api), DONE);
    await begin(second.api);
    assert.deepEqual(await cancel(account.operator), DONE);
    await begin(second.api);
    assert.deepEqual(await cancel(early.api), DONE);
  });

  it('G3: what a young operator began, the primary and the backup key cancel until he is old', async () => {
    const { t } = suite;
    const account = await operated(t, 2 * HOUR_MS);
    const { api, backup, operator } = account;
    const later = await sessionOf(t, account, 0);
    t.clock.advance(WEEK_MS - 2 * HOUR_MS);
    const now = await openSession(t, account.email);
    for (const key of [api, backup]) {
      await begin(now);
      assert.deepEqual(await cancel(later.api), [401, 'unauthorized'], 'its session has ended');
      assert.deepEqual(await cancel(await openSession(t, later.address)), REFUSED);
      assert.deepEqual(await cancel(key), DONE);
    }
    await begin(now);
    t.clock.advance(2 * HOUR_MS);
    for (const key of [api, backup]) assert.deepEqual(await cancel(key), REFUSED);
    assert.deepEqual(await cancel(operator), [401, 'unauthorized']);
    assert.deepEqual(await cancel(now), DONE);
  });

  it('G3: it ends with the young operator who began it', async () => {
    const { t } = suite;
    const account = await operated(t, 2 * HOUR_MS, 'operator');
    const { api, email, operator } = account;
    await begin(operator);
    assert.equal((await api.delete(`/v1/account/operators/${email}`)).body.status, 'ended');
    assert.equal(await byOf(api), null);
    assert.equal((await api.put('/v1/vault/a', { ciphertext: 'x' })).status, 201);
    assert.deepEqual((await eventsOf(account))[1], ['account.deletion_cancelled', 'operator_removed']);
    t.clock.advance(3 * DAY_MS);
    await t.app.worker.runDue();
    assert.equal((await api.get('/v1/account/me')).status, 200);
  });

  it('G3: it outlasts the removal of an old operator; then the operators who are left may cancel it, the key never', async () => {
    const { t } = suite;
    const account = await operated(t);
    const early = await sessionOf(t, account, DAY_MS);
    const second = await anotherOperator(t, account);
    const remove = () => early.api.delete(`/v1/account/operators/${account.email}`);
    await begin(account.operator);
    assert.deepEqual(await cancel(second.api), REFUSED);
    assert.equal((await remove()).body.status, 'ended');
    assert.equal(await byOf(account.api), 'operator');
    for (const key of [account.api, account.backup]) assert.deepEqual(await cancel(key), REFUSED);
    assert.deepEqual(await cancel(second.api), DONE);
    await begin(second.api);
    assert.equal((await early.api.delete(`/v1/account/operators/${second.email}`)).body.status, 'ended');
    assert.deepEqual(await cancel(account.api), REFUSED, 'without any operator too');
    assert.deepEqual(await cancel(early.api), DONE);
  });

  it('G3: the key gets no way around it by beginning first: what the operator asks for is the operator’s', async () => {
    const { t } = suite;
    const account = await operated(t);
    const { api, backup, operator } = account;
    const ends = await begin(api);
    assert.equal(await byOf(api), 'key');
    t.clock.advance(1000);
    assert.equal(await begin(operator), ends, 'it ends when it would have ended');
    assert.equal(await begin(api), ends);
    assert.equal(await begin(operator), ends);
    assert.equal(await byOf(api), 'operator');
    for (const key of [api, backup]) assert.deepEqual(await cancel(key), REFUSED);
    const scheduled = ['account.deletion_scheduled', 'account.deletion_scheduled'];
    assert.deepEqual(
      (await eventsOf(account)).map(([type]: [string]) => type),
      scheduled,
    );
    const second = await anotherOperator(t, { ...account, operator: await openSession(t, account.email) }).catch(
      () => null,
    );
    assert.equal(second, null, 'nobody is named meanwhile');
    t.clock.advance(3 * DAY_MS);
    await t.app.worker.runDue();
    assert.equal((await api.get('/v1/account/me')).status, 401, 'and it is deleted');
  });

  it('G3: an older operator takes over what a younger one began, not the other way round; the administrator takes over all', async () => {
    const { t } = suite;
    const account = await operated(t);
    const { api, operator, accountId } = account;
    const second = await anotherOperator(t, account);
    await begin(second.api);
    await begin(operator);
    assert.deepEqual(await cancel(second.api), REFUSED);
    await begin(second.api);
    assert.deepEqual(await cancel(second.api), REFUSED);
    const { deleteAccount, cancelDeletion } = t.app.provided.operator;
    await deleteAccount(accountId);
    assert.equal(await byOf(api), 'administrator');
    await begin(operator);
    for (const each of [api, operator, account.backup]) assert.deepEqual(await cancel(each), [403, 'account_deleting']);
    await cancelDeletion(accountId);
    assert.equal(await byOf(api), null);
  });

  it('G3: what a key or another session began, any factor cancels, and the account says who began it', async () => {
    const { t } = suite;
    const account = await operated(t);
    const { api, backup, operator } = account;
    const person = await sessionOf(t, account, 0);
    for (const [asker, by] of [
      [api, 'key'],
      [person.api, 'session'],
    ] as const)
      for (const other of [api, backup, person.api, operator]) {
        await begin(asker);
        assert.equal(await byOf(api), by);
        assert.deepEqual(await cancel(other), DONE);
      }
    assert.deepEqual(await cancel(api), [404, 'not_found']);
  });

  it('G3: a pod sees that it goes with its platform, and its key never cancels that', async () => {
    const { t } = suite;
    const account = await operated(t);
    const pod = await makePod(t, account);
    const ends_at = await begin(account.operator);
    assert.deepEqual((await pod.api.get('/v1/account/me')).body.deletion, { ends_at, by: 'operator' });
    assert.deepEqual(await cancel(pod.api), [404, 'not_found']);
    assert.equal(await byOf(account.api), 'operator');
  });

  it('G3: the mail to people names who can cancel', async () => {
    const { t } = suite;
    const told = async ({ email }: Operated) =>
      (await mailsTo(t, email)).findLast((mail) => mail.includes('will be deleted at')) ?? '';
    const old = await operated(t);
    await begin(old.operator);
    assert.match(await told(old), new RegExp(`Asked for by ${old.email}, an operator.`));
    assert.match(await told(old), /log in as .* or with an address that was confirmed earlier/);
    assert.match(await told(old), /The keys of the account cannot do this/);
    const young = await operated(t, 2 * HOUR_MS);
    await begin(young.operator);
    assert.match(await told(young), /Until .* UTC the account’s key and backup key can do this too/);
    const own = await operated(t);
    await begin(own.api);
    assert.match(await told(own), /with its key, its backup key or a session/);
  });
});
