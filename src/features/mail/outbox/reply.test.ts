import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, type TestAgent } from '../../../../test/support/agents.ts';
import { type ApiReply, onEngines, type TestApp } from '../../../../test/support/harness.ts';

interface Incoming {
  subject?: string;
  text?: string;
  headers?: Record<string, string>;
}

/** Mail from outside, as the inbox lists it. */
async function receive(t: TestApp, to: TestAgent, { subject = 'Topic', text = 'Words', headers = {} }: Incoming = {}) {
  t.clock.advance(1000);
  const lines = { From: 'Ada <ada@example.com>', To: to.address, Subject: subject, ...headers };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  await t.sendSmtp({ to: to.address, raw: `${head.join('')}\r\n${text}\r\n` });
  return (await to.api.get(`/v1/email/inbox?address=${to.address}&wait=30`)).body.messages[0];
}

const act = ({ api }: TestAgent, id: string, action: string, body: object) =>
  api.post(`/v1/email/messages/${encodeURIComponent(id)}/${action}`, body);

const emlOf = async (t: TestApp, messageId: string): Promise<string> =>
  (await t.outboxMails()).find((mail) => mail.includes(`Message-ID: ${messageId}`)) ?? '';

const header = (eml: string, name: string): string =>
  (new RegExp(`^${name}: ((?:.|\\r\\n[ \\t])*?)\\r$`, 'im').exec(eml)?.[1] ?? '').replace(/\r\n\s+/g, ' ');

/** What a refusal says, without the page that it links to, which depends on the call. */
const said = ({ status, body }: ApiReply) => [status, { ...body, docs_url: null }];

