import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, mailsTo, openSession, type TestAgent } from '../../../../test/support/agents.ts';
import { type Api, onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { approveMail, createHeldAgent, holdMail, REVIEWS, sendTo } from '../../../../test/support/held-mail.ts';
import { DAY_MS } from '../../../base/period.ts';

const eventsOf = async ({ api }: TestAgent): Promise<string[]> =>
  (await api.get('/v1/events')).body.events.map(({ type }: { type: string }) => type);
const entryOf = async ({ api }: TestAgent) => (await api.get('/v1/email/outbox')).body.messages[0];
const received = async (t: TestApp, { address }: TestAgent) =>
  t.sql('select id from messages where address = ? and visible = 1', address);
const usedBy = async ({ api }: TestAgent): Promise<number> => (await api.get('/v1/usage')).body.emails.daily_used;

onEngines('any', 'held mail', {}, (suite) => {
  it('waits with 202, counts in the mails of the day, and reaches nobody until an operator approves it', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t);
    const bob = await createAgent(t);
    const file = { filename: 'a.txt', content_type: 'text/plain', content: Buffer.from('hello').toString('base64') };
    const mail = {
      html: '<p>Dear <b>Bob</b></p>',
      bcc: ['x@out.example'],
      reply_to: 'answers@out.example',
      attachments: [file],
    };
    const sent = await sendTo(ada, bob.address, mail);
    const { review_id: id, id: outboxId } = sent.body;
    assert.deepEqual([sent.status, sent.body.status, sent.body.reason], [202, 'pending', 'always']);
    assert.deepEqual([await received(t, bob), await usedBy(ada)], [[], 1]);
    assert.equal((await entryOf(ada)).status, 'pending');
    const [listed] = (await ada.operator.get(REVIEWS)).body.reviews;
    const to = [bob.address, 'x@out.example'];
    assert.deepEqual(
      [listed.review_id, listed.from, listed.to, listed.subject, listed.reason, listed.status],
      [id, ada.address, to, 'Offer', 'always', 'pending'],
    );
    const whole = (await ada.operator.get(`${REVIEWS}/${id}`)).body;
    assert.deepEqual([whole.text, whole.html, whole.attachments.length], ['Dear Bob', mail.html, 1]);
    assert.deepEqual([whole.from_name, whole.reply_to], ['', ['answers@out.example']]);
    assert.match(whole.why, /waits for you/);
    const fileOf = (api: Api, n = 0) => api.get(`${REVIEWS}/${id}/attachments/${n}`);
    assert.deepEqual([(await fileOf(ada.operator)).text, (await fileOf(ada.operator, 1)).status], ['hello', 404]);
    assert.equal((await fileOf(ada.api)).body.error, 'operator_required');
    assert.equal((await fileOf((await createHeldAgent(t)).operator)).status, 404);
    const agents = (await ada.operator.get('/v1/operator/agents')).body.agents;
    assert.equal(agents[0].open_reviews, 1);
    const approved = await ada.operator.post(`${REVIEWS}/${id}/approve`, { reason: 'fine' });
    assert.deepEqual([approved.status, approved.body.status, approved.body.error], [200, 'approved', null]);
    assert.equal((await fileOf(ada.operator)).status, 404);
    const [message] = (await bob.api.get(`/v1/email/inbox?address=${bob.address}`)).body.messages;
    const read = (await bob.api.get(`/v1/email/messages/${message.message_id}?address=${bob.address}`)).body;
    assert.deepEqual(
      [read.body_text ?? read.text_body ?? read.body, read.html ?? read.body_html, read.attachments[0].filename],
      ['Dear Bob', mail.html, 'a.txt'],
    );
    const left = (await t.outboxMails()).filter((mail) => mail.includes(`From: ${ada.address}`));
    assert.deepEqual([left.length, left[0]?.includes('Dear')], [1, true]);
    const entry = await entryOf(ada);
    assert.deepEqual([entry.id, entry.status, await usedBy(ada)], [outboxId, 'sent', 1]);
    const types = await eventsOf(ada);
    assert.deepEqual(
      types.filter((type) => type.startsWith('email.')),
      ['email.held', 'email.released', 'email.sent'],
    );
    assert.equal((await ada.operator.get('/v1/operator/agents')).body.agents[0].open_reviews, 0);
  });

  it('is listed to the agent’s key, and neither shown whole to it nor decided by it; another operator gets 404', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t);
    const id = await holdMail(ada, 'x@out.example');
    assert.deepEqual((await ada.api.get(`${REVIEWS}/${id}`)).body.error, 'operator_required');
    assert.equal((await ada.api.get(REVIEWS)).text, (await ada.operator.get(REVIEWS)).text);
    for (const verb of ['approve', 'reject'])
      assert.deepEqual((await ada.api.post(`${REVIEWS}/${id}/${verb}`, {})).body.error, 'operator_required');
    const other = await createHeldAgent(t);
    const missing = await other.operator.get(`${REVIEWS}/rev_${'0'.repeat(26)}`);
    const theirs = await other.operator.get(`${REVIEWS}/${id}`);
    assert.deepEqual([theirs.status, theirs.text], [404, missing.text]);
    assert.equal((await other.operator.post(`${REVIEWS}/${id}/approve`, {})).status, 404);
    assert.equal((await entryOf(ada)).status, 'pending');
  });

  it('is failed with the reason once rejected; the counts come back', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t, { hold: 'always', max_recipients_per_day: 1 });
    const bob = await createAgent(t);
    const id = await holdMail(ada, bob.address);
    assert.equal((await sendTo(ada, bob.address)).status, 429);
    const rejected = await ada.operator.post(`${REVIEWS}/${id}/reject`, { reason: 'too pushy' });
    assert.deepEqual([rejected.status, rejected.body.status], [200, 'rejected']);
    const entry = await entryOf(ada);
    assert.deepEqual([entry.status, await usedBy(ada), await received(t, bob)], ['failed', 0, []]);
    assert.match(entry.error, /rejected this mail: too pushy/);
    assert.deepEqual((await eventsOf(ada)).slice(-3), ['email.held', 'email.rejected', 'email.failed']);
    await holdMail(ada, bob.address);
    assert.equal((await ada.operator.post(`${REVIEWS}/${id}/approve`, {})).body.error, 'already_resolved');
  });

  it('gives back only what was counted for it: a limit that came later stays used', async () => {
    const ada = await createHeldAgent(suite.t);
    const uncounted = await holdMail(ada, ['x@out.example', 'y@out.example']);
    await ada.operator.put('/v1/email/policy', { outbound: { max_recipients_per_day: 1 } });
    await holdMail(ada, 'z@out.example');
    await ada.operator.post(`${REVIEWS}/${uncounted}/reject`, {});
    assert.equal((await sendTo(ada, 'z@out.example')).status, 429);
  });

  it('is decided by the mailed link, once, as long as its address is an operator', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t);
    const id = await holdMail(ada, 'x@out.example', { subject: 'Buy now!' });
    await t.outboxMails();
    const [mail = ''] = await mailsTo(t, ada.boss).then((all) => all.filter((text) => text.includes(id)));
    assert.doesNotMatch(/^Subject: .*$/m.exec(mail)?.[0] ?? '', /Buy/);
    const token = /\/review#id=rev_[0-9a-z]{26}&token=([0-9A-Za-z]{32})/.exec(mail)?.[1];
    const view = await t.api().post(`${REVIEWS}/${id}/view`, { token });
    assert.deepEqual([view.status, view.body.text, view.body.passkey_required], [200, 'Dear Bob', false]);
    const wrong = { token: 'A'.repeat(32), decision: 'approve' };
    assert.equal((await t.api().post(`${REVIEWS}/${id}/decide`, wrong)).body.error, 'invalid_token');
    const decided = await t.api().post(`${REVIEWS}/${id}/decide`, { token, decision: 'approve' });
    assert.deepEqual([decided.status, decided.body.status], [200, 'approved']);
    const again = await t.api().post(`${REVIEWS}/${id}/decide`, { token, decision: 'reject' });
    assert.equal(again.body.error, 'already_resolved');
    assert.equal((await t.api().post(`${REVIEWS}/${id}/view`, { token })).body.text, null);
  });

  it('`first_contact` holds mail to a recipient until one is approved and remembered', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t, { to: 'known', hold: 'first_contact', allow: ['friend.example'] });
    assert.equal((await sendTo(ada, 'a@friend.example')).status, 201);
    const id = await holdMail(ada, ['a@friend.example', 'New@Stranger.example']);
    assert.equal((await ada.operator.get(`${REVIEWS}/${id}`)).body.reason, 'first_contact');
    await approveMail(ada, id, { remember: 'recipient' });
    assert.equal((await sendTo(ada, 'new@stranger.example')).status, 201);
    assert.equal((await entryOf(ada)).status === 'failed', false);
    const rejected = await holdMail(ada, 'other@stranger.example');
    await ada.operator.post(`${REVIEWS}/${rejected}/reject`, {});
    assert.equal((await sendTo(ada, 'other@stranger.example')).status, 202);
  });

  it('`secrets: hold` holds a mail with a secret and names its kind; the alias answers 202 too', async () => {
    const ada = await createHeldAgent(suite.t, { secrets: 'hold' });
    const text = `use ${'AKIA'}IOSFODNN7EXAMPLE`;
    const id = await holdMail(ada, 'x@out.example', { text });
    const whole = (await ada.operator.get(`${REVIEWS}/${id}`)).body;
    assert.deepEqual([whole.reason, whole.secrets], ['secrets', ['AWS access key']]);
    const alias = { to: 'x@out.example', subject: 'Hi', body: text };
    const { status, body } = await ada.api.post(`/v1/inbox/${ada.address}/send`, alias);
    assert.deepEqual([status, body.sent, body.status, body.review_id.slice(0, 4)], [202, false, 'pending', 'rev_']);
    assert.equal((await sendTo(ada, 'x@out.example')).status, 201);
  });

  it('fails at release when the policy became narrower meanwhile, and ends when the account is secured', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t);
    const id = await holdMail(ada, 'x@out.example');
    await ada.operator.put('/v1/email/policy', { outbound: { to: 'list', allow: ['y.example'] } });
    const approved = await ada.operator.post(`${REVIEWS}/${id}/approve`, {});
    assert.match(approved.body.error, /^recipient_not_allowed: .*x@out\.example/);
    assert.deepEqual([(await entryOf(ada)).status, await usedBy(ada)], ['failed', 0]);
    await holdMail(ada, 'x@y.example');
    const secured = await ada.api.post('/v1/account/secure', {});
    assert.equal(secured.status, 200, secured.text);
    assert.equal((await entryOf({ ...ada, api: t.api(secured.body.api_key) })).status, 'failed');
    assert.deepEqual(
      await t.sql("select id from reviews where account_id = ? and status = 'pending'", ada.accountId),
      [],
    );
  });

  it('fails at release when the sender’s address is gone or a recipient is suppressed meanwhile', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t);
    const id = await holdMail(ada, 'gone@out.example');
    const values = [ada.accountId, 'gone@out.example', 'hard_bounce', 1];
    await t.sql('insert into suppressions (account_id, address, reason, created_at) values (?, ?, ?, ?)', ...values);
    const suppressed = await ada.operator.post(`${REVIEWS}/${id}/approve`, {});
    assert.match(suppressed.body.error, /^recipient_suppressed: /);
    const bob = await createAgent(t);
    const lost = await holdMail(ada, [bob.address, 'x@out.example']);
    assert.equal((await ada.operator.delete(`/v1/email/addresses/${ada.address}`)).status < 300, true);
    const approved = await ada.operator.post(`${REVIEWS}/${lost}/approve`, {});
    assert.match(approved.body.error, /^sender_not_owned: /);
    assert.deepEqual([await received(t, bob), await usedBy(ada)], [[], 0]);
    const left = (await t.outboxMails()).filter((mail) => mail.includes('@out.example') && mail.includes(ada.address));
    assert.deepEqual(
      left.filter((mail) => mail.includes(`From: ${ada.address}`)),
      [],
    );
  });

  it('is the same for a repeat with the same Idempotency-Key', async () => {
    const ada = await createHeldAgent(suite.t);
    const mail = { from: ada.address, to: 'x@out.example', subject: 'Once', text: 'Once' };
    const headers = { 'idempotency-key': 'one' };
    const first = await ada.api.post('/v1/email/send', mail, headers);
    const second = await ada.api.post('/v1/email/send', mail, headers);
    assert.deepEqual([second.status, second.body.review_id], [202, first.body.review_id]);
    assert.equal((await ada.operator.get(REVIEWS)).body.count, 1);
  });
});

