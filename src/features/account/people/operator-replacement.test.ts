import assert from 'node:assert/strict';
import { it } from 'node:test';
import { confirmationFor, confirmOperator, mailsTo, openSession } from '../../../../test/support/agents.ts';
import { type Api, onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { newPerson } from '../../../../test/support/operators.ts';
import { DAY_MS, HOUR_MS } from '../../../base/period.ts';

const OPERATOR = '/v1/account/operator-email';

const operatorsOf = async (api: Api): Promise<[string, boolean][]> =>
  (await api.get('/v1/account/me')).body.people
    .filter(({ role }: { role: string }) => role === 'operator')
    .map(({ address, confirmed }: { address: string; confirmed: boolean }) => [address, confirmed]);
const authorityOf = async (api: Api): Promise<string> => (await api.get('/v1/budget')).body.settings.authority;

/** An account whose old operator decides, and can be reached no more. */
async function withLostOperator(t: TestApp) {
  const account = await t.createAccount();
  const lost = newPerson(t);
  await confirmOperator(t, account, lost, 'operator');
  const session = await openSession(t, lost);
  t.clock.advance(30 * DAY_MS);
  return { account, lost, session, next: newPerson(t) };
}

async function afterNotice(t: TestApp): Promise<void> {
  t.clock.advance(72 * HOUR_MS);
  await t.app.worker.runDue();
}

onEngines('any', 'replacing operators who lost their mailboxes', {}, (suite) => {
  it('takes 72 hours and the consent of the next; all are told, and the authority never falls to the key', async () => {
    const { t } = suite;
    const { account, lost, next } = await withLostOperator(t);
    const { replaceOperator } = t.app.provided.operator;
    const notice = await replaceOperator(account.accountId, next);
    assert.equal(notice.endsAt, t.clock.now() + 72 * HOUR_MS);
    assert.equal((await replaceOperator(account.accountId, next)).id, notice.id, 'asking again changes nothing');
    const [told = ''] = (await mailsTo(t, lost)).filter((mail) => mail.includes('will be replaced'));
    assert.ok(told.includes(next) && told.includes('The administrator of this service decided this'), told);
    const [shown] = (await account.api.get('/v1/account/notices')).body.notices;
    assert.deepEqual([shown.what, shown.target], ['operator_replacement', next]);

    t.clock.advance(72 * HOUR_MS - 1000);
    await t.app.worker.runDue();
    assert.deepEqual(await operatorsOf(account.api), [[lost, true]]);
    t.clock.advance(1000);
    await t.app.worker.runDue();
    assert.deepEqual(await operatorsOf(account.api), [
      [lost, true],
      [next, false],
    ]);
    const token = await confirmationFor(t, account.accountId, next);
    assert.equal((await t.api().post('/v1/people/confirm', { token, decision: 'confirm' })).status, 200);
    assert.deepEqual(await operatorsOf(account.api), [[next, true]]);
    assert.equal(await authorityOf(account.api), 'operator');
    assert.ok((await mailsTo(t, lost)).some((mail) => mail.includes('Your address was removed')));
    // The next one counts as old: the key of the account does not remove him.
    const removal = await account.api.delete(`/v1/account/operators/${next}`);
    assert.deepEqual([removal.status, removal.body.error], [403, 'operator_required']);
  });

  it('neither the key nor who reads the lost mailbox stops it', async () => {
    const { t } = suite;
    const { account, lost, session: thief, next } = await withLostOperator(t);
    const { id } = await t.app.provided.operator.replaceOperator(account.accountId, next);
    const inside = await openSession(t, lost);
    for (const api of [account.api, inside])
      assert.equal((await api.post(`/v1/account/notices/${id}/undo`)).body.error, 'older_factor_required');
    await afterNotice(t);
    const reader = await openSession(t, lost);
    const removed = await reader.delete(`/v1/account/operators/${next}`);
    assert.deepEqual([removed.status, removed.body.error], [403, 'older_factor_required']);
    assert.equal((await account.api.delete(`/v1/account/operators/${next}`)).status, 403);
    assert.equal((await reader.post(OPERATOR, { email: newPerson(t) })).status, 200);
    assert.ok((await operatorsOf(account.api)).some(([address]) => address === next));
    const token = await confirmationFor(t, account.accountId, next);
    await t.api().post('/v1/people/confirm', { token, decision: 'confirm' });
    assert.deepEqual(await operatorsOf(account.api), [[next, true]]);
    for (const former of [thief, inside, reader]) assert.equal((await former.get('/v1/account/me')).status, 401);
  });

  it('is cancelled before and after its notice; another person takes its place', async () => {
    const { t } = suite;
    const { account, lost, next } = await withLostOperator(t);
    const { replaceOperator, cancelReplacement } = t.app.provided.operator;
    await replaceOperator(account.accountId, next);
    const other = newPerson(t);
    await replaceOperator(account.accountId, other);
    const targets = (await account.api.get('/v1/account/notices')).body.notices.map(
      ({ target }: { target: string }) => target,
    );
    assert.deepEqual(targets, [other]);
    assert.equal(await cancelReplacement(account.accountId, next), false);
    assert.equal(await cancelReplacement(account.accountId, other), true);
    await afterNotice(t);
    assert.deepEqual(await operatorsOf(account.api), [[lost, true]]);

    await replaceOperator(account.accountId, next);
    await afterNotice(t);
    assert.equal((await operatorsOf(account.api)).length, 2);
    assert.equal(await cancelReplacement(account.accountId, next), true);
    assert.deepEqual(await operatorsOf(account.api), [[lost, true]]);
    assert.equal(await cancelReplacement(account.accountId, next), false);
  });

  it('one of several operators stays when he is the one named', async () => {
    const { t } = suite;
    const { account, next } = await withLostOperator(t);
    const kept = newPerson(t);
    const { accountId } = await t.createAccount();
    const { replaceOperator } = t.app.provided.operator;
    await confirmOperator(
      t,
      { ...account, api: await openSession(t, (await operatorsOf(account.api))[0]?.[0] ?? '') },
      kept,
    );
    await replaceOperator(account.accountId, kept);
    await afterNotice(t);
    assert.deepEqual(await operatorsOf(account.api), [[kept, true]]);
    assert.equal(await authorityOf(account.api), 'operator');

    await assert.rejects(replaceOperator(accountId, next), { code: 'not_found' });
    await assert.rejects(replaceOperator(account.accountId, `a@${t.config.mailDomain}`), { code: 'invalid_request' });
  });
});
