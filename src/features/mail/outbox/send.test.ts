import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { createAgent, setTier, suspend, type TestAgent } from '../../../../test/support/agents.ts';
import { onEngines } from '../../../../test/support/harness.ts';
import { saidIn } from '../../../../test/support/refusal.ts';

const send = ({ api, address }: TestAgent, to: unknown, more: object = {}) =>
  api.post('/v1/email/send', { from: address, to, subject: 'Hello', text: 'Body', ...more });

const messagesOf = async ({ api, address }: TestAgent) =>
  (await api.get(`/v1/email/inbox?address=${address}`)).body.messages;

/** The newest message of an inbox, whole, and its raw bytes as text. */
async function newest(ada: TestAgent) {
  const { message_id } = (await messagesOf(ada))[0];
  const query = `?address=${ada.address}`;
  const { body } = await ada.api.get(`/v1/email/messages/${message_id}${query}`);
  return { ...body, raw: (await ada.api.get(`/v1/email/messages/${message_id}/raw${query}`)).text };
}

const outboxOf = async ({ api }: TestAgent) => (await api.get('/v1/email/outbox')).body.messages;

onEngines('any', 'POST /v1/email/send', {}, (suite) => {
  it('keeps the whole text, which a conversation shows in part, as storage of the sender', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    const text = `${'All work and no play. '.repeat(1000)}\n\nThe end.\n\n> What you wrote`;
    const read = async (id: string) => (await ada.api.get(`/v1/email/outbox/${id}`)).body;
    const used = async () => (await ada.api.get('/v1/usage')).body.storage.used;
    for (const to of [bob.address, 'x@out.example', [bob.address, 'x@out.example']]) {
      const before = await used();
      const { id, thread_id: thread } = (await send(ada, to, { text })).body;
      await t.outboxMails();
      assert.deepEqual([(await read(id)).text, (await read(id)).status], [text, 'sent']);
      const { messages } = (await ada.api.get(`/v1/email/threads/${thread}`)).body;
      assert.equal(messages[0].text.length, 10_000);
      const [kept] = await t.sql(
        'select c.size_bytes as bytes from sent_contents s join mail_contents c on c.id = s.content_id where s.outbox_id = ?',
        id,
      );
      assert.equal((await used()) - before, Number(kept?.bytes));
    }
    const short = (await send(ada, bob.address)).body;
    assert.deepEqual([(await read(short.id)).text, (await read(short.id)).subject], ['Body', 'Hello']);
    const theirs = await bob.api.get(`/v1/email/outbox/${short.id}`);
    const missing = await bob.api.get(`/v1/email/outbox/out_01key610g0${'0'.repeat(16)}`);
    assert.deepEqual([theirs.status, saidIn(theirs)], [404, saidIn(missing)]);
  });

  it('delivers to an internal recipient at once and answers 201 with every field', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    const { status, body } = await send(ada, bob.address);
    assert.equal(status, 201);
    assert.match(body.id, /^out_/);
    assert.deepEqual(body, {
      id: body.id,
      provider_id: body.rfc_message_id,
      status: 'sent',
      from: ada.address,
      to: [bob.address],
      sent_at: new Date(t.clock.now()).toISOString(),
      provider: 'internal',
      internal_recipients: [{ address: bob.address, delivered: true, error: null }],
      rfc_message_id: body.rfc_message_id,
      thread_id: body.thread_id,
      rate_limit: { daily_remaining: 9, hourly_remaining: 9 },
    });
    const message = await newest(bob);
    assert.deepEqual(message.auth, { method: 'internal', spf: null, dkim: null, dmarc: null, verified_from: true });
    assert.deepEqual([message.from, message.to, message.body], [ada.address, bob.address, 'Body']);
    assert.equal(message.rfc_message_id, body.rfc_message_id);
    assert.equal(message.sent_at, body.sent_at);
    assert.equal((await t.sql('select id from jobs where payload like ?', `%${body.id}%`)).length, 0);
  });

  it('answers pending for an external recipient, then writes the mail to the development outbox and lists it as sent', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const { status, body } = await send(ada, 'Grace@Example.COM', { html: '<b>Body</b>', reply_to: 'r@example.org' });
    assert.equal(status, 201);
    assert.deepEqual([body.status, body.provider, body.provider_id, body.sent_at], ['pending', 'file', null, null]);
    assert.deepEqual(body.to, ['Grace@example.com']);
    assert.equal('internal_recipients' in body, false);
    const entry = { id: body.id, from: ada.address, to: body.to, subject: 'Hello', provider: 'file', error: null };
    const ids = { thread_id: body.thread_id, rfc_message_id: body.rfc_message_id, review: null };
    const recipients = [{ address: 'Grace@example.com', status: 'sent', error: null }];
    const eml = (await t.outboxMails()).find((mail) => mail.includes(body.rfc_message_id)) ?? '';
    assert.match(eml, new RegExp(`^From: <?${ada.address}>?\\r$`, 'm'));
    assert.match(eml, /^To: <?Grace@example\.com>?\r$/m);
    assert.match(eml, /^Reply-To: <?r@example\.org>?\r$/m);
    const at = new Date(t.clock.now()).toISOString();
    const guidance = 'This service has no mail relay, so the mail was written to a file. Nobody received it.';
    const notLeft = { left_machine: false, guidance };
    assert.deepEqual(await outboxOf(ada), [
      { ...entry, ...ids, recipients, ...notLeft, metadata: {}, status: 'sent', queued_at: at, sent_at: at },
    ]);
    // The content is deleted when the mail was sent.
    assert.equal((await t.sql('select id from mail_contents where id in (select content_id from outbox)')).length, 0);
  });

  it('delivers to internal recipients at once while external ones are pending', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    const { body } = await send(ada, ['x@example.com', bob.address, 'nobody@agents.localhost']);
    assert.deepEqual([body.status, body.provider, body.sent_at], ['pending', 'file', null]);
    assert.deepEqual(body.internal_recipients, [
      { address: bob.address, delivered: true, error: null },
      { address: 'nobody@agents.localhost', delivered: false, error: body.internal_recipients[1].error },
    ]);
    assert.ok(body.internal_recipients[1].error.length > 0);
    assert.equal((await messagesOf(bob)).length, 1);
    assert.ok((await t.outboxMails()).some((mail) => mail.includes(body.rfc_message_id)));
    assert.equal((await newest(bob)).body, 'Body');
  });

  it('accepts `to` as a string or a list, and counts duplicates in any case as one recipient', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    const to = [bob.address, bob.address.toUpperCase(), ` ${bob.address} `, 'x@example.com', 'x@EXAMPLE.com'];
    const { status, body } = await send(ada, to, { cc: bob.address, bcc: [bob.address] });
    assert.equal(status, 201);
    assert.deepEqual(body.to, [bob.address, 'x@example.com']);
    assert.equal((await messagesOf(bob)).length, 1);
  });

  it('answers delivered false for an unknown or suspended agent, and failed if it is the only recipient', async () => {
    const { t } = suite;
    const [ada, gone] = [await createAgent(t), await createAgent(t)];
    await suspend(t, gone.accountId);
    const left = (await ada.api.get('/v1/usage')).body.emails.daily_remaining;
    const { status, body } = await send(ada, ['nobody@agents.localhost', gone.address]);
    assert.deepEqual([status, body.status, body.provider, body.sent_at], [201, 'failed', 'internal', null]);
    const outcomes = body.internal_recipients.map(({ delivered, error }: Record<string, unknown>) => [
      delivered,
      !!error,
    ]);
    assert.deepEqual(outcomes, [
      [false, true],
      [false, true],
    ]);
    const [entry] = await outboxOf(ada);
    assert.equal(entry.status, 'failed');
    assert.equal(entry.error, 'None of the recipients exists.');
    // B: a typing error costs none of the emails of the day.
    assert.equal(body.rate_limit.daily_remaining, left);
    assert.equal((await ada.api.get('/v1/usage')).body.emails.daily_remaining, left);
    await send(ada, ['nobody@agents.localhost', 'x@example.com']);
    assert.equal((await ada.api.get('/v1/usage')).body.emails.daily_remaining, left - 1, 'someone gets it');
  });

  it('B: warns of a domain that is one letter off a large provider, and sends the mail', async () => {
    const ada = await createAgent(suite.t);
    const warnings = async (...to: string[]) => (await send(ada, to)).body.warning;
    for (const wrong of ['gmial.com', 'gmal.com', 'gmail.co', 'hotmaill.com', 'outlok.com'])
      assert.match(
        (await warnings('x@example.com', `bob@${wrong}`)) ?? '',
        /^bob@\S+ may be .* did you mean \w+\.com\?/,
        wrong,
      );
    const right = ['gmail.com', 'mail.com', 'ymail.com', 'email.com', 'yahoo.de', 'gmx.net', 'example.com'];
    assert.equal(await warnings(...right.map((domain) => `bob@${domain}`)), undefined);
    const mistyped = { from: ada.address, to: 'bob@gmial.com', subject: 'Hi', text: 'Hi' };
    const plain = await ada.api.post('/v1/email/send?verbose=false', mistyped);
    assert.deepEqual([plain.status, plain.body.warning], [201, undefined]);
  });

  it('derives text and snippet when only HTML was sent', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    assert.equal((await send(ada, bob.address, { text: undefined, html: '<h1>Hi</h1><p>there</p>' })).status, 201);
    const message = await newest(bob);
    assert.match(message.body, /Hi\s+there/);
    assert.equal(message.snippet, 'Hi there');
    assert.equal(message.html, '<h1>Hi</h1><p>there</p>');
  });

  it('shows cc and never bcc in the headers of every copy', async () => {
    const { t } = suite;
    const [ada, bob, carol, dave] = [
      await createAgent(t),
      await createAgent(t),
      await createAgent(t),
      await createAgent(t),
    ];
    const bcc = [dave.address, 'hidden@example.com'];
    const { status, body } = await send(ada, bob.address, { cc: [carol.address, 'open@example.com'], bcc });
    assert.equal(status, 201);
    const copies = [await newest(bob), await newest(carol), await newest(dave)];
    for (const copy of copies) {
      assert.deepEqual([copy.to, copy.cc], [bob.address, [carol.address, 'open@example.com']]);
      assert.ok(!JSON.stringify({ ...copy, attachments: [] }).includes('hidden@example.com'));
      assert.ok(!copy.raw.includes(dave.address));
      assert.doesNotMatch(copy.raw, /^bcc:/im);
    }
    const eml = (await t.outboxMails()).find((mail) => mail.includes(body.rfc_message_id)) ?? '';
    assert.ok(eml.includes('open@example.com'));
    assert.ok(!eml.includes('hidden@example.com') && !eml.includes(dave.address));
  });

  it('carries attachments of 5 MB byte for byte to internal and external recipients', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    const bytes = randomBytes(5_000_000);
    const attachments = [
      { filename: 'größe.bin', content: bytes.toString('base64') },
      { filename: 'note.txt', content_type: 'text/plain', content: Buffer.from('näh').toString('base64url') },
    ];
    const { status, body } = await send(ada, [bob.address, 'x@example.com'], { attachments });
    assert.equal(status, 201);
    const [entry] = await messagesOf(bob);
    const { body: message } = await bob.api.get(`/v1/email/messages/${entry.message_id}?address=${bob.address}`);
    const listed = message.attachments.map((file: Record<string, unknown>) => [
      file.filename,
      file.content_type,
      file.size,
    ]);
    assert.deepEqual(listed, [
      ['größe.bin', 'application/octet-stream', bytes.length],
      ['note.txt', 'text/plain', 4],
    ]);
    const headers = { authorization: `Bearer ${bob.key}` };
    const download = await fetch(t.baseUrl + message.attachments[0].url, { headers });
    assert.ok(Buffer.from(await download.arrayBuffer()).equals(bytes));
    const eml = (await t.outboxMails()).find((mail) => mail.includes(body.rfc_message_id)) ?? '';
    const encoded = bytes.toString('base64');
    assert.ok(eml.replace(/\r\n/g, '').includes(encoded));
  });
});