onEngines('any', 'answers and forwarded mail', {}, (suite) => {
  it('reply goes to Reply-To, in the same conversation, with Re: once, and quotes nothing', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const headers = {
      'Message-ID': '<q1@example.com>',
      References: '<q0@example.com>',
      'Reply-To': 'desk@example.org',
    };
    const message = await receive(t, ada, { headers });
    const { status, body } = await act(ada, message.message_id, 'reply', { text: 'Yes.' });
    assert.deepEqual(
      [status, body.from, body.to, body.thread_id],
      [201, ada.address, ['desk@example.org'], message.thread_id],
    );
    const eml = await emlOf(t, body.rfc_message_id);
    assert.deepEqual(
      ['Subject', 'In-Reply-To', 'References'].map((name) => header(eml, name)),
      ['Re: Topic', '<q1@example.com>', '<q0@example.com> <q1@example.com>'],
    );
    assert.doesNotMatch(eml, /Words/);
    const answered = await ada.api.get(`/v1/email/inbox?address=${ada.address}&answered=true`);
    assert.deepEqual(
      answered.body.messages.map((one: { message_id: string }) => one.message_id),
      [message.message_id],
    );
    for (const subject of ['Re: Topic', 'RE[2]: Topic']) {
      const again = await receive(t, ada, { subject, headers: { 'In-Reply-To': body.rfc_message_id } });
      const second = await act(ada, again.message_id, 'reply', { html: '<p>Sure.</p>' });
      assert.equal(header(await emlOf(t, second.body.rfc_message_id), 'Subject'), subject);
      assert.equal(second.body.thread_id, message.thread_id);
    }
  });

  it('forward does not mark the message as answered', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const { message_id } = await receive(t, ada);
    assert.equal((await act(ada, message_id, 'forward', { to: 'eve@example.net' })).status, 201);
    const message = await ada.api.get(`/v1/email/messages/${message_id}?address=${ada.address}`);
    assert.deepEqual([message.body.answered, message.body.starred], [false, false]);
  });

  it('reply_all goes to everybody once, without the addresses of the caller', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const other = await createAgent(t, {}, ada);
    const headers = {
      'Message-ID': `<all${ada.address}>`,
      To: `${ada.address}, Bob <bob@example.org>, BOB@example.org`,
      Cc: `${other.address}, carl@example.net, ada@example.com, not an address`,
    };
    const message = await receive(t, ada, { headers });
    const { body } = await act(ada, message.message_id, 'reply_all', { text: 'All.', bcc: 'hidden@example.org' });
    const eml = await emlOf(t, body.rfc_message_id);
    assert.equal(header(eml, 'To'), 'ada@example.com');
    assert.equal(header(eml, 'Cc'), 'bob@example.org, carl@example.net');
    assert.doesNotMatch(eml, new RegExp(`${other.address}|hidden@example`));
    assert.ok(body.to.includes('hidden@example.org'));
    // Of an agent's own mail, the others are answered.
    t.clock.advance(1000);
    const sent = await ada.api.post('/v1/email/send', {
      from: other.address,
      to: [ada.address, 'bob@example.org'],
      subject: 'Mine',
      text: 'x',
    });
    assert.equal(sent.status, 201);
    const [mine] = (await ada.api.get(`/v1/email/inbox?address=${ada.address}`)).body.messages;
    assert.deepEqual((await act(ada, mine.message_id, 'reply_all', { text: 'y' })).body.to, ['bob@example.org']);
  });

  it('forward carries the text and the attachments, and who wrote them to whom', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    const attachments = [{ filename: 'a.csv', content_type: 'text/csv', content: 'YSxi' }];
    const mail = {
      to: ada.address,
      subject: 'Figures',
      text: 'One and two.',
      html: '<p>One and two.</p>',
      attachments,
    };
    await bob.api.post('/v1/email/send', { from: bob.address, ...mail });
    const [message] = (await ada.api.get(`/v1/email/inbox?address=${ada.address}`)).body.messages;
    const { status, body } = await act(ada, message.message_id, 'forward', { to: bob.address, text: 'Look.' });
    assert.deepEqual([status, body.status, body.thread_id], [201, 'sent', message.thread_id]);
    const [entry] = (await bob.api.get(`/v1/email/inbox?address=${bob.address}`)).body.messages;
    const query = `?address=${bob.address}`;
    const got = (await bob.api.get(`/v1/email/messages/${entry.message_id}${query}`)).body;
    assert.equal(got.subject, 'Fwd: Figures');
    assert.match(
      got.body,
      /^Look\.\n\n-+ Forwarded message -+\nFrom: .*\nDate: .*\nSubject: Figures\nTo: .*\n\nOne and two\./,
    );
    assert.equal(got.html, null);
    assert.equal((await bob.api.get(got.attachments[0].url)).text, 'a,b');
  });

  it('a hostile mail adds no header and no recipient to its answer', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const headers = {
      Subject: '=?utf-8?Q?Hi=0D=0ABcc:_evil@example.com?=',
      'Reply-To': '"x\\r\\nBcc: evil@example.com" <r@example.org>',
    };
    const message = await receive(t, ada, { headers });
    const { status, body } = await act(ada, message.message_id, 'reply', { text: 'x' });
    assert.deepEqual([status, body.to], [201, ['r@example.org']]);
    assert.doesNotMatch(await emlOf(t, body.rfc_message_id), /^Bcc:/im);
    assert.equal((await act(ada, message.message_id, 'forward', { to: 'f@example.org' })).status, 201);
    const nobody = await receive(t, ada, { headers: { From: 'nobody at all', 'Reply-To': 'none' } });
    assert.ok([201, 400].includes((await act(ada, nobody.message_id, 'reply', { text: 'x' })).status));
  });

  it('refuses what send refuses, an empty answer, a sealed mail, and another account; nothing is sent', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const message = await receive(t, ada);
    const stranger = await createAgent(t);
    const missing = await act(stranger, 'msg_00000000000000000000000000', 'reply', { text: 'x' });
    for (const action of ['reply', 'reply_all'])
      for (const [body, error] of [
        [{}, 'invalid_request'],
        [{ text: 'x', cc: 'nonsense@' }, 'invalid_recipient'],
        [{ text: 'x', bcc: Array.from({ length: 20 }, (_, i) => `b${i}@example.com`) }, 'too_many_recipients'],
      ] as const)
        assert.equal((await act(ada, message.message_id, action, body)).body.error, error);
    for (const action of ['reply', 'reply_all', 'forward']) {
      const foreign = await act(
        stranger,
        message.message_id,
        action,
        action === 'forward' ? { to: 'a@example.com' } : { text: 'x' },
      );
      assert.deepEqual(said(foreign), said(missing));
    }
    const sealed = await createAgent(t, { public_key: Buffer.alloc(32, 9).toString('base64url') });
    const hidden = await receive(t, sealed);
    assert.equal(
      (await act(sealed, hidden.message_id, 'forward', { to: 'a@example.com' })).body.details[0].code,
      'sealed',
    );
    for (const { api } of [ada, stranger, sealed]) assert.equal((await api.get('/v1/email/outbox')).body.count, 0);
    assert.equal((await act(sealed, hidden.message_id, 'reply', { text: 'x' })).status, 201);
  });

  it('a key that may only send cannot read mail by forwarding it', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const message = await receive(t, ada);
    const named = await ada.api.post('/v1/account/keys', { name: 'sender', scopes: ['mail:send'] });
    const api = t.api(named.body.api_key);
    const refused = await api.post(`/v1/email/messages/${message.message_id}/forward`, { to: 'a@example.com' });
    assert.deepEqual([refused.status, refused.body.required_scope], [403, 'mail:read']);
    assert.equal((await api.post(`/v1/email/messages/${message.message_id}/reply`, { text: 'x' })).status, 201);
  });

  it('POST /v1/inbox/{address}/send takes cc and bcc; an email written to a file says so', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const mail = { to: 'to@example.com', cc: ['cc@example.com'], bcc: 'bcc@example.com', subject: 'Hi', body: 'Hi.' };
    const { status, body } = await ada.api.post(`/v1/inbox/${ada.address}/send`, mail);
    assert.deepEqual([status, body.to], [200, ['to@example.com', 'cc@example.com', 'bcc@example.com']]);
    const eml = (await t.outboxMails()).find((text) => text.includes(ada.address)) ?? '';
    assert.deepEqual([header(eml, 'Cc'), header(eml, 'Bcc')], ['cc@example.com', '']);
    const [entry] = (await ada.api.get('/v1/email/outbox')).body.messages;
    assert.deepEqual([entry.status, entry.provider, entry.left_machine], ['sent', 'file', false]);
    assert.match(entry.guidance, /no mail relay/);
    const [plain] = (await ada.api.get('/v1/email/outbox?verbose=false')).body.messages;
    assert.deepEqual([plain.left_machine, 'guidance' in plain], [false, false]);
  });
});
