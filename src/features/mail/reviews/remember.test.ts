import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, mailsTo } from '../../../../test/support/agents.ts';
import { onEngines } from '../../../../test/support/harness.ts';
import { approveMail, createHeldAgent, holdMail, REVIEWS, sendTo } from '../../../../test/support/held-mail.ts';

const POLICY = '/v1/email/policy';
const STRANGERS = { to: 'list', otherwise: 'review' };

onEngines('any', 'what an approval is remembered for', {}, (suite) => {
  for (const outbound of [STRANGERS, { to: 'known', otherwise: 'review' }, { hold: 'first_contact' }])
    it(`B: one approval frees no recipient for ever, unless it says so: ${JSON.stringify(outbound)}`, async () => {
      const ada = await createHeldAgent(suite.t, outbound);
      await approveMail(ada, await holdMail(ada, 'bob@other.example'));
      await approveMail(ada, await holdMail(ada, 'bob@other.example'), { remember: 'none' });
      await approveMail(ada, await holdMail(ada, 'bob@other.example'), { remember: 'recipient' });
      assert.equal((await sendTo(ada, 'Bob@Other.example')).status, 201);
      assert.equal((await sendTo(ada, 'eve@other.example')).status, 202);
      assert.deepEqual((await ada.api.get(POLICY)).body.outbound.allow, []);
    });

  it('recipients that were remembered before stay remembered', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t, STRANGERS);
    const row = [ada.accountId, 'bob@other.example', t.clock.now()];
    await t.sql('insert into mail_contacts (account_id, recipient, known_at) values (?, ?, ?)', ...row);
    assert.equal((await sendTo(ada, 'bob@other.example')).status, 201);
    await ada.operator.put(POLICY, { outbound: { otherwise: 'refuse' } });
    assert.equal((await sendTo(ada, 'bob@other.example')).status, 403, 'a list alone names whom it allows');
  });

  it('`domain` adds the domains of the recipients that are not allowed yet to `allow`, each once', async () => {
    const ada = await createHeldAgent(suite.t, { ...STRANGERS, allow: ['gmail.com', 'friend.example'] });
    const to = ['a@gmail.com', 'b@friend.example', 'c@other.example', 'd@Other.example', 'e@sub.third.example'];
    await approveMail(ada, await holdMail(ada, to), { remember: 'domain' });
    const { allow } = (await ada.api.get(POLICY)).body.outbound;
    assert.deepEqual(allow, ['gmail.com', 'friend.example', 'other.example', 'sub.third.example']);
    assert.equal((await sendTo(ada, 'eve@other.example')).status, 201);
  });

  it('`domain` changes the policy that sets the list: that of the address, where it has its own', async () => {
    const ada = await createHeldAgent(suite.t, STRANGERS);
    const own = `${POLICY}?address=${ada.address}`;
    await ada.operator.put(own, { outbound: { allow: ['friend.example'] } });
    await approveMail(ada, await holdMail(ada, 'bob@other.example'), { remember: 'domain' });
    assert.deepEqual((await ada.api.get(own)).body.outbound.allow, ['friend.example', 'other.example']);
    assert.deepEqual((await ada.api.get(POLICY)).body.outbound.allow, []);
    assert.equal((await sendTo(ada, 'eve@other.example')).status, 201);
  });

  it('400 public_domain where everyone can have an address, this service too; nothing is decided', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t, STRANGERS);
    const bob = await createAgent(t);
    for (const to of ['bob@gmail.com', 'bob@GMX.de', 'bob@yahoo.co.jp', 'bob@eu.outlook.com', bob.address]) {
      const id = await holdMail(ada, ['carl@other.example', to]);
      const { status, body } = await ada.operator.post(`${REVIEWS}/${id}/approve`, { remember: 'domain' });
      assert.deepEqual([to, status, body.error], [to, 400, 'public_domain']);
      assert.equal((await ada.operator.get(`${REVIEWS}/${id}`)).body.status, 'pending');
    }
    assert.deepEqual((await ada.api.get(POLICY)).body.outbound.allow, []);
  });

  it('400: a list that is full takes no more, and nothing is decided', async () => {
    const allow = Array.from({ length: 1000 }, (_, n) => `a${n}.example`);
    const ada = await createHeldAgent(suite.t, { ...STRANGERS, allow });
    const id = await holdMail(ada, 'bob@other.example');
    const { status, body } = await ada.operator.post(`${REVIEWS}/${id}/approve`, { remember: 'domain' });
    assert.deepEqual([status, body.details?.[0].path], [400, '/body/remember']);
    await approveMail(ada, id, { remember: 'recipient' });
  });

  it('a mailed link remembers a recipient, and no domain', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t, STRANGERS);
    const id = await holdMail(ada, 'bob@other.example');
    await t.outboxMails();
    const mail = (await mailsTo(t, ada.boss)).find((text) => text.includes(id)) ?? '';
    const token = /\/review#id=rev_[0-9a-z]{26}&token=([0-9A-Za-z]{32})/.exec(mail)?.[1];
    const decide = (remember: string) =>
      t.api().post(`${REVIEWS}/${id}/decide`, { token, decision: 'approve', remember });
    assert.equal((await decide('domain')).body.error, 'invalid_request');
    assert.equal((await decide('recipient')).body.status, 'approved');
    assert.equal((await sendTo(ada, 'bob@other.example')).status, 201);
  });

  it('a rejection remembers nothing', async () => {
    const ada = await createHeldAgent(suite.t, STRANGERS);
    const id = await holdMail(ada, 'bob@other.example');
    const asked = await ada.operator.post(`${REVIEWS}/${id}/reject`, { remember: 'recipient' });
    assert.equal(asked.status, 400);
    await ada.operator.post(`${REVIEWS}/${id}/reject`, {});
    assert.equal((await sendTo(ada, 'bob@other.example')).status, 202);
  });

  it('a remembered domain is a change of the policy by an operator, which `secure` leaves', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t, STRANGERS);
    await approveMail(ada, await holdMail(ada, 'bob@other.example'), { remember: 'domain' });
    const secured = await ada.api.post('/v1/account/secure', {});
    const after = (await t.api(secured.body.api_key).get(POLICY)).body.outbound;
    assert.deepEqual([after.otherwise, after.allow], ['review', ['other.example']]);
  });
});

onEngines('both', 'what approvals are remembered for', {}, (suite) => {
  it('of three approvals and a change of the policy at the same time, each is kept', async () => {
    const ada = await createHeldAgent(suite.t, STRANGERS);
    const domains = ['one.example', 'two.example', 'three.example'];
    const ids: string[] = [];
    for (const domain of domains) ids.push(await holdMail(ada, `bob@${domain}`));
    await Promise.all([
      ...ids.map((id) => approveMail(ada, id, { remember: 'domain' })),
      ada.operator.put(POLICY, { outbound: { block: ['bad.example'] } }),
    ]);
    const { allow, block } = (await ada.api.get(POLICY)).body.outbound;
    assert.deepEqual([allow.sort(), block], [domains.sort(), ['bad.example']]);
  });
});
