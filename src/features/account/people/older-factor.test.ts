import assert from 'node:assert/strict';
import { it } from 'node:test';
import { freshName } from '../../../../test/contract/samples/sample.ts';
import { confirmationFor, confirmOperator, mailsTo, openSession } from '../../../../test/support/agents.ts';
import { type Api, onEngines, type TestAccount, type TestApp } from '../../../../test/support/harness.ts';
import { DAY_MS, HOUR_MS } from '../../../base/period.ts';

const ME = '/v1/account/me';
const OPERATOR = '/v1/account/operator-email';
const RECOVERY = '/v1/account/recovery-email';
const WEEK_MS = 7 * DAY_MS;

const freshEmail = (name: string) => `${freshName(name)}@example.com`;
const operatorPath = (email: string) => `/v1/account/operators/${email}`;

const confirmRecovery = async (t: TestApp, account: TestAccount, email: string): Promise<void> => {
  assert.equal((await account.api.post(RECOVERY, { email })).status, 200);
  const token = await confirmationFor(t, account.accountId, email);
  assert.equal((await t.api().post('/v1/people/confirm', { token, decision: 'confirm' })).status, 200);
};

/** An account whose set-up is over. */
async function grownAccount(t: TestApp, fields: object = {}): Promise<TestAccount> {
  const account = await t.createAccount({ ...fields });
  t.clock.advance(2 * HOUR_MS);
  return account;
}

const addressesOf = async (api: Api): Promise<[string, boolean][]> =>
  (await api.get(ME)).body.people.map((person: { address: string; removal_due_at: string | null }) => [
    person.address,
    person.removal_due_at !== null,
  ]);

const isMailed = async (t: TestApp, email: string, words: string): Promise<boolean> =>
  (await mailsTo(t, email)).some((mail) => mail.includes(words));

/** A session of an address that operates another account. */
async function plainOperator(t: TestApp, email: string): Promise<Api> {
  await confirmOperator(t, await t.createAccount(), email);
  return openSession(t, email);
}

