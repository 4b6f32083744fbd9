import assert from 'node:assert/strict';
import { it } from 'node:test';
import { freshName } from '../../../../test/contract/samples/sample.ts';
import { confirmationFor, confirmOperator, mailsTo, openSession } from '../../../../test/support/agents.ts';
import { type Api, onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { DAY_MS, HOUR_MS } from '../../../base/period.ts';

const ME = '/v1/account/me';
const OPERATOR = '/v1/account/operator-email';
const RECOVERY = '/v1/account/recovery-email';
const CONFIRM = '/v1/people/confirm';

const freshEmail = (name = 'person') => `${freshName(name)}@example.com`;

interface ShownPerson {
  role: string;
  address: string;
  confirmed: boolean;
}
const peopleOf = async (api: Api): Promise<ShownPerson[]> => (await api.get(ME)).body.people;
const answer = (t: TestApp, token: string, decision: string, more: object = {}) =>
  t.api().post(CONFIRM, { token, decision, ...more });
const askedMails = async (t: TestApp, email: string) =>
  (await mailsTo(t, email)).filter((mail) => mail.includes('/confirm#'));

onEngines('any', 'an address of a person', {}, (suite) => {
  it('is named with one mail; its link confirms it once, and opening the page decides nothing', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const email = freshEmail();
    const named = await account.api.post(RECOVERY, { email });
    assert.deepEqual(named.body, { ok: true, recovery_email: email, confirmed: false });
    const token = await confirmationFor(t, account.accountId, email);
    for (let i = 0; i < 2; i++) {
      assert.equal((await t.api().get('/confirm')).status, 200);
      const { status, body } = await t.api().post('/v1/people/view', { token });
      const { role, address, confirmed, account_id: id } = body;
      assert.deepEqual([status, role, address, confirmed, id], [200, 'recovery', email, false, account.accountId]);
    }
    const done = await answer(t, token, 'confirm');
    assert.deepEqual([done.status, done.body], [200, { status: 'confirmed' }]);
    const [person] = await peopleOf(account.api);
    assert.deepEqual([person?.role, person?.address, person?.confirmed], ['recovery', email, true]);
    const again = await answer(t, token, 'refuse');
    assert.deepEqual([again.status, again.body.error], [400, 'invalid_token']);
    assert.equal((await askedMails(t, email)).length, 1);
  });

  it('400 invalid_token: an unknown link, one older than 72 hours, and one that a newer mail replaced', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const email = freshEmail();
    await account.api.post(OPERATOR, { email });
    const first = await confirmationFor(t, account.accountId, email);
    t.clock.advance(1000);
    await account.api.post(OPERATOR, { email });
    const second = await confirmationFor(t, account.accountId, email);
    t.clock.advance(72 * HOUR_MS);
    for (const token of ['x'.repeat(32), first, second])
      assert.deepEqual((await answer(t, token, 'confirm')).body.error, 'invalid_token');
    assert.equal((await peopleOf(account.api))[0]?.confirmed, false);
  });

  it('a login link confirms an email and a recovery email', async () => {
    const { t } = suite;
    const email = freshEmail();
    const { api } = await t.createAccount({ email });
    t.clock.advance(1000);
    await api.post(RECOVERY, { email });
    await openSession(t, email);
    assert.deepEqual(
      (await peopleOf(api)).map(({ role, confirmed }) => [role, confirmed]),
      [
        ['email', true],
        ['recovery', true],
      ],
    );
  });

  it('a session of the address confirms by id; another address’s session, a key and nobody cannot', async () => {
    const { t } = suite;
    const email = freshEmail();
    await t.createAccount({ email });
    const session = await openSession(t, email);
    const agent = await t.createAccount();
    await agent.api.post(OPERATOR, { email });
    const [row] = await t.sql('select id from people where account_id = ?', agent.accountId);
    const body = { id: row?.id, decision: 'confirm' };
    const strangerEmail = freshEmail();
    await t.createAccount({ email: strangerEmail });
    const stranger = await openSession(t, strangerEmail);
    assert.equal((await t.api().post(CONFIRM, body)).status, 401);
    assert.equal((await agent.api.post(CONFIRM, body)).status, 401);
    const others = await stranger.post(CONFIRM, body);
    assert.equal(others.status, 404);
    assert.equal((await stranger.post(CONFIRM, { ...body, id: 'per_00000000000000000000000000' })).text, others.text);
    assert.equal((await session.post(CONFIRM, body)).status, 200);
    assert.equal((await peopleOf(agent.api))[0]?.confirmed, true);
  });

  it('refused: the account cannot name it again, other accounts can; ten refusals in a day end the account’s mails', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    for (let i = 0; i < 10; i++) {
      const email = freshEmail('victim');
      await account.api.post(OPERATOR, { email });
      const token = await confirmationFor(t, account.accountId, email);
      assert.deepEqual((await answer(t, token, 'refuse')).body, { status: 'refused' });
      assert.deepEqual(await peopleOf(account.api), []);
      if (i > 0) continue;
      for (const path of [OPERATOR, RECOVERY]) {
        const refused = await account.api.post(path, { email });
        assert.deepEqual([refused.status, refused.body.error], [400, 'address_refused']);
      }
      assert.equal((await (await t.createAccount()).api.post(OPERATOR, { email })).status, 200);
    }
    const next = freshEmail('victim');
    assert.equal((await account.api.post(OPERATOR, { email: next })).status, 200);
    assert.equal((await askedMails(t, next)).length, 0, 'the eleventh person is left alone');
    t.clock.advance(DAY_MS + 1000);
    await account.api.post(OPERATOR, { email: next });
    assert.equal((await askedMails(t, next)).length, 1);
  });
});

