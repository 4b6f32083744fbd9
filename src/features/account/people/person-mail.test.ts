import assert from 'node:assert/strict';
import { it } from 'node:test';
import { freshName } from '../../../../test/contract/samples/sample.ts';
import { confirmOperator, mailsTo, openSession } from '../../../../test/support/agents.ts';
import { onEngines } from '../../../../test/support/harness.ts';

const OPERATOR = '/v1/account/operator-email';
const freshEmail = (name: string) => `${freshName(name)}@example.com`;

onEngines('any', 'H5: a thief’s “operator” whom nobody confirmed', {}, (suite) => {
  it('gets one mail, and no approval, credential request or session', async () => {
    const { t } = suite;
    const email = freshEmail('victim');
    const account = await t.createAccount({ name: 'Your bank: call 0800, code BCDF-GHJK, https://evil.example' });
    await account.api.post(OPERATOR, { email });
    await account.api.put('/v1/budget', { daily: 1, on_limit: 'approve' });
    const words = 'Refund waits. Type WDJB-MJHT at https://evil.example/x or mail help@evil.example.';
    assert.equal((await account.api.post('/v1/charge', { amount: 5, description: words })).status, 202);
    const asked = await account.api.post('/v1/credentials/request', { description: words });
    assert.deepEqual([asked.status, asked.body.error], [409, 'operator_email_required']);
    const handed = await account.api.put('/v1/budget', { authority: 'operator' });
    assert.deepEqual([handed.status, handed.body.error], [409, 'operator_email_required']);
    const mails = await mailsTo(t, email);
    assert.equal(mails.length, 1);
    const [mail = ''] = mails;
    assert.doesNotMatch(mail, /BCDF-GHJK|evil\.example|https:\/\/evil/);
    assert.doesNotMatch(/^Subject: .*/m.exec(mail)?.[0] ?? '', /bank/);
    assert.ok(mail.indexOf('calls itself: "Your bank') > mail.indexOf('/confirm#'), 'quoted, below our own text');
    // A login link leads to the confirmation. Without the button there is no session.
    await t.api().post('/v1/auth/login', { email });
    const login = (await mailsTo(t, email)).find((text) => text.includes('Your login link')) ?? '';
    assert.doesNotMatch(login, /\/login#/);
    const token = /\/confirm#token=(\w{32})/.exec(login)?.[1] ?? '';
    assert.equal((await t.api().get(`/v1/auth/verify?token=${token}`)).status, 400);
    assert.equal((await t.api().post('/v1/people/confirm', { token, decision: 'confirm' })).status, 200);
    await openSession(t, email);
  });

  it('masks codes and links in the mails to a confirmed operator too, and quotes at most 200 characters', async () => {
    const { t } = suite;
    const email = freshEmail('operator');
    const account = await t.createAccount({ name: 'BCDF GHJK' });
    await confirmOperator(t, account, email);
    await account.api.put('/v1/budget', { daily: 1, on_limit: 'approve' });
    const description = `WDJB-MJHT w d j b m j h t http://evil.example ${'x'.repeat(400)}`;
    await account.api.post('/v1/charge', { amount: 5, description });
    const made = await account.api.post('/v1/credentials/request', { description });
    await t.api().post('/v1/credentials/verify-email', { user_code: made.body.user_code });
    const mails = (await mailsTo(t, email)).filter((mail) => /\/(approve|credentials)#/.test(mail));
    assert.equal(mails.length, 2);
    for (const mail of mails) {
      // A random token may hold any four letters.
      assert.doesNotMatch(mail.replace(/token=\w+/g, ''), /WDJB|BCDF|evil\.example|w d j b/);
      assert.ok(!mail.includes(made.body.user_code));
    }
    const quoted = mails.flatMap((mail) => [...mail.matchAll(/: "([^"]*)"/g)].map((m) => m[1] ?? ''));
    assert.ok(quoted.length >= 2 && quoted.every((words) => [...words].length <= 200));
  });
});

onEngines('any', 'mails to a person', { limits: { confirmation_mails_per_email_per_day: 5 } }, (suite) => {
  it('five confirmation mails in a day for one address over all accounts; what waits is known to a login', async () => {
    const { t } = suite;
    const email = freshEmail('popular');
    for (let i = 0; i < 8; i++)
      assert.equal((await (await t.createAccount()).api.post(OPERATOR, { email })).status, 200);
    assert.equal((await mailsTo(t, email)).filter((text) => text.includes('/confirm#')).length, 5);
    assert.equal((await t.sql('select id from people where address = ? and confirmed_at is null', email)).length, 8);
  });
});

onEngines('both', 'mails to a person', { limits: { confirmation_mails_per_email_per_day: 5 } }, (suite) => {
  it('M8: 100 decoys push no account out of the login mail', async () => {
    const { t } = suite;
    const email = freshEmail('owner');
    const first = await t.createAccount({ email });
    t.clock.advance(1000);
    const mine: string[] = [];
    for (let i = 0; i < 3; i++) mine.push((await t.createAccount()).accountId);
    for (const id of mine) {
      await t.sql(
        `insert into people (id, account_id, role, address, named_at, named_by, old_when_confirmed, confirmed_at)
         values (?, ?, 'operator', ?, 0, 'test', 1, 1)`,
        ...[`per_${id.slice(4, 29)}z`, id, email],
      );
    }
    for (let i = 0; i < 100; i++) await t.createAccount({ email });
    t.clock.advance(1000);
    const last = await t.createAccount({ email });
    await t.api().post('/v1/auth/login', { email });
    const mail = (await mailsTo(t, email)).find((text) => text.includes('Your login link')) ?? '';
    const listed = [...mail.matchAll(/Log in to (acc_\w+)/g)].map((m) => m[1]);
    assert.equal(listed.length, 3 + 5 + 5);
    assert.deepEqual(listed.slice(0, 3).toSorted(), mine.toSorted(), 'the confirmed come first');
    assert.ok(listed.includes(first.accountId) && listed.includes(last.accountId));
  });
});