onEngines('any', 'M7: the older factor wins: operators', {}, (suite) => {
  it('a thief names himself operator, confirms and takes the authority; within 7 days the owner’s key evicts him at once', async () => {
    const { t } = suite;
    const owner = await grownAccount(t);
    const thief = freshEmail('thief');
    await confirmOperator(t, owner, thief, 'operator');
    const session = await openSession(t, thief);
    assert.equal((await owner.api.put('/v1/budget', { authority: 'account' })).body.error, 'operator_required');
    t.clock.advance(6 * DAY_MS);
    const removed = await owner.api.delete(operatorPath(thief));
    assert.deepEqual([removed.status, removed.body.status], [200, 'ended']);
    assert.equal((await session.get(ME)).status, 401);
    assert.equal((await owner.api.get('/v1/budget')).body.settings.authority, 'account');
    assert.deepEqual(await addressesOf(owner.api), []);
    assert.ok(await isMailed(t, thief, 'was removed from an account'));
  });

  it('naming an operator after the first hour says that the key can remove him for 7 days; so does his page; before and by an old operator it does not', async () => {
    const { t } = suite;
    const young = await grownAccount(t);
    const [first, second, third] = [freshEmail('first'), freshEmail('second'), freshEmail('third')];
    const asked = async (account: TestAccount, email: string) => {
      const token = await confirmationFor(t, account.accountId, email);
      return (await t.api().post('/v1/people/view', { token })).body.removable_days;
    };
    const named = (await young.api.post(OPERATOR, { email: first })).body;
    assert.match(
      named.warning,
      /^For 7 days from the confirmation, the account’s key can remove this operator at once/,
    );
    assert.equal((await young.api.post(`${OPERATOR}?verbose=false`, { email: first })).body.warning, undefined);
    assert.equal(await asked(young, first), 7);
    await confirmOperator(t, young, first);
    const operator = await openSession(t, first);
    assert.match((await operator.post(OPERATOR, { email: second })).body.warning, /7 days/);
    const [waiting] = (await (await plainOperator(t, second)).get('/v1/operator/agents')).body.waiting;
    assert.equal(waiting.removable_days, 7);

    t.clock.advance(WEEK_MS);
    const old = await openSession(t, first);
    assert.equal((await old.post(OPERATOR, { email: third })).body.warning, undefined);
    assert.equal(await asked(young, third), 0);
    const fresh = await t.createAccount();
    const body = (await fresh.api.post(OPERATOR, { email: freshEmail('early') })).body;
    assert.deepEqual([body.confirmed, body.warning], [false, undefined]);
  });

  it('after 7 days only an operator ends an operator who has the authority', async () => {
    const { t } = suite;
    const owner = await grownAccount(t);
    const operator = freshEmail('operator');
    await confirmOperator(t, owner, operator, 'operator');
    t.clock.advance(WEEK_MS);
    const refused = await owner.api.delete(operatorPath(operator));
    assert.deepEqual([refused.status, refused.body.error], [403, 'operator_required']);
  });

  it('a thief with the key needs notice for an old operator; the operator hears of it and undoes it', async () => {
    const { t } = suite;
    const account = await grownAccount(t);
    const operator = freshEmail('operator');
    await confirmOperator(t, account, operator);
    t.clock.advance(WEEK_MS);
    const asked = await account.api.delete(operatorPath(operator));
    const ends = new Date(t.clock.now() + WEEK_MS).toISOString();
    assert.deepEqual([asked.status, asked.body], [200, { status: 'scheduled', ends_at: ends }]);
    assert.deepEqual((await account.api.delete(operatorPath(operator))).body, asked.body, 'a repeat moves nothing');
    assert.ok(await isMailed(t, operator, 'will be removed'));
    const session = await openSession(t, operator);
    const [notice] = (await session.get('/v1/account/notices')).body.notices;
    assert.deepEqual([notice.what, notice.target, notice.ends_at], ['operator', operator, ends]);
    assert.equal((await account.api.post(`/v1/account/notices/${notice.id}/undo`)).status, 403, 'a key undoes nothing');
    assert.equal((await session.post(`/v1/account/notices/${notice.id}/undo`)).status, 200);
    t.clock.advance(WEEK_MS);
    await t.outboxMails();
    assert.deepEqual(await addressesOf(account.api), [[operator, false]]);
  });

  it('an older operator ends a younger one at once; a younger one needs notice for the older', async () => {
    const { t } = suite;
    const account = await grownAccount(t);
    const [older, younger] = [freshEmail('older'), freshEmail('younger')];
    await confirmOperator(t, account, older, 'operator');
    t.clock.advance(WEEK_MS);
    const session = await openSession(t, older);
    await session.post(OPERATOR, { email: younger });
    const token = await confirmationFor(t, account.accountId, younger);
    assert.equal((await t.api().post('/v1/people/confirm', { token, decision: 'confirm' })).status, 200);
    const youngs = await openSession(t, younger);
    assert.equal((await youngs.delete(operatorPath(older))).body.status, 'scheduled');
    // An old operator named him, so that he counts as old, and the key does not end him.
    assert.equal((await account.api.delete(operatorPath(younger))).body.error, 'operator_required');
    assert.equal((await (await openSession(t, older)).delete(operatorPath(younger))).body.status, 'ended');
  });

  it('who was named in the set-up counts as old once confirmed: a key cannot end him at once', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const operator = freshEmail('operator');
    await account.api.post(OPERATOR, { email: operator });
    t.clock.advance(DAY_MS);
    const token = await confirmationFor(t, account.accountId, operator);
    await t.api().post('/v1/people/confirm', { token, decision: 'confirm' });
    assert.equal((await account.api.delete(operatorPath(operator))).body.status, 'scheduled');
  });

  it('an address whose mail this service receives delays nothing and removes nobody', async () => {
    const { t } = suite;
    const own = `${freshName('agent')}@agents.localhost`;
    const account = await t.createAccount();
    await account.api.post('/v1/email/claim', { address: own });
    await account.api.post(RECOVERY, { email: own });
    t.clock.advance(1000);
    await account.api.post('/v1/auth/login', { email: own });
    const login = (await mailsTo(t, own)).find((mail) => mail.includes('/login#')) ?? '';
    const opened = await t.api().get(`/v1/auth/verify?token=${/#token=(\w{32})/.exec(login)?.[1]}`);
    const session = t.api(opened.headers.get('location')?.split('#session=')[1]);
    t.clock.advance(1000);
    const operator = freshEmail('operator');
    await confirmOperator(t, account, operator);
    assert.equal((await session.delete(operatorPath(operator))).body.status, 'scheduled', 'no older factor');
    await account.api.post(RECOVERY, { email: null });
    assert.ok((await addressesOf(account.api)).every(([address]) => address !== own));
  });
});