onEngines('both', 'POST /v1/email/send', {}, (suite) => {
  it('lists the outbox newest first, 20 by default, in pages without gaps, and refuses a bad limit or cursor with 400', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    await setTier(t, ada.accountId, 'paid');
    for (let n = 0; n < 22; n++) {
      t.clock.advance(1000);
      await send(ada, 'nobody@agents.localhost', { subject: String(n) });
    }
    const usual = await ada.api.get('/v1/email/outbox');
    assert.deepEqual([usual.body.count, usual.body.messages[0].subject], [20, '21']);
    const rest = await ada.api.get(`/v1/email/outbox?cursor=${usual.body.next_cursor}`);
    assert.deepEqual([rest.body.count, rest.body.next_cursor, rest.body.messages[1].subject], [2, null, '0']);
    for (const query of ['limit=0', 'limit=101', 'limit=abc'])
      assert.equal((await ada.api.get(`/v1/email/outbox?${query}`)).body.error, 'invalid_request');
    const forged = ['x', Buffer.from('["\\u0000"]').toString('base64url'), Buffer.from('["~"]').toString('base64url')];
    for (const cursor of forged)
      assert.equal((await ada.api.get(`/v1/email/outbox?cursor=${cursor}`)).body.error, 'invalid_cursor');
  });
});
