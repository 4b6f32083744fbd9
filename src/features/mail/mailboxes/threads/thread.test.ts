import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, type TestAgent } from '../../../../../test/support/agents.ts';
import { onEngines, type TestApp } from '../../../../../test/support/harness.ts';

/** The list entries of an inbox, newest first. */
const messagesOf = async ({ api, address }: TestAgent) =>
  (await api.get(`/v1/email/inbox?address=${address}`)).body.messages;

async function receive(t: TestApp, to: TestAgent, headers: Record<string, string> = {}, subject = 'Topic') {
  t.clock.advance(1000);
  await t.sendSmtp({ to: to.address, subject, text: 'x', headers });
  return (await messagesOf(to))[0];
}

async function send(t: TestApp, from: TestAgent, to: string, more: object = {}) {
  t.clock.advance(1000);
  const reply = await from.api.post('/v1/email/send', { from: from.address, to, subject: 'Topic', text: 'x', ...more });
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

onEngines('any', 'threads', {}, (suite) => {
  it('a mail joins the thread of the message that its In-Reply-To or References names', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const first = await receive(t, ada, { 'Message-ID': '<root@example.com>' });
    const byReply = await receive(t, ada, { 'Message-ID': '<two@example.com>', 'In-Reply-To': '<root@example.com>' });
    assert.equal(byReply.thread_id, first.thread_id);
    const references = '<root@example.com> <unknown@example.com>';
    assert.equal((await receive(t, ada, { References: references })).thread_id, first.thread_id);
    const viaSecond = await receive(t, ada, { 'In-Reply-To': '<gone@example.com>', References: '<two@example.com>' });
    assert.equal(viaSecond.thread_id, first.thread_id);
  });

  it('equal subjects, or an id known only to another inbox, do not join mails', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    const first = await receive(t, ada, { 'Message-ID': '<adas@example.com>' });
    const same = await receive(t, ada, {}, 'Re: Topic');
    assert.notEqual(same.thread_id, first.thread_id);
    const his = await receive(t, bob, { 'In-Reply-To': '<adas@example.com>' });
    assert.notEqual(his.thread_id, first.thread_id);
  });

  it('a reply joins the thread by either kind of id and names its ancestors in its headers', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const headers = { 'Message-ID': '<three@example.com>', References: '<one@example.com> <two@example.com>' };
    const mail = await receive(t, ada, headers);
    for (const id of [mail.message_id, '<three@example.com>', 'three@example.com']) {
      const sent = await send(t, ada, 'out@example.com', { in_reply_to: id });
      assert.equal(sent.thread_id, mail.thread_id);
      const eml = (await t.outboxMails()).find((text) => text.includes(sent.rfc_message_id)) ?? '';
      const unfolded = eml.replace(/\r\n[ \t]+/g, ' ');
      assert.match(unfolded, /^In-Reply-To: <three@example\.com>\r$/m);
      assert.match(unfolded, /^References: <one@example\.com> <two@example\.com> <three@example\.com>\r$/m);
    }
  });

  it('a reply to a mail without a Message-ID joins its thread', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    await t.sendSmtp({ to: ada.address, raw: 'From: a@example.com\r\nSubject: bare\r\n\r\nx\r\n' });
    const [mail] = await messagesOf(ada);
    assert.equal(mail.rfc_message_id, null);
    const sent = await send(t, ada, 'a@example.com', { in_reply_to: mail.message_id });
    assert.equal(sent.thread_id, mail.thread_id);
  });

  it('a mail with an unusual Message-ID can be answered', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    for (const odd of ['<<x@example.com>', '<x"y\\z@example.com>', '<a b@example.com>', '<é@example.com>']) {
      t.clock.advance(1000);
      const raw = `From: a@example.com\r\nMessage-ID: ${odd}\r\nSubject: odd\r\n\r\nx\r\n`;
      await t.sendSmtp({ to: ada.address, raw });
      const [mail] = await messagesOf(ada);
      const sent = await send(t, ada, 'a@example.com', { in_reply_to: mail.message_id });
      assert.equal(sent.thread_id, mail.thread_id, odd);
    }
  });

  it('two agents that reply to each other have one thread each', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    const opening = await send(t, ada, bob.address);
    const [hisFirst] = await messagesOf(bob);
    assert.equal(hisFirst.rfc_message_id, opening.rfc_message_id);
    const answer = await send(t, bob, ada.address, { in_reply_to: hisFirst.message_id });
    assert.equal(answer.thread_id, hisFirst.thread_id);
    const [hers] = await messagesOf(ada);
    assert.equal(hers.thread_id, opening.thread_id);
    const again = await send(t, ada, bob.address, { in_reply_to: hers.rfc_message_id });
    assert.equal(again.thread_id, opening.thread_id);
    const his = await messagesOf(bob);
    assert.deepEqual(
      new Set(his.map(({ thread_id }: { thread_id: string }) => thread_id)),
      new Set([hisFirst.thread_id]),
    );
    assert.notEqual(hisFirst.thread_id, opening.thread_id);
  });

  it('an outside reply by SMTP joins the thread of the agent’s mail', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const sent = await send(t, ada, 'stranger@example.com');
    const answer = await receive(t, ada, { 'In-Reply-To': sent.rfc_message_id });
    assert.equal(answer.thread_id, sent.thread_id);
  });

  it('refuses in_reply_to with a message id that is not in the sender’s inbox, and sends nothing', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    const his = await receive(t, bob);
    for (const in_reply_to of [his.message_id, 'msg_00000000000000000000000000']) {
      const body = { from: ada.address, to: bob.address, subject: 's', text: 'x', in_reply_to };
      const { status, body: refusal } = await ada.api.post('/v1/email/send', body);
      assert.deepEqual([status, refusal.error, refusal.details[0].path], [400, 'invalid_request', '/body/in_reply_to']);
    }
    assert.equal((await ada.api.get('/v1/email/outbox')).body.count, 0);
  });
});