onEngines('any', 'operators', {}, (suite) => {
  it('are up to three, the fourth is told on the page; each of them decides, and all are told of one more', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const emails = [freshEmail('op'), freshEmail('op'), freshEmail('op')] as const;
    for (const email of emails) {
      await confirmOperator(t, account, email);
      t.clock.advance(1000);
    }
    const fourth = freshEmail('op');
    assert.equal((await account.api.post(OPERATOR, { email: fourth })).status, 200);
    const token = await confirmationFor(t, account.accountId, fourth);
    const full = await answer(t, token, 'confirm');
    assert.deepEqual([full.status, full.body.error], [409, 'operator_limit']);
    assert.equal((await account.api.get(ME)).body.operator_email, emails[0]);
    assert.ok((await mailsTo(t, emails[0])).some((mail) => mail.includes(`${emails[1]} is now an operator`)));
    await account.api.put('/v1/budget', { daily: 1, on_limit: 'approve' });
    for (const email of emails) {
      const { approval_id: id } = (await account.api.post('/v1/charge', { amount: 5 })).body;
      const mails = await mailsTo(t, email);
      const link = mails
        .flatMap((mail) => [...mail.matchAll(/\/approve#id=(\w+)&token=(\w+)/g)])
        .find((m) => m[1] === id);
      const decided = await t.api().post(`/v1/approvals/${id}/decide`, { token: link?.[2], decision: 'approve' });
      assert.equal(decided.status, 200, email);
    }
    // A place is free again, and the link was not used up by the refusal.
    const own = await openSession(t, emails[2]);
    assert.equal((await own.delete(`/v1/account/operators/${emails[2]}`)).body.status, 'ended');
    assert.equal((await own.get(ME)).status, 401, 'his session ended with him');
    assert.equal((await answer(t, token, 'confirm')).status, 200);
    assert.ok((await mailsTo(t, emails[0])).some((mail) => mail.includes(`${emails[2]} is no longer an operator`)));
    assert.ok((await mailsTo(t, emails[2])).some((mail) => mail.includes('was removed from an account')));
  });

  it('one who is not confirmed gives way to the next; a confirmed one stays', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const [kept, first, second] = [freshEmail('op'), freshEmail('op'), freshEmail('op')];
    await confirmOperator(t, account, kept);
    t.clock.advance(1000);
    await account.api.post(OPERATOR, { email: first });
    const token = await confirmationFor(t, account.accountId, first);
    t.clock.advance(1000);
    await account.api.post(OPERATOR, { email: second });
    assert.deepEqual(
      (await peopleOf(account.api)).map(({ address }) => address),
      [kept, second],
    );
    assert.equal((await answer(t, token, 'confirm')).body.error, 'invalid_token');
  });

  it('the page asks for the authority: `operator` reserves decisions, and the last operator’s end gives them back', async () => {
    const { t } = suite;
    const account = await t.createAccount();
    const email = freshEmail('op');
    await account.api.post(OPERATOR, { email, authority: 'operator' });
    assert.equal(
      (await account.api.get('/v1/budget')).body.settings.authority,
      'account',
      'the key presets the question',
    );
    const token = await confirmationFor(t, account.accountId, email);
    assert.equal((await t.api().post('/v1/people/view', { token })).body.authority, 'operator');
    await answer(t, token, 'confirm', { authority: 'operator' });
    assert.equal((await account.api.get('/v1/budget')).body.settings.authority, 'operator');
    for (const call of [
      () => account.api.post(RECOVERY, { email: freshEmail() }),
      () => account.api.post(OPERATOR, { email: freshEmail() }),
      () => account.api.post(OPERATOR, { email: null }),
      () => account.api.delete(`/v1/account/operators/${email}`),
      () => account.api.put('/v1/budget', { authority: 'account' }),
    ]) {
      const refused = await call();
      assert.deepEqual([refused.status, refused.body.error], [403, 'operator_required']);
    }
    const session = await openSession(t, email);
    assert.equal((await session.delete(`/v1/account/operators/${email}`)).body.status, 'ended');
    assert.equal((await account.api.get('/v1/budget')).body.settings.authority, 'account');
  });

  it('400 for an address whose mail this service receives: an agent reads it', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    for (const email of ['boss@agents.localhost', 'boss@sub.agents.localhost']) {
      const refused = await api.post(OPERATOR, { email });
      assert.deepEqual([refused.status, refused.body.details[0].code], [400, 'own_address']);
    }
    assert.equal((await api.post(RECOVERY, { email: 'me@agents.localhost' })).status, 200, 'it may log in');
  });

  it('404 for an operator that the account does not have, also for another account’s', async () => {
    const { t } = suite;
    const other = await t.createAccount();
    const email = freshEmail('op');
    await confirmOperator(t, other, email);
    const { api } = await t.createAccount();
    const refused = await api.delete(`/v1/account/operators/${email}`);
    assert.equal(refused.status, 404);
    assert.equal((await api.delete('/v1/account/operators/nobody@example.com')).text, refused.text);
  });
});