onEngines('both', 'M7: the older factor wins: operators', {}, (suite) => {
  it('nobody undoes it: after 7 days he is gone with his sessions, and the authority is the account’s again', async () => {
    const { t } = suite;
    const account = await grownAccount(t);
    const operator = freshEmail('operator');
    await confirmOperator(t, account, operator);
    t.clock.advance(WEEK_MS);
    await account.api.delete(operatorPath(operator));
    t.clock.advance(WEEK_MS - 1000);
    await t.outboxMails();
    assert.deepEqual(await addressesOf(account.api), [[operator, true]]);
    const session = await openSession(t, operator);
    t.clock.advance(1000);
    await t.outboxMails();
    assert.deepEqual(await addressesOf(account.api), []);
    assert.equal((await session.get(ME)).status, 401);
    assert.ok(await isMailed(t, operator, 'was removed from an account'));
  });
});

onEngines('any', 'the older factor wins: the recovery email', {}, (suite) => {
  it('a thief replaces an old one: both log in for 7 days, the owner undoes it, and the thief’s address goes', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const [mine, theirs] = [freshEmail('owner'), freshEmail('thief')];
    await confirmRecovery(t, account, mine);
    t.clock.advance(WEEK_MS);
    const set = await account.api.post(RECOVERY, { email: theirs });
    assert.deepEqual(set.body, { ok: true, recovery_email: theirs, confirmed: false });
    assert.equal((await account.api.get(ME)).body.recovery_email, theirs);
    assert.deepEqual(await addressesOf(account.api), [
      [mine, true],
      [theirs, false],
    ]);
    const thiefs = await openSession(t, theirs);
    const session = await openSession(t, mine);
    const [notice] = (await session.get('/v1/account/notices')).body.notices;
    assert.equal((await thiefs.post(`/v1/account/notices/${notice.id}/undo`)).status, 403);
    assert.equal((await session.post(`/v1/account/notices/${notice.id}/undo`)).status, 200);
    assert.deepEqual(await addressesOf(account.api), [[mine, false]]);
    assert.equal((await thiefs.get(ME)).status, 401);
    assert.equal((await session.get(ME)).body.recovery_email, mine);
  });

  it('nobody undoes it: after 7 days only the new one is left, and the former address is told', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const [former, next] = [freshEmail('former'), freshEmail('next')];
    await confirmRecovery(t, account, former);
    t.clock.advance(WEEK_MS);
    await account.api.post(RECOVERY, { email: next });
    t.clock.advance(WEEK_MS);
    await t.outboxMails();
    assert.deepEqual(await addressesOf(account.api), [[next, false]]);
    assert.ok(await isMailed(t, former, 'was removed from an account'));
  });

  it('its own session replaces and clears it at once', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const [former, next] = [freshEmail('former'), freshEmail('next')];
    await confirmRecovery(t, account, former);
    t.clock.advance(WEEK_MS);
    const session = await openSession(t, former);
    assert.equal((await session.post(RECOVERY, { email: next })).status, 200);
    assert.deepEqual(await addressesOf(account.api), [[next, false]]);
    assert.ok(await isMailed(t, former, 'was removed from an account'));
    const cleared = await account.api.post(RECOVERY, { email: null });
    assert.deepEqual(cleared.body, { ok: true, recovery_email: null, confirmed: false });
    assert.deepEqual(await addressesOf(account.api), []);
    assert.equal((await account.api.get(ME)).body.recovery_email, null);
  });

  it('one that is named again stays: an owner takes a thief’s change back with the key', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const [mine, theirs] = [freshEmail('owner'), freshEmail('thief')];
    await confirmRecovery(t, account, mine);
    t.clock.advance(WEEK_MS);
    await account.api.post(RECOVERY, { email: theirs });
    t.clock.advance(1000);
    assert.equal((await account.api.post(RECOVERY, { email: mine })).body.confirmed, true);
    assert.deepEqual(await addressesOf(account.api), [[mine, false]]);
    assert.deepEqual((await account.api.get('/v1/account/notices')).body.notices, []);
  });

  it('a thief who names it again in between does not start the count of undos anew', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const [mine, theirs] = [freshEmail('owner'), freshEmail('thief')];
    await confirmRecovery(t, account, mine);
    t.clock.advance(WEEK_MS);
    const session = await openSession(t, mine);
    const undo = async (): Promise<void> => {
      const [notice] = (await session.get('/v1/account/notices')).body.notices;
      assert.equal((await session.post(`/v1/account/notices/${notice.id}/undo`)).status, 200);
    };
    await account.api.post(RECOVERY, { email: theirs });
    await undo();
    for (const email of [theirs, mine, theirs]) assert.equal((await account.api.post(RECOVERY, { email })).status, 200);
    await undo();
    const third = await account.api.post(RECOVERY, { email: theirs });
    assert.deepEqual([third.status, third.body.error], [409, 'removal_disputed']);
  });
});