onEngines('both', 'held mail', {}, (suite) => {
  it('is sent exactly once when operators decide at the same time: one 200, the others 409', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t);
    const bob = await createAgent(t);
    const id = await holdMail(ada, [bob.address, 'x@out.example']);
    const decide = (verb: string) => ada.operator.post(`${REVIEWS}/${id}/${verb}`, {});
    const replies = await Promise.all(['approve', 'approve', 'approve', 'approve'].map(decide));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409, 409, 409]);
    for (const { status, body } of replies) if (status === 409) assert.equal(body.error, 'already_resolved');
    const mails = await t.outboxMails();
    assert.equal(
      mails.filter((mail) => mail.includes(`From: ${ada.address}`) && mail.includes('x@out.example')).length,
      1,
    );
    assert.equal((await received(t, bob)).length, 1);
    const second = await holdMail(ada, bob.address);
    const mixed = await Promise.all(
      ['approve', 'reject'].map((verb) => ada.operator.post(`${REVIEWS}/${second}/${verb}`, {})),
    );
    assert.deepEqual(mixed.map(({ status }) => status).sort(), [200, 409]);
    assert.equal((await received(t, bob)).length, 1 + (mixed[0]?.status === 200 ? 1 : 0));
  });

  it('is rejected after seven days', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t);
    const id = await holdMail(ada, 'x@out.example');
    t.clock.advance(7 * DAY_MS);
    const operator = await openSession(t, ada.boss);
    assert.equal((await operator.post(`${REVIEWS}/${id}/approve`, {})).body.error, 'expired');
    await t.app.worker.runDue();
    const entry = await entryOf(ada);
    assert.deepEqual([entry.status, entry.error], ['failed', 'No operator approved this mail in time.']);
    const [review] = (await operator.get(`${REVIEWS}?status=expired`)).body.reviews;
    assert.deepEqual([review.review_id, review.status], [id, 'expired']);
  });
});
